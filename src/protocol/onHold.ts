import type { RunView } from './runView.ts';

/** Reasons for which a run pauses and goes on by itself; for any other one it waits to be gone on with. */
const byItself = new Set(['network', 'rateLimit']);

/** The run holds still because its model can't be reached, and goes on without anybody's doing. It can be stopped and finished. */
export function isOnHold({ status, end }: Pick<RunView, 'status' | 'end'>): boolean {
  return status === 'paused' && end !== null && byItself.has(end.reason);
}

/** Somebody works on the run: it is at work, waits for the user, or is held. */
export function isLive(view: Pick<RunView, 'status' | 'end'>): boolean {
  return view.status === 'running' || view.status === 'waiting' || isOnHold(view);
}
