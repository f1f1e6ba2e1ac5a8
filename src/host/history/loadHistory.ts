import type * as vscode from 'vscode';
import { HistoryActions } from './historyActions.ts';
import type { HistoryService, HistoryNode } from './historyService.ts';
import { HistoryTree } from './historyTree.ts';
import { RunCatalogue } from './runCatalogue.ts';
import { RunTrash } from './runTrash.ts';

export interface LoadedHistory {
  readonly tree: HistoryTree;
  readonly actions: HistoryActions;
}

/** Puts the history together, on its first use. */
export async function loadHistory(
  desk: HistoryService,
  view: vscode.TreeView<HistoryNode>,
  changed: (node: HistoryNode | undefined) => void,
): Promise<LoadedHistory> {
  const trash = new RunTrash(desk.runsFolder);
  void trash.emptyOld();
  const tree = new HistoryTree(desk, new RunCatalogue(desk.runsFolder, desk.indexFile, desk.log), view, changed);
  await tree.load();
  return { tree, actions: new HistoryActions(desk, tree, trash) };
}
