import { isOnHold, isLive } from '../protocol/onHold.ts';
import type { RunView } from '../protocol/runView.ts';

/**
 * There is something to write about, and it is not being written yet, or can't be. What waits for a decision on its review has a
 * button of its own for it.
 */
export function canFinish(view: RunView): boolean {
  if (view.sources.length === 0 || view.waitingFor === 'review' || !isLive(view)) return false;
  return view.phase !== 'report' || isOnHold(view);
}
