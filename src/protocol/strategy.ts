import type { EstimateBasis } from './plan.ts';

/** Work of model calls, with their tokens; of one researcher, which works alone, with the minutes that it takes. */
export interface Work {
  readonly calls: number;
  readonly tokens: number;
}
export interface Researcher extends Work {
  readonly minutes: number;
}

/** What a strategy estimates a plan by. */
export interface EstimateParts {
  readonly basis: EstimateBasis;
  /** The researcher of each section. */
  readonly researchers: readonly Researcher[];
  /** Of each section, what reads it in a round whose queries code sends, and each source of which is read for one section. */
  readonly readers: readonly Researcher[];
  /** The researcher of a topic that is not planned yet. */
  readonly topic: Researcher;
}

/** How many calls a strategy takes, roughly. */
export interface StrategyEstimate {
  /** The researchers of each round, one after another. */
  readonly rounds: readonly (readonly Researcher[])[];
  /** Calls before the research and between its rounds. */
  readonly decisions: number;
  /** Sections that are written, repeated ones included. */
  readonly drafts: number;
  /** Calls that read all findings. */
  readonly reviews: number;
}

/** All that engine and panel need to know of a strategy; its own nodes are in `src/research/strategies/`. */
export interface StrategyDefinition {
  readonly label: string;
  /** What it does and what it is good for, on one line. */
  readonly what: string;
  /** For the settings editor. Absent: only `auto` chooses it. */
  readonly setting?: string;
  /** The node that makes what the user approves: a plan of sections, or a brief, which is one text. */
  readonly planner: 'plan' | 'brief';
  /** Sections of a model's plan at most. */
  readonly maxSections: number;
  /** The question is its only section: a model makes no plan, and the report is written by one call. */
  readonly isSingle?: true;
  /** The members of a list are found before it is planned. */
  readonly discovers?: true;
  /** The node after the plan is approved. */
  readonly firstStep: string;
  /** Who sends the queries of the plan: the researcher of each section, or code, round by round. */
  readonly searches: 'bySection' | 'inRounds';
  /** The node that reads the sections when all of a round are in. */
  readonly review: string;
  /** What is made of a complete question beside its assessment. */
  readonly early?: 'plan' | 'brief';
  /** Steps that it has only where a run takes them. */
  readonly skips: readonly ('plan' | 'review')[];
  /** Pure. */
  readonly estimate: (parts: EstimateParts) => StrategyEstimate;
}

/** Sections of a model's plan at most, as a rule. */
export const maxPlanned = 7;
/** Part of the sections that a review sends back, as a rule. */
const sentBackShare = 0.2;
/** Rounds of `iterative`: after the first one, gaps of some sections are left. */
const usualRounds = 2;
/** Turns of a lead researcher: it thinks, delegates and ends. */
const leadTurns = 3;

/** How a question is researched. */
const definitions = {
  sections: {
    label: 'Sections',
    what: 'Plans sections and researches them in parallel. For lists, comparisons and broad questions.',
    setting:
      'Plans sections, researches them in parallel, reviews them together, and retries those with thin evidence.',
    planner: 'plan',
    maxSections: maxPlanned,
    discovers: true,
    firstStep: 'dispatch',
    searches: 'bySection',
    review: 'review',
    early: 'plan',
    skips: [],
    estimate: ({ researchers, basis }) => {
      const rounds = [researchers];
      let pending = researchers.length;
      for (let round = 0; round < basis.reviewRounds; round += 1) {
        pending = Math.round(pending * sentBackShare);
        if (pending === 0) break;
        rounds.push(Array.from({ length: pending }, () => average(researchers)));
      }
      // What is researched again is written again.
      return { rounds, decisions: 3, drafts: rounds.flat().length, reviews: rounds.length };
    },
  },
  iterative: {
    label: 'Iterative',
    what: 'Searches, reads, assesses, and searches again for what is missing. For one subject in depth.',
    setting: 'One subject in depth: search, read, evaluate, and search again for what is missing.',
    planner: 'plan',
    maxSections: 5,
    firstStep: 'retrieve',
    searches: 'inRounds',
    review: 'review',
    early: 'plan',
    skips: [],
    estimate: ({ readers, basis }) => {
      const later = readers.slice(0, Math.ceil(readers.length / 2));
      const rounds = Array.from({ length: Math.min(basis.maxIterations, usualRounds) }, (_, round) =>
        round === 0 ? readers : later,
      );
      // It writes after the last round.
      return { rounds, decisions: 3, drafts: readers.length, reviews: rounds.length };
    },
  },
  supervisor: {
    label: 'Supervisor',
    what: 'A lead researcher delegates topics and reads the findings. For a few well-aimed searches.',
    setting: 'A lead researcher delegates topics to other researchers, reads their findings, and delegates again.',
    planner: 'brief',
    maxSections: maxPlanned,
    firstStep: 'supervise',
    searches: 'bySection',
    review: 'supervise',
    early: 'brief',
    skips: ['review'],
    estimate: ({ topic, basis }) => ({
      rounds: [Array.from({ length: basis.topics }, () => topic)],
      decisions: 3 + Math.min(leadTurns, basis.maxSupervisorIterations),
      drafts: basis.topics,
      reviews: 0,
    }),
  },
  short: {
    label: 'Short',
    what: 'One researcher and a short report.',
    planner: 'plan',
    maxSections: maxPlanned,
    isSingle: true,
    firstStep: 'dispatch',
    searches: 'bySection',
    review: 'report',
    skips: ['plan', 'review'],
    estimate: ({ researchers }) => ({ rounds: [researchers], decisions: 2, drafts: researchers.length, reviews: 0 }),
  },
} as const satisfies Record<string, StrategyDefinition>;

export type Strategy = keyof typeof definitions;
export const strategies = Object.keys(definitions) as [Strategy, ...Strategy[]];

/** With the names of its nodes, so that the compiler knows which rows of `routes.ts` have to have them. */
type KnownStrategy = {
  [S in Strategy]: StrategyDefinition & Pick<(typeof definitions)[S], 'planner' | 'firstStep' | 'review'>;
}[Strategy];

export function strategyOf(strategy: Strategy): KnownStrategy {
  return definitions[strategy];
}

/** Undefined for a name that is none of this version: `auto`, and what an older or newer version stored. */
export function knownStrategy(name: string): Strategy | undefined {
  return strategies.find((one) => one === name);
}

/** What a user may ask for; `auto` leaves the choice to the question. */
export type WantedStrategy =
  'auto' | { [S in Strategy]: (typeof definitions)[S] extends { readonly setting: string } ? S : never }[Strategy];
export const wantedStrategies = ['auto', ...strategies.filter((one) => strategyOf(one).setting)] as [
  WantedStrategy,
  ...WantedStrategy[],
];

function average(works: readonly Researcher[]): Researcher {
  const of = (key: keyof Researcher): number => works.reduce((sum, work) => sum + work[key], 0) / works.length;
  return { calls: of('calls'), tokens: of('tokens'), minutes: of('minutes') };
}
