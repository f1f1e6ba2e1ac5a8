import { createHash } from 'node:crypto';
import { ResearchError } from '../../research/errors.ts';
import type { Clock, Log } from '../../research/ports.ts';
import { AnswerCache } from './answerCache.ts';
import { exchange, isUnreachable, type RawAnswer } from './exchange.ts';
import { Gate } from './gate.ts';
import { exhaustedMs, ordinaryRules, publicHosts, readLimit, retryAfterMs, type HostRules } from './limits.ts';
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
  /** Of one attempt. Default 20 s. */
  readonly timeoutMs?: number;
  /** Of one body. Default 10 MB. */
  readonly maxBytes?: number;
  /** A longer wait ends the call with `rateLimit`. Default 20 s. */
  readonly longestWaitMs?: number;
  /** Characters that the cache holds. Default 20 million. */
  readonly cacheSize?: number;
  /** Rules by host name. Default: those of the public services. */
  readonly rules?: Readonly<Record<string, HostRules>>;
}

export interface PoliteRequest {
  readonly url: string;
  /** How the host is called in messages ("arXiv"). */
  readonly service: string;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a bearer token to the origin of `url`, nowhere else. */
  readonly token?: string;
  /** Name of the quota within the host that the request draws on ("search"); default: the host has one. */
  readonly bucket?: string;
  /** How long an answer counts as fresh. After that it is revalidated when it has an ETag. 0: not cached. */
  readonly freshMs: number;
  /** Ignores a cached answer. */
  readonly again?: boolean;
  /**
   * Judges an answer beyond its status. `limited`: too many requests; `broken`: unusable, worth another attempt. Neither is
   * ever cached. Undefined: usable.
   */
  readonly judge?: (
    answer: PoliteAnswer,
  ) => { readonly verdict: 'limited' | 'broken'; readonly why: string } | undefined;
}

export interface PoliteAnswer extends RawAnswer {
  readonly fromCache: boolean;
}

/** Requests of one run: a host that can't be reached is not tried again in it. */
export interface HttpSession {
  /**
   * Gives the answer with its status: 2xx and every 4xx that is no limit. Rejects with `rateLimit` (`retryAfterMs` says when
   * it ends), `network`, `timeout` or `badAnswer`; with `signal.reason` at once when aborted.
   */
  get(request: PoliteRequest, signal: AbortSignal): Promise<PoliteAnswer>;
}

export interface PoliteClient {
  session(): HttpSession;
  /** The network was gone and is back: hosts that were found out of reach meanwhile are tried again. */
  reconnected(): void;
}

/** `deep-research-vscode/1.2.3 (+https://…)`. */
export function userAgentOf(version: string, repositoryUrl?: string): string {
  return `deep-research-vscode/${version}${repositoryUrl ? ` (+${repositoryUrl})` : ''}`;
}

const maxAttempts = 3;

/** Session state of one origin. `down` is aborted with the reason when it can't be reached. */
interface Health {
  readonly down: AbortController;
  timeoutsInARow: number;
}

/** One client for all sources of an engine: it paces, retries, shares and remembers. */
export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const { clock, userAgent } = options;
  const random = options.random ?? Math.random;
  const longestWaitMs = options.longestWaitMs ?? 20_000;
  const rules = options.rules ?? publicHosts;
  const cache = new AnswerCache(options.cacheSize ?? 20_000_000);
  const gates = new Map<string, Gate>();
  const flights = new SingleFlight<PoliteAnswer>();
  /** How often the network came back. */
  let networks = 0;
  /** Monotonic time until which a quota is used up. */
  const blockedUntil = new Map<string, number>();

  const rulesOf = (url: URL): HostRules => rules[url.hostname] ?? { group: url.origin, ...ordinaryRules };

  function gateOf(url: URL): Gate {
    const { group, concurrency, intervalMs } = rulesOf(url);
    const gate = gates.get(group) ?? new Gate(clock, concurrency, intervalMs);
    gates.set(group, gate);
    return gate;
  }

  function limitError(request: PoliteRequest, url: URL, waitMs: number): ResearchError {
    const seconds = Math.ceil(waitMs / 1_000);
    const end = new Date(clock.now().getTime() + waitMs).toISOString().slice(11, 19);
    return new ResearchError(
      'rateLimit',
      `${request.service} takes no more requests for ${seconds} s (until ${end} UTC).`,
      {
        origin: url.origin,
        retryAfterMs: waitMs,
        next: 'Go on with the other sources; ask again after that time.',
      },
    );
  }

  /** Waits until the quota is free, if that is soon enough, and for a place at the host. */
  async function takePlace(request: PoliteRequest, url: URL, quota: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const waitMs = (blockedUntil.get(quota) ?? Number.NEGATIVE_INFINITY) - clock.monotonic();
      if (waitMs > longestWaitMs) throw limitError(request, url, waitMs);
      if (waitMs > 0) {
        await clock.sleep(waitMs, signal);
        continue;
      }
      const release = await gateOf(url).enter(signal);
      // Another request may have used the quota up while this one queued; the place is not held while waiting for it.
      if ((blockedUntil.get(quota) ?? Number.NEGATIVE_INFINITY) <= clock.monotonic()) return release;
      release();
    }
  }

  function block(quota: string, waitMs: number): void {
    blockedUntil.set(quota, Math.max(blockedUntil.get(quota) ?? Number.NEGATIVE_INFINITY, clock.monotonic() + waitMs));
  }

  async function attempt(
    request: PoliteRequest,
    url: URL,
    quota: string,
    etag: string | undefined,
    signal: AbortSignal,
    waits: AbortSignal,
  ): Promise<RawAnswer> {
    const release = await takePlace(request, url, quota, waits);
    try {
      const answer = await exchange(
        {
          fetch: options.fetch ?? globalThis.fetch,
          url,
          headers: {
            ...request.headers,
            accept: request.accept,
            'user-agent': userAgent,
            ...(etag === undefined ? {} : { 'if-none-match': etag }),
          },
          authorization: request.token === undefined ? undefined : `Bearer ${request.token}`,
          timeoutMs: options.timeoutMs ?? 20_000,
          maxBytes: options.maxBytes ?? 10_000_000,
          service: request.service,
        },
        signal,
      );
      // Before the place is free, so that the next in line already knows.
      const exhausted = exhaustedMs(answer.headers, clock.now());
      if (exhausted !== undefined) block(quota, exhausted);
      return answer;
    } finally {
      release();
    }
  }

  /** Up to three attempts. Gives an answer that is neither limited nor broken. */
  async function send(request: PoliteRequest, health: Health, key: string, signal: AbortSignal): Promise<PoliteAnswer> {
    const url = new URL(request.url);
    const quota = `${rulesOf(url).group} ${request.bucket ?? ''} ${secretMark(request.token)}`;
    const stored = cache.get(key);
    const etag = stored?.answer.headers['etag'];
    const waits = AbortSignal.any([signal, health.down.signal]);
    for (let tried = 1; ; tried += 1) {
      let failure: ResearchError;
      let waitMs = rulesOf(url).backoffMs * 2 ** (tried - 1) * (1 + random() / 4);
      try {
        const raw = await attempt(request, url, quota, etag, signal, waits);
        health.timeoutsInARow = 0;
        if (raw.status === 304 && stored !== undefined) {
          cache.set(key, stored.answer, clock.monotonic());
          return { ...stored.answer, fromCache: true };
        }
        const answer: PoliteAnswer = { ...raw, fromCache: false };
        const limit = readLimit(raw.status, raw.headers, raw.text, clock.now());
        const judged = limit === undefined && raw.status < 500 ? request.judge?.(answer) : undefined;
        if (limit !== undefined || judged?.verdict === 'limited') {
          waitMs = Math.max(limit?.waitMs ?? retryAfterMs(raw.headers, clock.now()) ?? waitMs, rulesOf(url).intervalMs);
          block(quota, waitMs);
          failure = limitError(request, url, waitMs);
        } else if (raw.status >= 500) {
          waitMs = retryAfterMs(raw.headers, clock.now()) ?? waitMs;
          failure = unavailable(request, url, raw.status, waitMs > longestWaitMs ? waitMs : undefined);
        } else if (judged !== undefined) {
          failure = new ResearchError('badAnswer', judged.why, {
            origin: url.origin,
            status: raw.status,
            next: 'Go on with the other sources.',
          });
        } else {
          const keep = request.freshMs > 0 && (raw.status === 200 || raw.status === 404);
          if (keep) cache.set(key, answer, clock.monotonic());
          return answer;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!ResearchError.is(error, 'network', 'timeout') || waits.aborted || isUnreachable(error)) throw error;
        failure = error;
        if (error.reason === 'timeout') {
          health.timeoutsInARow += 1;
          // More silence would cost more than the answer is worth.
          if (health.timeoutsInARow >= 2) throw error;
        }
      }
      if (tried >= maxAttempts || waitMs > longestWaitMs) throw failure;
      options.log?.debug(
        `${request.service}: attempt ${tried} failed (${failure.reason}${failure.status === undefined ? '' : ` ${failure.status}`}), next in ${Math.round(waitMs)} ms`,
      );
      await clock.sleep(waitMs, waits);
    }
  }

  function session(): HttpSession {
    const healths = new Map<string, Health>();
    let network = networks;
    return {
      async get(request, signal) {
        signal.throwIfAborted();
        if (network !== networks) healths.clear();
        network = networks;
        const origin = new URL(request.url).origin;
        const health = healths.get(origin) ?? { down: new AbortController(), timeoutsInARow: 0 };
        healths.set(origin, health);
        const key = [request.url, request.accept, secretMark(request.token)].join('\n');
        const stored = request.again ? undefined : cache.get(key);
        if (stored !== undefined && clock.monotonic() - stored.storedAt < request.freshMs)
          return { ...stored.answer, fromCache: true };
        health.down.signal.throwIfAborted();
        try {
          return await flights.run(key, (shared) => send(request, health, key, shared), signal);
        } catch (error) {
          const silent = ResearchError.is(error, 'timeout') && health.timeoutsInARow >= 2;
          if ((isUnreachable(error) || silent) && !health.down.signal.aborted)
            health.down.abort(asDown(error as ResearchError));
          throw error;
        }
      },
    };
  }

  return {
    session,
    reconnected: () => {
      networks += 1;
    },
  };
}

/** What later calls of the run get at once. */
function asDown(error: ResearchError): ResearchError {
  return new ResearchError(error.reason, `${error.message} It is not asked again in this run.`, {
    next: error.next,
    ...(error.origin === undefined ? {} : { origin: error.origin }),
    cause: error,
  });
}

function unavailable(request: PoliteRequest, url: URL, status: number, waitMs: number | undefined): ResearchError {
  const when = waitMs === undefined ? '' : ` and asks to wait ${Math.ceil(waitMs / 1_000)} s`;
  return new ResearchError('network', `${request.service} is not available at the moment (HTTP ${status})${when}.`, {
    origin: url.origin,
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    next: 'Go on with the other sources.',
  });
}

/** Tells two keys apart without keeping them. */
function secretMark(token: string | undefined): string {
  return token === undefined ? '' : createHash('sha256').update(token).digest('hex').slice(0, 16);
}
