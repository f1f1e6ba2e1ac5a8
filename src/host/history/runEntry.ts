import type { RunRecord } from '../../protocol/runRecord.ts';

/** How a run stands, as the history shows it. */
export const runStates = [
  'running',
  'waiting',
  'interrupted',
  'failed',
  'stopped',
  'partial',
  'finished',
  'unreadable',
] as const;
export type RunState = (typeof runStates)[number];

/** What the history knows of a run from its record: what is shown, searched and sorted by. */
export interface RunSummary {
  readonly run: string;
  /** `damaged`: the record cannot be read; `newer`: a later version of this extension wrote it. */
  readonly status: RunRecord['status'] | 'damaged' | 'newer';
  /** Its beginning; the record has the whole of an overlong one. */
  readonly question: string;
  /** ISO 8601. */
  readonly created: string;
  readonly ended?: string;
  readonly title?: string;
  /** What the user calls it. */
  readonly name?: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly outcome?: 'complete' | 'partial';
  /** Number of cited sources. */
  readonly cited?: number;
  readonly failure?: string;
  /** Absolute path of the folder that it researched. */
  readonly workspace?: string;
  /** Of the saved report, when it was saved. */
  readonly path?: string;
}

export interface RunEntry extends RunSummary {
  readonly state: RunState;
  /** Another window or program is at work on it. */
  readonly elsewhere: boolean;
}

/** What only this window knows of its runs. */
export interface WindowFacts {
  /** The run that this window is at work on. */
  readonly own?: { readonly run: string; readonly state: 'running' | 'waiting' };
}

/** `isHeld`: whether some process is at work on the run. */
export function entryOf(summary: RunSummary, { own }: WindowFacts, isHeld: () => boolean): RunEntry {
  const entry = (state: RunState, elsewhere = false): RunEntry => ({ ...summary, state, elsewhere });
  if (own?.run === summary.run) return entry(own.state);
  switch (summary.status) {
    case 'running':
    case 'waiting':
      return isHeld() ? entry(summary.status, true) : entry('interrupted');
    case 'finished':
      return entry(summary.outcome === 'partial' ? 'partial' : 'finished');
    case 'failed':
      return entry('failed');
    case 'cancelled':
      return entry('stopped');
    case 'damaged':
    case 'newer':
      return entry('unreadable');
  }
}

/** What a run is called: the user's name for it, else the report's title, else the question. */
export function titleOf({ name, title, question, run }: RunSummary): string {
  return [name, title, question].find((text) => text !== undefined && text.trim() !== '') ?? run;
}

export function isOn({ state }: RunEntry): boolean {
  return state === 'running' || state === 'waiting';
}

export function canResume({ state }: RunEntry): boolean {
  return state === 'interrupted' || state === 'stopped' || state === 'failed';
}

export function hasReport({ state }: RunEntry): boolean {
  return state === 'finished' || state === 'partial';
}

/** When a run began, as its id tells it: ISO 8601. */
export function createdOf(run: string): string {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})/.exec(run) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}
