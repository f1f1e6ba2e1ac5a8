import type { RunView } from './runView.ts';

/** Reasons for which a run pauses and resumes by itself; after any other it waits to be resumed. */
const byItself = new Set(['network', 'rateLimit']);

/** The run is paused because its model can't be reached, and resumes by itself. It can be stopped and finished. */
export function isOnHold({ status, end }: Pick<RunView, 'status' | 'end'>): boolean {
  return status === 'paused' && end !== null && byItself.has(end.reason);
}

/** A process has the run: it is running, waits for the user, or is paused and resumes by itself. */
export function isLive(view: Pick<RunView, 'status' | 'end'>): boolean {
  return view.status === 'running' || view.status === 'waiting' || isOnHold(view);
}
