import { createHash } from 'node:crypto';
import { ResearchError } from '../../research/errors.ts';
import type { Clock, Log } from '../../research/ports.ts';
import type { AnswerCache } from './answerCache.ts';
import { exchange, isUnreachable, type RawAnswer } from './exchange.ts';
import { exhaustedMs, ordinaryPacing, type Quota, quotaOf, readLimit, retryAfterMs, waitText } from './limits.ts';
import type { Pacer, Place } from './pacer.ts';
import { carriesKey, conditionsOf, type SharedAnswers } from './answerStore.ts';
import type { HttpService, HttpSession, PoliteAnswer, PoliteRequest } from './httpSession.ts';
import type { HostGate } from './sharedGate.ts';
import type { SingleFlight } from './singleFlight.ts';

export interface PoliteClientOptions {
  /** Sent with each request: see `userAgentOf`. */
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
  /** What processes share otherwise than through files. */
  readonly elsewhere?: { readonly gate: HostGate; readonly answers: SharedAnswers } | undefined;
}

/** What the sessions of a client have in common. */
export interface Shared {
  readonly options: PoliteClientOptions;
  readonly longestWaitMs: number;
  readonly cache: AnswerCache<PoliteAnswer>;
  readonly pacer: Pacer;
  readonly flights: SingleFlight<PoliteAnswer>;
  /** On disk, for all windows. */
  readonly store?: SharedAnswers;
  readonly gate?: HostGate;
  /** By service. */
  readonly quotas: Map<string, Quota>;
  /** How often the network came back. */
  reconnections: number;
}

const maxAttempts = 3;
/** More silence would cost more than the answer is worth. */
const maxTimeouts = 2;

/** State of one origin within a session. `down` is aborted with the reason when it can't be reached. */
interface Health {
  readonly down: AbortController;
  timeoutsInARow: number;
}

/** One attempt that did not give a usable answer. */
interface Failure {
  readonly error: ResearchError;
  /** How long to wait before the next; undefined: the usual backoff. */
  readonly waitMs: number | undefined;
}

/** See {@link HttpSession}. */
export class PoliteSession implements HttpSession {
  readonly #shared: Shared;
  readonly #service: HttpService;
  readonly #healths = new Map<string, Health>();
  #reconnections: number;

  constructor(shared: Shared, service: HttpService) {
    this.#shared = shared;
    this.#service = service;
    this.#reconnections = shared.reconnections;
  }

  async get(request: PoliteRequest, signal: AbortSignal): Promise<PoliteAnswer> {
    signal.throwIfAborted();
    const { cache, flights, options } = this.#shared;
    const health = this.#healthOf(new URL(request.url).origin);
    const secret = [request.token ?? '', ...keyHeaders(request)].join('\n').trim();
    const key = [request.url, request.accept, secretMark(secret || undefined), request.body ?? ''].join('\n');
    if (!request.again) await this.#recall(request, key);
    const stored = request.again ? undefined : cache.get(key);
    if (stored !== undefined && options.clock.monotonic() - stored.storedAt < request.freshMs)
      return { ...stored.answer, fromCache: true };
    health.down.signal.throwIfAborted();
    try {
      const send = (whileWanted: AbortSignal) => this.#send(request, health, key, whileWanted);
      return await flights.run(`${this.#service.name}\n${key}`, send, signal);
    } catch (error) {
      const isSilent = ResearchError.is(error, 'timeout') && health.timeoutsInARow >= maxTimeouts;
      if ((isUnreachable(error) || isSilent) && !health.down.signal.aborted)
        health.down.abort(asDown(error as ResearchError));
      throw error;
    }
  }

  /** Takes an answer from the disk into the cache, with its age. */
  async #recall(request: PoliteRequest, key: string): Promise<void> {
    const { cache, store, options } = this.#shared;
    if (store === undefined || !isPublicRequest(request) || cache.get(key) !== undefined) return;
    const found = await store.get(key);
    if (found === undefined) return;
    const answer = { ...found.answer, fromCache: false };
    cache.set(key, answer, answer.text.length, options.clock.monotonic() - found.ageMs);
  }

  #healthOf(origin: string): Health {
    if (this.#reconnections !== this.#shared.reconnections) this.#healths.clear();
    this.#reconnections = this.#shared.reconnections;
    const health = this.#healths.get(origin) ?? { down: new AbortController(), timeoutsInARow: 0 };
    this.#healths.set(origin, health);
    return health;
  }

  /** Up to three attempts. Gives an answer that is neither limited nor broken. */
  async #send(request: PoliteRequest, health: Health, key: string, signal: AbortSignal): Promise<PoliteAnswer> {
    const { options, longestWaitMs } = this.#shared;
    const place = this.#placeOf(request);
    const waits = AbortSignal.any([signal, health.down.signal]);
    for (let tried = 1; ; tried += 1) {
      const jitter = 1 + (options.random ?? Math.random)() / 4;
      const backoffMs = place.pacing.backoffMs * 2 ** (tried - 1) * jitter;
      const outcome = await this.#attempt(request, place, health, key, backoffMs, signal, waits);
      if (!('error' in outcome)) return outcome;
      const { error, waitMs = backoffMs } = outcome;
      if (tried >= maxAttempts || waitMs > longestWaitMs) throw error;
      const status = error.status === undefined ? '' : ` ${error.status}`;
      options.log?.debug(
        `${this.#service.label}: attempt ${tried} failed (${error.reason}${status}), next in ${Math.round(waitMs)} ms`,
      );
      await options.clock.sleep(waitMs, waits);
    }
  }

  /** Rejects with what no retry can help. */
  async #attempt(
    request: PoliteRequest,
    place: Place,
    health: Health,
    key: string,
    backoffMs: number,
    signal: AbortSignal,
    waits: AbortSignal,
  ): Promise<PoliteAnswer | Failure> {
    const { cache, options, store } = this.#shared;
    const stored = cache.get(key);
    try {
      const raw = await this.#exchange(request, place, conditionsOf(stored?.answer.headers), signal, waits);
      health.timeoutsInARow = 0;
      if (raw.status === 304 && stored !== undefined) {
        cache.set(key, stored.answer, stored.answer.text.length, options.clock.monotonic());
        if (isPublicRequest(request)) await store?.set(key, stored.answer);
        return { ...stored.answer, fromCache: true };
      }
      const answer: PoliteAnswer = { ...raw, fromCache: false };
      const failure = this.#failureOf(request, place, answer, backoffMs);
      if (failure !== undefined) return failure;
      const isCacheable = request.freshMs > 0 && (raw.status === 200 || raw.status === 404);
      if (isCacheable) cache.set(key, answer, answer.text.length, options.clock.monotonic());
      if (isCacheable && raw.status === 200 && isPublicRequest(request)) await store?.set(key, answer);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!ResearchError.is(error, 'network', 'timeout') || waits.aborted || isUnreachable(error)) throw error;
      if (error.reason === 'timeout') {
        health.timeoutsInARow += 1;
        if (health.timeoutsInARow >= maxTimeouts) throw error;
      }
      return { error, waitMs: undefined };
    }
  }

  /** What is wrong with an answer; undefined for a usable one. A limit blocks its quota. */
  #failureOf(request: PoliteRequest, place: Place, answer: PoliteAnswer, backoffMs: number): Failure | undefined {
    const { options, longestWaitMs } = this.#shared;
    const { status, headers, text } = answer;
    const now = options.clock.now();
    const limit = readLimit(status, headers, text, now);
    const checked = limit === undefined && status < 500 ? request.check?.(answer) : undefined;
    if (limit !== undefined || checked?.verdict === 'limited') {
      const askedMs = limit?.waitMs ?? retryAfterMs(headers, now) ?? backoffMs;
      const waitMs = Math.max(askedMs, place.pacing.intervalMs);
      this.#block(place, waitMs);
      return { error: this.#limitError(request, waitMs), waitMs };
    }
    if (status >= 500) {
      const waitMs = retryAfterMs(headers, now);
      return { error: this.#unavailable(request, status, (waitMs ?? 0) > longestWaitMs ? waitMs : undefined), waitMs };
    }
    if (checked === undefined) return undefined;
    const { origin } = new URL(request.url);
    const error = new ResearchError('badAnswer', checked.why, { origin, status, next: 'Use the other sources.' });
    return { error, waitMs: undefined };
  }

  async #exchange(
    request: PoliteRequest,
    place: Place,
    conditions: Readonly<Record<string, string>>,
    signal: AbortSignal,
    waits: AbortSignal,
  ): Promise<RawAnswer> {
    const { options, pacer, gate } = this.#shared;
    const elsewhere = (await gate?.blockedMs(place.quota)) ?? 0;
    if (elsewhere > 0) pacer.block(place.quota, elsewhere);
    const release = await pacer.enter(place, (waitMs) => this.#limitError(request, waitMs), waits);
    // Pacing is for public services; among windows too.
    const isPaced = place.pacing !== ordinaryPacing;
    let releaseShared: (() => void) | undefined;
    try {
      releaseShared = isPaced ? await gate?.enter(place.group, place.pacing, waits) : undefined;
      const answer = await exchange(
        {
          fetch: options.fetch ?? globalThis.fetch,
          url: new URL(request.url),
          headers: {
            ...request.headers,
            accept: request.accept,
            'user-agent': options.userAgent,
            ...conditions,
            ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: request.body,
          authorization: authorizationOf(request),
          timeoutMs: request.timeoutMs ?? options.timeoutMs ?? 20_000,
          maxBytes: options.maxBytes ?? 10_000_000,
          isBinary: request.isBinary === true,
          service: this.#service.label,
        },
        signal,
      );
      // Before the place is free, so that the next in line knows already.
      const exhausted = exhaustedMs(answer.headers, options.clock.now());
      if (exhausted !== undefined) this.#block(place, exhausted);
      const quota = quotaOf(answer.headers, options.clock.now());
      if (quota !== undefined) this.#shared.quotas.set(this.#service.name, quota);
      return answer;
    } finally {
      releaseShared?.();
      release();
    }
  }

  /** Here and in all other processes. */
  #block({ quota }: Place, ms: number): void {
    this.#shared.pacer.block(quota, ms);
    void this.#shared.gate?.block(quota, ms);
  }

  #placeOf({ url, bucket = '', token }: PoliteRequest): Place {
    const { name, pacing, publicHosts } = this.#service;
    const { hostname, origin } = new URL(url);
    const isPublic = pacing !== undefined && publicHosts.includes(hostname);
    const group = isPublic ? name : origin;
    return {
      group,
      pacing: isPublic ? pacing : ordinaryPacing,
      quota: [name, group, bucket, secretMark(token)].join(' '),
    };
  }

  #limitError({ url }: PoliteRequest, waitMs: number): ResearchError {
    const message = `${this.#service.label} accepts no more requests for ${this.#waitText(waitMs)}.`;
    const next = 'Use the other sources, or retry after that time.';
    return new ResearchError('rateLimit', message, { origin: new URL(url).origin, retryAfterMs: waitMs, next });
  }

  #waitText(ms: number): string {
    return waitText(ms, this.#shared.options.clock.now());
  }

  #unavailable({ url }: PoliteRequest, status: number, waitMs: number | undefined): ResearchError {
    const when = waitMs === undefined ? '' : ` and asks for a wait of ${this.#waitText(waitMs)}`;
    return new ResearchError(
      'network',
      `${this.#service.label} is not available at the moment (HTTP ${status})${when}.`,
      {
        ...{ origin: new URL(url).origin, status, next: 'Use the other sources.' },
        ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
      },
    );
  }
}

function authorizationOf({ token, scheme }: PoliteRequest): string | undefined {
  if (token === undefined) return undefined;
  return scheme === 'Basic' ? `Basic ${Buffer.from(`${token}:`).toString('base64')}` : `Bearer ${token}`;
}

/** The error that later calls of the run reject with at once. */
function asDown(error: ResearchError): ResearchError {
  return new ResearchError(error.reason, `${error.message} It is not asked again in this run.`, {
    ...{ next: error.next, isUnreachable: error.isUnreachable, cause: error },
    ...(error.origin === undefined ? {} : { origin: error.origin }),
  });
}

/** Headers that carry a key. */
function keyHeaders({ headers = {} }: PoliteRequest): string[] {
  return Object.entries(headers)
    .filter(([name]) => /key|token|auth|cookie|secret/i.test(name))
    .map(([name, value]) => `${name}: ${value}`);
}

/** An answer to it is the same for everybody: it carries no key, and asks by its address alone. */
function isPublicRequest(request: PoliteRequest): boolean {
  if (request.token !== undefined || request.body !== undefined || request.freshMs <= 0) return false;
  return keyHeaders(request).length === 0 && !carriesKey(new URL(request.url));
}

/** Distinguishes keys without storing them. */
function secretMark(token: string | undefined): string {
  return token === undefined ? '' : createHash('sha256').update(token).digest('hex').slice(0, 16);
}
