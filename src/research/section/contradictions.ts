import type { ResearchStateType } from '../state.ts';
import type { Contradiction } from '../stateSchema.ts';

/** What the last review or reflection found. */
export function contradictionsOf({
  lastReview,
  lastReflection,
}: Pick<ResearchStateType, 'lastReview' | 'lastReflection'>): readonly Contradiction[] {
  return lastReview?.contradictions ?? lastReflection?.contradictions ?? [];
}

export function eachOnce(all: readonly Contradiction[]): Contradiction[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
