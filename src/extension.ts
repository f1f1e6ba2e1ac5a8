import * as vscode from 'vscode';

/** Shows the research panel; the commands of the manifest lead to it. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('deepResearch.panel', {
      resolveWebviewView(view) {
        view.webview.html = `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head>
          <body><h1>Deep Research</h1></body></html>`;
      },
    }),
    ...(context.extension.packageJSON.contributes.commands as { command: string }[]).map(({ command }) =>
      vscode.commands.registerCommand(command, () => vscode.commands.executeCommand('deepResearch.panel.focus')),
    ),
  );
}
