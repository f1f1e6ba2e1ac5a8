import * as vscode from 'vscode';

/** Shows a message, and does not wait until it is closed. */
export function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Shows a message with a button. True: it was clicked. */
export async function offer(message: string, button: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(message, button)) === button;
}
