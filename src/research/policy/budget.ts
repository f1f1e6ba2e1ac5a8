import type { PlanEstimate } from '../../protocol/events.ts';
import type { Strategy } from '../../protocol/strategy.ts';
import type { Settings } from '../config.ts';
import { costOf, type Price } from './prices.ts';

/** Beyond these a run counts as costly, and its plan is shown before it starts. */
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
/** Part of the tokens that are answers. */
const answerShare = 0.15;

/** Calls of a budget that may go to searches: a quarter, at least one call, is left for opening what they find. */
export function searchShare(calls: number): number {
  return Math.max(Math.min(calls, 1), calls - Math.ceil(calls / 4));
}

/** What a plan will cost, roughly; without a model: no calls and no tokens. */
export function estimatePlan(
  sections: number,
  settings: Settings,
  analyst: 'llm' | 'extractive',
  strategy: Strategy,
  price?: Price,
): PlanEstimate {
  const whole = amounts(sections, settings, analyst, strategy, price);
  if (strategy !== 'sections' && strategy !== 'iterative') return whole;
  const more = amounts(sections + 1, settings, analyst, strategy, price);
  // A further section takes its share of a wave.
  const minutes = byDepth[settings.depth].minutes / settings['limits.maxConcurrentResearchers'];
  const cost = whole.cost === null || more.cost === null ? null : more.cost - whole.cost;
  const perSection = {
    ...{ calls: more.calls - whole.calls, tokens: more.tokens - whole.tokens, cost },
    minutes: analyst === 'llm' ? minutes : 0,
  };
  return { ...whole, perSection };
}

function amounts(
  sections: number,
  settings: Settings,
  analyst: 'llm' | 'extractive',
  strategy: Strategy,
  price: Price | undefined,
): PlanEstimate {
  const depth = byDepth[settings.depth];
  const turns = Math.min(depth.turns, settings['limits.maxToolCallsPerResearcher'] + 1);
  const { researchers, waves, fixedCalls } = shape(sections, settings, strategy);
  if (analyst === 'extractive') return { calls: 0, tokens: 0, minutes: round(waves * 0.1), cost: null };
  const calls = researchers * (strategy === 'iterative' ? 1 : turns + 1) + fixedCalls;
  const tokens = calls * tokensPerTurn;
  const out = tokens * answerShare;
  const cost = price ? costOf({ in: tokens - out, out, cached: 0 }, price) : null;
  return { calls, tokens, minutes: round(waves * depth.minutes + 1), cost };
}

/** Distillations that a strategy makes, how many of them run one after another, and its other calls. */
function shape(
  sections: number,
  settings: Settings,
  strategy: Strategy,
): { researchers: number; waves: number; fixedCalls: number } {
  const atOnce = settings['limits.maxConcurrentResearchers'];
  switch (strategy) {
    case 'sections':
    case 'short':
      return { researchers: sections, waves: Math.ceil(sections / atOnce), fixedCalls: 5 };
    case 'iterative': {
      // As a rule it is done after half of the rounds.
      const rounds = Math.ceil(settings['limits.maxIterations'] / 2);
      return { researchers: sections * rounds, waves: rounds, fixedCalls: 4 + rounds };
    }
    case 'supervisor': {
      // One topic for facts and lists, one a side for comparisons: three are the rule's upper end.
      const topics = 3;
      return {
        researchers: topics,
        waves: Math.ceil(topics / atOnce),
        fixedCalls: 4 + Math.min(3, settings['limits.maxSupervisorIterations']),
      };
    }
  }
}

export function isCostly(estimate: PlanEstimate): boolean {
  return estimate.calls > costly.calls || estimate.tokens > costly.tokens || (estimate.cost ?? 0) > costly.cost;
}

function round(minutes: number): number {
  return Math.max(0.1, Math.round(minutes * 10) / 10);
}
