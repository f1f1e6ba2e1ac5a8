import type { PlanEstimate } from '../../protocol/events.ts';
import type { Settings } from '../config.ts';

/** From these on a run counts as costly and its plan is shown before it starts. */
const costly = { calls: 60, tokens: 500_000, cost: 1 } as const;

/**
 * Model turns and minutes that a researcher takes as a rule, by depth. A turn makes several tool calls; the numbers are what
 * runs against the imitated model and the prompts' own rules ("2-3 searches for simple tasks, 5 for complex ones") come to.
 */
const byDepth = {
  quick: { turns: 2, minutes: 0.4 },
  standard: { turns: 4, minutes: 0.8 },
  deep: { turns: 7, minutes: 1.6 },
} as const;
const tokensPerTurn = 6_000;
const tokensOfFixedCalls = 20_000;

/** What a plan will cost, roughly; without a model: no calls and no tokens. */
export function estimatePlan(sections: number, settings: Settings, analyst: 'llm' | 'extractive'): PlanEstimate {
  const depth = byDepth[settings.depth];
  const turns = Math.min(depth.turns, settings['limits.maxToolCallsPerResearcher'] + 1);
  const waves = Math.ceil(sections / settings['limits.maxConcurrentResearchers']);
  if (analyst === 'extractive') return { calls: 0, tokens: 0, minutes: round(waves * 0.1), cost: null };
  const calls = sections * (turns + 1) + 4;
  const tokens = sections * (turns + 1) * tokensPerTurn + tokensOfFixedCalls;
  return { calls, tokens, minutes: round(waves * depth.minutes + 1), cost: null };
}

export function isCostly(estimate: PlanEstimate): boolean {
  return estimate.calls > costly.calls || estimate.tokens > costly.tokens || (estimate.cost ?? 0) > costly.cost;
}

function round(minutes: number): number {
  return Math.max(0.1, Math.round(minutes * 10) / 10);
}
