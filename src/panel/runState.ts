import { useEffect, useState } from 'preact/hooks';
import type { ReportThread } from '../protocol/messages.ts';
import { usePanel } from './panelContext.ts';

/** What is remembered of all runs: the memory must not grow over the years. */
const mostRemembered = 100;

/**
 * What the user opened, ticked or typed in the shown run, which survives a reload of the page until it is forgotten. The third
 * function forgets it: the page is as it is, and the next one begins with `first`.
 */
export function useRunState<T>(name: string, first: T | (() => T)): readonly [T, (next: T) => void, () => void] {
  const { host, run } = usePanel();
  const key = `${run}/${name}`;
  const [value, setValue] = useState<T>((host.ui.ofRun[key] as T | undefined) ?? first);
  const remember = (next?: T): void => {
    const others = Object.entries(host.ui.ofRun).filter(([other]) => other !== key);
    const all = next === undefined ? others : [...others, [key, next] as const];
    host.remember({ ofRun: Object.fromEntries(all.slice(-mostRemembered)) });
  };
  const change = (next: T): void => {
    setValue(() => next);
    remember(next);
  };
  return [value, change, () => remember()];
}

/** What is typed about a report. */
export interface Typed {
  readonly text: string;
  /** Ids of the runs about the report when it was sent. Absent: it was not sent. */
  readonly sentAfter?: readonly string[];
}

/** What marks a text as sent. */
export function sentNow(thread: ReportThread | null): Pick<Typed, 'sentAfter'> {
  return { sentAfter: (thread?.asked ?? []).map(({ run }) => run) };
}

/** Forgets what was sent once a run with it has begun, also where the page was hidden meanwhile. */
export function useUntilBegun({ text, sentAfter }: Typed, forget: () => void): void {
  const { thread } = usePanel();
  useEffect(() => {
    const asked = sentAfter === undefined ? [] : (thread?.asked ?? []);
    if (asked.some(({ run, question }) => question === text.trim() && !sentAfter!.includes(run))) forget();
  }, [thread]);
}
