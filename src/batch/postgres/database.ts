import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { PgBoss } from 'pg-boss';
import { ResearchError } from '../../research/errors.ts';
import { type Connected, migrate, type Queries, refuseLater } from './schema.ts';

/** The database of a queue. Names of tables in statements are those of its schema: it is first in the search path. */
export interface Database extends Connected {
  /** Retries until the database has answered: while it restarts or can't be reached, everything waits. Rejects when aborted or closed. */
  persistently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The first row of a query that waits like {@link persistently}; undefined: there is none. */
  firstRow<Row>(text: string, values: readonly unknown[], signal: AbortSignal): Promise<Row | undefined>;
  /** Does what is of use, and can be done without. */
  tryTo(text: string, values: readonly unknown[]): void;
  readonly boss: PgBoss;
  close(): Promise<void>;
}

/** The queue in which questions wait for workers. */
export const questionJobs = 'questions';
/** The one in which judgements wait for those who have a judge. */
export const judgementJobs = 'judgements';
/** The one in which the occurrences of schedules wait. */
export const scheduledJobs = 'schedules';
/** A worker that was silent for so long is gone; its questions go to others. Workers report three times as often. */
const heartbeatSeconds = 15;
/** A run of this length is none. */
const longestSeconds = 24 * 60 * 60 - 1;
const defaultSchema = 'deep_research';
/** Classes of SQLSTATE that another try does not change: bad data, violated constraints, transaction states, syntax and rights. */
const lasting = /^(?:0A|22|23|28|3D|3F|42|54)/;

/**
 * Connects, and brings the schema up to date. Rejects with `badRequest` for an address that is none or a schema of a later version, with
 * `config` when the packages are missing or the database refuses, with `network` when it can't be reached.
 * @param isWorker Returns the jobs of workers that are gone to the queue, and sends what is scheduled.
 */
export async function openDatabase(
  url: string,
  { isWorker = false, connections = 4 }: { readonly isWorker?: boolean; readonly connections?: number } = {},
): Promise<Database> {
  const { address, schema } = readAddress(url);
  const { default: pg } = await optional('pg', () => import('pg'));
  const { PgBoss: Boss } = await optional('pg-boss', async () => {
    const loaded = await import('pg-boss');
    // npm under an older Node installs version 10.
    if (typeof loaded.PgBoss !== 'function') throw new TypeError('It is an older version.');
    return loaded;
  });
  const pool = new pg.Pool({
    connectionString: address,
    max: connections,
    application_name: 'deep-research',
    connectionTimeoutMillis: 10_000,
    // A connection whose other end vanished without a word is noticed.
    keepAlive: true,
    query_timeout: 60_000,
    options: `-c search_path=${schema}`,
  });
  // An idle connection that the server ended; the next query opens another one.
  pool.on('error', () => undefined);
  const query = queriesOn(pool).query;
  const boss = new Boss({
    db: { executeSql: async (text, values) => ({ rows: await query(text, values) }) },
    schema,
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    cronMonitorIntervalSeconds: 20,
    cronWorkerIntervalSeconds: 5,
    registerInstance: false,
    openTelemetry: { enabled: false },
    // Needs rights on the system's catalogue that a worker need not have.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', () => undefined);
  boss.on('warning', () => undefined);
  const closed = new AbortController();
  const database: Database = {
    schema,
    boss,
    query,
    transaction: (work) => inTransaction(pool, work),
    persistently: (work, signal) => retrying(work, AbortSignal.any([signal, closed.signal])),
    firstRow: async <Row>(text: string, values: readonly unknown[], signal: AbortSignal) =>
      (await database.persistently(() => query<Row>(text, values), signal))[0],
    tryTo: (text, values) => void query(text, values).catch(() => undefined),
    async close() {
      closed.abort();
      await boss.stop({ graceful: false, close: false }).catch(() => undefined);
      await pool.end().catch(() => undefined);
    },
  };
  try {
    await migrate(database);
    await boss.start();
    // It migrates an older schema, and works on a newer one as if that were its own.
    refuseLater((await boss.schemaVersion()) ?? 0, bossSchema());
    for (const jobs of [questionJobs, judgementJobs])
      if ((await boss.getQueue(jobs)) === null)
        await boss.createQueue(jobs, {
          heartbeatSeconds,
          expireInSeconds: longestSeconds,
          // Whether a question has failed is decided by what it has done, not by how often its workers died.
          retryLimit: 1_000_000,
          retentionSeconds: 365 * 24 * 60 * 60,
          deleteAfterSeconds: 60 * 60,
        });
    if ((await boss.getQueue(scheduledJobs)) === null)
      await boss.createQueue(scheduledJobs, { retryLimit: 10, retryDelay: 30, retentionSeconds: 24 * 60 * 60 });
    return database;
  } catch (error) {
    await database.close();
    throw databaseError(error, address);
  }
}

function readAddress(text: string): { readonly address: string; readonly schema: string } {
  const wrong = (what: string): ResearchError =>
    new ResearchError('badRequest', `The address of the queue ${what}.`, {
      next: 'Pass one like postgres://user@host:5432/database, with ?schema=NAME for another schema than deep_research.',
    });
  if (!URL.canParse(text)) throw wrong('is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') throw wrong('is not one of PostgreSQL');
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw wrong('names a schema that has other characters than a-z, 0-9 and _');
  url.searchParams.delete('schema');
  return { address: url.href, schema };
}

async function optional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new ResearchError('config', `A queue needs the package ${name}, which could not be loaded.`, {
      next: 'Install both where deep-research is, with Node 22.12 or newer: npm install pg@8 pg-boss@12',
      cause: error,
    });
  }
}

/** The number of the schema that the package here makes. */
function bossSchema(): number {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  return pgboss.schema;
}

function queriesOn(client: Pool | PoolClient): Queries {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      const result = await client.query(text, values as unknown[] | undefined);
      // Several statements in one text give several results; pg-boss reads the rows of all.
      return ([result].flat() as { readonly rows: Row[] }[]).flatMap(({ rows }) => rows);
    },
  };
}

async function inTransaction<T>(pool: Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    const queries = queriesOn(client);
    await queries.query('BEGIN');
    const result = await work(queries);
    await queries.query('COMMIT');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // What was begun on a connection that is closed is rolled back.
    client.release(failure !== undefined);
  }
}

async function retrying<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = 100; ; waitMs = Math.min(5_000, waitMs * 2)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (ResearchError.is(error) || isLasting(error)) throw error;
      await after(waitMs, undefined, { signal });
    }
  }
}

function isLasting(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return error instanceof TypeError || (typeof code === 'string' && code.length === 5 && lasting.test(code));
}

/** A driver's error in our words. The address is named without its password. */
function databaseError(error: unknown, address: string): ResearchError {
  if (ResearchError.is(error)) return error;
  const { host, pathname } = new URL(address);
  const message =
    error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
  const { code = '', path } = error as { readonly code?: string; readonly path?: string };
  // OpenSSL's codes, Node's own for another host's certificate, and that of the file with the authority's.
  if (/CERT|SIGNATURE/.test(code) || path !== undefined || message.includes('does not support SSL'))
    return new ResearchError('config', `The certificate of the queue's database can't be verified: ${message}.`, {
      next: 'Check sslmode and sslrootcert in the address of the queue, and the name of the host; see docs/teams.md.',
      cause: error,
    });
  const place = `${host || 'this machine'}${pathname}`;
  // The driver's own error for a password that is asked for and was not given.
  if (isLasting(error) || message.startsWith('SASL: '))
    return new ResearchError('config', `The queue's database at ${place} refuses: ${message}.`, {
      next: 'Check user, password, database and rights; see docs/teams.md.',
      cause: error,
    });
  return new ResearchError('network', `The queue's database at ${place} can't be reached: ${message}.`, {
    next: 'Check that it is running and that the address of the queue is right.',
    cause: error,
  });
}
