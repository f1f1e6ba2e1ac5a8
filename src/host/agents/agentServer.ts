import fs from 'node:fs';
import * as vscode from 'vscode';
import { mcpProviderId } from '../commandIds.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { launcherPath } from './launcherPath.ts';

/** What the server for agents needs of the window that offers it. */
export type AgentHost = Pick<ResearchWindow, 'context' | 'keys' | 'keyServices' | 'loadEngine' | 'options'>;

/** Offers `deep-research mcp` to the agents of this editor, and follows the settings for those outside of it. */
export function offerServer(host: AgentHost): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const storage = host.context.globalStorageUri.fsPath;
  // Agents outside start the installed version, with the user's settings.
  const refresh = () => {
    if (!fs.existsSync(launcherPath(storage))) return;
    void import('./launcher.ts').then(({ writeLauncher }) =>
      writeLauncher(storage, host.context.extensionPath, host.options().settings),
    );
  };
  refresh();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration(refresh),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (await import('./editorServer.ts')).definitions(host),
      resolveMcpServerDefinition: async (server: vscode.McpStdioServerDefinition) =>
        (await import('./editorServer.ts')).resolved(server, host),
    }),
  );
}
