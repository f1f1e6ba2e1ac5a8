import * as vscode from 'vscode';
import { panelViewId } from './host/commandIds.ts';
import { registerChat } from './host/chat/registerChat.ts';
import { registerCommands } from './host/commands.ts';
import { ResearchHost } from './host/researchHost.ts';

let host: ResearchHost | undefined;

/** Composes the extension. The engine, with all that it brings, is loaded when the panel or a run first needs it. */
export function activate(context: vscode.ExtensionContext): ResearchHost | undefined {
  host = new ResearchHost(context, () => import('./engine.ts'));
  context.subscriptions.push(
    host,
    registerCommands(host),
    registerChat(host),
    vscode.window.registerWebviewViewProvider(panelViewId, host.panel),
  );
  // Tests look at the run through the host; to other extensions nothing is given.
  return context.extensionMode === vscode.ExtensionMode.Test ? host : undefined;
}

/** Stops a run that is on; what it found is in its folder. */
export async function deactivate(): Promise<void> {
  await host?.close();
}
