import { largest, smallest } from './numbers.ts';
import type { EstimateBasis, PlanEstimate } from './plan.ts';
import type { Depth } from './planBounds.ts';
import {
  type Researcher,
  type Strategy,
  strategyOf,
  type StrategyEstimate,
  type WantedStrategy,
  type Work,
} from './strategy.ts';

/** What of a plan its estimate depends on. */
export interface EstimatedPlan {
  readonly strategy: Strategy;
  readonly sections: readonly {
    readonly depth?: Depth | undefined;
    readonly sources?: readonly string[] | undefined;
  }[];
}

/**
 * Turns of a model and minutes that a researcher takes as a rule, by depth: code sends the first searches and ends the research when
 * they suffice. What runs against the imitated model come to (`test/system/planEstimate.test.ts`).
 */
const byDepth: Readonly<Record<Depth, Researching>> = {
  quick: { turns: 0.5, webSearches: 1, minutes: 0.4 },
  standard: { turns: 1, webSearches: 1, minutes: 0.8 },
  deep: { turns: 2, webSearches: 2, minutes: 1.6 },
};
/** Rounds of a critic, and the parts of a report that are written again for them, as a rule, by depth. */
const revisions: Readonly<Record<Depth, { readonly critics: number; readonly rewrites: number }>> = {
  quick: { critics: 0, rewrites: 0 },
  standard: { critics: 0, rewrites: 0 },
  deep: { critics: 1.5, rewrites: 3 },
};
/** How often the statements of a text are read. */
const readingsOf = { off: 0, standard: 1, thorough: 3 } as const;
/** Tokens of one call, its answer included: what each source adds to it (up to five) and each section of which it reads. */
const tokensOf = {
  /** Assessment, analysis, plan, brief, a turn of the lead researcher. */
  decision: 1_500,
  turn: (sources: number) => 2_500 + 400 * Math.min(sources, 5),
  distillation: (sources: number) => 2_500 + 1_200 * Math.min(sources, 5),
  /** Of a round of `iterative`, in which each source is read for one section. */
  sharedDistillation: (sources: number) => 1_800 + 500 * Math.min(sources, 5),
  /** Of a section, or of what frames them. */
  text: 2_500,
  /** Review, reflection, criticism. */
  reading: (sections: number) => 1_300 + 800 * sections,
  /** The check of a text beside the passages that it cites: of what is no quote. */
  check: { quick: 1_200, standard: 2_000, deep: 2_400 },
  /** What judges the checks of a run. */
  controls: 2_600,
  /** A search of the web that a model makes: most of it are the pages. */
  webSearch: 6_000,
} as const;
/** Part of the tokens that are answers. */
const answerShare = 0.15;
/** A section without a model, in minutes. */
const extractiveMinutes = 0.1;

type PlannedSection = EstimatedPlan['sections'][number];

interface Researching {
  readonly turns: number;
  /** Of these searches, those that are calls of a model. */
  readonly webSearches: number;
  readonly minutes: number;
}

/**
 * What a plan will take, roughly: by its sections, their depth and sources, the strategy, the rounds of review, and what is written
 * again. Without a model: no calls and no tokens. The engine decides by it whether a plan is shown, and the panel follows an edit with
 * it. Pure.
 */
export function estimatePlan(plan: EstimatedPlan, basis: EstimateBasis): PlanEstimate {
  const { analyst, atOnce, price } = basis;
  if (analyst === 'extractive') {
    const minutes = Math.ceil(plan.sections.length / atOnce) * extractiveMinutes;
    return { calls: 0, tokens: 0, minutes: rounded(minutes), cost: null };
  }
  const estimate = strategyOf(plan.strategy).estimate({
    basis,
    researchers: plan.sections.map((section) => researcher(section, basis)),
    readers: plan.sections.map((section) => ({
      ...together(reading(section, basis, tokensOf.sharedDistillation)),
      minutes: byDepth[section.depth ?? basis.depth].minutes,
    })),
    topic: researcher({}, basis),
  });
  const { rounds } = estimate;
  const all = together([...rounds.flat(), ...othersOf(plan.strategy, estimate, basis)]);
  const [calls, tokens] = [Math.round(all.calls), Math.round(all.tokens)];
  const minutes = sum(rounds.map((researchers) => span(researchers, atOnce))) + 1;
  const perMillion = price && price.in * (1 - answerShare) + price.out * answerShare;
  return { calls, tokens, minutes: rounded(minutes), cost: perMillion === null ? null : (tokens * perMillion) / 1e6 };
}

/** Sections of a plan as a rule, by depth. */
const usualSections = { quick: 3, standard: 5, deep: 7 } as const;

/** What a run takes as a rule, when nothing is known of its question. */
export function usualEstimate(strategy: WantedStrategy, basis: EstimateBasis): PlanEstimate {
  const sections = Array.from({ length: usualSections[basis.depth] }, () => ({}));
  return estimatePlan({ strategy: strategy === 'auto' ? 'sections' : strategy, sections }, basis);
}

/** Turns, and what condenses their results. */
function researcher(section: PlannedSection, basis: EstimateBasis): Researcher {
  const { turns, minutes } = byDepth[section.depth ?? basis.depth];
  const turn = tokensOf.turn(sourcesOf(section, basis).length);
  return { ...together([times(Math.min(turns, basis.maxToolCalls), turn), ...reading(section, basis)]), minutes };
}

/** Searches that a model makes, and the call that condenses what was found. */
function reading(section: PlannedSection, basis: EstimateBasis, distillation = tokensOf.distillation): readonly Work[] {
  const sources = sourcesOf(section, basis);
  const isSearchedByModel = (basis.searchedByModel ?? []).some((source) => sources.includes(source));
  const searches = isSearchedByModel ? byDepth[section.depth ?? basis.depth].webSearches : 0;
  return [times(searches, tokensOf.webSearch), times(1, distillation(sources.length))];
}

function sourcesOf({ sources }: PlannedSection, basis: EstimateBasis): readonly string[] {
  return sources ?? basis.sources;
}

/** The calls before the research, those that read all findings after each round of it, and those of the report. */
function othersOf(
  strategy: Strategy,
  { rounds, decisions, drafts, reviews }: StrategyEstimate,
  basis: EstimateBasis,
): readonly Work[] {
  const { critics, rewrites } = revisions[basis.depth];
  const count = rounds[0]?.length ?? 0;
  // A single section is written with what frames it, in one call, without a critique.
  const isWhole = strategyOf(strategy).isSingle === true || count === 1;
  const writes = isWhole ? 1 : drafts + 1 + rewrites;
  const readings = reviews + (isWhole ? 0 : critics);
  const readers = readingsOf[basis.verification ?? 'off'];
  const checks = readers * (isWhole ? 1 : drafts + 1);
  return [
    times(decisions, tokensOf.decision),
    times(writes, tokensOf.text),
    times(readings, tokensOf.reading(count)),
    times(checks, tokensOf.check[basis.depth]),
    { calls: 0, tokens: readers * tokensOf.controls },
  ];
}

function times(calls: number, tokens: number): Work {
  return { calls, tokens: calls * tokens };
}

function together(works: readonly Work[]): Work {
  return { calls: sum(works.map(({ calls }) => calls)), tokens: sum(works.map(({ tokens }) => tokens)) };
}

/** Minutes that researchers take when each waits in order for a free place. */
function span(works: readonly Researcher[], atOnce: number): number {
  const busy = Array.from({ length: Math.max(1, Math.min(atOnce, works.length)) }, () => 0);
  for (const { minutes } of works) busy[busy.indexOf(smallest(busy))]! += minutes;
  return largest(busy);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function rounded(minutes: number): number {
  return Math.max(0.1, Math.round(minutes * 10) / 10);
}
