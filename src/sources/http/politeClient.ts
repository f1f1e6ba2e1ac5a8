import { join } from 'node:path';
import type { Clock, Log } from '../../research/ports.ts';
import { AnswerCache } from './answerCache.ts';
import { AnswerStore } from './answerStore.ts';
import { SharedGate } from './sharedGate.ts';
import type { RawAnswer } from './exchange.ts';
import { PoliteSession, type Shared } from './politeSession.ts';
import type { Pacing } from './limits.ts';
import { Pacer } from './pacer.ts';
import { SingleFlight } from './singleFlight.ts';

export interface PoliteClientOptions {
  /** Sent with each request: see {@link userAgentOf}. */
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log?: Log;
  /** Default: the global `fetch` at the time of the call, which in the editor knows its proxies and certificates. */
  readonly fetch?: typeof globalThis.fetch;
  /** 0 to 1, for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Per attempt. Default 20 s. */
  readonly timeoutMs?: number;
  /** Per body. Default 10 MB. */
  readonly maxBytes?: number;
  /** A longer wait ends the call with `rateLimit`. Default 20 s. */
  readonly longestWaitMs?: number;
  /** Characters that the cache holds. Default 20 million. */
  readonly cacheSize?: number;
  /** Folder that all windows and programs of this user share: answers, and whose turn it is. Absent: nothing is shared. */
  readonly storage?: string;
}

/** The service that a session asks. */
export interface HttpService {
  /** Keeps its quotas and failures apart from those of other services, also behind one origin. */
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
  readonly body?: string;
  /** Sent as a bearer token to the origin of `url`, nowhere else. */
  readonly token?: string;
  /** `Basic`: {@link token} is the user name of basic authentication, with an empty password. */
  readonly scheme?: 'Basic';
  /** Name of the quota within the host that the request draws on ("search"); default: the host has one. */
  readonly bucket?: string;
  /** How long an answer counts as fresh. After that it is revalidated when it has an ETag. 0: not cached. */
  readonly freshMs: number;
  /** The text of the answer is the body's bytes, a character each (Latin-1): for a PDF. */
  readonly isBinary?: boolean;
  /** Per attempt, for a service that takes long. Default: the client's. */
  readonly timeoutMs?: number;
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

/** What a service's answers say of its quota. */
export interface Quota {
  readonly remaining: number;
  readonly limit?: number;
  /** When it is full again. */
  readonly resetAt?: Date;
}

export interface PoliteClient {
  session(service: HttpService): HttpSession;
  /** The network was lost and is back: hosts that were out of reach meanwhile are tried again. */
  reconnected(): void;
  /** The quota that the last answer to a service named; undefined when none did. */
  quota(service: string): Quota | undefined;
}

/** `deep-research-vscode/1.2.3 (+https://…)`. */
export function userAgentOf(version: string, repositoryUrl?: string): string {
  return `deep-research-vscode/${version}${repositoryUrl ? ` (+${repositoryUrl})` : ''}`;
}

/** One client for all sources of an engine: it paces, retries, shares and caches. */
export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const shared: Shared = {
    options,
    longestWaitMs: options.longestWaitMs ?? 20_000,
    cache: new AnswerCache(options.cacheSize ?? 20_000_000),
    pacer: new Pacer(options.clock, options.longestWaitMs ?? 20_000),
    flights: new SingleFlight(),
    ...(options.storage !== undefined && {
      store: new AnswerStore(join(options.storage, 'answers'), () => options.clock.now().getTime()),
      gate: new SharedGate(join(options.storage, 'turns'), options.clock),
    }),
    quotas: new Map(),
    reconnections: 0,
  };
  return {
    session: (service) => new PoliteSession(shared, service),
    reconnected: () => {
      shared.reconnections += 1;
    },
    quota: (service) => shared.quotas.get(service),
  };
}
