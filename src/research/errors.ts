/**
 * Why something failed. The reason decides what the run does (`local`: an observation for the researcher; `global`: the run
 * ends with one message), never the wording of a message.
 */
export const errorReasons = [
  'contextLength',
  'rateLimit',
  'quota',
  /** Of this run, by the settings `budget.*`. */
  'budget',
  'auth',
  'contentFilter',
  'notFound',
  'network',
  'streamBroken',
  'timeout',
  'badRequest',
  'badAnswer',
  'abort',
  'finish',
  'noEvidence',
  'cannotDo',
  'needsAnswer',
  'config',
  'storage',
  'bug',
] as const;
export type ErrorReason = (typeof errorReasons)[number];

/** Of a `badRequest` that this program itself has refused: a call that would carry something out, an address that is not opened. */
export type Refusal = 'notSent' | 'notOpened';

export interface ErrorDetails {
  /** What to do next, one imperative sentence for a person. */
  readonly next?: string;
  readonly status?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Of a prompt that is too long (`contextLength`): its tokens as the server counted them, and the most that it takes. */
  readonly promptTokens?: number;
  readonly limitTokens?: number;
  /** Host or provider that failed. */
  readonly origin?: string;
  /** No connection was made: the machine may be offline. */
  readonly isUnreachable?: boolean;
  readonly refusal?: Refusal;
  /** The end of the message in which a service is quoted. */
  readonly quoted?: string;
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
  readonly promptTokens: number | undefined;
  readonly limitTokens: number | undefined;
  readonly origin: string | undefined;
  readonly isUnreachable: boolean;
  readonly refusal: Refusal | undefined;
  /** The message without quoted words of a service: for the report. */
  readonly plain: string;
  // A marker and not `instanceof`: the class may exist once in each bundle.
  readonly [marker] = true;

  constructor(reason: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.next = details.next ?? '';
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.promptTokens = details.promptTokens;
    this.limitTokens = details.limitTokens;
    this.origin = details.origin;
    this.isUnreachable = details.isUnreachable ?? false;
    this.refusal = details.refusal;
    this.plain =
      details.quoted && message.endsWith(details.quoted)
        ? message.slice(0, -details.quoted.length).replace(/([^.!?])$/, '$1.')
        : message;
  }

  static is(value: unknown, ...reasons: readonly ErrorReason[]): value is ResearchError {
    if (typeof value !== 'object' || value === null || !(marker in value)) return false;
    return reasons.length === 0 || reasons.includes((value as ResearchError).reason);
  }

  /** The same error with its words changed; itself when nothing changes. Its cause, which may hold the old words, is left behind. */
  reworded(change: (text: string) => string): ResearchError {
    const message = change(this.message);
    const plain = change(this.plain);
    if (message === this.message && plain === this.plain) return this;
    const quoted = message.startsWith(plain.slice(0, -1)) ? message.slice(plain.length - 1) : '';
    return new ResearchError(this.reason, message, {
      next: change(this.next),
      ...(this.status !== undefined && { status: this.status }),
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
      ...(this.promptTokens !== undefined && { promptTokens: this.promptTokens }),
      ...(this.limitTokens !== undefined && { limitTokens: this.limitTokens }),
      ...(this.origin !== undefined && { origin: this.origin }),
      isUnreachable: this.isUnreachable,
      ...(this.refusal !== undefined && { refusal: this.refusal }),
      ...(message !== plain && { quoted }),
    });
  }

  hasReason(...reasons: readonly ErrorReason[]): boolean {
    return reasons.includes(this.reason);
  }

  /**
   * Gives any thrown value as a `ResearchError`; an unknown one becomes `bug`, an AbortError `abort`. What an unknown error says is
   * for the log alone: it is in the stack, never in the message.
   */
  static from(value: unknown): ResearchError {
    if (ResearchError.is(value)) return value;
    if (value instanceof Error && value.name === 'AbortError')
      return new ResearchError('abort', 'Stopped.', { cause: value });
    if (value instanceof Error && value.name === 'TimeoutError') {
      return new ResearchError('timeout', 'It took too long and timed out.', {
        next: 'Try again later.',
        cause: value,
      });
    }
    const bug = new ResearchError('bug', 'Deep Research failed here because of a bug in the program.', {
      next: 'See the log (on the command line: -v) and report the bug; what was found is saved with the run.',
      cause: value,
    });
    bug.stack = value instanceof Error ? (value.stack ?? `${value.name}: ${value.message}`) : `Thrown: ${shown(value)}`;
    return bug;
  }
}

/** Any value in a few characters: not all of them can be made a string. */
function shown(value: unknown): string {
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 500);
  } catch {
    return typeof value;
  }
}

/** The connection itself failed: there was no answer, not even a refusal. */
export function isUnreachable({ reason, status }: ResearchError): boolean {
  return reason === 'network' && status === undefined;
}
