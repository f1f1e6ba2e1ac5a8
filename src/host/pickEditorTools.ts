import * as vscode from 'vscode';
import { pickedToolsKey } from './editorTools.ts';
import { inform } from './inform.ts';

/** Lets the user pick from the tools that extensions and MCP servers have given to the editor. */
export async function pickTools(state: vscode.Memento): Promise<void> {
  const { tools } = vscode.lm;
  if (tools.length === 0)
    return inform(vscode.l10n.t('The editor has no tools yet. Extensions and MCP servers add them.'));
  const before = new Set(state.get<readonly string[]>(pickedToolsKey) ?? []);
  const items = tools.map(({ name, description, tags }) => ({
    label: name,
    description: tags.join(', '),
    detail: description,
    picked: before.has(name),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Tools for research'),
    placeHolder: vscode.l10n.t('A model may call these tools. What they are asked leaves the run.'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  // Those whose server is not running now stay picked.
  for (const { name } of tools) before.delete(name);
  await state.update(pickedToolsKey, [...before, ...chosen.map(({ label }) => label)]);
}
