/**
 * Sliding window limiter.
 *
 * A client over its limit gets 429 and `retry-after`; the window isn't reset by refused requests.
 * Internal callers (header `x-internal: 1` from 10.0.0.0/8) are not counted.
 */
export function limiter({ perMinute, keyBy }: LimiterOptions): Middleware {
  const windows = new Map<string, number[]>();
  return async (request, next) => {
    const now = performance.now();
    const key = keyBy === 'apiKey' ? request.headers['x-api-key'] : request.ip;
    const hits = (windows.get(key) ?? []).filter((at) => now - at < 60_000);
    if (hits.length >= perMinute) return tooMany(hits[0]! + 60_000 - now);
    windows.set(key, [...hits, now]);
    return next();
  };
}
