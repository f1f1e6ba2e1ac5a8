import * as z from 'zod/mini';
import { followUpKinds } from './followUp.ts';
import { estimateBasis, planEstimate, planSection } from './plan.ts';
import { strategies } from './strategy.ts';
import { warningKinds } from './warnings.ts';

/**
 * Everything that leaves the engine. The panel, the command line, the log and the run's `events.ndjson` are views of this
 * one union. Consumers ignore types that they do not know: parse with {@link parseEvent}, which gives `undefined` for them.
 */

export const phases = ['assess', 'verify', 'analyze', 'discover', 'plan', 'research', 'review', 'report'] as const;
export type Phase = (typeof phases)[number];

export const sectionStatuses = ['pending', 'researching', 'reviewing', 'completed', 'failed'] as const;
export type SectionStatus = (typeof sectionStatuses)[number];

const count = z.number().check(z.nonnegative());

const option = z.object({ label: z.string(), recommended: z.boolean() });
export const discoveredEntity = z.object({
  name: z.string(),
  category: z.string(),
  brief: z.string(),
  source: z.string(),
  urls: z.array(z.string()),
  priority: z.enum(['high', 'medium', 'low']),
  /** Names of the discovered entities that the user merged into this one. */
  also: z.optional(z.array(z.string())),
  /** The user named it: `source` is empty until it is looked up. */
  added: z.optional(z.boolean()),
});

const gaps = z.array(z.object({ section: z.string(), gap: z.string() }));

/** A plan as events show it. */
const plan = {
  title: z.string(),
  sections: z.array(planSection),
  estimate: planEstimate,
  strategy: z.optional(z.enum(strategies)),
  focus: z.optional(z.array(z.string())),
  /** How many plans were sent back before this one. */
  round: z.optional(count),
};

/** Counted from 1; what cannot be counted on from there is no event of ours. */
const mostEvents = 2 ** 50;
/** What every event has: `run` id, `seq` (from 1, without gaps, continued after a resume), `at` (ISO 8601, UTC). */
const envelope = {
  run: z.string(),
  seq: z.int().check(z.gte(0), z.lte(mostEvents)),
  at: z.string().check(z.refine((at) => !Number.isNaN(Date.parse(at)))),
};

function event<T extends string, S extends z.core.$ZodShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), ...envelope, ...shape });
}

export const researchEventSchema = z.discriminatedUnion('type', [
  event('run/started', {
    question: z.string(),
    /** As requested: `auto` until `run/strategy` names the choice. */
    strategy: z.string(),
    /** Model name; null when the extractive analyst works without one. */
    model: z.nullable(z.string()),
    provider: z.string(),
    analyst: z.enum(['llm', 'extractive']),
    /** Id of the run whose report it is about. */
    parent: z.optional(z.string()),
  }),
  event('run/phase', { phase: z.enum(phases) }),
  event('clarify/asked', {
    id: z.string(),
    question: z.string(),
    options: z.array(option),
    missingInfo: z.string(),
    why: z.string(),
  }),
  /** `answer` is null when the user skipped ("just start"). */
  event('clarify/answered', {
    id: z.string(),
    answer: z.nullable(z.string()),
    skipped: z.boolean(),
    /** An option that was taken for the user, who has not seen it. */
    isTaken: z.optional(z.boolean()),
  }),
  event('discover/found', {
    entities: z.array(discoveredEntity),
    /** What the search may have missed. */
    coverage: z.optional(z.string()),
    /** The run waits until the entities are approved. */
    needsApproval: z.optional(z.boolean()),
  }),
  event('discover/approved', { entities: z.array(discoveredEntity) }),
  /** `needsApproval`: the run waits until the plan is approved. */
  event('plan/proposed', {
    ...plan,
    /** What the model takes the question of a follow-up for. */
    as: z.optional(z.enum(followUpKinds)),
    basis: z.optional(estimateBasis),
    needsApproval: z.boolean(),
  }),
  event('plan/approved', plan),
  /** The user wants another plan. */
  event('plan/sentBack', { remark: z.string(), round: count }),
  event('section/updated', {
    id: z.string(),
    title: z.string(),
    status: z.enum(sectionStatuses),
    /** 1 for the first research, 2 for the first time it was sent back, and so on. */
    attempt: z.number(),
    /** What the researcher does right now, one short line; empty when nothing. */
    activity: z.string(),
    /** Number of works found so far: passages of one file, or copies of one text, count once. */
    sources: count,
    error: z.optional(z.string()),
    /** The user stopped it: it ends, or has ended, with what it has found. */
    stopped: z.optional(z.boolean()),
  }),
  /** The user's own words to a section. Emitted when they arrive, with their text, and when their state changes. */
  event('section/remark', {
    /** `r1`, `r2`, … in the run. */
    id: z.string(),
    section: z.string(),
    text: z.optional(z.string()),
    /** `seen`: its researcher has it; `unused`: the research ended before. */
    state: z.enum(['waiting', 'seen', 'unused']),
  }),
  /** The strategy that was chosen and why; once, after the analysis. */
  event('run/strategy', { strategy: z.enum(strategies), why: z.string() }),
  /** Strategy `iterative`: one round of retrieve, read and reflect. */
  event('round/updated', {
    /** From 1. */
    round: z.number(),
    maxRounds: z.number(),
    status: z.enum(['retrieving', 'reading', 'reflecting', 'completed']),
    queries: z.array(z.string()),
    /** Sources that this round was the first to find. */
    sources: count,
    score: z.optional(z.number()),
    sufficient: z.optional(z.boolean()),
  }),
  /** Strategy `supervisor`: a topic that the lead researcher delegated. */
  event('topic/updated', {
    id: z.string(),
    title: z.string(),
    /** The delegated task in full. */
    topic: z.string(),
    /** Round of the supervisor, from 1. */
    round: z.number(),
    status: z.enum(sectionStatuses),
    sources: count,
    error: z.optional(z.string()),
  }),
  event('thought', { section: z.optional(z.string()), text: z.string() }),
  event('tool/started', { call: z.string(), section: z.optional(z.string()), name: z.string(), args: z.string() }),
  event('tool/finished', {
    call: z.string(),
    section: z.optional(z.string()),
    name: z.string(),
    ms: count,
    /** Ids of the sources that the call returned. */
    sources: z.array(z.string()),
    error: z.optional(z.string()),
  }),
  event('source/added', {
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    /** Absent for workspace files. */
    url: z.optional(z.string()),
    date: z.optional(z.string()),
    /** Of a workspace file: its path below the workspace folder, and the lines (from 1, both included). */
    file: z.optional(z.object({ path: z.string(), firstLine: z.number(), lastLine: z.number() })),
    /**
     * Id of the source that it counts with: another passage of the same file, the repository of an issue, the original of a copy.
     * Absent when it counts by itself. Emitted again, with this, for a source that turned out to be the same as another.
     */
    work: z.optional(z.string()),
  }),
  /** A page that could not be read, once; `why` in the language of the report. */
  event('page/unread', { url: z.string(), section: z.optional(z.string()), why: z.string() }),
  /** The user gave the text of a page: it is the source with this id. */
  event('page/supplied', { url: z.string(), source: z.string() }),
  /** A search of the folder waits for its index: once a second. */
  event('folder/indexed', { files: count, of: count }),
  /** A model call has been without other news for 15 s, and again each 15 s. */
  event('model/progress', {
    call: z.string(),
    phase: z.enum(phases),
    /** Received so far, reasoning included; estimated. */
    tokens: count,
    /** Nothing has arrived yet: what it waits for at its server. */
    waiting: z.optional(z.enum(['turn', 'loading', 'firstByte'])),
  }),
  event('usage', {
    model: z.string(),
    role: z.string(),
    phase: z.enum(phases),
    tokens: z.object({ in: count, out: count, cached: count }),
    /** In US dollars; null when no price is known. */
    cost: z.nullable(z.number().check(z.gte(0))),
    /** True when the provider gave no numbers and they were estimated from the text. */
    estimated: z.boolean(),
    /** Place of the call whose answer is recorded; absent for a try whose answer was not used. */
    call: z.optional(z.string()),
  }),
  event('review/finished', {
    score: z.number(),
    sufficient: z.boolean(),
    gaps,
    retry: z.array(z.string()),
    round: z.number(),
    /** The run waits until the user says which sections go back, or that the report is written. */
    needsApproval: z.boolean(),
    /** What the review says of each section; absent where it says nothing. */
    coverage: z.optional(
      z.array(
        z.object({ section: z.string(), status: z.enum(['sufficient', 'partial', 'missing']), notes: z.string() }),
      ),
    ),
    /** Why, in a few sentences. */
    reasoning: z.optional(z.string()),
  }),
  /** What the user decided: the ids of the sections that go back; none: the report is written. */
  event('review/decided', { retry: z.array(z.string()) }),
  /**
   * `text` replaces everything of the report from `offset` (in UTF-16 units) on. `citations`: the ids of the cited sources
   * in the order of their numbers (`[n]` is `citations[n - 1]`), the full list so far; absent when it did not grow.
   */
  event('report/delta', { offset: count, text: z.string(), citations: z.optional(z.array(z.string())) }),
  /** A critic read the draft: what is changed, by section (`frame`: summary, analysis and conclusion), and what was. */
  event('report/revision', {
    /** From 1. */
    round: z.number(),
    points: z.array(z.object({ section: z.string(), title: z.string(), point: z.string() })),
    /** Parts that are written again; empty until `done`. */
    changed: z.array(z.string()),
    done: z.boolean(),
  }),
  /**
   * A sentence, list item or table cell that cites, when its verdict is final; a later one with the same id replaces it. `passages` are
   * never empty, their texts are word for word in the run's evidence.
   */
  event('report/claim', {
    id: z.string(),
    section: z.string(),
    /** In UTF-16 units of the report. */
    offset: count,
    sentence: z.string(),
    citations: z.readonly(z.array(z.number())),
    passages: z.readonly(z.array(z.object({ source: z.string(), text: z.string(), place: z.string() }))),
    verdict: z.enum(['quoted', 'supported', 'corrected', 'unverified']),
    reason: z.optional(z.enum(['off', 'controls', 'noAnswer', 'budget', 'ownConclusion'])),
  }),
  event('report/finished', {
    /** Absent when the report could not be, or was not asked to be, saved. */
    path: z.optional(z.string()),
    citations: z.object({ cited: count, dropped: count, corrected: z.optional(count), verified: count }),
    /** Who wrote the sections: the model, or code that quotes the sources. Absent in the events of older versions. */
    writtenBy: z.optional(z.enum(['model', 'quotes', 'both'])),
    /** Of a follow-up that was to change the report: it says every word of it already, and there is no new version. */
    unchanged: z.optional(z.literal(true)),
  }),
  event('run/warning', {
    /** Absent in the events of older versions. */
    kind: z.optional(z.enum(warningKinds)),
    /** Names what the warning is about (`source.arxiv.network`), so that the same is shown once. */
    code: z.string(),
    /** In the language of the report. */
    message: z.string(),
    /** The same in English, by which it is shown in the user's language. Absent where `message` is English. */
    english: z.optional(z.string()),
    section: z.optional(z.string()),
  }),
  event('run/finished', {
    /** `notFound`: nothing that was searched answers the question, and the report says so. */
    outcome: z.enum(['complete', 'partial', 'notFound']),
    /** What the report names as not answered, by the id of its section ("": the whole report). Absent in the events of older versions. */
    gaps: z.optional(gaps),
    /** With `notFound`: what was searched, and the nearest passages, at most three. */
    searched: z.optional(
      z.object({
        sources: z.array(z.string()),
        /** Of the folder, where it was searched. */
        files: z.optional(count),
        nearest: z.array(z.object({ source: z.string(), title: z.string() })),
      }),
    ),
    path: z.optional(z.string()),
    tokens: z.object({ in: count, out: count, cached: count }),
    ms: count,
  }),
  event('run/failed', { reason: z.string(), message: z.string(), next: z.string() }),
  event('run/cancelled', { reason: z.string(), message: z.string(), next: z.string() }),
  event('run/paused', { reason: z.string(), message: z.string(), next: z.string() }),
  event('run/resumed', { reason: z.string(), message: z.string(), next: z.string() }),
]);

export type ResearchEvent = z.infer<typeof researchEventSchema>;
export type ResearchEventType = ResearchEvent['type'];

/** An event as a node emits it: the engine adds `run`, `seq` and `at`. */
export type EventBody = ResearchEvent extends infer E
  ? E extends ResearchEvent
    ? Omit<E, 'run' | 'seq' | 'at'>
    : never
  : never;

/** What an event says, beside its type and its place in the run. */
export type EventDetails<T extends ResearchEventType> = Readonly<
  Omit<Extract<ResearchEvent, { type: T }>, 'type' | 'run' | 'seq' | 'at'>
>;

export type { PlanEstimate } from './plan.ts';
export type ClarifyOption = z.infer<typeof option>;
export type DiscoveredEntity = z.infer<typeof discoveredEntity>;

/** Reads one event from outside (a file's line, a message). `undefined` for an unknown type or a malformed event. */
export function parseEvent(value: unknown): ResearchEvent | undefined {
  const parsed = researchEventSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
