import * as vscode from 'vscode';
import { commandIds } from '../commandIds.ts';
import { dateWords } from './dateWords.ts';
import type { HistoryNode } from './historyService.ts';
import { markdownLine, oneLine } from './plainText.ts';
import { canResume, hasReport, isOn, type RunEntry, type RunState, titleOf } from './runEntry.ts';

const icons: Readonly<Record<RunState, readonly [icon: string, color: string]>> = {
  running: ['loading~spin', 'progressBar.background'],
  waiting: ['question', 'list.warningForeground'],
  interrupted: ['debug-disconnect', 'list.warningForeground'],
  failed: ['error', 'list.errorForeground'],
  stopped: ['stop-circle', 'descriptionForeground'],
  partial: ['pass', 'list.warningForeground'],
  finished: ['pass-filled', 'testing.iconPassed'],
  unreadable: ['circle-slash', 'descriptionForeground'],
};

export function runIcon({ state }: RunEntry): vscode.ThemeIcon {
  const [icon, color] = icons[state];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/** How a run stands, in words. */
export function stateWords({ state, status, elsewhere }: RunEntry): string {
  switch (state) {
    case 'running':
      return elsewhere ? vscode.l10n.t('At work in another window') : vscode.l10n.t('At work');
    case 'waiting':
      return elsewhere
        ? vscode.l10n.t('Waits for an answer in another window')
        : vscode.l10n.t('Waits for your answer');
    case 'interrupted':
      return status === 'waiting' ? vscode.l10n.t('Interrupted, waits for your answer') : vscode.l10n.t('Interrupted');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'stopped':
      return vscode.l10n.t('Stopped');
    case 'partial':
      return vscode.l10n.t('Finished, with gaps');
    case 'finished':
      return vscode.l10n.t('Finished');
    case 'unreadable':
      return status === 'newer' ? vscode.l10n.t('Kept by a newer version') : vscode.l10n.t('Unreadable');
  }
}

export function runLabel(run: RunEntry): string {
  return run.state === 'unreadable' && titleOf(run) === run.run
    ? vscode.l10n.t('Run {0}', run.run)
    : oneLine(titleOf(run)) || run.run;
}

/** Date, and what else tells one run from the next at a glance. */
export function runDescription(run: RunEntry, now: Date): string {
  const { state, cited, created } = run;
  const date = dateWords(new Date(created), now, vscode.env.language);
  if (!hasReport(run) || state === 'partial') return `${date} · ${stateWords(run)}`;
  return cited === undefined ? date : `${date} · ${sourcesWords(cited)}`;
}

export function treeItem(node: HistoryNode, now: Date): vscode.TreeItem {
  return node.kind === 'group'
    ? groupItem(node.group.key, node.group.runs.length, new Date(node.group.runs[0]?.created ?? 0))
    : runItem(node.entry, now);
}

function runItem(run: RunEntry, now: Date): vscode.TreeItem {
  const item = new vscode.TreeItem(runLabel(run), vscode.TreeItemCollapsibleState.None);
  item.id = run.run;
  item.iconPath = runIcon(run);
  item.description = runDescription(run, now);
  item.contextValue = [
    'run',
    run.state,
    ...(canResume(run) ? ['resumable'] : []),
    ...(isOn(run) ? ['on'] : ['idle']),
    ...(run.state === 'unreadable' ? [] : ['readable']),
  ].join(' ');
  item.accessibilityInformation = { label: `${item.label as string}, ${stateWords(run)}, ${item.description}` };
  item.command = {
    command: commandIds.openRun,
    title: vscode.l10n.t('Open'),
    arguments: [{ kind: 'run', entry: run } satisfies HistoryNode],
  };
  return item;
}

/** Everything that is known of a run, as text: what a model or a page wrote is never taken for Markdown. */
export function runTooltip(run: RunEntry): vscode.MarkdownString {
  const dates = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const { question, strategy, model, cited, failure, created, ended, workspace, path, name, title } = run;
  const facts: (readonly [string, string | undefined])[] = [
    [vscode.l10n.t('Status'), stateWords(run) + (cited === undefined ? '' : `, ${sourcesWords(cited)}`)],
    [vscode.l10n.t('Reason'), failure],
    [vscode.l10n.t('Question'), question === '' ? undefined : question],
    [vscode.l10n.t('Report'), name === undefined ? undefined : title],
    [vscode.l10n.t('Strategy'), strategy === '' ? undefined : strategy],
    [vscode.l10n.t('Model'), strategy === '' ? undefined : (model ?? vscode.l10n.t('none'))],
    [vscode.l10n.t('Started'), dates.format(new Date(created))],
    [
      vscode.l10n.t('Ended'),
      ended === undefined || Number.isNaN(Date.parse(ended)) ? undefined : dates.format(new Date(ended)),
    ],
    [vscode.l10n.t('Folder'), workspace],
    [vscode.l10n.t('File'), path],
  ];
  const lines = facts.flatMap(([what, value]) =>
    value === undefined ? [] : [markdownLine(`${what}: ${oneLine(value, 400)}`)],
  );
  return new vscode.MarkdownString([`**${markdownLine(runLabel(run))}**`, ...lines].join('\n\n'), false);
}

function groupItem(key: string, count: number, first: Date): vscode.TreeItem {
  const recent = key === 'today' || key === 'yesterday' || key === 'week';
  const item = new vscode.TreeItem(
    groupLabel(key, first),
    recent ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `group ${key}`;
  item.contextValue = 'group';
  item.description = String(count);
  return item;
}

function groupLabel(key: string, first: Date): string {
  switch (key) {
    case 'today':
      return vscode.l10n.t('Today');
    case 'yesterday':
      return vscode.l10n.t('Yesterday');
    case 'week':
      return vscode.l10n.t('Last 7 Days');
    case 'month':
      return vscode.l10n.t('Last 30 Days');
    default:
      return new Intl.DateTimeFormat(vscode.env.language, { month: 'long', year: 'numeric' }).format(first);
  }
}

function sourcesWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 source') : vscode.l10n.t('{0} sources', count);
}
