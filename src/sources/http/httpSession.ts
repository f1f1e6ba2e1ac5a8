import type { RawAnswer } from './exchange.ts';
import type { Pacing } from './limits.ts';

/** The service that a session asks. */
export interface HttpService {
  /** Separates its quotas and failures from those of other services, also behind one origin. */
  readonly name: string;
  /** In messages ("arXiv"). */
  readonly label: string;
  /** How its public hosts ask to be treated. */
  readonly pacing?: Pacing;
  /** Hosts that {@link pacing} is for; any other is the user's own. */
  readonly publicHosts: readonly string[];
}

export interface PoliteRequest {
  readonly url: string;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON: the request is a POST, which asks and changes nothing. Absent: a GET. */
  readonly body?: string | undefined;
  /** Sent as a bearer token to the origin of `url`, nowhere else. */
  readonly token?: string | undefined;
  /** `Basic`: {@link token} is the user name of basic authentication, with an empty password. */
  readonly scheme?: 'Basic' | undefined;
  /** Name of the quota within the host that the request draws on ("search"); default: the host has one. */
  readonly bucket?: string | undefined;
  /** How long an answer counts as fresh. After that it is revalidated when it has an ETag. 0: not cached. */
  readonly freshMs: number;
  /** The text of the answer is the body's bytes, a character each (Latin-1): for a PDF. */
  readonly isBinary?: boolean;
  /** Per attempt, for a service that takes long. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Ignores a cached answer. */
  readonly again?: boolean;
  /**
   * Checks an answer beyond its status. `limited`: too many requests; `broken`: unusable, worth another attempt. Neither is
   * ever cached. Undefined: usable.
   */
  readonly check?: (
    answer: PoliteAnswer,
  ) => { readonly verdict: 'limited' | 'broken'; readonly why: string } | undefined;
}

export interface PoliteAnswer extends RawAnswer {
  readonly fromCache: boolean;
}

/** Requests of one run to one service: when it can't be reached, it is not tried again. */
export interface HttpSession {
  /**
   * Gives the answer with its status: 2xx and every 4xx that is no limit. Rejects with `rateLimit` (`retryAfterMs` says when
   * it ends), `network`, `timeout` or `badAnswer`; with `signal.reason` at once when aborted.
   */
  get(request: PoliteRequest, signal: AbortSignal): Promise<PoliteAnswer>;
}
