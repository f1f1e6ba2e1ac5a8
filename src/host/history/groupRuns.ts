import type { RunEntry } from '../../runs/runEntry.ts';

export type GroupKey = 'today' | 'yesterday' | 'week' | 'month' | 'older';

export interface RunGroup {
  readonly key: GroupKey;
  readonly runs: readonly RunEntry[];
}

/** Runs, newest first, by the reader's calendar. */
export function groupRuns(runs: readonly RunEntry[], now: Date): RunGroup[] {
  const groups = Map.groupBy(runs, ({ created }) => groupKey(new Date(created), now));
  return [...groups].map(([key, members]) => ({ key, runs: members }));
}

function groupKey(created: Date, now: Date): GroupKey {
  const days = dayNumber(now) - dayNumber(created);
  // A clock that was set back leaves runs of "tomorrow".
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days < 7) return 'week';
  return days < 30 ? 'month' : 'older';
}

/** Counts calendar days, so that a day of 23 or 25 hours is one day. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}
