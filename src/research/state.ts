import { Annotation } from '@langchain/langgraph';
import type { DiscoveredEntity } from '../protocol/events.ts';
import type { Analysis, GatheredCall, PlannedSection, SectionQuery, SectionState, StateValues } from './stateSchema.ts';

export type { SectionQuery, SectionState };

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

/** A section of a plan before its research. @param sourceIds What it begins with. */
export function pendingSection(section: PlannedSection, sourceIds: readonly string[]): SectionState {
  return { ...section, status: 'pending', attempt: 0, sourceIds, gaps: [], searched: [] };
}

const replace = <T>(standard: () => T) => Annotation<T>({ reducer: (_, update) => update, default: standard });
const optional = <T>() => Annotation<T | undefined>({ reducer: (_, update) => update, default: () => undefined });

/** State of the whole run; `stateSchema.ts` describes its values. */
export const ResearchState = Annotation.Root({
  originalQuery: replace<StateValues['originalQuery']>(() => ''),
  today: replace<StateValues['today']>(() => ''),
  language: replace<StateValues['language']>(() => 'en'),
  asked: replace<StateValues['asked']>(() => []),
  lookups: replace<StateValues['lookups']>(() => []),
  assessment: optional<StateValues['assessment']>(),
  decision: optional<StateValues['decision']>(),
  needsTopic: replace<StateValues['needsTopic']>(() => false),
  clarifiedQuery: replace<StateValues['clarifiedQuery']>(() => ''),
  assumptions: replace<StateValues['assumptions']>(() => []),
  analysis: optional<StateValues['analysis']>(),
  discoveredItems: replace<readonly DiscoveredEntity[]>(() => []),
  discoverySummary: replace<StateValues['discoverySummary']>(() => ''),
  discoveryCoverage: replace<StateValues['discoveryCoverage']>(() => ''),
  leftOut: replace<StateValues['leftOut']>(() => []),
  strategy: replace<StateValues['strategy']>(() => 'sections'),
  outline: optional<StateValues['outline']>(),
  planRemarks: replace<StateValues['planRemarks']>(() => []),
  chosenKind: optional<StateValues['chosenKind']>(),
  planRound: replace<StateValues['planRound']>(() => 0),
  focus: optional<StateValues['focus']>(),
  sections: Annotation<readonly SectionState[]>({ reducer: mergeSections, default: () => [] }),
  change: optional<StateValues['change']>(),
  reviewIterations: replace<StateValues['reviewIterations']>(() => 0),
  lastReview: optional<StateValues['lastReview']>(),
  finalReport: replace<StateValues['finalReport']>(() => ''),
  digest: optional<StateValues['digest']>(),

  // Strategy `iterative`
  iterationCount: replace<StateValues['iterationCount']>(() => 0),
  currentQueries: replace<StateValues['currentQueries']>(() => []),
  askedQueries: replace<StateValues['askedQueries']>(() => []),
  retrieved: replace<StateValues['retrieved']>(() => []),
  lastReflection: optional<StateValues['lastReflection']>(),

  // Strategy `supervisor`
  researchBrief: replace<StateValues['researchBrief']>(() => ''),
  supervisorTurns: replace<StateValues['supervisorTurns']>(() => []),
});
export type ResearchStateType = typeof ResearchState.State;

/** The state that the report is made of: of a digest without the model's plan, sections and judgements. */
export function reportedState(state: ResearchStateType): ResearchStateType {
  return state.digest ? { ...state, ...state.digest, lastReview: undefined, lastReflection: undefined } : state;
}

/** State of one section's subgraph. Only `sections` goes back to the run. */
export const SectionGraphState = Annotation.Root({
  section: Annotation<SectionState>({ reducer: (_, update) => update }),
  clarifiedQuery: replace<string>(() => ''),
  today: replace<string>(() => ''),
  language: replace<string>(() => 'en'),
  analysis: optional<Analysis>(),
  otherSections: replace<readonly string[]>(() => []),
  leftOut: replace<StateValues['leftOut']>(() => []),
  gathered: replace<readonly GatheredCall[]>(() => []),
  /** How often its quick review sent it back in this dispatch. */
  quickReviews: replace<number>(() => 0),
  sections: Annotation<readonly SectionState[]>({ reducer: mergeSections, default: () => [] }),
});
export type SectionGraphStateType = typeof SectionGraphState.State;
export const SectionGraphOutput = Annotation.Root({ sections: SectionGraphState.spec.sections });
