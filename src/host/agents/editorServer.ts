import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import type { KeyService } from '../../protocol/ports.ts';
import { addressOf } from '../keys.ts';
import { manifestOf } from '../manifest.ts';
import type { KeyRing } from '../secrets.ts';
import { originOf } from '../settings.ts';
import { readableFolder } from '../workspaceFolder.ts';
import type { AgentHost } from './agentServer.ts';
import { writeSettings } from './launcher.ts';

/** The server for the open folder; none in Restricted Mode. */
export function definitions({ context }: AgentHost): vscode.McpStdioServerDefinition[] {
  const folder = readableFolder();
  if (folder === undefined) return [];
  const { version } = manifestOf(context.extension);
  const args = [path.join(context.extensionPath, 'dist', 'cli.js'), 'mcp', '--workspace', folder];
  // On the desktop, what runs this is the editor itself.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return [new vscode.McpStdioServerDefinition(vscode.l10n.t('Deep Research'), process.execPath, args, env, version)];
}

/** Adds what the settings of user and folder amount to, and the keys, each for the address that it was saved for. */
export async function resolved(
  server: vscode.McpStdioServerDefinition,
  host: AgentHost,
): Promise<vscode.McpStdioServerDefinition> {
  const { context, keys, keyServices } = host;
  const today = host.options();
  const settings = (await host.loadEngine()).effectiveSettings(today);
  const file = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'agents.json');
  writeSettings(file, settings);
  server.args = [...server.args, '--settings', file, '--run-dir', today.runsFolder];
  server.env = { ...server.env, ...(await keyVariables(keys, keyServices, settings)) };
  return server;
}

/**
 * The saved keys as the environment variables that the command line reads. Of the models' keys only that of the provider in use: the
 * command line sends a key that several services share to the address of the settings.
 */
async function keyVariables(
  keys: KeyRing,
  services: readonly KeyService[],
  { 'deepResearch.model.provider': provider = 'auto' }: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const service of services) {
    const isUsed = service.setting !== 'model.baseUrl' || provider === 'auto' || provider === service.service;
    const origin = isUsed ? originOf(addressOf(service)) : undefined;
    const key = origin === undefined ? undefined : await keys.key(service.service, origin);
    const [variable] = service.environment;
    if (key !== undefined && variable !== undefined) variables[variable] = key;
  }
  return variables;
}
