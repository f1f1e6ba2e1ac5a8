import type { RunView } from './runView.ts';

/** A finished run of which something is missing: a part of the research, or an answer. */
export function hasGaps({ end }: Pick<RunView, 'end'>): boolean {
  return end?.outcome === 'partial' || (end?.gaps ?? []).length > 0;
}
