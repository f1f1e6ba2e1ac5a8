import * as vscode from 'vscode';
import type { AllowTools } from '../protocol/ports.ts';
import { withToken } from './cancellation.ts';
import { settingsPrefix } from './commandIds.ts';
import { pickedToolsKey } from './editorTools.ts';
import { choiceLine } from './history/plainText.ts';

/** A list of the tools, of which those are picked that are on anyway. */
export async function allowTools(
  state: vscode.Memento,
  { server, tools, haveChanged }: Parameters<AllowTools>[0],
  signal: AbortSignal,
): ReturnType<AllowTools> {
  const items = tools.map(({ name, description, isOn }) => ({
    ...{ name, label: choiceLine(name), detail: choiceLine(description, 300), picked: isOn },
  }));
  const options = {
    title: titleOf(server, haveChanged),
    placeHolder: vscode.l10n.t('A model may call the tools that you pick. Others stay off.'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDetail: true,
  } as const;
  const chosen = await withToken(signal, (token) => vscode.window.showQuickPick(items, options, token));
  if (chosen === undefined) return undefined;
  const names = chosen.map(({ name }) => name);
  if (server === undefined) {
    const asked = new Set(tools.map(({ name }) => name));
    const others = (state.get<readonly string[]>(pickedToolsKey) ?? []).filter((name) => !asked.has(name));
    await state.update(pickedToolsKey, [...others, ...names]);
    return names;
  }
  const settings = vscode.workspace.getConfiguration(settingsPrefix.slice(0, -1));
  const servers = settings.inspect<Record<string, object>>('mcpServers')?.globalValue ?? {};
  const changed = { ...servers, [server]: { ...servers[server], tools: names } };
  await settings.update('mcpServers', changed, vscode.ConfigurationTarget.Global);
  return names;
}

function titleOf(server: string | undefined, haveChanged: boolean): string {
  if (server === undefined) return vscode.l10n.t('Tools of this editor: what they say of themselves has changed');
  return haveChanged
    ? vscode.l10n.t('MCP server {0}: what it says of its tools has changed', server)
    : vscode.l10n.t('MCP server {0}: tools that may change something', server);
}
