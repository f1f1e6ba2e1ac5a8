/** How a service asks to be treated. */
export interface Pacing {
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** Between the starts of two requests. */
  readonly intervalMs: number;
  /** First wait after a refusal that names no time; doubled each time. */
  readonly backoffMs: number;
}

/** For a service that asks for nothing, and for an endpoint that the user set: their answers pace us. */
export const ordinaryPacing: Pacing = { concurrency: 4, intervalMs: 0, backoffMs: 1_000 };

/** A limit that names no time: a minute at least (best practices of the GitHub REST API, secondary limits). */
const unnamedLimitMs = 60_000;

export type Headers = Readonly<Record<string, string>>;

/** Whether an answer means "too many requests"; `waitMs` when it says how long to wait. */
export function readLimit(
  status: number,
  headers: Headers,
  body: string,
  now: Date,
): { readonly waitMs?: number } | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const asked = retryAfterMs(headers, now);
  const exhausted = headers['x-ratelimit-remaining'] === '0';
  if (status === 403) {
    const isLimit =
      asked !== undefined ||
      exhausted ||
      'gh-limited-by' in headers ||
      /rate limit|abuse detection/i.test(body.slice(0, 2_000));
    if (!isLimit) return undefined;
  }
  const waitMs = asked ?? windowMs(headers) ?? (exhausted ? resetMs(headers, now) : undefined);
  if (waitMs !== undefined) return { waitMs };
  return status === 403 || 'gh-limited-by' in headers ? { waitMs: unnamedLimitMs } : {};
}

/** How long the quota of an answer is used up, when its headers say that nothing remains. */
export function exhaustedMs(headers: Headers, now: Date): number | undefined {
  return headers['x-ratelimit-remaining'] === '0' ? resetMs(headers, now) : undefined;
}

/** What a service's answers say of its quota. */
export interface Quota {
  readonly remaining: number;
  readonly limit?: number;
  /** When it is full again. */
  readonly resetAt?: Date;
}

/** The quota that an answer's headers name (`x-ratelimit-*`, `ratelimit-*`; of several windows the first). */
export function quotaOf(headers: Headers, now: Date): Quota | undefined {
  const number = (name: string): number | undefined => {
    const value = headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
    const first = /^\s*(\d{1,12})/.exec(value ?? '')?.[1];
    return first === undefined ? undefined : Number(first);
  };
  const [remaining, limit] = [number('remaining'), number('limit')];
  if (remaining === undefined) return undefined;
  const ms = resetMs(headers, now);
  const resetAt = ms === undefined ? undefined : new Date(now.getTime() + ms);
  return { remaining, ...(limit === undefined ? {} : { limit }), ...(resetAt && { resetAt }) };
}

/** How long a wait is, and when it ends: `600 s (until 14:05:00 UTC)`, `7 days (until 2026-12-05 02:17:50 UTC)`. */
export function waitText(ms: number, now: Date): string {
  const hours = ms / 3_600_000;
  const [today, end] = [now, new Date(now.getTime() + ms)].map((time) => time.toISOString().split(/[T.]/));
  const time = end![0] === today![0] ? end![1] : `${end![0]} ${end![1]}`;
  if (hours <= 1) return `${Math.ceil(ms / 1_000)} s (until ${time} UTC)`;
  if (hours <= 48) return `${Math.ceil(hours)} hours (until ${time} UTC)`;
  return `${Math.ceil(hours / 24)} days (until ${time} UTC)`;
}

/** `Retry-After` in seconds or as a date; anything else, a negative number too, says nothing. */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return bounded(Number(value) * 1_000);
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(until) ? undefined : bounded(until - serverNow(headers, now));
}

/** Seconds to the end of a window in which nothing remains: `RateLimit: "api";r=0;t=55` (IETF draft, RateLimit header fields). */
function windowMs(headers: Headers): number | undefined {
  const [, seconds] = /;\s?r=0\s?;\s?t=(\d{1,6})\b/.exec((headers['ratelimit'] ?? '').slice(0, 500)) ?? [];
  return seconds === undefined ? undefined : bounded(Number(seconds) * 1_000);
}

function resetMs(headers: Headers, now: Date): number | undefined {
  const reset = Number(headers['x-ratelimit-reset']);
  if (!Number.isFinite(reset) || reset <= 0) return undefined;
  // Epoch seconds as documented; a proxy was seen to send milliseconds.
  const until = reset > 1e11 ? reset : reset * 1_000;
  return bounded(until - serverNow(headers, now)) + 500;
}

/** A week: a longer wait is of no use to a run, and some values are no valid date. */
const longestMs = 7 * 24 * 60 * 60 * 1_000;

function bounded(ms: number): number {
  return Math.min(Math.max(0, ms), longestMs);
}

/** The host's own clock, so that a wrong one on this machine does no harm. */
function serverNow(headers: Headers, now: Date): number {
  const date = Date.parse(headers['date'] ?? '');
  return Number.isNaN(date) ? now.getTime() : date;
}
