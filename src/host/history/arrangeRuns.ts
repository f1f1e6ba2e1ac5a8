import { type RunEntry, runStates, titleOf } from './runEntry.ts';

export const sortOrders = ['newest', 'oldest', 'name', 'status'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface Arrangement {
  readonly sort: SortOrder;
  /** Words that a run must all have; "" for every run. */
  readonly filter: string;
  /** Folders whose runs are shown, beside those without a folder; undefined: all. */
  readonly workspaces: readonly string[] | undefined;
}

/** Runs of one day, week or month. */
export interface RunGroup {
  /** `today`, `yesterday`, `week`, `month`, or `YYYY-MM`. */
  readonly key: string;
  readonly runs: readonly RunEntry[];
}

/** The runs that are shown, in their order. `words` says a run's status as the user reads it. */
export function arrangeRuns(
  runs: readonly RunEntry[],
  { sort, filter, workspaces }: Arrangement,
  words: (run: RunEntry) => string,
): RunEntry[] {
  const here =
    workspaces === undefined
      ? runs
      : runs.filter(({ workspace }) => workspace === undefined || workspaces.includes(workspace));
  const wanted = fold(filter).split(/\s+/).filter(Boolean);
  const matching = wanted.length === 0 ? [...here] : here.filter((run) => matches(run, wanted, words(run)));
  return sorted(matching, sort);
}

/** Runs by the calendar of the reader; in the order of the first of each. For runs sorted by date. */
export function groupRuns(runs: readonly RunEntry[], now: Date): RunGroup[] {
  const groups = new Map<string, RunEntry[]>();
  for (const run of runs) {
    const key = groupKey(new Date(run.created), now);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return [...groups].map(([key, members]) => ({ key, runs: members }));
}

export function groupKey(created: Date, now: Date): string {
  const days = dayNumber(now) - dayNumber(created);
  // A clock that was set back leaves runs of "tomorrow".
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days < 7) return 'week';
  if (days < 30) return 'month';
  return `${created.getFullYear()}-${String(created.getMonth() + 1).padStart(2, '0')}`;
}

/** Counts calendar days, so that a day of 23 or 25 hours is one day. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
}

function matches(run: RunEntry, wanted: readonly string[], status: string): boolean {
  const { name = '', title = '', question, path = '', state } = run;
  const text = fold([name, title, question, path, run.run, state, status].join('\n'));
  return wanted.every((word) => text.includes(word));
}

/** Letters without case and accents, so that "resume" finds "Résumé". */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function sorted(runs: RunEntry[], order: SortOrder): RunEntry[] {
  const byDate = (one: RunEntry, other: RunEntry) => compare(other.created, one.created) || compare(other.run, one.run);
  switch (order) {
    case 'newest':
      return runs.sort(byDate);
    case 'oldest':
      return runs.sort((one, other) => byDate(other, one));
    case 'name': {
      const { compare: byName } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
      return runs.sort((one, other) => byName(titleOf(one), titleOf(other)) || byDate(one, other));
    }
    case 'status':
      return runs.sort(
        (one, other) => runStates.indexOf(one.state) - runStates.indexOf(other.state) || byDate(one, other),
      );
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
