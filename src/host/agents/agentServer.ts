import fs from 'node:fs';
import * as vscode from 'vscode';
import { messageOf } from '../../runs/log.ts';
import type { EngineOptions } from '../../protocol/ports.ts';
import { mcpProviderId } from '../commandIds.ts';
import { declaredSettings } from '../manifest.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { launcherPath } from './launcherPath.ts';

/** What the server for agents needs of the window that offers it. */
export type AgentHost = Pick<ResearchWindow, 'context' | 'log' | 'keys' | 'keyServices' | 'loadEngine' | 'options'>;

/** Offers `deep-research mcp` to the agents of this editor, and follows the settings for those outside of it. */
export function offerServer(host: AgentHost): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const refresh = () => void writeSettings(host);
  refresh();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      changed.fire();
      refresh();
    }),
    vscode.workspace.onDidChangeConfiguration(refresh),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProviderId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (await import('./editorServer.ts')).definitions(host),
      resolveMcpServerDefinition: async (server: vscode.McpStdioServerDefinition) =>
        (await import('./editorServer.ts')).resolved(server, host),
    }),
  );
}

/** Agents outside start the installed version, with the user's settings, which a window in Restricted Mode knows in part. */
export async function writeSettings(host: AgentHost): Promise<void> {
  const storage = host.context.globalStorageUri.fsPath;
  if (!fs.existsSync(launcherPath(storage)) || !vscode.workspace.isTrusted) return;
  try {
    const { writeLauncher } = await import('./launcher.ts');
    writeLauncher(storage, host.context.extensionPath, userSettings(host));
  } catch (error) {
    host.log.warn(`agents: their settings could not be written: ${messageOf(error)}`);
  }
}

/** What the user has set: a key that the manifest doesn't know may be of the open folder. */
export function userSettings(host: AgentHost): EngineOptions['settings'] {
  const declared = declaredSettings(host.context.extension);
  return Object.fromEntries(Object.entries(host.options().settings).filter(([key]) => Object.hasOwn(declared, key)));
}
