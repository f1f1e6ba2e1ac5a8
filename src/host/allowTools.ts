import * as vscode from 'vscode';
import type { AllowTools } from '../protocol/ports.ts';
import { withToken } from './cancellation.ts';
import { settingsPrefix } from './commandIds.ts';
import { choiceLine } from './history/plainText.ts';

/** A list of the server's tools, of which those are picked that are on anyway. */
export const allowTools: AllowTools = async ({ server, tools, haveChanged }, signal) => {
  const items = tools.map(({ name, description, isOn }) => ({
    ...{ name, label: choiceLine(name), detail: choiceLine(description, 300), picked: isOn },
  }));
  const options = {
    title: haveChanged
      ? vscode.l10n.t('MCP server {0}: what it says of its tools has changed', server)
      : vscode.l10n.t('MCP server {0}: tools that may change something', server),
    placeHolder: vscode.l10n.t('A model may call the tools that you pick. Others stay off.'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDetail: true,
  } as const;
  const chosen = await withToken(signal, (token) => vscode.window.showQuickPick(items, options, token));
  if (chosen === undefined) return undefined;
  const names = chosen.map(({ name }) => name);
  const settings = vscode.workspace.getConfiguration(settingsPrefix.slice(0, -1));
  const servers = settings.inspect<Record<string, object>>('mcpServers')?.globalValue ?? {};
  const changed = { ...servers, [server]: { ...servers[server], tools: names } };
  await settings.update('mcpServers', changed, vscode.ConfigurationTarget.Global);
  return names;
};
