import type { ResearchEvent } from '../protocol/events.ts';
import type { RunRecord } from '../protocol/runRecord.ts';

/** For the adapters, which see the engine through its ports alone. */
export type { ResearchEvent, RunRecord };

/** What the engine needs from its host. No type of an editor or of a file system appears here. */

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
  /** The key saved for a service ("openai", "github", …); `origin` is the origin it will be sent to. Undefined: none. */
  key(service: string, origin: string): Promise<string | undefined>;
}

// ---------------------------------------------------------------------------------------------------------------- models

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed arguments; `{}` when the model sent none. Not validated. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Set when the arguments were not JSON, even after repair: the text as it came. */
  readonly malformed?: string;
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
   * The answer shall be one JSON value of this schema. The schema also stands in the prompt; the port asks the server for
   * the strongest response format that it accepts and falls back by itself (json_schema, json_object, none).
   */
  readonly json?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Limit of the answer, in tokens. */
  readonly maxTokens?: number;
}

export interface TokenUsage {
  readonly in: number;
  readonly out: number;
  readonly cached: number;
  /** True when counted by us from the text. */
  readonly estimated: boolean;
}

export interface ChatAnswer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** `length`: cut off at the token limit. */
  readonly finish: 'stop' | 'toolCalls' | 'length' | 'contentFilter';
  readonly usage: TokenUsage;
}

/** A chat model behind any API. Implementations do no retries of their own: the call wrapper does. */
export interface ChatPort {
  readonly provider: string;
  readonly model: string;
  /** Size of the context window in tokens, as far as it is known. */
  readonly contextTokens: number;
  /**
   * Sends one request. `onText` gets the answer's text as it arrives (never reasoning text), `onAlive` is called for every
   * sign of life on the wire, so that the caller can watch for silence.
   * Rejects with a {@link ResearchError} whose reason is classified by status, code and body; with `signal.reason` when aborted.
   */
  complete(
    request: ChatRequest,
    listen: { readonly onText?: (text: string) => void; readonly onAlive?: () => void },
    signal: AbortSignal,
  ): Promise<ChatAnswer>;
}

/** The steps that may have a model of their own. */
export type ModelRole = 'main' | 'research' | 'compression' | 'report';

/** Gives the model of a role. Rejects with `auth` or `config` when the configuration lacks something. */
export type ChatModels = (role: ModelRole) => Promise<ChatPort>;

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
  /** All files that may be read, sorted by path; at most 20,000. */
  files(signal: AbortSignal): Promise<readonly WorkspaceFile[]>;
  /** The text of a file. Rejects with `notFound` for a path that {@link files} would not list, `badRequest` for a binary. */
  read(path: string, signal: AbortSignal): Promise<string>;
  /** URLs of the git remotes as they stand in the repository's configuration, without credentials. */
  gitRemotes(signal: AbortSignal): Promise<readonly string[]>;
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
  /** Keeps a draft of the report, so that it is never lost. */
  saveReport(markdown: string): Promise<void>;
  /** Lets go of the folder, so that another window may go on with the run. Never rejects. */
  close(): Promise<void>;
  /** Aborted when another window has taken the run over (after a long sleep of the machine): nothing more is written. */
  readonly lost?: AbortSignal;
  /** Where the folder is, for people; undefined for a store in memory. */
  readonly location?: string;
}

export interface SavedWarning {
  readonly code: string;
  readonly message: string;
}

/** What is kept of a run that was begun before. */
export interface SavedRun {
  readonly folder: RunFolder;
  readonly record: RunRecord;
  /** Whole lines of the journal and of the log of checkpoints. */
  readonly journal: readonly string[];
  readonly checkpoints: readonly string[];
  /** All readable events, in order. */
  readonly events: readonly ResearchEvent[];
  /** Which files were damaged and set aside. */
  readonly warnings: readonly SavedWarning[];
  /** Some file was set aside, now or before. */
  readonly damaged: boolean;
}

export interface RunStore {
  /** Makes the folder of a new run. */
  create(record: RunRecord): Promise<RunFolder>;
  /**
   * Opens a run to go on with it. Rejects with `badRequest` when there is none of this id or another window works on it, with
   * `storage` when it can't be read.
   */
  open(run: string): Promise<SavedRun>;
}

/** Where the finished report goes. */
export interface ReportSink {
  /**
   * Saves a report under a name like `YYYY-MM-DD-slug.md`, adding `-2`, `-3`, … when it is taken; never over an existing
   * file. Gives the path, or undefined when there is nowhere to save (no folder open): the caller shows it instead.
   * Rejects with `storage`.
   */
  save(fileName: string, markdown: string): Promise<string | undefined>;
}
