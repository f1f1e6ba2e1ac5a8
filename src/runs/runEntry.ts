import type { RunRecord } from '../protocol/runRecord.ts';
import type { RunView } from '../protocol/runView.ts';

/** State of a run, as the history shows it. `newer`: a later version of this extension wrote its record. */
export type RunState =
  | 'running'
  | 'waiting'
  | 'interrupted'
  | 'failed'
  | 'stopped'
  | 'partial'
  | 'notFound'
  | 'finished'
  | 'newer'
  | 'damaged';

/** A run as the history shows it: its record, or only what its id says when the record can't be read. */
export interface RunEntry extends Partial<Omit<RunRecord, 'settings'>> {
  readonly run: string;
  /** ISO 8601. */
  readonly created: string;
  readonly state: RunState;
  /** It runs in another window or program. */
  readonly elsewhere: boolean;
  /** The folder that holds its folder, where the command line saved it and not this editor. */
  readonly outside?: string;
}

/** What only this window knows of its runs. */
export interface WindowFacts {
  /** The run that is in progress in this window. */
  readonly own?: { readonly run: string; readonly state: 'running' | 'waiting' };
}

/**
 * What the tree shows of this window's run, as one text: when it changes, the tree is read again. `own` is part of it:
 * the run's last event comes before the engine has ended, and until then the tree shows the run as in progress.
 */
export function ownRunFacts({ run, status, report, waitingFor }: RunView, { own }: WindowFacts): string {
  return [run, status, waitingFor, own?.run === run, report.path].join(' ');
}

/** `isHeld`: whether a process uses the run. */
export function entryOf(record: Omit<RunRecord, 'settings'>, { own }: WindowFacts, isHeld: () => boolean): RunEntry {
  const entry = (state: RunState, elsewhere = false): RunEntry => ({ ...record, state, elsewhere });
  if (own?.run === record.run) return entry(own.state);
  switch (record.status) {
    case 'running':
    case 'waiting':
      return isHeld() ? entry(record.status, true) : entry('interrupted');
    case 'finished':
      if (record.outcome === 'notFound') return entry('notFound');
      return entry(record.outcome === 'partial' || record.gaps !== undefined ? 'partial' : 'finished');
    case 'failed':
      return entry('failed');
    case 'cancelled':
      return entry('stopped');
  }
}

/** A run whose record can't be read. */
export function unreadableEntry(run: string, state: 'newer' | 'damaged'): RunEntry {
  return { run, created: createdOf(run), state, elsewhere: false };
}

/** What a run is called: the user's name for it, else the report's title, else the question. */
export function titleOf({ name, title, question, run }: RunEntry): string {
  return [name, title, question].find((text) => text !== undefined && text.trim() !== '') ?? run;
}

export function isInProgress({ state }: RunEntry): boolean {
  return state === 'running' || state === 'waiting';
}

export function canResume({ state }: RunEntry): boolean {
  return state === 'interrupted' || state === 'stopped' || state === 'failed';
}

export function hasReport({ state }: RunEntry): boolean {
  return state === 'finished' || state === 'partial' || state === 'notFound';
}

export function isReadable({ state }: RunEntry): boolean {
  return state !== 'newer' && state !== 'damaged';
}

/** When a run began, by its id: ISO 8601. */
function createdOf(run: string): string {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})/.exec(run) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}
