import type { EstimateBasis, PlanEstimate } from './plan.ts';
import type { Depth } from './planBounds.ts';
import type { Strategy } from './strategy.ts';

/** What of a plan its estimate depends on. */
export interface EstimatedPlan {
  readonly strategy: Strategy;
  readonly sections: readonly {
    readonly depth?: Depth | undefined;
    readonly sources?: readonly string[] | undefined;
  }[];
}

/**
 * Model turns and minutes that a researcher takes as a rule, by depth. A turn makes several tool calls; the numbers are what
 * runs against the imitated model and the prompts' own rules ("2-3 searches for simple tasks, 5 for complex ones") come to.
 */
const byDepth: Readonly<Record<Depth, { readonly turns: number; readonly minutes: number }>> = {
  quick: { turns: 2, minutes: 0.4 },
  standard: { turns: 4, minutes: 0.8 },
  deep: { turns: 7, minutes: 1.6 },
};
/** Tokens of a turn: the prompt's own, and what the tools of each source and their results add to it. */
const tokensPerTurn = { own: 4_000, source: 400, mostSources: 5 } as const;
/** Part of the tokens that are answers. */
const answerShare = 0.15;
/** Part of the sections that a review sends back, as a rule. */
const sentBackShare = 0.25;
/** One topic for facts and lists, one a side for comparisons: three are the rule's upper end. */
const topicsOfSupervisor = 3;
/** A section without a model, in minutes. */
const extractiveMinutes = 0.1;

interface Work {
  readonly calls: number;
  readonly tokens: number;
  /** Of one researcher, which works alone. */
  readonly minutes: number;
}

/**
 * What a plan will take, roughly: by its sections, their depth and sources, the strategy, and the rounds of review. Without a model: no
 * calls and no tokens. The engine decides by it whether a plan is shown, and the panel follows an edit with it. Pure.
 */
export function estimatePlan(plan: EstimatedPlan, basis: EstimateBasis): PlanEstimate {
  const { analyst, atOnce, price } = basis;
  if (analyst === 'extractive') {
    const minutes = Math.ceil(plan.sections.length / atOnce) * extractiveMinutes;
    return { calls: 0, tokens: 0, minutes: rounded(minutes), cost: null };
  }
  const rounds = roundsOf(plan, basis);
  const works = rounds.flat();
  const others = otherCalls(plan.strategy, rounds.length);
  const calls = Math.round(sum(works.map((work) => work.calls)) + others);
  const tokens = Math.round(sum(works.map((work) => work.tokens)) + others * turnTokens(basis.sources.length));
  const minutes = sum(rounds.map((works) => span(works, atOnce))) + 1;
  const perMillion = price && price.in * (1 - answerShare) + price.out * answerShare;
  return { calls, tokens, minutes: rounded(minutes), cost: perMillion === null ? null : (tokens * perMillion) / 1e6 };
}

/** The researchers of each round, one after another. */
function roundsOf({ strategy, sections }: EstimatedPlan, basis: EstimateBasis): readonly (readonly Work[])[] {
  const works = sections.map((section) => researcher(section, basis));
  switch (strategy) {
    case 'short':
      return [works];
    case 'sections': {
      const rounds = [works];
      let pending = works.length;
      for (let round = 0; round < basis.reviewRounds; round += 1) {
        pending = Math.round(pending * sentBackShare);
        if (pending === 0) break;
        rounds.push(Array.from({ length: pending }, () => average(works)));
      }
      return rounds;
    }
    case 'iterative': {
      // As a rule it is done after half of the rounds. A round reads what its queries found with one call per section.
      const reading = works.map((work) => ({ calls: 1, tokens: work.tokens / work.calls, minutes: work.minutes }));
      return Array.from({ length: Math.ceil(basis.maxIterations / 2) }, () => reading);
    }
    case 'supervisor':
      return [Array.from({ length: topicsOfSupervisor }, () => researcher({}, basis))];
  }
}

function average(works: readonly Work[]): Work {
  const of = (key: keyof Work): number => sum(works.map((work) => work[key])) / works.length;
  return { calls: of('calls'), tokens: of('tokens'), minutes: of('minutes') };
}

/** Turns, and the call that condenses what they found. */
function researcher({ depth, sources }: EstimatedPlan['sections'][number], basis: EstimateBasis): Work {
  const { turns, minutes } = byDepth[depth ?? basis.depth];
  const calls = Math.min(turns, basis.maxToolCalls + 1) + 1;
  return { calls, tokens: calls * turnTokens((sources ?? basis.sources).length), minutes };
}

function turnTokens(sources: number): number {
  return tokensPerTurn.own + tokensPerTurn.source * Math.min(sources, tokensPerTurn.mostSources);
}

/** Assessment, analysis, plan and report, and what reads all findings after each round. */
function otherCalls(strategy: Strategy, rounds: number): number {
  switch (strategy) {
    case 'short':
      return 3;
    case 'supervisor':
      return 7;
    default:
      return 4 + rounds;
  }
}

/** How long researchers take that wait for a free place in their order, in minutes. */
function span(works: readonly Work[], atOnce: number): number {
  const busy = Array.from({ length: Math.max(1, Math.min(atOnce, works.length)) }, () => 0);
  for (const { minutes } of works) busy[busy.indexOf(Math.min(...busy))]! += minutes;
  return Math.max(...busy);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function rounded(minutes: number): number {
  return Math.max(0.1, Math.round(minutes * 10) / 10);
}
