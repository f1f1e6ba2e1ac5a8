import type { DiscoveredEntity, Phase } from '../../protocol/events.ts';
import type { Finding, Source } from '../evidence/source.ts';
import type { ChatAnswer, ChatRequest, ModelRole, ToolCall } from '../ports.ts';
import type { Warning } from '../run/warning.ts';
import type { ResearchTool, WorkspaceFacts } from '../tools.ts';

/**
 * All thinking of the program. Nodes decide what happens next; the analyst reads, judges and writes. Two implementations:
 * `llm/` (any chat model) and `extractive/` (no model: quotes, ranks and arranges, and never invents a word).
 */
export interface Analyst {
  readonly kind: 'llm' | 'extractive';
  assess(input: AssessInput, scope: Scope): Promise<Assessment>;
  analyze(input: QuestionInput, scope: Scope): Promise<Analysis>;
  /** Extracts the entities from everything that the discovery's tool loop found. */
  discover(input: DiscoverInput, scope: Scope): Promise<Discovery>;
  plan(input: PlanInput, scope: Scope): Promise<Plan>;
  /** One turn of a researcher: the next tool calls (several at once), or the end. */
  act(input: ActInput, scope: Scope): Promise<Turn>;
  distil(input: DistilInput, scope: Scope): Promise<Distilled>;
  review(input: ReviewInput, scope: Scope): Promise<Review>;
  /** Borders for sections of a plan that overlap, before they are researched. */
  coordinate(input: CoordinateInput, scope: Scope): Promise<readonly SectionBorder[]>;
  /** Strategy `iterative`: judges the findings after a round and gives the next queries. */
  reflect(input: ReflectInput, scope: Scope): Promise<Reflection>;
  /** Strategy `supervisor`: the question as a brief in the first person, every stated detail kept, open dimensions named. */
  brief(input: BriefInput, scope: Scope): Promise<string>;
  /**
   * Strategy `supervisor`: one turn of the lead researcher. Its calls are `ConductResearch {research_topic, title?}`,
   * `think {reflection}` and `ResearchComplete {}`; no call at all is the end too.
   */
  supervise(input: SuperviseInput, scope: Scope): Promise<Turn>;
  /**
   * The report as Markdown with source ids as markers (`[S3f9a1]`), in pieces of any size: `# title`, summary, one
   * `## section` for each section of the plan, then the conclusion. No references: code writes them. The generator may be
   * left early (`return`); it throws what the model call throws, after the pieces that arrived before.
   */
  writeReport(input: ReportInput, scope: Scope): AsyncIterable<string>;
}

/** The seat of one step in the run: everything that it may call, all of it through the one call wrapper. */
export interface Scope {
  /** Deterministic place in the run ("plan", "section/s2/1"): the base of the keys of its calls. */
  readonly path: string;
  readonly phase: Phase;
  readonly section?: string;
  /** `YYYY-MM-DD`, pinned at the start of the run. */
  readonly today: string;
  /** Language of the report, as a BCP 47 tag ("en", "zh", "ar", …), pinned. */
  readonly language: string;
  readonly signal: AbortSignal;
  readonly limits: AnalystLimits;
  /**
   * Calls the model of a role. `label` names the call within the scope ("act/3", "retry/1") and must be the same on a
   * replay. `onText` gets text while it arrives. Rejects with a `ResearchError` after the wrapper's own retries.
   */
  model(label: string, role: ModelRole, request: ChatRequest, onText?: (text: string) => void): Promise<ChatAnswer>;
  /** The answers to the calls whose labels begin so turned out to be of no use: a resumed run makes the calls again. */
  forget(label: string): Promise<void>;
  /** Context window of a role's model, in tokens, already capped by `limits.maxContextTokens`. */
  contextTokens(role: ModelRole): Promise<number>;
  /** The source of an id; undefined when no tool of this run returned it. */
  source(id: string): Source | undefined;
  /** Shows a thought in the panel; it never enters findings. */
  thought(text: string): void;
  warn(warning: Warning): void;
}

export interface AnalystLimits {
  readonly maxStructuredOutputRetries: number;
  /** What the raw material of one distillation is cut to before it is distilled, in tokens. */
  readonly compressionTargetTokens: number;
  readonly maxTokens: Readonly<Partial<Record<ModelRole, number>>>;
  /** Sentences per section that a digest aims at, tool calls it wants: quick, standard or deep. */
  readonly depth: 'quick' | 'standard' | 'deep';
}

export interface QuestionInput {
  /** The user's words. */
  readonly question: string;
  /** The question with everything that clarification brought; the same as `question` when nothing was asked. */
  readonly clarifiedQuestion: string;
  /** Assumptions that were made instead of asking. */
  readonly assumptions: readonly string[];
  readonly workspace?: WorkspaceFacts;
}

// ---------------------------------------------------------------------------------------------------------------- assess

export interface AskedQuestion {
  readonly id: string;
  readonly question: string;
  readonly missingInfo: string;
  /** Null when the user skipped it. */
  readonly answer: string | null;
}

/** What a look-up of an unknown term found. */
export interface TermLookup {
  readonly term: string;
  readonly outcome: 'found' | 'notFound' | 'impossible';
  readonly summary: string;
}

export interface AssessInput {
  readonly question: string;
  readonly asked: readonly AskedQuestion[];
  readonly lookups: readonly TermLookup[];
  readonly workspace?: WorkspaceFacts;
}

export interface Assessment {
  /** Set when the question can't be researched at all (no subject for research, harmful): the reason for the user. */
  readonly cannotDo: string | null;
  readonly needClarification: boolean;
  /** Short Markdown, the one thing that is missing; "" when nothing is. */
  readonly question: string;
  /** 2 to 5; one of them recommended. Empty when no question. */
  readonly options: readonly { readonly label: string; readonly recommended: boolean }[];
  /** What the question is about, as a stable key ("scope", "goal", "topic", "term:RLM", …): never asked twice. */
  readonly missingInfo: string;
  /** One sentence that says what was understood, when research can start. */
  readonly verification: string;
  /** The question in full, standing alone, with all answers worked in. */
  readonly refinedQuery: string;
  readonly topicClear: boolean;
  readonly scopeInferable: boolean;
  readonly goalClear: boolean;
  /** A reasonable default for what is not stated ("overview of mechanisms, drugs and resistance"); "" when there is none. */
  readonly defaultGoal: string;
  readonly unknownTerms: readonly string[];
  /** Focus points, 3 or more when enough is known. */
  readonly focus: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasoning: string;
}

// --------------------------------------------------------------------------------------------------------------- analyze

export type QueryType = 'list' | 'comparison' | 'deep_dive' | 'general';
export type OutputFormat = 'table' | 'list' | 'prose';

export interface Analysis {
  readonly queryType: QueryType;
  readonly outputFormat: OutputFormat;
  /** Only ever true for a list. */
  readonly needsDiscovery: boolean;
  /** What to discover ("open-source vector databases"); "" when none. */
  readonly discoveryTarget: string;
  readonly reasoning: string;
}

// ----------------------------------------------------------------------------------------------------- discover and plan

export interface DiscoverInput extends QuestionInput {
  readonly target: string;
  readonly gathered: readonly GatheredCall[];
}

export interface Discovery {
  readonly entities: readonly DiscoveredEntity[];
  readonly summary: string;
  readonly coverage: string;
}

export interface PlanInput extends QuestionInput {
  readonly analysis: Analysis;
  readonly focus: readonly string[];
  readonly discovered: readonly DiscoveredEntity[];
  /** How many sections the strategy wants: 3 to 7, iterative 3 to 5. */
  readonly wanted: { readonly min: number; readonly max: number };
}

export interface PlannedSection {
  /** `s1`, `s2`, … in the plan's order; never changes afterwards. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly queries: readonly string[];
}

export interface Plan {
  readonly title: string;
  readonly objective: string;
  readonly scope: string;
  readonly sections: readonly PlannedSection[];
}

// ------------------------------------------------------------------------------------------------------------------- act

/** A finished tool call of this researcher. */
export interface GatheredCall {
  readonly call: ToolCall;
  /** The model's turn that it belongs to, from 0: the calls of a turn were made together. */
  readonly turn: number;
  /** What the model wrote beside its calls in that turn. */
  readonly said: string;
  /** Ids of the returned sources, best first. */
  readonly sources: readonly string[];
  readonly note: string;
  /** Why it failed, was refused or skipped, in words for the model. */
  readonly error?: string;
  /** The same in words for a person: nothing that a service said stands in it. */
  readonly why?: string;
}

export interface ActInput {
  readonly role: 'researcher' | 'discoverer';
  /** The section that is researched, or the target of the discovery. */
  readonly task: { readonly title: string; readonly description: string; readonly queries: readonly string[] };
  readonly question: string;
  /** Titles of the other sections, so that it does not research them. */
  readonly otherSections: readonly string[];
  /** Why the section was sent back; empty at the first attempt. */
  readonly gaps: readonly string[];
  /** Source ids that an earlier attempt had found. */
  readonly known: readonly string[];
  /** One line on what other researchers of the run have found and searched; "" when nothing yet. */
  readonly pool: string;
  readonly gathered: readonly GatheredCall[];
  readonly tools: readonly ResearchTool[];
  /** 0-based turn that is being made. */
  readonly turn: number;
  readonly callsLeft: number;
  readonly workspace?: WorkspaceFacts;
}

export interface Turn {
  readonly said: string;
  /** May hold `think` and `research_complete` beside the tools' names. Empty: the researcher is done. */
  readonly calls: readonly ToolCall[];
}

// ------------------------------------------------------------------------------------------------------------ strategies

export interface CoordinateInput {
  readonly question: string;
  readonly sections: readonly PlannedSection[];
  /** Pairs of section ids that share much of their subject. */
  readonly overlaps: readonly (readonly [string, string])[];
}

export interface SectionBorder {
  readonly id: string;
  /** One sentence: what belongs to this section, and what is left to which other. */
  readonly border: string;
}

export interface ReflectInput {
  readonly question: string;
  readonly sections: readonly ReviewedSection[];
  /** 1-based; the round that has just been read. */
  readonly round: number;
  readonly maxRounds: number;
  /** All queries so far, as they were sent. */
  readonly asked: readonly string[];
}

export interface Reflection {
  readonly isSufficient: boolean;
  /** 1 to 10. */
  readonly overallScore: number;
  readonly gaps: readonly { readonly section: string; readonly gap: string }[];
  /** Differ from all that were asked before; the node removes repetitions. */
  readonly nextQueries: readonly { readonly section: string; readonly query: string }[];
  readonly contradictions: readonly string[];
  readonly reasoning: string;
}

export interface BriefInput extends QuestionInput {
  readonly focus: readonly string[];
}

export interface SuperviseInput {
  readonly question: string;
  readonly brief: string;
  /** 0-based. */
  readonly round: number;
  readonly maxRounds: number;
  /** How many topics are researched at once; more are queued. */
  readonly maxConcurrent: number;
  readonly turns: readonly SupervisorTurn[];
}

/** A turn of the lead researcher with the answer to each of its calls, in order. */
export interface SupervisorTurn {
  readonly said: string;
  readonly calls: readonly ToolCall[];
  /** The compressed findings of a topic with their source ids, or why it failed; at most a few thousand characters each. */
  readonly answers: readonly string[];
}

// ---------------------------------------------------------------------------------------------------------------- distil

export interface DistilInput {
  readonly section: PlannedSection;
  readonly question: string;
  readonly outputFormat: OutputFormat;
  readonly gaps: readonly string[];
  readonly gathered: readonly GatheredCall[];
  /** All sources of the section (earlier attempts included), best first. Never empty: code handles the empty case. */
  readonly sources: readonly Source[];
  /** What an earlier attempt had distilled. */
  readonly previous?: Distilled;
  /** Somebody who reads chose the sources: where no sentence fits by its words, they are quoted from their beginnings. */
  readonly chosen?: boolean;
}

export interface Distilled {
  readonly title: string;
  /** Markdown with source ids as markers. */
  readonly content: string;
  readonly findings: readonly Finding[];
}

// ---------------------------------------------------------------------------------------------------------------- review

export interface ReviewedSection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: 'completed' | 'failed';
  readonly content: string;
  readonly findings: readonly Finding[];
  readonly sourceIds: readonly string[];
}

export interface ReviewInput {
  readonly question: string;
  readonly sections: readonly ReviewedSection[];
  /** 1-based. */
  readonly round: number;
  /** How many rounds of sending back are still allowed. */
  readonly roundsLeft: number;
}

export interface Review {
  readonly isSufficient: boolean;
  /** 1 to 10. */
  readonly overallScore: number;
  readonly sectionCoverage: readonly {
    readonly id: string;
    readonly status: 'sufficient' | 'partial' | 'missing';
    readonly notes: string;
  }[];
  readonly gaps: readonly { readonly section: string; readonly gap: string }[];
  /** Section ids; unknown ones are removed by the node. */
  readonly sectionsToRetry: readonly string[];
  readonly contradictions: readonly string[];
  readonly reasoning: string;
}

// ---------------------------------------------------------------------------------------------------------------- report

export interface ReportInput extends QuestionInput {
  readonly title: string;
  readonly objective: string;
  readonly analysis: Analysis;
  readonly discovered: readonly DiscoveredEntity[];
  readonly sections: readonly ReviewedSection[];
  readonly contradictions: readonly string[];
  readonly sources: readonly Source[];
}
