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
/** A grant that was said longer ago is asked for again: half of the time for which a request may be on its way. */
const promptMs = 30_000;
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
 * A sliding window over the requests of all workers: the next one is sent when the window has room for it. A request counts until a
 * minute after its answer has begun, whatever kept it on its way: no minute of the server's clock has more. What a server takes until it
 * begins is lost to the limit: 5 % of it are three seconds.
 */
function sharedTurns(database: Database, key: string, { requestsPerMinute, tokensPerMinute }: KeyLimits): SharedTurns {
  return {
    async take(tokens, signal) {
      const mine = Math.min(tokens, tokensPerMinute ?? tokens);
      let id: string | null = null;
      try {
        for (let isGranted = false; !isGranted;) {
          const asked = performance.now();
          const turn: { id: string; wait: number } | undefined = await database.firstRow(
            'SELECT * FROM research_turn($1, $2, $3, $4, $5)',
            [key, requestsPerMinute ?? null, tokensPerMinute ?? null, mine, id],
            signal,
          );
          ({ id } = turn!);
          if (turn!.wait > 0) await after(turn!.wait, undefined, { signal });
          else isGranted = performance.now() - asked < promptMs;
        }
      } catch (error) {
        database.tryTo('DELETE FROM research_grant WHERE id = $1', [id]);
        throw error;
      }
      let isThere = false;
      const arrived = (): void => {
        if (isThere) return;
        isThere = true;
        database.tryTo('UPDATE research_grant SET arrived = clock_timestamp() WHERE id = $1', [id]);
      };
      return {
        arrived,
        used(now) {
          if (tokensPerMinute === undefined) return;
          database.tryTo('UPDATE research_grant SET tokens = $2 WHERE id = $1', [id, Math.min(now, tokensPerMinute)]);
        },
        refused: (waitMs) => void block(database, key, waitMs),
      };
    },
  };
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
        // Where one goes at a time, the interval counts from its end: by then it has arrived, however long it was on its way.
        const leave = `WITH freed AS (DELETE FROM research_place WHERE name = $1 AND place = $2 AND until = $3::timestamptz)
          UPDATE research_pace SET next = greatest(next, clock_timestamp() + $4 * interval '1 ms') WHERE name = $1 AND $5::int = 1`;
        const free = (): void => database.tryTo(leave, [group, place.place, place.until, intervalMs, concurrency]);
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
