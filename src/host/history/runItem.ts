import * as vscode from 'vscode';
import type { RunView } from '../../protocol/runView.ts';
import { commandIds } from '../commandIds.ts';
import { l10n } from '../l10n.ts';
import { dateWords } from './dateWords.ts';
import type { GroupKey, RunGroup } from './groupRuns.ts';
import { endedSections } from './followedRun.ts';
import type { HistoryNode } from './historyHost.ts';
import { markdownLine, oneLine } from './plainText.ts';
import {
  canResume,
  hasReport,
  isInProgress,
  isReadable,
  type RunEntry,
  type RunState,
  titleOf,
} from '../../runs/runEntry.ts';
import { errorText } from '../shownErrors.ts';

const icons: Readonly<Record<RunState, readonly [icon: string, color: string]>> = {
  running: ['loading~spin', 'progressBar.background'],
  waiting: ['question', 'list.warningForeground'],
  interrupted: ['debug-disconnect', 'list.warningForeground'],
  failed: ['error', 'list.errorForeground'],
  stopped: ['stop-circle', 'descriptionForeground'],
  partial: ['pass', 'list.warningForeground'],
  notFound: ['search-stop', 'descriptionForeground'],
  finished: ['pass-filled', 'testing.iconPassed'],
  newer: ['circle-slash', 'descriptionForeground'],
  damaged: ['circle-slash', 'descriptionForeground'],
};

export function runIcon({ state }: RunEntry): vscode.ThemeIcon {
  const [icon, color] = icons[state];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/** State of a run, in words. */
function stateWords({ state, status, elsewhere, outside }: RunEntry): string {
  const isOutside = outside !== undefined;
  return {
    running: isOutside
      ? vscode.l10n.t('Running on the command line')
      : elsewhere
        ? vscode.l10n.t('Running in another window')
        : vscode.l10n.t('Running'),
    waiting: isOutside
      ? vscode.l10n.t('Waiting on the command line')
      : elsewhere
        ? vscode.l10n.t('Waiting in another window')
        : vscode.l10n.t('Waiting for you'),
    interrupted:
      status === 'waiting' ? vscode.l10n.t('Interrupted while waiting for you') : vscode.l10n.t('Interrupted'),
    failed: vscode.l10n.t('Failed'),
    stopped: vscode.l10n.t('Stopped'),
    partial: vscode.l10n.t('Finished with gaps'),
    notFound: vscode.l10n.t('Not in what was searched'),
    finished: vscode.l10n.t('Finished'),
    newer: vscode.l10n.t('Saved by a newer version'),
    damaged: vscode.l10n.t('Damaged'),
  }[state];
}

export function runLabel(run: RunEntry): string {
  const title = titleOf(run);
  return title === run.run ? vscode.l10n.t('Run {0}', run.run) : oneLine(title) || run.run;
}

/** Date and state, or the number of sources of a report. */
export function runDescription(run: RunEntry, now: Date, reached?: Pick<RunView, 'sections' | 'sources'>): string {
  const { cited } = run;
  const date = dateWords(new Date(run.created), now, vscode.env.language);
  if (run.state !== 'finished') return [date, stateWords(run), ...(reached ? progressWords(reached) : [])].join(' · ');
  return cited === undefined ? date : `${date} · ${sourcesWords(cited)}`;
}

/** How far a run is. */
function progressWords({ sections, sources }: Pick<RunView, 'sections' | 'sources'>): string[] {
  const ended = endedSections({ sections });
  return [
    ...(sections.length > 0
      ? [l10n.t('{0} of {1, plural, one {# section} other {# sections}}', ended, sections.length)]
      : []),
    ...(sources.length > 0 ? [sourcesWords(sources.length)] : []),
  ];
}

/** @param reached Of a run that another process has in progress. */
export function runItem(
  run: RunEntry,
  now: Date,
  hasVersions: boolean,
  reached?: Pick<RunView, 'sections' | 'sources'>,
): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const title = runLabel(run);
  // A narrow view has room for the beginning of a row alone.
  const isPlanned = reached !== undefined && reached.sections.length > 0;
  const label = isPlanned ? `${endedSections(reached)}/${reached.sections.length} · ${title}` : title;
  const item = new vscode.TreeItem(label, hasVersions ? Collapsed : None);
  item.id = run.run;
  item.iconPath = runIcon(run);
  item.description = runDescription(run, now, reached);
  item.contextValue = ['run', ...(run.outside === undefined ? contextsOf(run) : ['outside'])].join(' ');
  item.accessibilityInformation = { label: `${title}, ${stateWords(run)}, ${item.description}` };
  item.command = {
    command: commandIds.openRun,
    title: vscode.l10n.t('Open'),
    arguments: [{ kind: 'run', entry: run } satisfies HistoryNode],
  };
  return item;
}

/** What the menus of a run of this editor go by. */
function contextsOf(run: RunEntry): string[] {
  return [
    run.state,
    ...(canResume(run) ? ['resumable'] : []),
    ...(isInProgress(run) ? [] : ['idle']),
    ...(isReadable(run) ? ['readable'] : []),
    ...(hasReport(run) ? ['reported'] : []),
  ];
}

/** Everything that is known of a run, as text: what a model or a page wrote is never taken for Markdown. */
export function runTooltip(run: RunEntry, reached?: Pick<RunView, 'sections' | 'sources'>): vscode.MarkdownString {
  const dates = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const date = (at: string | undefined) =>
    at === undefined || Number.isNaN(Date.parse(at)) ? undefined : dates.format(new Date(at));
  const facts: (readonly [string, string | undefined])[] = [
    [vscode.l10n.t('Status'), stateWords(run) + (run.cited === undefined ? '' : `, ${sourcesWords(run.cited)}`)],
    [vscode.l10n.t('Progress'), reached && progressWords(reached).join(', ')],
    [vscode.l10n.t('Reason'), run.failure && errorText(run.failure.message)],
    [vscode.l10n.t('Question'), run.question],
    [vscode.l10n.t('Report'), run.name === undefined ? undefined : run.title],
    [vscode.l10n.t('Strategy'), run.strategy],
    [vscode.l10n.t('Model'), run.model === null ? vscode.l10n.t('none') : run.model],
    [vscode.l10n.t('Started'), date(run.created)],
    [vscode.l10n.t('Ended'), date(run.ended)],
    [vscode.l10n.t('Folder'), run.workspace],
    [vscode.l10n.t('Saved by the command line in'), run.outside],
    [vscode.l10n.t('File'), run.path],
  ];
  const lines = facts.flatMap(([what, value]) =>
    value === undefined ? [] : [markdownLine(`${what}: ${oneLine(value, 400)}`)],
  );
  return new vscode.MarkdownString([`**${markdownLine(runLabel(run))}**`, ...lines].join('\n\n'), false);
}

/** Expanded, all of them: the editor's Find looks through expanded rows only. */
export function groupItem({ key, runs }: RunGroup): vscode.TreeItem {
  const labels: Readonly<Record<GroupKey, string>> = {
    today: vscode.l10n.t('Today'),
    yesterday: vscode.l10n.t('Yesterday'),
    week: vscode.l10n.t('Last 7 Days'),
    month: vscode.l10n.t('Last 30 Days'),
    older: vscode.l10n.t('Older'),
  };
  const item = new vscode.TreeItem(labels[key], vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group ${key}`;
  item.description = String(runs.length);
  return item;
}

function sourcesWords(count: number): string {
  return l10n.t('{0, plural, one {# source} other {# sources}}', count);
}
