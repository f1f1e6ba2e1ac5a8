import { ResearchError } from '../../research/errors.ts';

/** Statements on one connection, or each on any. */
export interface Queries {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Connected extends Queries {
  readonly schema: string;
  /** All or nothing. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/**
 * Each brings the schema from the version of its index to the next. A migration that was released never changes. An update of pg-boss
 * that changes its own tables adds an empty one: an older program does not use them any more.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE research_batch (
    name text PRIMARY KEY,
    created timestamptz NOT NULL DEFAULT now(),
    paused boolean NOT NULL DEFAULT false,
    budget jsonb NOT NULL,
    keep int NOT NULL
  );
  CREATE TABLE research_question (
    batch text NOT NULL REFERENCES research_batch ON DELETE CASCADE,
    id text NOT NULL,
    position int NOT NULL,
    question jsonb NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    -- The job that stands for it in the queue; null: none.
    job uuid,
    -- Counts who had it: only the latest may write.
    epoch bigint NOT NULL DEFAULT 0,
    run text,
    answers jsonb NOT NULL DEFAULT '[]',
    -- Its part of the batch's budget, while it is running.
    budget jsonb,
    tokens bigint NOT NULL DEFAULT 0,
    cost float8 DEFAULT 0,
    ms bigint NOT NULL DEFAULT 0,
    result jsonb,
    failure jsonb,
    asked jsonb,
    -- Of the run's rows when it was last taken, and how often in a row it was taken and none came.
    lines bigint NOT NULL DEFAULT 0,
    idle int NOT NULL DEFAULT 0,
    changed timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (batch, id)
  );
  CREATE UNIQUE INDEX research_question_position ON research_question (batch, position);
  CREATE INDEX research_question_status ON research_question (batch, status);
  CREATE INDEX research_question_changed ON research_question (batch, changed);
  CREATE UNIQUE INDEX research_question_run ON research_question (run);
  -- What a run appends to its folder, in pieces.
  CREATE TABLE research_line (
    run text NOT NULL,
    seq bigint NOT NULL,
    part int NOT NULL,
    parts int NOT NULL,
    file text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (run, seq, part)
  );
  -- What it replaces.
  CREATE TABLE research_file (
    run text NOT NULL,
    name text NOT NULL,
    part int NOT NULL,
    parts int NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (run, name, part)
  );
  `,
  `
  -- Requests to models, with the time at which each starts.
  CREATE TABLE research_grant (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    at timestamptz NOT NULL,
    tokens bigint NOT NULL
  );
  CREATE INDEX research_grant_at ON research_grant (name, at);
  -- What a server refuses, and until when.
  CREATE TABLE research_block (name text PRIMARY KEY, until timestamptz NOT NULL);
  -- Of a public host: when the next request may start, and who is there.
  CREATE TABLE research_pace (name text PRIMARY KEY, next timestamptz NOT NULL);
  CREATE TABLE research_place (name text NOT NULL, place int NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (name, place));
  CREATE TABLE research_answer (
    key text PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    headers jsonb NOT NULL,
    text bytea NOT NULL,
    url text
  );
  CREATE INDEX research_answer_at ON research_answer (at);
  `,
  `
  -- Why no question could be researched; null: it was paused by a person, or is not paused.
  ALTER TABLE research_batch ADD COLUMN refused jsonb;
  -- The run whose report is refreshed; null: the question is researched.
  ALTER TABLE research_question ADD COLUMN refreshes text;
  -- One at a time changes a report.
  CREATE UNIQUE INDEX research_question_refreshes ON research_question (refreshes)
    WHERE status IN ('pending', 'running', 'waiting');
  `,
  // A function that no release has called.
  '',
  `
  -- Judgements, by the question whose report they wait for.
  CREATE INDEX research_question_after ON research_question (batch, (question ->> 'after')) WHERE question ->> 'after' IS NOT NULL;
  `,
  `
  -- When a request had reached its server, at the latest; null: not yet.
  ALTER TABLE research_grant ADD COLUMN arrived timestamptz;
  DROP FUNCTION IF EXISTS research_take, research_start;
  -- A sliding-window log over arrivals at the server: a request that is on its way counts as one that arrives now. The request of a
  -- grant (own; null: a further one, behind all others) is sent now, or the grant is looked at again after so many milliseconds.
  CREATE FUNCTION research_turn(key text, requests bigint, limit_tokens bigint, mine bigint, own bigint)
  RETURNS TABLE (id bigint, wait float8) LANGUAGE plpgsql AS $$
  DECLARE
    span interval := interval '60 s';
    -- A worker that has not said so for this long is gone.
    longest interval := interval '60 s';
    given bigint := own;
    start timestamptz;
  BEGIN
    -- One at a time for each key.
    PERFORM pg_advisory_xact_lock(hashtextextended('research ' || current_schema() || ' ' || key, 0));
    DELETE FROM research_grant g WHERE g.name = key AND coalesce(g.arrived, g.at + longest) < clock_timestamp() - span;
    SELECT greatest(
      clock_timestamp(),
      max(r.at) FILTER (WHERE own IS NULL),
      max(r.latest) FILTER (WHERE r.number >= requests OR r.total + mine > limit_tokens) + span,
      (SELECT b.until FROM research_block b WHERE b.name = key)
    ) INTO start
    FROM (
      SELECT o.*, row_number() OVER newest AS number, sum(o.tokens) OVER newest AS total
      FROM (
        SELECT g.*, coalesce(g.arrived, greatest(g.at, least(clock_timestamp(), g.at + longest))) AS latest
        FROM research_grant g WHERE g.name = key AND g.id IS DISTINCT FROM own AND (own IS NULL OR g.at <= clock_timestamp())
      ) o WINDOW newest AS (ORDER BY o.latest DESC, o.id DESC)
    ) r;
    UPDATE research_grant g SET at = start WHERE g.id = own;
    IF NOT FOUND THEN
      INSERT INTO research_grant (name, at, tokens) VALUES (key, start, mine) RETURNING research_grant.id INTO given;
    END IF;
    RETURN QUERY SELECT given, ceil(greatest(0, extract(epoch FROM start - clock_timestamp())) * 1000)::float8;
  END $$;
  `,
];

/**
 * Brings the schema up to date, once for all who connect at the same time. Rejects with `badRequest` when a later version of the
 * program made it, with `config` when an older one did and this role has no right to change it.
 */
export async function migrate(database: Connected): Promise<void> {
  const { schema } = database;
  if ((await versionOf(database, schema)) === migrations.length) return;
  const migrated = database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`deep-research ${schema}`]);
    const version = await versionOf(queries, schema);
    refuseLater(version);
    if (version === migrations.length) return;
    if (version === 0) {
      await queries.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await queries.query('CREATE TABLE research_schema (version int NOT NULL)');
      await queries.query('INSERT INTO research_schema VALUES (0)');
    }
    for (const migration of migrations.slice(version)) await queries.query(migration);
    await queries.query('UPDATE research_schema SET version = $1', [migrations.length]);
  });
  await migrated.catch(async (error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== insufficientPrivilege) throw error;
    const version = await versionOf(database, schema);
    const is =
      version === 0
        ? 'There is no queue in the schema yet'
        : `The queue has schema ${version}, here ${migrations.length}`;
    throw new ResearchError('config', `${is}, and this role has no right to make it.`, {
      next: 'Run deep-research schedule --list once as the owner of the schema, then docs/teams/roles.sql.',
      cause: error,
    });
  });
}

/** SQLSTATE. */
const insufficientPrivilege = '42501';

/** Throws `badRequest` when a later version of the program made the schema. */
export function refuseLater(version: number, here = migrations.length): void {
  if (version <= here) return;
  throw new ResearchError(
    'badRequest',
    `A later version of deep-research made the queue (schema ${version}, here ${here}).`,
    { next: 'Update deep-research on this machine.' },
  );
}

/** 0: there is none. */
async function versionOf({ query }: Queries, schema: string): Promise<number> {
  const there = await query("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'research_schema'", [
    schema,
  ]);
  if (there.length === 0) return 0;
  const [row] = await query<{ version: number }>('SELECT version FROM research_schema');
  return row?.version ?? 0;
}
