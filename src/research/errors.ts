/**
 * Why something failed. The reason decides what the run does (`local`: an observation for the researcher; `global`: the run
 * ends with one message), never the wording of a message.
 */
export type ErrorReason =
  | 'contextLength'
  | 'rateLimit'
  | 'quota'
  | 'auth'
  | 'contentFilter'
  | 'notFound'
  | 'network'
  | 'streamBroken'
  | 'timeout'
  | 'badRequest'
  | 'badAnswer'
  | 'abort'
  | 'finish'
  | 'noEvidence'
  | 'cannotDo'
  | 'needsAnswer'
  | 'config'
  | 'storage'
  | 'bug';

export interface ErrorDetails {
  /** What to do next, one imperative sentence for a person. */
  readonly next?: string;
  readonly status?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Host or provider that failed. */
  readonly origin?: string;
  readonly cause?: unknown;
}

const marker = Symbol.for('deepResearch.ResearchError');

/**
 * The only error class of the engine. `message` says what happened and what it means, in words for a person (or, from a
 * tool, for the model that reads it); `next` says what to do.
 */
export class ResearchError extends Error {
  override readonly name = 'ResearchError';
  readonly reason: ErrorReason;
  readonly next: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly origin: string | undefined;
  // A marker and not `instanceof`: the class may exist once in each bundle.
  readonly [marker] = true;

  constructor(reason: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.next = details.next ?? '';
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.origin = details.origin;
  }

  static is(value: unknown, ...reasons: readonly ErrorReason[]): value is ResearchError {
    if (typeof value !== 'object' || value === null || !(marker in value)) return false;
    return reasons.length === 0 || reasons.includes((value as ResearchError).reason);
  }

  hasReason(...reasons: readonly ErrorReason[]): boolean {
    return reasons.includes(this.reason);
  }

  /** Gives any thrown value as a `ResearchError`; an unknown one becomes `bug`, an AbortError `abort`. */
  static from(value: unknown): ResearchError {
    if (ResearchError.is(value)) return value;
    if (value instanceof Error) {
      if (value.name === 'AbortError') return new ResearchError('abort', 'Stopped.', { cause: value });
      if (value.name === 'TimeoutError') return new ResearchError('timeout', value.message, { cause: value });
      return new ResearchError('bug', value.message, { cause: value });
    }
    return new ResearchError('bug', String(value), { cause: value });
  }
}
