import type { ResearchEvent } from '../protocol/events.ts';
import type { FollowUpKind, SourceChange } from '../protocol/followUp.ts';
import type { ReportVersion, RewrittenPart } from '../protocol/reportVersion.ts';
import type { RunRecord } from '../protocol/runRecord.ts';
import type { FollowUp, SymbolPlace } from '../protocol/ports.ts';

/** For the adapters, which see the engine through its ports alone. */
export type { ResearchEvent, RunRecord };
export type {
  AllowTools,
  Asked,
  Attachment,
  ChatAnswer,
  ChatListener,
  ChatMessage,
  ChatModels,
  ChatPort,
  ChatRequest,
  Clock,
  Dialogue,
  EditedPlan,
  EditorModel,
  EditorModels,
  EditorTool,
  FoundPage,
  ExportOptions,
  KeyService,
  Log,
  MissingForModels,
  ModelChoice,
  ModelRole,
  OfferedModels,
  ProposedEntities,
  ProposedPlan,
  ReviewDecision,
  ReviewToDecide,
  SymbolPlace,
  Secrets,
  SourceHealth,
  TakenAnswer,
  TakePage,
  TokenUsage,
  Tried,
  ToolCall,
  ToolSpec,
  WebFindings,
  WebSearchModel,
  WantedEntity,
} from '../protocol/ports.ts';
export { fillText } from '../protocol/fillText.ts';
export { isDocument } from '../protocol/isDocument.ts';
export { worksOf } from '../protocol/works.ts';
export { depths, longest, maxSections } from '../protocol/planBounds.ts';
export { knownStrategy, strategies, wantedStrategies } from '../protocol/strategy.ts';

/** What the research alone needs from its host; `protocol/ports.ts` has what the editor's side implements too. */

// ------------------------------------------------------------------------------------------------------------- documents

/**
 * Where a document comes from: the name of a registered source, or {@link outsideKind}. Checked at run time against the
 * names that the run was given (`RunParts.sourceKinds`), since research knows no source by name.
 */
export type SourceKind = string;

/** Kind of a document that a tool from outside brought, such as one of an MCP server. */
export const outsideKind = 'mcp';

export { attachedKind } from '../protocol/heldBack.ts';

/** A document as a tool found it: one future `Source`. Plain JSON, because results are journalled. */
export interface FoundDocument {
  readonly kind: SourceKind;
  readonly title: string;
  readonly authors: readonly string[];
  /** ISO 8601 date (`YYYY-MM-DD`) of publication or last change; undefined when unknown. */
  readonly date?: string;
  /** Page for people; undefined for workspace files. */
  readonly url?: string;
  /** What is known of its identity; the registry derives the canonical identity from this and the url. */
  readonly ids?: {
    readonly doi?: string;
    /** With or without version. */
    readonly arxiv?: string;
    /** `owner/name`. */
    readonly repo?: string;
    /** Number of the repository's issue or pull request. */
    readonly issue?: number;
    /** Addresses of its records elsewhere: PubMed, OpenAlex, Semantic Scholar. */
    readonly pages?: readonly string[];
  };
  /** Set for workspace files: 1-based, inclusive. Code is told apart where the file's name doesn't do that: in Markdown and plain text. */
  readonly file?: {
    readonly path: string;
    readonly firstLine: number;
    readonly lastLine: number;
    readonly isCode?: true | undefined;
  };
  /** The full text that may be quoted (abstract, README, lines of a file), plain or Markdown, not cut for the prompt. */
  readonly text: string;
  /** Set for a paper that should not be relied on: retracted by its publisher, withdrawn by its authors, or under an expression of concern. */
  readonly standing?: 'retracted' | 'withdrawn' | 'doubted';
  /** Short facts worth showing beside the title: stars, licence, category, withdrawn. */
  readonly facts?: readonly string[];
  /** True when the user's workspace already cites or links it. */
  readonly alreadyCited?: boolean;
  /** True for what is not public: its words are sent to no other service. */
  readonly isPrivate?: boolean;
  /** True for what the user attached or named: it is meant. */
  readonly isGiven?: boolean;
}

// ------------------------------------------------------------------------------------------------------------- workspace

export interface WorkspaceFile {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * The user's workspace folder. It never shows what must not be read: ignored by .gitignore, secret-like names, binaries,
 * dependency folders, our own reports, `workspace.exclude`, anything that a symbolic link leads to outside the folder.
 */
export interface WorkspacePort {
  /** The folder's name, for people. */
  readonly name: string;
  /** All files that may be read, sorted by path; of more than {@link mostFiles} prose first, and not the rest. */
  files(signal: AbortSignal): Promise<readonly WorkspaceFile[]>;
  /** Paths that are not read because their names are those of secrets. Absent: none are known. */
  withheld?(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The text of a file; of one over {@link mostReadBytes} its beginning, up to the end of a line. Rejects with `notFound` for a
   * path that {@link files} would not list, `badRequest` for a binary.
   */
  read(path: string, signal: AbortSignal): Promise<string>;
  /**
   * The blocks of a text file of any size, in order, that `wanted` takes: whole lines, and of a small file all of it. Secrets are masked
   * in what is given; `wanted` sees the block as it is, and keeps nothing of it. Nothing of documents such as PDFs, nor of a file that
   * can't be read.
   */
  blocks(
    path: string,
    wanted: (text: string, firstLine: number) => boolean,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly firstLine: number; readonly text: string }>;
  /** URLs of the git remotes as configured in the repository, without credentials. */
  gitRemotes(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The last commits, newest first; with `path` those that changed this file. Empty without a repository. Rejects with `timeout`.
   * Absent: no history is read.
   */
  commits?(path: string | undefined, signal: AbortSignal): Promise<readonly Commit[]>;
  /** Places where a name is defined, best first, as the editor's languages know them. Absent: they are looked for in the texts. */
  symbols?(name: string, signal: AbortSignal): Promise<readonly SymbolPlace[]>;
  /** Where the index of the folder is stored between runs; absent: nowhere. */
  readonly index?: IndexStorage;
  /** Called with each file before its text is read. */
  readonly reading?: Reading;
}

/** Something that others wrote and that a run reads: a file of the workspace, a source, a tool's call, a model's answer. */
export interface Input {
  readonly kind: 'file' | 'source' | 'call' | 'answer';
  /** Path, address or place in the run, at most {@link longestInput} characters. */
  readonly name: string;
}
export const longestInput = 300;

/** Says what is being read, so that what the process never comes back from is known after its end. */
export interface Reading {
  /** What stopped the run before it was resumed: it is skipped. */
  readonly stopped: readonly Input[];
  /** Reads in one go. */
  during<T>(input: Input, work: () => T): T;
  /** The input is read next, in this turn of the event loop. */
  next(input: Input): void;
  /** The input is read until the promise settles, others beside it. */
  call<T>(input: Input, work: () => Promise<T>): Promise<T>;
}

/** Nothing is noted: for a run that is not saved. */
export const unwatched: Reading = {
  stopped: [],
  during: (_input, work) => work(),
  next: () => undefined,
  call: (_input, work) => work(),
};

export function isStopped({ stopped }: Reading, { kind, name }: Input): boolean {
  return stopped.some((input) => input.kind === kind && input.name === name);
}

export interface Commit {
  /** Its hash. */
  readonly id: string;
  readonly author: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** With secrets masked. */
  readonly message: string;
}

/** Documents that the user attached to the question. */
export interface AttachedPort {
  /** For people, each once, in the user's order. */
  readonly names: readonly string[];
  /** Rejects with `notFound`, `badRequest` (a binary, secrets) or `storage`. */
  read(name: string, signal: AbortSignal): Promise<FoundDocument>;
}

/** A finished run that a follow-up asks about. */
export interface ParentRun {
  readonly run: string;
  /** What is asked of it. */
  readonly wanted: Omit<FollowUp, 'run'>;
  readonly question: string;
  /** BCP 47, of its report. */
  readonly language: string;
  /** Its report, without front matter; "" when it may not be shown to a model. */
  readonly report: string;
  /** Its statement that the question quotes. */
  readonly quoted?: string | undefined;
  /** See {@link ReportSink.toWorkspace}. */
  readonly toWorkspace: string | undefined;
  /** What the sections of its report rest on, in their order, the summary and the conclusion left out. */
  readonly sections: readonly {
    readonly title: string;
    readonly findings: readonly { readonly claim: string; readonly quote: string; readonly source: string }[];
  }[];
  /** What its calls of tools gave: the tool, and ids of sources. */
  readonly calls?: readonly { readonly tool: string; readonly sources: readonly string[] }[];
  /** What it has read, with the time at which it did (ISO 8601). */
  readonly documents: readonly ReadDocument[];
  /** Of a refresh. */
  readonly refresh?: {
    /** When its sources were looked at last, `YYYY-MM-DD`. */
    readonly since: string;
    readonly cited: readonly CitedSource[];
  };
}

/** What a run has read. */
export interface ReadDocument extends FoundDocument {
  readonly id: string;
  /** See {@link Source}. */
  readonly identity: string;
  /** ISO 8601. */
  readonly retrievedAt: string;
}

/** A source as a report cites it. */
export interface CitedSource {
  readonly number: number;
  /** Id. */
  readonly source: string;
  /** Its words that statements rest on, with the heading of their section; "" for what surrounds the sections. */
  readonly passages: readonly { readonly quote: string; readonly section: string }[];
  /** Its line in the references. */
  readonly reference: string;
}

/** A cited source as it is now. */
export interface SourceLook extends CitedSource {
  /** `same`: as it was read; `unread`: nothing could be learnt of it. */
  readonly change: Exclude<SourceChange, 'back'> | 'same' | 'unread';
  /** From which version or date to which; "" where there is nothing to name. */
  readonly detail: string;
  /** Headings of the sections whose words it has no more. */
  readonly lost: readonly string[];
  /** Ids of the sources that have its text as it is now. Empty: it was not taken. */
  readonly now: readonly string[];
}

/** What a refresh does to a report beside its new texts. */
export interface Refreshed {
  /** Markdown of the section that lists what changed. */
  readonly list: string;
  /** What its reference ends with, by number; without a line break. */
  readonly notes: ReadonlyMap<number, string>;
  /** Signs behind citations: in these sections alone, where some are named. */
  readonly signs: readonly { readonly number: number; readonly sign: string; readonly sections?: readonly string[] }[];
}

/** Files of a folder that are listed at most. */
export const mostFiles = 50_000;

/** What is read of one file at most. */
export const mostReadBytes = 2_000_000;

/** One index of a folder. What was damaged, or written by another version, is as if it were not there. */
export interface IndexStorage {
  /** Never rejects. */
  load(): Promise<Uint8Array | undefined>;
  /** Replaces what is stored. Never rejects: an index that can't be stored is built again. */
  save(parts: readonly Uint8Array[]): Promise<void>;
}

/** The requests that many processes send with one key: together they stay within what it allows. */
export interface SharedTurns {
  /**
   * Waits for a request's turn. Rejects with `signal.reason` when aborted.
   * @param tokens What it may use, in and out.
   */
  take(tokens: number, signal: AbortSignal): Promise<SharedTurn>;
}

export interface SharedTurn {
  /** The server has the request: it answers, or the request is over. To be called however it ends. */
  arrived(): void;
  /** What it used. Never rejects. */
  used(tokens: number): void;
  /** The server refuses requests for so long: all processes wait. */
  refused(waitMs: number): void;
}

// --------------------------------------------------------------------------------------------------------------- storage

/** The folder of one run. Every write is atomic or an append; a rejection is a `storage` error. */
export interface RunFolder {
  saveRecord(record: RunRecord): Promise<void>;
  /** Appends to `events.ndjson`, in the order of the calls; resolves when the event is handed to the operating system. */
  appendEvent(event: ResearchEvent): Promise<void>;
  /** Replaces `sources.json`. */
  saveSources(json: string): Promise<void>;
  /** Stores the text of a source under its id in `evidence/`. */
  saveEvidence(id: string, text: string): Promise<void>;
  /** Appends one finished call to the journal. */
  appendCall(line: string): Promise<void>;
  /** Appends one line of the log of checkpoints. */
  appendCheckpoint(line: string): Promise<void>;
  /** Saves a copy of the report, so that it is never lost. */
  saveReport(markdown: string): Promise<void>;
  /** Releases the folder, so that another window may resume the run. Never rejects. */
  close(): Promise<void>;
  /** Aborted when another window has taken the run over (after a long sleep of the machine): nothing more is written. */
  readonly lost?: AbortSignal;
  /** Where the folder is, for people; undefined for a store in memory. */
  readonly location?: string;
  /** How long a write may take, in milliseconds, where the run had better wait than continue in memory. Default: half a minute. */
  readonly patienceMs?: number;
}

/** A file of a run that was damaged and set aside. */
export interface DamagedFile {
  readonly file: string;
  /** Its name now. */
  readonly aside: string;
}

/** What is saved of an earlier run. */
export interface SavedRun {
  readonly folder: RunFolder;
  readonly record: RunRecord;
  /** Whole lines of the journal and of the log of checkpoints. */
  readonly journal: readonly string[];
  readonly checkpoints: readonly string[];
  /** All readable events, in order. */
  readonly events: readonly ResearchEvent[];
  /** Files that were set aside when the run was opened. */
  readonly damagedFiles: readonly DamagedFile[];
  /** Some file was set aside, now or earlier. */
  readonly damaged: boolean;
  /** What the process was reading when it got stuck and was ended, each time. */
  readonly stopped: readonly Input[];
}

export interface RunStore {
  /** Makes the folder of a new run. */
  create(record: RunRecord): Promise<RunFolder>;
  /**
   * Opens a run to resume it. Rejects with `badRequest` when no run has this id or another window uses it, with
   * `storage` when it can't be read.
   */
  open(run: string): Promise<SavedRun>;
}

type WrittenClaim = Omit<ReportVersion['statements'][number], 'passages'> & {
  readonly passages: readonly Omit<ReportVersion['statements'][number]['passages'][number], 'number'>[];
};

/** What a follow-up has written for the report of its parent. */
export interface WrittenChange {
  readonly as: Exclude<FollowUpKind, 'answer'> | 'refresh';
  /** Heading of the section that is replaced, or the sentence that is; "": sections are added, or all are replaced. */
  readonly target: string;
  /** Of its own report. */
  readonly title: string;
  /** Its own report, without front matter. */
  readonly markdown: string;
  /** Ids of the sources that it cites, by number. */
  readonly order: readonly string[];
  /** Markdown of its sections, headings included. */
  readonly sections: readonly string[];
  /** What it says, with the numbers of its own references. */
  readonly claims: readonly WrittenClaim[];
  readonly refreshed?: Refreshed | undefined;
  /** Of a rewrite: the parts of the report that it is of. */
  readonly parts?: readonly RewrittenPart[] | undefined;
  /** Of a challenge; absent: the statement could not be judged, and the report stays as it is. */
  readonly judged?:
    | {
        /** In the language of the report. */
        readonly outcome: string;
        /** A sentence, with the numbers of its own references. */
        readonly reason: string;
        /** Takes the place of the statement; "": it stays. */
        readonly corrected: string;
      }
    | undefined;
}

/** Where the finished report goes. */
export interface ReportSink {
  /** Relative path from the folder of reports to the one that is researched, such as `..`, with `/`. Absent: references don't link to files. */
  readonly toWorkspace?: string | undefined;
  /**
   * Saves a report under a name like `YYYY-MM-DD-slug.md`, adding `-2`, `-3`, … when it is taken; never over an existing
   * file. Gives the path, or undefined when there is nowhere to save (no folder open): the caller shows it instead.
   * Rejects with `storage`.
   *
   * @param change Of a follow-up that changes the report of its parent.
   */
  save(fileName: string, markdown: string, change?: WrittenChange): Promise<string | undefined>;
  /**
   * Saves a further file beside a saved report: the report's name with `ending` in the place of `.md`, and a number when it is taken.
   * Rejects with `storage`.
   */
  saveBeside?(report: string, ending: string, text: string): Promise<void>;
}
