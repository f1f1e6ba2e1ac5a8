import type { ClarifyOption, DiscoveredEntity, ResearchEvent } from './events.ts';
import type { Setup } from './messages.ts';
import type { EstimateBasis, PlanEstimate, PlanSection } from './plan.ts';
import type { FollowUpKind } from './followUp.ts';
import type { RunRecord } from './runRecord.ts';
import type { SourceView } from './runView.ts';
import type { RunControls } from './steering.ts';
import type { Strategy } from './strategy.ts';

/**
 * What the engine and its host agree on: the ports that either side implements, the options of a run, its callbacks and its
 * result. Types alone; no type of an editor or of a file system appears here.
 */

export interface Clock {
  /** The wall clock. */
  now(): Date;
  /** Milliseconds of a clock that never jumps, for durations and deadlines. */
  monotonic(): number;
  /** Resolves after `ms`; rejects at once with `signal.reason` when aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Nothing secret, no prompt and no page text goes to a level above `trace`. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Secrets {
  /** The key saved for a service; `origin` is the origin that it will be sent to. Undefined: none is saved for both. */
  key(service: string, origin: string): Promise<string | undefined>;
}

// ---------------------------------------------------------------------------------------------------------------- models

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; `{}` when the model sent none. Not validated. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The raw text, when the arguments were not JSON even after repair. */
  readonly malformed?: string;
  /** An argument is words of our own prompts: the call is not made. */
  readonly isCopied?: true;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /**
   * The answer must be one JSON object of this schema, which no message holds. The port asks the server for the strongest
   * response format that it accepts (json_schema, json_object, none), and puts the schema into words for a model that would not
   * see it there.
   */
  readonly json?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Limit of the answer without its reasoning, in tokens; where a limit includes reasoning, the port makes room for it. */
  readonly maxTokens?: number;
  /** 0 to 2. A port leaves it out for a model that refuses it. */
  readonly temperature?: number;
  /** Of a retry: another one leads to another answer. A port leaves it out where its API or the server takes none. */
  readonly seed?: number;
  /** Which sites the web search of a {@link WebSearchModel} should find. Domains; empty: all. */
  readonly sites?: { readonly include: readonly string[]; readonly exclude: readonly string[] };
}

export interface TokenUsage {
  readonly in: number;
  readonly out: number;
  readonly cached: number;
  /** True when estimated from the text because the server reported none. */
  readonly estimated: boolean;
}

export interface ChatAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** `length`: the answer ended at its token limit, or went round in circles. */
  readonly finish: 'stop' | 'toolCalls' | 'length' | 'contentFilter';
  /** It went round in circles: more room would bring nothing else. */
  readonly isLoop?: true;
  readonly usage: TokenUsage;
  /** Of a {@link WebSearchModel}: what its search found. */
  readonly web?: WebFindings;
}

/** What a model's own web search found. */
export interface WebFindings {
  readonly pages: readonly FoundPage[];
  /** Why a search within the answer failed. */
  readonly problem?: 'limited' | 'unavailable' | 'badQuery';
}

/** A page that a model's own web search found. */
export interface FoundPage {
  readonly url: string;
  /** May be empty. */
  readonly title: string;
  /** Passages of the page, word for word. */
  readonly quotes: readonly string[];
  /** What the model says with a citation of the page. */
  readonly statements: readonly string[];
  /** As the service writes it. */
  readonly date?: string;
  readonly site?: string;
}

/** A model whose provider lets it search the web by itself. */
export interface WebSearchModel {
  /** Of the provider, for people. */
  readonly label: string;
  /** Origin that the query is sent to. */
  readonly address: string;
  /** It is the run's provider at its public address: no other service receives the query. */
  readonly isOwn: boolean;
  /** Rejects as {@link ChatModels} does. */
  port(): Promise<ChatPort>;
}

/** A chat model behind any API. Implementations do no retries of their own: the call wrapper does. */
export interface ChatPort {
  readonly provider: string;
  readonly model: string;
  /** Size of the context window in tokens, as far as it is known. */
  readonly contextTokens: number;
  /** It thinks before it answers, as far as is known. */
  readonly thinks?: boolean | undefined;
  /** Its server is on this machine or in its network. Absent: not known. */
  readonly isLocal?: boolean;
  /**
   * Sends one request. Rejects with a `ResearchError` whose reason is classified by status, code and body; with `signal.reason` when aborted.
   */
  complete(request: ChatRequest, listen: ChatListener, signal: AbortSignal): Promise<ChatAnswer>;
  /** Whether its server answers anything at all, within seconds. Absent: not known. Never rejects. */
  responds?(signal: AbortSignal): Promise<boolean>;
}

/** Follows one request. */
export interface ChatListener {
  /** Called before each request that is sent: one call may need several. It is sent once this resolves, and not when it rejects. */
  readonly onSend?: (() => Promise<void>) | undefined;
  /** Gets the answer's text as it arrives, never reasoning text. */
  readonly onText?: (text: string) => void;
  /**
   * A sign of life on the wire, so that the caller can watch for silence.
   * @param received Estimates the tokens that have arrived, reasoning included. Absent: the port can't say.
   */
  readonly onAlive?: (received?: () => number) => void;
  /**
   * Called every few seconds while silence means nothing: the request waits for its turn at a server that answers one at a time,
   * for the model to be loaded, or for the first byte of a slow machine.
   */
  readonly onWaiting?: (why: 'turn' | 'loading' | 'firstByte') => void;
}

/** A language model that the editor offers to extensions. */
export interface EditorModel {
  /** Names it in settings: "vendor/family" or its id. */
  readonly id: string;
  readonly label: string;
  /** Who offers it, for people ("copilot"). */
  readonly vendor: string;
  readonly contextTokens: number;
  /** Absent: the editor does not say. */
  readonly callsTools?: boolean;
}

/** What the editor's model gave, in pieces. Reasoning and data are a text of no length: a sign of life. */
export type EditorPiece =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'call' } & Pick<ToolCall, 'id' | 'name' | 'args'>);

/** The editor's language models, which the host reaches. */
export interface EditorModels {
  /** Never asks for consent. Empty when there is none. */
  list(): Promise<readonly EditorModel[]>;
  /**
   * Sends one request to a model. The first of a user's own action may make the editor ask for consent. Messages have no system role.
   * Rejects with what the editor rejects with: an error with a `code`.
   * @param mustCall The model must call one of the tools.
   */
  send(
    model: string,
    request: {
      readonly messages: readonly Exclude<ChatMessage, { readonly role: 'system' }>[];
      readonly tools: readonly ToolSpec[];
      readonly mustCall: boolean;
    },
    onPiece: (piece: EditorPiece) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** The steps that may have a model of their own. */
export type ModelRole = 'main' | 'research' | 'compression' | 'report' | 'check';

/** Gives the model of a role. Rejects with `auth` or `config` when the configuration lacks something. */
export type ChatModels = (role: ModelRole) => Promise<ChatPort>;

// -------------------------------------------------------------------------------------------------------------- dialogue

/** A question to the user. */
export interface Asked {
  readonly id: string;
  readonly question: string;
  readonly options: readonly ClarifyOption[];
  readonly missingInfo: string;
  readonly why: string;
  /** Nothing can be researched without an answer: not even a recommended one may be taken. */
  readonly topicMissing: boolean;
}

/** A plan as it is shown before it runs. */
export interface ProposedPlan {
  readonly title: string;
  readonly sections: readonly (PlanSection & { readonly queries: readonly string[] })[];
  readonly strategy: Strategy;
  readonly focus: readonly string[];
  readonly estimate: PlanEstimate;
  readonly basis: EstimateBasis;
  /** How many plans were sent back before this one. */
  readonly round: number;
}

/**
 * The plan that is to run. What is absent stays as it was proposed. Titles and texts that are too long are cut, and of more than 30
 * sections the first 30 are researched.
 */
export interface EditedPlan {
  readonly title?: string | undefined;
  readonly sections: readonly PlanSection[];
  readonly strategy?: Strategy | undefined;
  readonly focus?: readonly string[] | undefined;
}

/** Asks for another plan. */
export interface PlanRemark {
  /** In the user's words; may be empty when something else says what to change. */
  readonly remark: string;
  /** Of a follow-up: what becomes of the question instead. */
  readonly as?: FollowUpKind | undefined;
  readonly focus?: readonly string[] | undefined;
  readonly strategy?: Strategy | undefined;
}

/** What the discovery of a list question found, before it is planned. */
export interface ProposedEntities {
  readonly entities: readonly DiscoveredEntity[];
  /** What the search may have missed; may be empty. */
  readonly coverage: string;
}

/** An entity that the user wants in the list. */
export interface WantedEntity {
  readonly name: string;
  /** Names of the discovered entities that it is: one as a rule, several when they were merged, none for an added one. */
  readonly from: readonly string[];
}

/** A review whose user decides which sections it sends back. */
export interface ReviewToDecide {
  readonly review: {
    /** 1 to 10. */
    readonly overallScore: number;
    readonly isSufficient?: boolean;
    readonly gaps: readonly { readonly section: string; readonly gap: string }[];
  };
  /** Ids of the sections that it would send back; may be empty. */
  readonly retry: readonly string[];
  /** All sections that can go back. */
  readonly sections?: readonly { readonly id: string; readonly title: string }[];
}

/**
 * `continue`: the sections that the review names go back; `report`: none does. Or the user's own choice, each with what they have to say
 * to its researcher; ids that the plan does not have are ignored, and an empty list is `report`.
 */
export type ReviewDecision =
  | 'continue'
  | 'report'
  | { readonly sections: readonly { readonly id: string; readonly remark?: string | undefined }[] };

/** An option that was taken for the user, who has not seen it: its words are a model's. */
export interface TakenAnswer {
  readonly taken: string;
}

/** Who answers when the run waits for its user. */
export interface Dialogue {
  /** Answers a question; null means "just start". Absent: everything but a missing topic is skipped. */
  readonly answer?: ((asked: Asked) => Promise<string | TakenAnswer | null>) | undefined;
  /** Returns the entities to plan for. Absent: all that were found. */
  readonly approveEntities?: ((found: ProposedEntities) => Promise<readonly WantedEntity[]>) | undefined;
  /** Returns the plan to run, or asks for another one, which is proposed in turn. Absent: the proposed one. */
  readonly approve?: ((plan: ProposedPlan) => Promise<EditedPlan | PlanRemark>) | undefined;
  /** Absent: the sections go back. */
  readonly decideReview?: ((review: ReviewToDecide) => Promise<ReviewDecision>) | undefined;
}

// ---------------------------------------------------------------------------------------------------------------- engine

/** Where a symbol is defined. */
export interface SymbolPlace {
  readonly name: string;
  /** "function", "class"; may be empty. */
  readonly kind: string;
  /** What contains it; may be empty. */
  readonly container: string;
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface EngineOptions {
  /** As the user wrote them: flat keys with the `deepResearch.` prefix, or nested. Only what was set. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The same of a trusted workspace, which may tighten what the user set. Default: nothing. */
  readonly folderSettings?: Readonly<Record<string, unknown>>;
  /** Absolute path. Absent: no folder is open, or it must not be read. */
  readonly workspaceFolder?: string;
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  readonly secrets: Secrets;
  /** Absent: there is no editor, or it offers no models. */
  readonly editorModels?: EditorModels;
  readonly log: Log;
  readonly version: string;
  /** Asks the editor's languages where a name is defined in the workspace folder. Absent: the texts are searched. */
  readonly symbols?: (name: string, signal: AbortSignal) => Promise<readonly SymbolPlace[]>;
  /**
   * The host's `fetch` goes through a proxy, which then fetches pages too: names are looked up there, so that an address can be
   * checked by its name and literal alone. Default: pages are fetched directly.
   */
  readonly behindProxy?: boolean;
  /** Tools of the editor that the user picked. */
  readonly editorTools?: readonly EditorTool[];
  /** Absent: tools that need the user's consent stay off. */
  readonly allowTools?: AllowTools | undefined;
}

/**
 * Asks the user which tools of an MCP server may be used, and saves them as the server's `tools` in the user's settings; of the editor's,
 * as those that are picked. Gives their names; undefined when no one decided.
 */
export type AllowTools = (
  asked: {
    /** Undefined: the tools are the editor's own. */
    readonly server: string | undefined;
    readonly tools: readonly {
      readonly name: string;
      readonly description: string;
      /** The question is not about this one: it is on unless the user turns it off. */
      readonly isOn: boolean;
    }[];
    /** The others were allowed before, with other descriptions; else they don't declare to change nothing. */
    readonly haveChanged: boolean;
  },
  signal: AbortSignal,
) => Promise<readonly string[] | undefined>;

/** What a check found of a source or the model. */
export interface SourceHealth {
  /** In settings and events. */
  readonly name: string;
  /** As people write it. */
  readonly label: string;
  /** `optional`: not set up, and not enabled by the user. */
  readonly state: 'works' | 'limited' | 'wrong' | 'missing' | 'unreachable' | 'optional';
  /** What was found and what to do, in a sentence or two. */
  readonly message: string;
  readonly fix?:
    | { readonly action: 'setKey'; readonly service: string }
    | { readonly action: 'selectModel' }
    | { readonly action: 'openSettings'; readonly key: string };
}

/** A tool that the editor knows. */
export interface EditorTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: unknown;
  /** Gives the texts of its answer, and the number of parts that were no text. */
  call(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly texts: readonly string[]; readonly dropped: number }>;
}

/** A document that the user gives with a question: the user's own choice, inside or outside of the workspace. */
export interface Attachment {
  /** Absolute path of a file or folder; of an unsaved document its name. */
  readonly path: string;
  /** What is selected in it, or its unsaved text, in place of the file. `firstLine` is 1-based. */
  readonly excerpt?: { readonly text: string; readonly firstLine: number };
  /** Address of the page whose text this is: it becomes the source of that address. */
  readonly url?: string;
}

/**
 * Gives a running run the text of a page that it could not read. Rejects with `finish` when the report is being written already,
 * `badRequest` when the text can't be used, `notFound` when there is no such file.
 */
export type TakePage = (page: Attachment & { readonly url: string }) => Promise<void>;

export interface QuestionSurroundings {
  /** What is open in the editor, or selected in it: a path relative to the workspace folder, with lines where some are selected. */
  readonly openFile?: string;
  /** The user's question before this one, as long as its report is shown. */
  readonly earlierQuestion?: string;
}

/**
 * What is asked of a finished run. An answer comes from what that run has read, and its report stays as it is; everything else is a new
 * version of the report, which waits until it is accepted.
 */
export interface FollowUp {
  /** Id of that run; "" with a `file`. */
  readonly run: string;
  /** The report's file, wherever it is. Where its run is not on this machine, it is answered from the evidence beside it. */
  readonly file?: string | undefined;
  /** Default: the model decides by the question. Without a model it has to be `answer` or `research`. */
  readonly as?: FollowUpKind | undefined;
  /** Heading, or number from 1, of the section that is researched again. */
  readonly section?: string | undefined;
  /** The section is researched in depth. */
  readonly deeper?: boolean | undefined;
  /** Numbers of sources that the report is written again without. */
  readonly without?: readonly number[] | undefined;
  /** The sources are looked at again, and what changed since is written again. Without a question it has that of its run. */
  readonly refresh?: boolean | undefined;
}

export interface ResearchCallbacks extends Dialogue {
  /** Not needed with `resume`: a run has its question. */
  readonly question?: string;
  /** Id of a run to resume, with the question and the settings that it began with. */
  readonly resume?: string;
  /**
   * A plan to research, which replaces the clarification, the discovery and the planning. It is shown for approval only when
   * `planApproval` is `always`. A resumed run has the one that it began with.
   */
  readonly plan?: EditedPlan;
  /** Documents that become sources of every section. A resumed run has those that it began with; those with a `url` are added. */
  readonly attached?: readonly Attachment[];
  /** The question is about a finished run. Not with `plan`, `attached` or `resume`: a resumed run has the one that it began with. */
  readonly followUp?: FollowUp;
  /** Receives the function that gives the run texts of pages, once it accepts them. */
  readonly onTakePage?: (take: TakePage) => void;
  /** What "this" may mean in the question. A resumed run has what it began with. */
  readonly around?: QuestionSurroundings;
  readonly onEvent?: (event: ResearchEvent) => void;
  readonly signal?: AbortSignal;
  /** "Finish now": the report is written from what was found so far. */
  readonly finishSignal?: AbortSignal;
  /** "Answer now": searches of the folder end with what they have, and the run continues. */
  readonly answerSignal?: AbortSignal;
  /** Called once, when the run has begun, with the controls of its sections. */
  readonly steer?: (controls: RunControls) => void;
}

export interface RunResult {
  readonly run: string;
  /** The whole file: front matter and Markdown. */
  readonly report: string;
  /** Absolute. Absent when the report was not, or could not be, saved. */
  readonly path?: string;
  readonly outcome: 'complete' | 'partial' | 'notFound';
  /** Of a follow-up: the run that it is about. An answer is in `report` and in its own folder alone. */
  readonly parent?: string;
  /** Of a follow-up that changes the report, if it changes a word: the number of the version that waits, whose file is at `path`. */
  readonly reportVersion?: number;
  /** What the report names as not answered, by the id of its section. */
  readonly gaps: readonly { readonly section: string; readonly gap: string }[];
}

/** What the engine knows of a future run; the host adds what only an editor knows. */
export type EngineSetup = Omit<Setup, 'workspace' | 'folders' | 'trusted' | 'examples' | 'behindProxy' | 'editorTools'>;

/** The report as a self-contained web page, or as a Word document; the cited sources for a reference manager; the whole folder of the run. */
export type ExportFormat = 'html' | 'docx' | 'bibtex' | 'csl-json' | 'zip';

export interface ExportOptions {
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  readonly run: string;
  readonly format: ExportFormat;
  /** Absolute path that the user chose; a file that is there is replaced. */
  readonly target: string;
  /**
   * The report as it is now, when its file was moved or has unsaved edits. Default: the saved file, else the copy in the run's
   * folder.
   */
  readonly reportText?: string;
  /** Path of the report: where its run is not on this machine, it is exported with the evidence beside it. */
  readonly reportFile?: string;
  /** Web page: tables have charts of their checked figures. Default: true. */
  readonly charts?: boolean;
}

/** Something that a key can be saved for. */
export interface KeyService {
  /** In the secret storage: `deepResearch.key.SERVICE`. */
  readonly service: string;
  readonly label: string;
  /** What the key is for, in one sentence. */
  readonly hint: string;
  /** The setting that has its address, without prefix. */
  readonly setting: string;
  /** Its public address. Absent: it has none, and the user names one. */
  readonly address?: string;
  /** Environment variables of the command line; the first that is set counts. */
  readonly environment: readonly string[];
  /** Other services have its API too: an address that the user sets is meant for it, though they name no provider. */
  readonly forAnyServer?: true;
  /** An account of the editor that can be used instead of a key at the public address. */
  readonly signIn?: { readonly provider: string; readonly scopes: readonly string[] };
}

/** What a model does in a run, by its trial: it leads; it only writes; nothing, and the report is made of quotes. */
export type Trust = 'leads' | 'helps' | 'quotes';

/** The outcome of a trial. */
export interface Tried {
  readonly trust: Trust;
  /** Tasks that were answered right, of how many. */
  readonly right: number;
  readonly of: number;
  /** It was not complete in time, on a server of the user's own machine or network. */
  readonly isLate?: true | undefined;
}

/** Models of one provider at one address, to choose from. */
export interface OfferedModels {
  readonly provider: string;
  readonly label: string;
  /** Value of `model.baseUrl` that goes with them: "" for the provider's own address. */
  readonly baseUrl: string;
  readonly models: readonly {
    readonly id: string;
    /** For people, where it is more than the id. */
    readonly label?: string;
    /** In tokens; absent when it is not known. */
    readonly contextTokens?: number;
    /** The server has it in memory. Absent: it does not say. */
    readonly isLoaded?: boolean;
    /** Distinguishes what goes by the same name: a digest, a size. Absent: the server does not say. */
    readonly build?: string;
    /** What its trial in a run showed. Absent: it has had none. */
    readonly trust?: Trust | 'late';
  }[];
  /** Why there are none. */
  readonly problem?: string;
  /** What has to be there first: its key, its server on this machine, a sign-in to the editor. */
  readonly missing?: MissingForModels;
}

export type MissingForModels =
  | { readonly kind: 'key'; readonly service: string }
  | { readonly kind: 'server'; readonly name: string; readonly address: string; readonly page: string }
  | { readonly kind: 'signIn' };

/** A choice of {@link OfferedModels}, as settings. */
export interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
}

/** A statement of a report that is judged on its own, against what it cites. */
export interface CheckOptions extends EngineOptions {
  readonly text: string;
  readonly sources: readonly CitedPassages[];
  /** What other statements of the report rest on: control statements are made of it. */
  readonly others: readonly CitedPassages[];
}

export interface CitedPassages {
  readonly passages: readonly string[];
  /** The source is a file of the user's. */
  readonly isFile: boolean;
  /** What was read of the source, as far as it is on this machine. */
  readonly text?: string;
}

export interface StatementCheck {
  readonly model: string;
  /** Of prompt and answer, roughly. */
  readonly tokens: number;
  /** US dollars; null when no price is known. */
  readonly cost: number | null;
  /** Undefined: there is no answer that counts. Rejects with a `ResearchError`, or when aborted. */
  read(signal: AbortSignal): Promise<
    | {
        readonly verdict: 'supported' | 'partly' | 'contradicted' | 'absent' | 'inferred';
        /** The statement as the passages support it; "" when there is none. */
        readonly correction: string;
      }
    | undefined
  >;
}

/** A text whose sentences are judged against what the sources have. */
export interface TextOptions extends EngineOptions {
  /** Markdown or plain text. */
  readonly text: string;
  /** The user typed it: its words may be sent in a query. False: it is from a file, whose own words stay on this machine. */
  readonly isTyped: boolean;
  /** The file that it is from, relative to the workspace folder: no source of its own sentences. */
  readonly ownFile?: string | undefined;
  /** Searched too. */
  readonly attached?: readonly Attachment[] | undefined;
}

export interface TextCheck {
  readonly sentences: number;
  /** Sentences beyond the limit, which are not judged. */
  readonly left: number;
  /** Null: passages are quoted, and nothing is judged. */
  readonly model: string | null;
  readonly estimate: PlanEstimate;
  /** Rejects with a `ResearchError`, or when aborted. */
  check(signal: AbortSignal): Promise<CheckedText>;
}

export interface CheckedText {
  readonly sentences: readonly CheckedSentence[];
  /** Sources that could not be searched, and the like, in a sentence each. */
  readonly warnings: readonly string[];
  readonly tokens: number;
}

export interface CheckedSentence {
  readonly text: string;
  /** `unverified`: no model judged it, or its answer doesn't count. */
  readonly verdict: 'supported' | 'partly' | 'disputed' | 'contradicted' | 'absent' | 'inferred' | 'unverified';
  /** The sentence as the passages support it; "" when there is none. */
  readonly correction: string;
  /** Nearest first; a file's lines are those of the passage. */
  readonly passages: readonly { readonly text: string; readonly source: SourceView }[];
}

/**
 * The engine as the extension host sees it. `src/engine.ts` fits this type (extension.ts joins the two, so the compiler
 * compares them); the host itself never imports the engine, so that activation does not load it.
 */
export interface ResearchEngine {
  /** What the settings of the user and the folder amount to, by full key, as far as either sets them. Throws `config`. */
  effectiveSettings(options: EngineOptions): Readonly<Record<string, unknown>>;
  /** What a run would use if it began now. What is wrong is in `problem`; it never rejects. */
  describeSetup(options: EngineOptions): Promise<EngineSetup>;
  /** Questions that the folder answers, at most three, made from its headings. Empty without a folder; it never rejects. */
  exampleQuestions(options: EngineOptions): Promise<readonly string[]>;
  /** Asks each enabled source and the model whether they work. Ends within some 12 s; rejects with `config`, or when aborted. */
  checkSources(options: EngineOptions, signal: AbortSignal): Promise<readonly SourceHealth[]>;
  /**
   * What there is to choose from now: the editor's models, those that servers list, servers on this machine. It never rejects.
   * @param addresses Earlier values of `model.baseUrl`, by `model.provider`.
   */
  offerModels(options: EngineOptions, addresses?: Readonly<Record<string, string>>): Promise<readonly OfferedModels[]>;
  /** Asks a model for one word. Resolves with the time that it took, in milliseconds; rejects with a `ResearchError`. */
  testModel(options: EngineOptions, choice: ModelChoice, signal: AbortSignal): Promise<number>;
  /**
   * Asks a provider's server for its models with a key. Resolves with false when there is nothing to ask: no provider has this
   * key service, or its server lists no models. Rejects with a `ResearchError`, `auth` for a key that is refused.
   */
  testKey(options: EngineOptions, service: string, address: string, key: string): Promise<boolean>;
  /** Researches a question to the saved report. Rejects with a `ResearchError`. */
  research(options: EngineOptions & ResearchCallbacks): Promise<RunResult>;
  /**
   * Writes a saved run as one file, whole or not at all. Rejects with a `ResearchError`: `badRequest` when the run can't be
   * exported in this format (no report yet, no references, a damaged file), `storage` when the disk refuses.
   */
  exportRun(options: ExportOptions): Promise<void>;
  /** Gets ready to judge a statement again. Undefined without a model; rejects with `config` where its sources must not be sent to one. */
  prepareStatement(options: CheckOptions): Promise<StatementCheck | undefined>;
  /** Gets ready to judge the sentences of a text; nothing is searched or sent before. Rejects with `badRequest` where it has none. */
  prepareText(options: TextOptions): Promise<TextCheck>;
  /** A file name to propose, from the run's date and name. */
  exportFileName(run: Pick<RunRecord, 'created' | 'question' | 'title' | 'name'>, format: ExportFormat): string;
}
