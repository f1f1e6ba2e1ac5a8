import * as vscode from 'vscode';
import type { SortOrder } from './arrangeRuns.ts';
import { sortOrders } from './arrangeRuns.ts';
import type { HistoryTree } from './historyTree.ts';
import { choiceLine } from './plainText.ts';
import { type RunEntry, titleOf } from './runEntry.ts';
import { runDescription, runIcon, runLabel } from './runItem.ts';

/** How long a filter is typed before the tree follows (milliseconds). */
const typingMs = 150;

/** Lets the user choose one of the runs, newest first. */
export async function pickRun(runs: readonly RunEntry[], title: string): Promise<RunEntry | undefined> {
  if (runs.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no such run.'));
    return undefined;
  }
  const now = new Date();
  const items = runs.map((run) => ({
    label: choiceLine(runLabel(run)),
    description: choiceLine(runDescription(run, now)),
    iconPath: runIcon(run),
    // What the run is about, when its label does not say it.
    ...(run.question === '' || titleOf(run) === run.question ? {} : { detail: choiceLine(run.question) }),
    run,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Search titles and questions'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.run;
}

/** Asks for the filter's words; the tree follows what is typed, and Escape brings back what was. */
export async function pickFilter(tree: HistoryTree): Promise<void> {
  const before = tree.filter;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Filter the runs');
  box.placeholder = vscode.l10n.t('Words of the question, title, path or status');
  box.value = before;
  let timer: NodeJS.Timeout | undefined;
  const kept = await new Promise<string>((resolve) => {
    box.onDidChangeValue((value) => {
      clearTimeout(timer);
      timer = setTimeout(() => void tree.setFilter(value), typingMs);
    });
    box.onDidAccept(() => resolve(box.value));
    box.onDidHide(() => resolve(before));
    box.show();
  });
  clearTimeout(timer);
  box.dispose();
  await tree.setFilter(kept);
}

export async function pickSort(tree: HistoryTree): Promise<void> {
  const labels: Readonly<Record<SortOrder, string>> = {
    newest: vscode.l10n.t('Newest First'),
    oldest: vscode.l10n.t('Oldest First'),
    name: vscode.l10n.t('Name'),
    status: vscode.l10n.t('Status'),
  };
  const now = tree.sort;
  const items = sortOrders.map((order) => ({
    label: labels[order],
    order,
    ...(order === now ? { description: vscode.l10n.t('now') } : {}),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Sort the runs by') });
  if (chosen) await tree.setSort(chosen.order);
}
