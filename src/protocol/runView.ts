import type { FollowUpKind } from './followUp.ts';
import type { DiscoveredEntity, EventDetails, Phase } from './events.ts';
import type { EstimateBasis, PlanEstimate, PlanSection } from './plan.ts';

/** The picture of a run that the panel draws: the fold of its events, plain JSON, the same after every replay. */
export interface RunView {
  readonly run: string;
  readonly status: 'idle' | 'running' | 'waiting' | 'paused' | 'finished' | 'failed' | 'cancelled';
  readonly question: string;
  /** As requested, then as chosen. */
  readonly strategy: string;
  /** Why this strategy was chosen; "" until it is. */
  readonly strategyWhy: string;
  /** Strategy `iterative`: the rounds so far. */
  readonly rounds: readonly RoundView[];
  /** Strategy `supervisor`: the delegated topics, in order. */
  readonly topics: readonly TopicView[];
  readonly provider: string;
  readonly model: string | null;
  readonly analyst: 'llm' | 'extractive';
  /** Of a follow-up: id of the run whose report it is about. */
  readonly parent?: string | undefined;
  /** ISO 8601 of the first and the latest event. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Milliseconds up to `updatedAt` in which the run waited for the user, was paused or interrupted. */
  readonly waitedMs: number;
  readonly phase: Phase | null;
  /** Phases seen so far, in order of their first appearance. */
  readonly phasesSeen: readonly Phase[];
  readonly pending: EventDetails<'clarify/asked'> | null;
  /** What the run waits for while `status` is `waiting`. */
  readonly waitingFor: 'answer' | 'entities' | 'plan' | 'review' | null;
  readonly answered: readonly { readonly id: string; readonly question: string; readonly answer: string | null }[];
  readonly entities: readonly DiscoveredEntity[];
  /** What the search for the entities may have missed; "" when that is not known. */
  readonly coverage: string;
  readonly plan: {
    readonly title: string;
    readonly sections: readonly PlanSection[];
    readonly estimate: PlanEstimate;
    readonly approved: boolean;
    readonly focus: readonly string[];
    /** How many plans were sent back before this one. */
    readonly round: number;
    /** What the model takes the question of a follow-up for; the user may choose another kind. */
    readonly as?: FollowUpKind;
    /** Null: edits can't be estimated. */
    readonly basis: EstimateBasis | null;
  } | null;
  /** What was said about the plans that were sent back, in order. */
  readonly remarks: readonly string[];
  readonly sections: readonly SectionView[];
  /** Thoughts that belong to no section (what was understood, what is looked up), latest first, at most 20. */
  readonly thoughts: readonly string[];
  /** What calls that belong to no section ask for, latest first, at most 20. Absent: nothing. */
  readonly lookUps?: readonly string[];
  /** Tokens that have arrived of model calls in progress, by call. Absent: nothing is slow. */
  readonly receiving?: Readonly<Record<string, number>>;
  /** Files of the folder that are indexed, while a search waits for the index. */
  readonly indexed?: { readonly files: number; readonly of: number };
  readonly sources: readonly SourceView[];
  /** Pages that could not be read, in order. */
  readonly pages: readonly PageView[];
  readonly warnings: readonly EventDetails<'run/warning'>[];
  readonly review: Omit<EventDetails<'review/finished'>, 'needsApproval'> | null;
  /** What a critic of the draft asked for, latest round; absent before. */
  readonly revision?: EventDetails<'report/revision'>;
  readonly tokens: { readonly in: number; readonly out: number; readonly cached: number; readonly estimated: boolean };
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  /** By model and phase, in the order of their first call. */
  readonly usage: readonly UsageView[];
  readonly report: {
    readonly text: string;
    readonly done: boolean;
    readonly path?: string;
    /** Ids of the cited sources: the marker `[n]` in the text refers to `citations[n - 1]`. */
    readonly citations: readonly string[];
    /** Who wrote the sections; absent until the report is finished. */
    readonly writtenBy?: 'model' | 'quotes' | 'both';
    /** Of a follow-up: what it has written is what the report says already. */
    readonly unchanged?: true;
    /** What the check of the citations counted; absent until the report is finished. */
    readonly checked?: { readonly cited: number; readonly dropped: number; readonly verified: number };
  };
  /** How the run ended, or why it is paused. */
  readonly end: {
    readonly outcome?: 'complete' | 'partial' | 'notFound';
    /** What the report names as not answered. */
    readonly gaps?: readonly { readonly section: string; readonly gap: string }[];
    readonly searched?: EventDetails<'run/finished'>['searched'];
    readonly reason: string;
    readonly message: string;
    readonly next: string;
  } | null;
  readonly lastSeq: number;
}

export interface PageView {
  readonly url: string;
  readonly why: string;
  /** Id of the source that the user gave in its place. */
  readonly source?: string;
}

export interface RemarkView {
  readonly id: string;
  /** The user's words; "" when the event with them was lost. */
  readonly text: string;
  readonly state: 'waiting' | 'seen' | 'unused';
}

export interface UsageView {
  readonly model: string;
  readonly phase: Phase;
  readonly calls: number;
  /** Tokens; `cached` are a part of `in`. */
  readonly in: number;
  readonly out: number;
  readonly cached: number;
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  readonly estimated: boolean;
}

export type RoundView = EventDetails<'round/updated'>;

export type TopicView = EventDetails<'topic/updated'>;

export interface SectionView extends EventDetails<'section/updated'> {
  readonly description: string;
  /** What the user said to its researcher, latest first, at most 50; absent when nothing. */
  readonly remarks?: readonly RemarkView[];
  /** Latest first, at most 20. */
  readonly thoughts: readonly string[];
}

export type SourceView = EventDetails<'source/added'>;

/** Reasons for which a run pauses and resumes by itself; after any other it waits to be resumed. */
const byItself = new Set(['network', 'rateLimit']);

/** The run is paused because its model can't be reached, and resumes by itself. It can be stopped and finished. */
export function isOnHold({ status, end }: Pick<RunView, 'status' | 'end'>): boolean {
  return status === 'paused' && end !== null && byItself.has(end.reason);
}

/** A process has the run: it is running, waits for the user, or is paused and resumes by itself. */
export function isLive(view: Pick<RunView, 'status' | 'end'>): boolean {
  return view.status === 'running' || view.status === 'waiting' || isOnHold(view);
}

/** A finished run of which something is missing: a part of the research, or an answer. */
export function hasGaps({ end }: Pick<RunView, 'end'>): boolean {
  return end?.outcome === 'partial' || (end?.gaps ?? []).length > 0;
}
