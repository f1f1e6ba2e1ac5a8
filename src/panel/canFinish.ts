import { isOnHold, isLive } from '../protocol/onHold.ts';
import type { RunView } from '../protocol/runView.ts';

/**
 * There are sources to write from, and the report is not being written, or is paused. The card of a review has a button
 * of its own for it.
 */
export function canFinish(view: RunView): boolean {
  if (view.sources.length === 0 || view.waitingFor === 'review' || !isLive(view)) return false;
  return view.phase !== 'report' || isOnHold(view);
}
