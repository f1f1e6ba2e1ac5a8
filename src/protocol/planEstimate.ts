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
  standard: { critics: 1, rewrites: 2 },
  deep: { critics: 1.5, rewrites: 3 },
};
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
  /** A search of the web that a model makes: most of it are the pages. */
  webSearch: 6_000,
} as const;
/** Part of the tokens that are answers. */
const answerShare = 0.15;
/** Part of the sections that a review sends back, as a rule. */
const sentBackShare = 0.2;
/** Rounds of `iterative`: after the first one, gaps of some sections are left. */
const usualRounds = 2;
/** Turns of a lead researcher: it thinks, delegates and ends. */
const leadTurns = 3;
/** A section without a model, in minutes. */
const extractiveMinutes = 0.1;

type PlannedSection = EstimatedPlan['sections'][number];

interface Researching {
  readonly turns: number;
  /** Of these searches, those that are calls of a model. */
  readonly webSearches: number;
  readonly minutes: number;
}

interface Work {
  readonly calls: number;
  readonly tokens: number;
}

/** Of one researcher, which works alone. */
interface Researcher extends Work {
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
  const rounds = roundsOf(plan, basis);
  const all = together([...rounds.flat(), ...othersOf(plan, basis, rounds)]);
  const [calls, tokens] = [Math.round(all.calls), Math.round(all.tokens)];
  const minutes = sum(rounds.map((researchers) => span(researchers, atOnce))) + 1;
  const perMillion = price && price.in * (1 - answerShare) + price.out * answerShare;
  return { calls, tokens, minutes: rounded(minutes), cost: perMillion === null ? null : (tokens * perMillion) / 1e6 };
}

/** The researchers of each round, one after another. */
function roundsOf({ strategy, sections }: EstimatedPlan, basis: EstimateBasis): readonly (readonly Researcher[])[] {
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
      // Queries are sent without a model; a round reads what they found with one call per section that it has queries for.
      const first = sections.map((section, index): Researcher => ({
        ...together(reading(section, basis, tokensOf.sharedDistillation)),
        minutes: works[index]!.minutes,
      }));
      const later = first.slice(0, Math.ceil(first.length / 2));
      return Array.from({ length: Math.min(basis.maxIterations, usualRounds) }, (_, round) =>
        round === 0 ? first : later,
      );
    }
    case 'supervisor':
      return [Array.from({ length: basis.topics }, () => researcher({}, basis))];
  }
}

function average(works: readonly Researcher[]): Researcher {
  const of = (key: keyof Researcher): number => sum(works.map((work) => work[key])) / works.length;
  return { calls: of('calls'), tokens: of('tokens'), minutes: of('minutes') };
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
  { strategy, sections }: EstimatedPlan,
  basis: EstimateBasis,
  rounds: readonly (readonly Researcher[])[],
): readonly Work[] {
  const { critics, rewrites } = revisions[basis.depth];
  const count = strategy === 'supervisor' ? basis.topics : sections.length;
  // What is researched again is written again; `iterative` writes after its last round.
  const drafts = strategy === 'sections' ? rounds.flat().length : count;
  const decisions = {
    ...{ short: 2, sections: 3, iterative: 3 },
    supervisor: 3 + Math.min(leadTurns, basis.maxSupervisorIterations),
  }[strategy];
  const reviews = strategy === 'sections' || strategy === 'iterative' ? rounds.length : 0;
  // A single section is written with what frames it, in one call that nobody criticises.
  const isWhole = strategy === 'short' || count === 1;
  const writes = isWhole ? 1 : drafts + 1 + rewrites;
  const readings = reviews + (isWhole ? 0 : critics);
  return [times(decisions, tokensOf.decision), times(writes, tokensOf.text), times(readings, tokensOf.reading(count))];
}

function times(calls: number, tokens: number): Work {
  return { calls, tokens: calls * tokens };
}

function together(works: readonly Work[]): Work {
  return { calls: sum(works.map(({ calls }) => calls)), tokens: sum(works.map(({ tokens }) => tokens)) };
}

/** How long researchers take that wait for a free place in their order, in minutes. */
function span(works: readonly Researcher[], atOnce: number): number {
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
