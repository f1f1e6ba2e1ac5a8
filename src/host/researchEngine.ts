import type { PlanSection, ResearchEvent } from '../protocol/events.ts';
import type { Setup } from '../protocol/messages.ts';

/**
 * The engine as the extension host sees it. `src/engine.ts` fits these types (extension.ts joins the two, so the compiler
 * compares them); the host itself never imports the engine, which keeps it out of the bundle that activation loads.
 */
export interface ResearchEngine {
  describeSetup(options: EngineOptions): Promise<EngineSetup>;
  research(options: EngineOptions & ResearchCallbacks): Promise<RunResult>;
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
