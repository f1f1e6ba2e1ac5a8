import type { PlanEstimate } from '../../protocol/plan.ts';

/** Above these a run counts as costly, and its plan is shown before it starts. */
const costly = { calls: 60, tokens: 500_000, cost: 1 } as const;

/** Calls of a budget that may go to searches: a quarter, at least one call, is left for opening what they find. */
export function searchShare(calls: number): number {
  return Math.max(Math.min(calls, 1), calls - Math.ceil(calls / 4));
}

export function isCostly(estimate: PlanEstimate): boolean {
  return estimate.calls > costly.calls || estimate.tokens > costly.tokens || (estimate.cost ?? 0) > costly.cost;
}
