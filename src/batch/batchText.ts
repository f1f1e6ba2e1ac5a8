import process from 'node:process';
import { largest } from '../protocol/numbers.ts';
import { stripHidden } from '../research/text/hidden.ts';
import { l10n } from '../node/l10n.ts';
import { columnsOf } from '../node/terminalLine.ts';
import type { Figures } from './figures.ts';
import type { BatchCounts, QuestionStatus } from './questionQueue.ts';
import type { ResultLine } from './resultFiles.ts';

const barWidth = 24;
/** Rows of a table that a person reads. */
const mostRows = 200;
const longestCell = 60;

/** `[####····] 3 of 9 done, 2 running, … , 1,200 tokens, 0.10 USD, about 4 min left`. */
export function progressBar({ by, figures, isPaused }: BatchCounts, msLeft: number | undefined): string {
  const total = Object.values(by).reduce((sum, count) => sum + count, 0);
  const done = by.reported;
  const ended = done + by.failed + by.cancelled;
  const filled = total === 0 ? barWidth : Math.floor((ended / total) * barWidth);
  const parts = [
    l10n.t('{0} of {1} done', done, total),
    countText('running', by.running),
    ...(['waiting', 'failed', 'cancelled'] as const).flatMap((status) =>
      by[status] > 0 ? [countText(status, by[status])] : [],
    ),
    ...(figures.tokens > 0 ? [l10n.t('{0, plural, one {# token} other {# tokens}}', figures.tokens)] : []),
    ...(figures.cost ? [`${figures.cost.toFixed(2)} USD`] : []),
    ...(isPaused ? [l10n.t('paused')] : []),
    ...(msLeft === undefined || isPaused ? [] : [l10n.t('about {0} left', duration(msLeft))]),
  ];
  return `[${'#'.repeat(filled)}${'·'.repeat(barWidth - filled)}] ${parts.join(', ')}`;
}

/** `2 running` */
export function countText(status: QuestionStatus, count: number): string {
  const texts: Readonly<Record<QuestionStatus, string>> = {
    pending: l10n.t('{0} pending', count),
    running: l10n.t('{0} running', count),
    waiting: l10n.t('{0} waiting', count),
    reported: l10n.t('{0} reported', count),
    failed: l10n.t('{0} failed', count),
    cancelled: l10n.t('{0} cancelled', count),
  };
  return texts[status];
}

/** By the time that each question took so far, divided by how many are in progress. Undefined: none has ended. */
export function timeLeft({ by }: BatchCounts, ended: readonly Figures[]): number | undefined {
  if (ended.length === 0) return undefined;
  const mean = ended.reduce((sum, { ms }) => sum + ms, 0) / ended.length;
  return (mean * (by.pending + by.running)) / Math.max(1, by.running);
}

function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 90 ? l10n.t('{0} min', minutes) : l10n.t('{0} h', Math.round(minutes / 60));
}

/** A row a question, those without a report first. */
export function resultTable(lines: readonly ResultLine[], counts: BatchCounts): string {
  const isReported = ({ path, error }: ResultLine): boolean => path !== null && error === null;
  const rows = [...lines].sort((a, b) => Number(isReported(a)) - Number(isReported(b)));
  const shown = rows
    .slice(0, mostRows)
    .map(({ id, outcome, citations, tokens, cost, ms, path, error }) => [
      cut(id),
      outcome,
      String(citations),
      tokens.toLocaleString('en'),
      money(cost),
      (ms / 1000).toFixed(1),
      error === null ? (path ?? '') : stripHidden(l10n.error(error)).replace(/\s+/g, ' '),
    ]);
  const { tokens, cost, ms } = counts.figures;
  const all = [
    l10n.t('all'),
    countText('reported', counts.by.reported),
    '',
    tokens.toLocaleString('en'),
    money(cost),
    (ms / 1000).toFixed(1),
    '',
  ];
  const heads = ['id', l10n.t('outcome'), l10n.t('citations'), 'tokens', 'USD', 's', l10n.t('report or problem')];
  const table = [heads, ...shown, all];
  const widths = heads.map((_, at) => largest(table.map((row) => columnsOf(row[at]!))));
  const last = widths.length - 1;
  const text = table.map((row) =>
    row
      .map((cell, at) => {
        const space = ' '.repeat(widths[at]! - columnsOf(cell));
        return at === last ? cell : at >= 2 ? space + cell : cell + space;
      })
      .join('  '),
  );
  const more = rows.length - mostRows;
  return `${text.map((line) => line.trimEnd()).join('\n')}\n${more > 0 ? `${l10n.t('{0} more are in results.jsonl.', more)}\n` : ''}`;
}

function cut(id: string): string {
  const plain = stripHidden(id).replace(/\s+/g, ' ');
  return plain.length > longestCell ? `${plain.slice(0, longestCell)}…` : plain;
}

const money = (cost: number | null): string => (cost === null ? '-' : cost.toFixed(4));

/** The first signal stops so that everything can be resumed, the second one exits at once. */
export function stopOnSignals(say: (text: string) => void): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130);
      say(l10n.t('Stopping.'));
      stop.abort();
    });
  return stop.signal;
}
