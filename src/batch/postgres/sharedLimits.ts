import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { SharedState } from '../../engine.ts';
import type { SharedTurns } from '../../research/ports.ts';
import { keptHeaders, type SharedAnswers } from '../../sources/http/answerStore.ts';
import type { HostGate } from '../../sources/http/sharedGate.ts';
import type { Database } from './database.ts';

/** What a model's key allows, to all workers together. */
export interface KeyLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** A place that was not freed for so long belongs to a worker that is gone; see `SharedGate`. */
const placeSeconds = 30;
const pollMs = 250;
/** What was said longer ago is asked again before a request is sent, so many times at most. Far below the three seconds of the window. */
const promptMs = 300;
const mostLate = 20;
/** Bytes of an answer that is shared. */
const largestAnswer = 1_000_000;
/** Answers are removed after a week, and the oldest beyond this many; looked at after so many were stored. */
const mostAnswers = 50_000;
const writesPerCleaning = 200;

/** What the workers of a queue share through its database. */
export function sharedState(database: Database, limits: KeyLimits): SharedState {
  return {
    gate: hostGate(database),
    answers: sharedAnswers(database),
    turns: (key) => sharedTurns(database, key, limits),
  };
}

/**
 * A sliding window of 63 s over the requests of all workers: the next one starts when the window has room for it. Three seconds are for
 * the way to the server, which takes one request longer than another where all processors are busy: 5 % of the limit.
 */
function sharedTurns(database: Database, key: string, { requestsPerMinute, tokensPerMinute }: KeyLimits): SharedTurns {
  const limits = [requestsPerMinute ?? null, tokensPerMinute ?? null];
  return {
    async take(tokens, signal) {
      const mine = Math.min(tokens, tokensPerMinute ?? tokens);
      const take = 'SELECT * FROM research_take($1, $2, $3, $4)';
      const granted = await database.firstRow<{ id: string; wait: number }>(take, [key, ...limits, mine], signal);
      const { id, wait } = granted!;
      try {
        await untilStart(database, id, limits, wait, signal);
      } catch (error) {
        database.tryTo('DELETE FROM research_grant WHERE id = $1', [id]);
        throw error;
      }
      return {
        used(now) {
          if (tokensPerMinute === undefined) return;
          database.tryTo('UPDATE research_grant SET tokens = $2 WHERE id = $1', [id, Math.min(now, tokensPerMinute)]);
        },
        refused: (waitMs) => void block(database, key, waitMs),
      };
    },
  };
}

/**
 * Waits until the request of a grant may be sent. A process that was busy sends later than it was granted, and a server refuses others
 * meanwhile: the time at which it is sent is what counts for the window, so it is looked at right before.
 */
async function untilStart(
  database: Database,
  id: string,
  limits: readonly (number | null)[],
  granted: number,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = granted, late = 0; late < mostLate;) {
    if (wait > 0) await after(wait, undefined, { signal });
    const asked = performance.now();
    const start = 'SELECT research_start($1, $2, $3) AS wait';
    const row = await database.firstRow<{ wait: number }>(start, [id, ...limits], signal);
    wait = row?.wait ?? 0;
    if (wait > 0) continue;
    if (performance.now() - asked < promptMs) return;
    late += 1;
  }
}

function hostGate(database: Database): HostGate {
  return {
    async enter(group, { concurrency, intervalMs }, signal) {
      for (;;) {
        const place = await database.firstRow<{ place: number; until: string }>(
          `INSERT INTO research_place AS p (name, place, until)
          SELECT $1, n, clock_timestamp() + $3 * interval '1 s' FROM generate_series(1, $2) n
          WHERE NOT EXISTS (SELECT 1 FROM research_place o WHERE o.name = $1 AND o.place = n AND o.until > clock_timestamp())
          LIMIT 1
          ON CONFLICT (name, place) DO UPDATE SET until = excluded.until WHERE p.until <= clock_timestamp()
          RETURNING place, until::text`,
          [group, concurrency, placeSeconds],
          signal,
        );
        if (place === undefined) {
          await after(pollMs, undefined, { signal });
          continue;
        }
        const leave = 'DELETE FROM research_place WHERE name = $1 AND place = $2 AND until = $3::timestamptz';
        const free = (): void => database.tryTo(leave, [group, place.place, place.until]);
        try {
          const waitMs = intervalMs > 0 ? await startOf(database, group, intervalMs, signal) : 0;
          if (waitMs > 0) await after(waitMs, undefined, { signal });
          return free;
        } catch (error) {
          free();
          throw error;
        }
      }
    },
    block: (quota, ms) => block(database, quota, ms),
    async blockedMs(quota) {
      const [row] = await blockOf(database, quota).catch(() => []);
      return row?.ms ?? 0;
    },
  };
}

/** Reserves the next start; gives how long it is until then. */
async function startOf(database: Database, group: string, intervalMs: number, signal: AbortSignal): Promise<number> {
  const row = await database.firstRow<{ wait: number }>(
    `INSERT INTO research_pace AS p (name, next) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
    ON CONFLICT (name) DO UPDATE SET next = greatest(p.next, clock_timestamp()) + $2 * interval '1 ms'
    RETURNING ceil(extract(epoch FROM next - clock_timestamp()) * 1000)::float8 - $2 AS wait`,
    [group, intervalMs],
    signal,
  );
  return row?.wait ?? 0;
}

async function block({ query }: Database, name: string, ms: number): Promise<void> {
  await query(
    `INSERT INTO research_block AS b (name, until) VALUES ($1, clock_timestamp() + $2 * interval '1 ms')
    ON CONFLICT (name) DO UPDATE SET until = greatest(b.until, excluded.until)`,
    [name, Math.ceil(ms)],
  ).catch(() => undefined);
}

function blockOf({ query }: Database, name: string): Promise<{ ms: number }[]> {
  return query<{ ms: number }>(
    `SELECT ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::float8 AS ms FROM research_block
    WHERE name = $1 AND until > clock_timestamp()`,
    [name],
  );
}

/** Answers by a digest of their request, which has no key in it: `PoliteSession` shares no other. */
function sharedAnswers(database: Database): SharedAnswers {
  let writes = 0;
  const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex');
  return {
    async get(key) {
      try {
        const [row] = await database.query<{
          headers: Record<string, string>;
          text: Buffer;
          url: string | null;
          age: number;
        }>(
          `SELECT headers, text, url, extract(epoch FROM now() - at)::float8 * 1000 AS age FROM research_answer
          WHERE key = $1 AND at > now() - interval '7 days'`,
          [nameOf(key)],
        );
        if (row === undefined) return undefined;
        const { headers, url, age } = row;
        const text = row.text.toString();
        return {
          answer: { version: 1, at: Date.now() - age, status: 200, headers, text, ...(url !== null && { url }) },
          ageMs: Math.max(0, age),
        };
      } catch {
        return undefined;
      }
    },
    async set(key, { headers, text, url }) {
      // A cache of many: what is private to who asked is not in it (RFC 9111, 3.5 and 5.2.2.7).
      if (/\b(?:no-store|private)\b/i.test(headers['cache-control'] ?? '') || 'set-cookie' in headers) return;
      const data = Buffer.from(text);
      if (data.length > largestAnswer) return;
      const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
      await database
        .query(
          `INSERT INTO research_answer (key, headers, text, url) VALUES ($1, $2, $3, $4)
          ON CONFLICT (key) DO UPDATE SET at = now(), headers = excluded.headers, text = excluded.text, url = excluded.url`,
          [nameOf(key), kept, data, url ?? null],
        )
        .catch(() => undefined);
      writes += 1;
      if (writes % writesPerCleaning === 1)
        await database
          .query(
            `DELETE FROM research_answer WHERE at < now() - interval '7 days'
            OR key IN (SELECT key FROM research_answer ORDER BY at DESC OFFSET $1)`,
            [mostAnswers],
          )
          .catch(() => undefined);
    },
  };
}
