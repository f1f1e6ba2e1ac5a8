import type { PlanSection, ResearchEvent } from '../protocol/events.ts';
import type { Setup } from '../protocol/messages.ts';
import type { RunRecord } from '../protocol/runRecord.ts';

/**
 * The engine as the extension host sees it. `src/engine.ts` fits these types (extension.ts joins the two, so the compiler
 * compares them); the host itself never imports the engine, which keeps it out of the bundle that activation loads.
 */
export interface ResearchEngine {
  describeSetup(options: EngineOptions): Promise<EngineSetup>;
  research(options: EngineOptions & ResearchCallbacks): Promise<RunResult>;
  /**
   * Writes a kept run as one file, whole or not at all. Rejects with an error that has `reason`, `message` and `next`:
   * `badRequest` when the run can't be had so, wherever it is written to (no report yet, no references, a damaged file), `storage`
   * when the disk refuses.
   */
  exportRun(options: ExportOptions): Promise<void>;
  /** A file name to propose, from the run's date and what it is called. */
  exportFileName(record: RunRecord, format: ExportFormat): string;
}

/** The report as a web page that needs nothing else; the cited sources for a reference manager; the whole folder of the run. */
export type ExportFormat = 'html' | 'bibtex' | 'csl-json' | 'zip';

export interface ExportOptions {
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  readonly run: string;
  readonly format: ExportFormat;
  /** Absolute path that the user chose; a file that is there is replaced. */
  readonly target: string;
  /** The report as it is now, when its file was moved or has unsaved edits. Default: the saved file, else the copy in the run's folder. */
  readonly reportText?: string;
}

/** What the engine knows of a future run; the host adds what only an editor knows. */
export type EngineSetup = Omit<Setup, 'workspace' | 'trusted' | 'example'>;

export interface EngineOptions {
  /** Flat keys with the `deepResearch.` prefix; only values that the user set. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absolute path. Absent: no folder is open, or it is not trusted. */
  readonly workspaceFolder?: string;
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly version: string;
}

export interface ResearchCallbacks {
  /** Not needed with `resume`. */
  readonly question?: string;
  /** Id of a run to go on with: what was paid for is replayed from its journal. */
  readonly resume?: string;
  /** "Finish now": the report is written from what is there. */
  readonly finishSignal?: AbortSignal;
  /** Null: just start. */
  readonly answer?: (asked: { readonly id: string }) => Promise<string | null>;
  readonly approve?: <P extends ProposedPlan>(plan: P) => Promise<P>;
  readonly decideReview?: () => Promise<'continue' | 'report'>;
  readonly onEvent?: (event: ResearchEvent) => void;
  readonly signal?: AbortSignal;
}

export interface ProposedPlan {
  readonly sections: readonly (PlanSection & { readonly queries: readonly string[] })[];
}

export interface RunResult {
  readonly run: string;
  /** The report as Markdown, with its front matter. */
  readonly report: string;
  /** Absolute. Absent when the report could not be saved, or had nowhere to go. */
  readonly path?: string;
  readonly outcome: 'complete' | 'partial';
}

export interface Secrets {
  /** The key saved for a service, when it was saved for this origin. */
  key(service: string, origin: string): Promise<string | undefined>;
}

/** Nothing secret, no prompt and no page text goes to a level above `trace`. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
