import { Annotation } from '@langchain/langgraph';
import type { DiscoveredEntity } from '../protocol/events.ts';
import type { Strategy } from '../protocol/strategy.ts';
import type {
  Analysis,
  AskedQuestion,
  Assessment,
  Distilled,
  GatheredCall,
  Plan,
  PlannedSection,
  Reflection,
  Review,
  SupervisorTurn,
  TermLookup,
} from './analyst/analyst.ts';
import type { Failure } from './run/failure.ts';
import type { Decision } from './policy/sufficiency.ts';

/**
 * A section on its way. It holds ids of sources and what was distilled from them, never what a tool returned: payloads stay
 * in the registry and the run's evidence folder, so that checkpoints do not grow with the calls.
 */
export interface SectionState extends PlannedSection {
  readonly status: 'pending' | 'researching' | 'reviewing' | 'completed' | 'failed';
  /** 1 for the first research; 0 before it. */
  readonly attempt: number;
  readonly distilled?: Distilled;
  /** Best first, of all attempts. */
  readonly sourceIds: readonly string[];
  /** Why it was sent back; instructions for the next attempt. */
  readonly gaps: readonly string[];
  /** What belongs to it and what is left to others; "" where nothing overlaps. */
  readonly border?: string;
  /** Strategy `supervisor`: the round that delegated it. */
  readonly topicRound?: number;
  /** Names of the tools' sources that were searched. */
  readonly searched: readonly string[];
  readonly error?: string;
  /** The cause, for a run in which every section failed. */
  readonly failure?: Failure;
}

/** Updates replace by id, new ones are appended: the order is the plan's, whatever finishes first. */
function mergeSections(before: readonly SectionState[], updates: readonly SectionState[]): SectionState[] {
  const merged = new Map(before.map((section) => [section.id, section]));
  for (const update of updates) merged.set(update.id, update);
  return [...merged.values()];
}

/** Whether an analyst means this section: models name sections by id or by title, in any case. */
export function isNamed(section: Pick<SectionState, 'id' | 'title'>, name: string): boolean {
  const bare = name.trim().toLowerCase();
  return bare === section.id.toLowerCase() || bare === section.title.trim().toLowerCase();
}

export interface SectionQuery {
  /** Id of the section that it serves. */
  readonly section: string;
  readonly query: string;
}

export interface RetrievedSection {
  readonly section: string;
  readonly calls: readonly GatheredCall[];
}

const replace = <T>(standard: () => T) => Annotation<T>({ reducer: (_, update) => update, default: standard });
const optional = <T>() => Annotation<T | undefined>({ reducer: (_, update) => update, default: () => undefined });

/** State of the whole run: plain JSON. */
export const ResearchState = Annotation.Root({
  originalQuery: replace<string>(() => ''),
  /** `YYYY-MM-DD`, pinned at the start. */
  today: replace<string>(() => ''),
  /** BCP 47, pinned at the start. */
  language: replace<string>(() => 'en'),
  asked: replace<readonly AskedQuestion[]>(() => []),
  lookups: replace<readonly TermLookup[]>(() => []),
  assessment: optional<Assessment>(),
  decision: optional<Decision>(),
  clarifiedQuery: replace<string>(() => ''),
  assumptions: replace<readonly string[]>(() => []),
  analysis: optional<Analysis>(),
  discoveredItems: replace<readonly DiscoveredEntity[]>(() => []),
  discoverySummary: replace<string>(() => ''),
  strategy: replace<Strategy>(() => 'sections'),
  outline: optional<Plan>(),
  sections: Annotation<readonly SectionState[]>({ reducer: mergeSections, default: () => [] }),
  /** Rounds of sending back that were made. */
  reviewIterations: replace<number>(() => 0),
  lastReview: optional<Review>(),
  finalReport: replace<string>(() => ''),

  // Strategy `iterative`
  iterationCount: replace<number>(() => 0),
  currentQueries: replace<readonly SectionQuery[]>(() => []),
  /** All queries that were sent. */
  askedQueries: replace<readonly string[]>(() => []),
  /** What the round's queries brought; ids only. */
  retrieved: replace<readonly RetrievedSection[]>(() => []),
  lastReflection: optional<Reflection>(),

  // Strategy `supervisor`
  researchBrief: replace<string>(() => ''),
  supervisorTurns: replace<readonly SupervisorTurn[]>(() => []),
});
export type ResearchStateType = typeof ResearchState.State;

/** State of one section's subgraph. Only `sections` goes back to the run. */
export const SectionGraphState = Annotation.Root({
  section: Annotation<SectionState>({ reducer: (_, update) => update }),
  clarifiedQuery: replace<string>(() => ''),
  today: replace<string>(() => ''),
  language: replace<string>(() => 'en'),
  analysis: optional<Analysis>(),
  otherSections: replace<readonly string[]>(() => []),
  gathered: replace<readonly GatheredCall[]>(() => []),
  /** How often its own quick review sent it back in this dispatch. */
  quickReviews: replace<number>(() => 0),
  sections: Annotation<readonly SectionState[]>({ reducer: mergeSections, default: () => [] }),
});
export type SectionGraphStateType = typeof SectionGraphState.State;
export const SectionGraphOutput = Annotation.Root({ sections: SectionGraphState.spec.sections });
