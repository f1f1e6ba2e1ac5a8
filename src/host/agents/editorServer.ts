import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { readableFolder } from '../workspaceFolder.ts';
import type { AgentHost } from './agentServer.ts';
import { keyVariables } from './keyVariables.ts';
import { writeSettings } from './launcher.ts';

/** The server for the open folder; none in Restricted Mode. */
export function definitions({ context, version }: AgentHost): vscode.McpStdioServerDefinition[] {
  const folder = readableFolder();
  if (folder === undefined) return [];
  const args = [path.join(context.extensionPath, 'dist', 'cli.js'), 'mcp', '--workspace', folder];
  // On the desktop, what runs this is the editor itself.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return [new vscode.McpStdioServerDefinition(vscode.l10n.t('Deep Research'), process.execPath, args, env, version)];
}

/** Adds what the settings of user and folder amount to, and the keys, each for the address that it was saved for. */
export async function resolved(
  server: vscode.McpStdioServerDefinition,
  { context, keys, keyServices, loadEngine, options }: AgentHost,
): Promise<vscode.McpStdioServerDefinition> {
  const today = options();
  const settings = (await loadEngine()).effectiveSettings(today);
  const file = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'agents.json');
  writeSettings(file, settings);
  server.args = [...server.args, '--settings', file, '--run-dir', today.runsFolder];
  server.env = { ...server.env, ...(await keyVariables(keys, keyServices, settings)) };
  return server;
}
