import { TASKS } from '@langchain/langgraph-checkpoint';
import * as z from 'zod';
import { wordFates } from './text/wordFates.ts';
import { discoveredEntity, sectionStatuses } from '../protocol/events.ts';
import { depths } from '../protocol/planBounds.ts';
import { changeKinds, followUpKinds } from '../protocol/followUp.ts';
import { strategies } from '../protocol/strategy.ts';
import { errorReasons } from './errors.ts';

/**
 * Everything that the graph's state contains, written once: checkpoints are validated by these schemas, and the types of the
 * analyst and the nodes are inferred from them. Plain JSON; ids of sources, never what a tool returned.
 */

/** As inferred from a schema, and never changed in place. */
type Inferred<S extends z.ZodType> = DeepReadonly<z.infer<S>>;
type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

const text = z.string();
const texts = z.array(z.string());
const count = z.number().int().nonnegative();

// ---------------------------------------------------------------------------------------------------------------- assess

const askedQuestion = z.object({
  id: text,
  question: text,
  missingInfo: text,
  /** Null when the user skipped it. */
  answer: text.nullable(),
  /** Label of the recommended option. */
  recommended: text.optional(),
  /** The answer is the label of an option. */
  isOption: z.boolean().optional(),
});
export type AskedQuestion = Inferred<typeof askedQuestion>;

const termLookup = z.object({
  term: text,
  outcome: z.enum(['found', 'notFound', 'impossible']),
  summary: text,
  /** Round of look-ups, from 1. Absent: the first. */
  round: count.optional(),
});
/** The result of looking up an unknown term. */
export type TermLookup = Inferred<typeof termLookup>;

const assessment = z.object({
  /** Set when the question can't be researched at all (no subject for research, harmful): the reason for the user. */
  cannotDo: text.nullable(),
  needClarification: z.boolean(),
  /** Short Markdown, the one thing that is missing; "" when nothing is. */
  question: text,
  /** 2 to 5; one of them recommended. Empty when no question. */
  options: z.array(z.object({ label: text, recommended: z.boolean() })),
  /** What the question is about, as a stable key ("scope", "goal", "topic", "term:RLM", …): never asked twice. */
  missingInfo: text,
  /** One sentence that says what was understood, when research can start. */
  verification: text,
  /** The question in full, standing alone, with all answers worked in. */
  refinedQuery: text,
  topicClear: z.boolean(),
  scopeInferable: z.boolean(),
  goalClear: z.boolean(),
  /** A reasonable default for what is not stated ("overview of mechanisms, drugs and resistance"); "" when there is none. */
  defaultGoal: text,
  unknownTerms: texts,
  /** Focus points, 3 or more when enough is known. */
  focus: texts,
  /** 0 to 1. */
  confidence: z.number(),
  reasoning: text,
});
export type Assessment = Inferred<typeof assessment>;

/** What may follow an assessment. */
const decision = z.enum(['CANNOT_DO', 'VERIFY_TOPIC', 'NEED_CLARIFICATION', 'CONFIRM_PLAN', 'START_RESEARCH']);
export type Decision = z.infer<typeof decision>;

// ------------------------------------------------------------------------------------------------- analyze, discover, plan

const analysis = z.object({
  queryType: z.enum(['list', 'comparison', 'deep_dive', 'general']),
  outputFormat: z.enum(['table', 'list', 'prose']),
  /** Only ever true for a list. */
  needsDiscovery: z.boolean(),
  /** What to discover ("open-source vector databases"); "" when none. */
  discoveryTarget: text,
  reasoning: text,
});
export type Analysis = Inferred<typeof analysis>;

/** What kind a question is of, and what it has parts of, can't be had without a model. */
export const unanalyzed: Analysis = {
  ...{ queryType: 'general', outputFormat: 'prose' },
  ...{ needsDiscovery: false, discoveryTarget: '', reasoning: '' },
};

const plannedSection = z.object({
  /** `s1`, `s2`, … in the plan's order; never changes afterwards. */
  id: text,
  title: text,
  description: text,
  queries: texts,
  /** Names of the only sources that it searches; absent: all of the run. */
  sources: texts.optional(),
  /** Absent: as the run. */
  depth: z.enum(depths).optional(),
});
export type PlannedSection = Inferred<typeof plannedSection>;

const plan = z.object({ title: text, objective: text, scope: text, sections: z.array(plannedSection) });
export type Plan = Inferred<typeof plan>;

// -------------------------------------------------------------------------------------------------------------- sections

const toolCall = z.object({
  id: text,
  name: text,
  args: z.record(text, z.unknown()),
  /** The text as it came, when the arguments were not JSON. */
  malformed: text.optional(),
  isCopied: z.literal(true).optional(),
});

/** A completed tool call of a researcher. */
const gatheredCall = z.object({
  call: toolCall,
  /** The model's turn that it belongs to, from 0: the calls of a turn were made together. */
  turn: count,
  /** What the model wrote beside its calls in that turn. */
  said: text,
  /** Ids of the returned sources, best first. */
  sources: texts,
  note: text,
  /** What the source knows of the query's words. */
  words: wordFates.optional(),
  /** What a search called the subject in English. */
  english: z.string().optional(),
  /** Why it failed, was refused or skipped, in words for the model. */
  error: text.optional(),
  /** The same in words for a person, without the words of any service. */
  why: text.optional(),
});
export type GatheredCall = Inferred<typeof gatheredCall>;

const finding = z.object({
  /** One sentence in the report's language, figures as in the source. */
  claim: text,
  /** Words of the source, verbatim. */
  quote: text,
  /** Id of the source. */
  source: text,
});

const aside = z.object({
  /** Id of the source. */
  source: text,
  /** Numbers of its sentences. */
  sentences: z.array(count),
});
/** Sentences of a source that speak to a reader, an assistant or a model instead of about their subject: nothing is made of them. */
export type Aside = Inferred<typeof aside>;

const distilled = z.object({
  title: text,
  /** Markdown with source ids as markers. */
  content: text,
  findings: z.array(finding),
  /** Ids of sources that are not about the question. */
  offTopic: texts.optional(),
  /** See {@link Aside}. */
  asides: z.array(aside).optional(),
  /** Without a model: what the quotes are to the question. */
  answered: z.enum(['answer', 'nearest', 'notFound']).optional(),
  /** By rules: quotes, and not condensed by a model. */
  quoted: z.optional(z.boolean()),
});
export type Distilled = Inferred<typeof distilled>;

/** Why a part of the run failed, without the words of any service. */
const failure = z.object({
  reason: z.enum(errorReasons),
  message: text,
  next: text,
  /** Host or provider that failed. */
  origin: text.optional(),
});
export type Failure = Inferred<typeof failure>;

const sectionState = plannedSection.extend({
  status: z.enum(sectionStatuses),
  /** 1 for the first research; 0 before it. */
  attempt: count,
  distilled: distilled.optional(),
  /** Best first, of all attempts. */
  sourceIds: texts,
  /** Why it was sent back; instructions for the next attempt. */
  gaps: texts,
  /** Strategy `supervisor`: the round that delegated it. */
  topicRound: count.optional(),
  /** Names of the tools' sources that were searched. */
  searched: texts,
  /** How many of the user's remarks its researcher has seen. */
  remarks: count.optional(),
  /** The user stopped it. */
  stopped: z.boolean().optional(),
  error: text.optional(),
  /** The cause, for a run in which every section failed. */
  failure: failure.optional(),
});
/** A section in progress. */
export type SectionState = Inferred<typeof sectionState>;

const digest = z.object({ outline: plan, sections: z.array(sectionState) });
/** The outline and the sections that a run would have without its model; sections that say nothing have no findings. */
export type Digest = Inferred<typeof digest>;

// ------------------------------------------------------------------------------------------------------------ strategies

const gap = z.object({ section: text, gap: text });

const contradiction = z.object({
  /** What they disagree on, in a few words. */
  topic: text,
  /** What each side says, with its conditions, and the ids of its sources. Empty: the topic says all of it. */
  values: z.array(z.object({ text, sources: texts })),
});
export type Contradiction = Inferred<typeof contradiction>;

const review = z.object({
  isSufficient: z.boolean(),
  /** 1 to 10. */
  overallScore: z.number(),
  sectionCoverage: z.array(z.object({ id: text, status: z.enum(['sufficient', 'partial', 'missing']), notes: text })),
  gaps: z.array(gap),
  /** Section ids; unknown ones are removed by the node. */
  sectionsToRetry: texts,
  contradictions: z.array(contradiction),
  reasoning: text,
});
export type Review = Inferred<typeof review>;

const sectionQuery = z.object({
  /** Id of the section that it serves. */
  section: text,
  query: text,
});
export type SectionQuery = Inferred<typeof sectionQuery>;

const reflection = z.object({
  isSufficient: z.boolean(),
  /** 1 to 10. */
  overallScore: z.number(),
  gaps: z.array(gap),
  /** Differ from all that were sent before; the node removes repetitions. */
  nextQueries: z.array(sectionQuery),
  contradictions: z.array(contradiction),
  reasoning: text,
});
export type Reflection = Inferred<typeof reflection>;

const supervisorTurn = z.object({
  said: text,
  calls: z.array(toolCall),
  /** The compressed findings of a topic with their source ids, or why it failed; at most a few thousand characters each. */
  answers: texts,
});
/** A turn of the lead researcher with the answer to each of its calls, in order. */
export type SupervisorTurn = Inferred<typeof supervisorTurn>;

const retrievedSection = z.object({ section: text, calls: z.array(gatheredCall) });

// ----------------------------------------------------------------------------------------------------------------- state

/** What a `Send` carries to a section. */
const sentSection = z.object({
  node: z.literal('section'),
  args: z.object({
    section: sectionState,
    clarifiedQuery: text,
    today: text,
    language: text,
    otherSections: texts,
    leftOut: texts.optional(),
  }),
});

/** The state of a run as a checkpoint stores it; a channel that was never written is absent. */
export const stateSchema = z.object({
  originalQuery: text,
  /** `YYYY-MM-DD`, pinned at the start. */
  today: z.iso.date(),
  /** BCP 47, pinned at the start. */
  language: text,
  asked: z.array(askedQuestion).optional(),
  lookups: z.array(termLookup).optional(),
  assessment: assessment.optional(),
  decision: decision.optional(),
  /** No word of the question names anything, so that nothing can be researched without an answer. */
  needsTopic: z.boolean().optional(),
  clarifiedQuery: text.optional(),
  assumptions: texts.optional(),
  analysis: analysis.optional(),
  discoveredItems: z.array(discoveredEntity).optional(),
  discoverySummary: text.optional(),
  discoveryCoverage: text.optional(),
  /** Discovered entities that the user took out. */
  leftOut: texts.optional(),
  strategy: z.enum(strategies).optional(),
  outline: plan.optional(),
  /** What was said about the plans that were sent back, in order. */
  planRemarks: texts.optional(),
  /** How many of the remarks the outline follows. */
  planRound: count.optional(),
  /** Of a follow-up: what the user chose in place of what the model had decided. */
  chosenKind: z.enum(followUpKinds).optional(),
  /** Focus points that the user gave; absent: those of the assessment. */
  focus: texts.optional(),
  sections: z.array(sectionState).optional(),
  /** Of a follow-up. */
  change: z
    .object({
      as: z.enum(changeKinds),
      /** See `WrittenChange`. */
      target: text,
    })
    .optional(),
  /** Rounds in which sections were sent back. */
  reviewIterations: count.optional(),
  lastReview: review.optional(),
  finalReport: text.optional(),
  /** What the report is made of, when it has nothing of the model. */
  digest: digest.optional(),
  // Strategy `iterative`
  iterationCount: count.optional(),
  currentQueries: z.array(sectionQuery).optional(),
  /** All queries that were sent. */
  askedQueries: texts.optional(),
  /** What the round's queries found. */
  retrieved: z.array(retrievedSection).optional(),
  lastReflection: reflection.optional(),
  // Strategy `supervisor`
  researchBrief: text.optional(),
  supervisorTurns: z.array(supervisorTurn).optional(),
  [TASKS]: z.array(sentSection).optional(),
});
type StoredState = Inferred<typeof stateSchema>;
/** Values of the state's channels. */
export type StateValues = { readonly [K in keyof StoredState]-?: NonNullable<StoredState[K]> };

/** What a completed section of a fan-out wrote before the others were done. */
export const sectionsSchema = z.array(sectionState);

/** Ids of all sources that a state refers to. */
export function sourcesOf(
  state: Pick<StoredState, 'sections' | 'digest' | 'discoveredItems' | 'retrieved'>,
): Set<string> {
  const ofSections = [...(state.sections ?? []), ...(state.digest?.sections ?? [])].flatMap(
    ({ sourceIds, distilled: found }) => [...sourceIds, ...(found?.findings ?? []).map(({ source }) => source)],
  );
  const retrieved = (state.retrieved ?? []).flatMap(({ calls }) => calls.flatMap(({ sources }) => sources));
  return new Set([...ofSections, ...retrieved, ...(state.discoveredItems ?? []).flatMap(({ source }) => source || [])]);
}
