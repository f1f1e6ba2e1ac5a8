import { activeMs } from '../protocol/reduceRun.ts';
import type { RunView } from '../protocol/runView.ts';

/**
 * Milliseconds that the run has been running, without the time that it waited, was paused or interrupted. `now` counts
 * while it runs; it is of a clock that may differ from the host's, `skew` is how far it is ahead.
 */
export function elapsedMs(view: RunView, now: number, skew = 0): number {
  return activeMs(view, new Date(now - skew));
}

/** `0:07`, `12:34`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
