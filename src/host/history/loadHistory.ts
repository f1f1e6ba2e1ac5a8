import type * as vscode from 'vscode';
import { DeletedRuns } from './deletedRuns.ts';
import { HistoryActions } from './historyActions.ts';
import type { HistoryHost, HistoryNode } from './historyHost.ts';
import { HistoryTree } from './historyTree.ts';
import { RunCatalogue } from './runCatalogue.ts';

export interface LoadedHistory {
  readonly tree: HistoryTree;
  readonly actions: HistoryActions;
}

/** Builds the history, on its first use. */
export function loadHistory(host: HistoryHost, view: vscode.TreeView<HistoryNode>, changed: () => void): LoadedHistory {
  const deleted = new DeletedRuns(host.runsFolder);
  void deleted.sweep();
  const tree = new HistoryTree(host, new RunCatalogue(host.runsFolder, host.log), view, changed);
  return { tree, actions: new HistoryActions(host, tree, deleted) };
}
