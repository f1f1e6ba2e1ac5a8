import type { Source } from '../evidence/source.ts';
import type { ResearchTool } from '../tools.ts';

/** What of a tool call may leave this machine (`workspace.inQueries`). Every call passes it, chosen by a model or by code. */
export interface OutgoingGuard {
  /** The user wrote this: the question, an answer, a changed plan. Its words may be sent. */
  asked(text: string): void;
  /** A source was retrieved, or its text grew. */
  retrieved(source: Source): void;
  /** Gets ready, so that the first call does not wait. */
  prepare(): void;
  /**
   * The arguments as they may be sent, and what was taken out of them. `isStrict`: for being neither in the question nor in a public source, and
   * not for being in the user's files. Rejects with `badRequest`, in words for the model, when
   * the call means nothing without what may not be sent.
   */
  check(
    tool: ResearchTool,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{
    readonly args: Readonly<Record<string, unknown>>;
    readonly removed: readonly string[];
    readonly isStrict?: boolean;
  }>;
}
