import type { ResearchError } from '../errors.ts';
import type { DiscoveredEntity, Phase } from '../../protocol/events.ts';
import type { challengeOutcomes, FollowUpKind } from '../../protocol/followUp.ts';
import type { Finding, Source } from '../evidence/source.ts';
import type { Judgement } from '../evidence/statement.ts';
import type { ChatAnswer, ChatRequest, ModelRole, Reading, ToolCall } from '../ports.ts';
import type { Warning } from '../languages/warning.ts';
import type {
  AskedQuestion,
  Contradiction,
  TermLookup,
  Assessment,
  Analysis,
  PlannedSection,
  Plan,
  GatheredCall,
  Distilled,
  Review,
  Reflection,
  SupervisorTurn,
} from '../stateSchema.ts';
import type { ResearchTool, WorkspaceFacts } from '../tools.ts';

/** What the steps return and the state stores. */
export type {
  AskedQuestion,
  TermLookup,
  Assessment,
  Analysis,
  PlannedSection,
  Plan,
  GatheredCall,
  Distilled,
  Review,
  Reflection,
  SupervisorTurn,
};

/**
 * All thinking of the program. Nodes decide what happens next; the analyst reads, judges and writes. Two implementations:
 * `llm/` (any chat model) and `extractive/` (no model: quotes, ranks and arranges, and never invents a word).
 */
export interface Analyst {
  readonly kind: 'llm' | 'extractive';
  assess(input: AssessInput, scope: Scope): Promise<Assessment>;
  /** What is asked of a report, and how it can be understood without the report. */
  followUp(input: FollowUpInput, scope: Scope): Promise<UnderstoodFollowUp>;
  /** Weighs what was found for and against a statement. Absent without a model. */
  challenge?(input: ChallengeInput, scope: Scope): Promise<Challenge>;
  analyze(input: QuestionInput, scope: Scope): Promise<Analysis>;
  /** Extracts the entities from everything that the discovery's tool loop found. */
  discover(input: DiscoverInput, scope: Scope): Promise<Discovery>;
  plan(input: PlanInput, scope: Scope): Promise<Plan>;
  /** One turn of a researcher: the next tool calls (several at once), or the end. */
  act(input: ActInput, scope: Scope): Promise<Turn>;
  distil(input: DistilInput, scope: Scope): Promise<Distilled>;
  /** Absent without a model: what was found by the question's words is not found better by asking again. */
  review?(input: ReviewInput, scope: Scope): Promise<Review>;
  /** Strategy `iterative`: judges the findings after a round and gives the next queries. */
  reflect?(input: ReflectInput, scope: Scope): Promise<Reflection>;
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
  /**
   * The text of one section as Markdown with source ids as markers, without its heading; `onText` gets it while it is written.
   * Absent without a model, like the two below: then `writeReport` writes all of it.
   */
  writeSection?(input: SectionInput, scope: Scope, onText?: (text: string) => void): Promise<string>;
  /** What surrounds the written sections. */
  frame?(input: FrameInput, scope: Scope): Promise<Frame>;
  /** What a careful reader would have changed in the draft; empty when nothing. */
  critique?(input: CritiqueInput, scope: Scope): Promise<readonly ReportPoint[]>;
  /**
   * Judges statements beside their passages, by number; those that the model has not judged are missing. It knows neither the
   * question nor the report. Rejects when no call could be made; a model whose answers are of no use judges nothing.
   */
  verify?(input: VerifyInput, scope: Scope): Promise<ReadonlyMap<number, Verdict>>;
}

/** What one step of the run has access to: everything that it may call, all of it through the one call wrapper. */
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
  /** Part of the name of every tag that encloses text from outside in a prompt: no text that was fetched can know it. */
  readonly fence: string;
  readonly limits: AnalystLimits;
  /** Called with each source before it is read. */
  readonly reading?: Reading;
  /**
   * Calls the model of a role. `label` names the call within the scope ("act/3", "retry/1") and must be the same on a
   * replay. `onText` gets text while it arrives. Rejects with a `ResearchError` after the wrapper's own retries.
   */
  model(label: string, role: ModelRole, request: ChatRequest, onText?: (text: string) => void): Promise<ChatAnswer>;
  /** The answers to the calls whose labels begin so turned out to be of no use: a resumed run makes the calls again. */
  forget(label: string): Promise<void>;
  /** The step got what it needs from the models that it called, or failed: who is of no use several times in a row isn't asked again. */
  noteUse(error?: ResearchError): void;
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
  /** Terms of the question that were looked up and found, with what was found. */
  readonly learnt?: readonly Pick<TermLookup, 'term' | 'summary'>[];
  readonly workspace?: WorkspaceFacts;
}

// ---------------------------------------------------------------------------------------------------------------- assess

export interface AssessInput {
  readonly question: string;
  readonly asked: readonly AskedQuestion[];
  readonly lookups: readonly TermLookup[];
  readonly workspace?: WorkspaceFacts;
  /** A folder can be searched, though nothing may be known of it. */
  readonly hasFolder?: boolean;
  /** Names of the user's focus templates: an answer that is one of them adds no words. */
  readonly templates?: readonly string[];
}

// -------------------------------------------------------------------------------------------------- follow-up and analyze

export interface FollowUpInput {
  readonly question: string;
  /** Markdown, in full. */
  readonly report: string;
  /** Headings of its sections. */
  readonly sections: readonly string[];
  /** What is decided already. */
  readonly as?: FollowUpKind | undefined;
}

export interface ChallengeInput {
  readonly statement: string;
  /** What was found about it. */
  readonly section: ReviewedSection;
}

/** Markdown with numbers of findings as markers. */
export interface Challenge {
  readonly outcome: (typeof challengeOutcomes)[number];
  readonly reasons: string;
  /** "" where it stays as it is. */
  readonly corrected: string;
}

export interface UnderstoodFollowUp {
  /** Understood without the question before it. */
  readonly question: string;
  readonly as: FollowUpKind;
  /** Heading of the section that it is about; "" for a new one or the whole report. */
  readonly section: string;
  /** Of a new section; "" where none is wanted. */
  readonly title: string;
  /** BCP 47 of the language that a report is to be written in again; "": as it is. */
  readonly language: string;
  /** In that language the title of the report and the headings of its sections, in their order; none where one of them is missing. */
  readonly headings: readonly string[];
  /** Queries of a search. */
  readonly queries: readonly string[];
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
  /** Those of them that the user wrote. */
  readonly ownFocus?: readonly string[];
  /** Those that the user added have no source yet and must be covered. */
  readonly discovered: readonly DiscoveredEntity[];
  /** Names of discovered entities that the user took out. */
  readonly leftOut?: readonly string[];
  /** What the discovery found as a whole, and what it may have missed. */
  readonly discovery?: Pick<Discovery, 'summary' | 'coverage'>;
  /** What the user said about the plans that were sent back, in order. */
  readonly remarks?: readonly string[];
  /** What a few searches with the question's own words have found. */
  readonly found?: readonly Source[];
  /** Called with each section as soon as it is written; ids and titles are those of the plan when the first answer is used. */
  readonly onSection?: (section: PlannedSection) => void;
  /** Called once all sections and the title are written: what follows is for people who read the plan. */
  readonly onOutline?: (plan: Plan) => void;
  /** The plan that the last remark is about. */
  readonly previous?: Pick<Plan, 'sections'>;
  /** How many sections are wanted: 3 to 7, iterative 3 to 5, and 1 to 30 once the user has remarked on a plan. */
  readonly wanted: { readonly min: number; readonly max: number };
}

// ------------------------------------------------------------------------------------------------------------------- act

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
  /** What the user wrote to this researcher while it works, in their own words, in order; absent when nothing. */
  readonly remarks?: readonly string[];
  readonly gathered: readonly GatheredCall[];
  readonly tools: readonly ResearchTool[];
  /** 0-based turn that is being made. */
  readonly turn: number;
  readonly callsLeft: number;
  /** The only turn of the model, while pages are opened: it sees what the first searches found. */
  readonly isLook?: boolean;
  readonly workspace?: WorkspaceFacts;
}

export interface Turn {
  readonly said: string;
  /** May hold `think` and `research_complete` beside the tools' names. Empty: the researcher is done. */
  readonly calls: readonly ToolCall[];
}

// ------------------------------------------------------------------------------------------------------------ strategies

export interface ReflectInput {
  readonly question: string;
  readonly sections: readonly ReviewedSection[];
  /** See {@link ReviewInput.settled}. */
  readonly settled?: ReviewInput['settled'];
  /** 1-based; the round that has just been read. */
  readonly round: number;
  readonly maxRounds: number;
  /** All queries so far, as they were sent. */
  readonly asked: readonly string[];
}

export interface BriefInput extends QuestionInput {
  readonly focus: readonly string[];
  /** What the user said about the plans or briefs that were sent back, in order. */
  readonly remarks?: readonly string[];
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

// ---------------------------------------------------------------------------------------------------------------- distil

export interface DistilInput {
  readonly section: PlannedSection;
  readonly question: string;
  readonly gaps: readonly string[];
  /** See {@link ActInput.remarks}. */
  readonly remarks?: readonly string[];
  readonly gathered: readonly GatheredCall[];
  /** All sources of the section (earlier attempts included), best first. Never empty: code handles the empty case. */
  readonly sources: readonly Source[];
  /** What an earlier attempt had distilled. */
  readonly previous?: Distilled;
  /** The sources were chosen by reading: where no sentence fits by its words, they are quoted from their beginnings. */
  readonly chosen?: boolean;
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
  /** What the user asked of it along the way, in their own words; absent when nothing. */
  readonly remarks?: readonly string[];
}

export interface ReviewInput {
  readonly question: string;
  readonly sections: readonly ReviewedSection[];
  /** Sections that an earlier round reviewed and that did not change since; absent in the first round. */
  readonly settled?: readonly Pick<ReviewedSection, 'id' | 'title' | 'description'>[];
  /** 1-based. */
  readonly round: number;
  /** How many rounds of sending back are still allowed. */
  readonly roundsLeft: number;
}

// ---------------------------------------------------------------------------------------------------------------- verify

/** A statement as a second reader gets it. */
export interface ReadStatement {
  /** Different for each statement, see {@link statementNumber}. */
  readonly number: number;
  readonly text: string;
  readonly passages: readonly string[];
}

/** Of a statement by its place from 0 on. Answers alike that count up by one would be taken for a model that goes round in circles. */
export const statementNumber = (place: number): number => 2 * place + 1;

export interface VerifyInput {
  /** In the order in which they are read; those with the same passages share them in the prompt. */
  readonly statements: readonly ReadStatement[];
  /** Of statements and passages, in tokens. Beyond it passages are shortened to the sentences nearest to their statements. */
  readonly most: number;
}

export interface Verdict extends Pick<Judgement, 'words' | 'correction'> {
  readonly verdict: Exclude<Judgement['verdict'], 'unverified'>;
}

// ---------------------------------------------------------------------------------------------------------------- report

/** What every part of a report is written for. */
export interface WritingInput extends QuestionInput {
  readonly title: string;
  readonly objective: string;
  /** What the report covers and leaves out; "" when nothing is stated. */
  readonly limits: string;
  /** What the person cares about most. */
  readonly focus: readonly string[];
  readonly analysis: Analysis;
}

export interface ReportInput extends WritingInput {
  readonly discovered: readonly DiscoveredEntity[];
  readonly sections: readonly ReviewedSection[];
  readonly contradictions: readonly Contradiction[];
  readonly sources: readonly Source[];
  /** A question about a report is answered: in short, without a summary or a conclusion. Default: false. */
  readonly isAnswer?: boolean;
}

export interface SectionInput extends WritingInput {
  readonly section: ReviewedSection;
  readonly others: readonly Pick<ReviewedSection, 'id' | 'title' | 'description'>[];
  /** The text that is written again, and why. */
  readonly revision?: { readonly text: string; readonly points: readonly string[] };
}

export interface WrittenSection extends ReviewedSection {
  /** As {@link Analyst.writeSection} gives it. */
  readonly text: string;
}

export interface FrameInput extends WritingInput {
  readonly sections: readonly WrittenSection[];
  readonly discovered: readonly DiscoveredEntity[];
  readonly contradictions: readonly Contradiction[];
  readonly revision?: { readonly frame: Frame; readonly points: readonly string[] };
}

/** Markdown with source ids as markers, without headings of the first two levels. */
export interface Frame {
  readonly title: string;
  readonly summary: string;
  /** Across the sections; "" when there is nothing to say beyond them. */
  readonly analysis: string;
  readonly conclusion: string;
}

export interface CritiqueInput extends WritingInput {
  readonly sections: readonly WrittenSection[];
  readonly frame: Frame;
  readonly contradictions: readonly Contradiction[];
  /** 1-based. */
  readonly round: number;
}

export interface ReportPoint {
  /** Id of a section, or `frame`. */
  readonly part: string;
  readonly kind: 'missing' | 'listed' | 'contradicting' | 'unsupported' | 'repeated';
  /** What to change, in one or two sentences. */
  readonly point: string;
}
