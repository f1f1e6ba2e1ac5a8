import { type Budget, type Figures, reserved, shareOf, sumOf } from '../figures.ts';
import type { BatchQuestion, QuestionFailure, TakenQuestion } from '../questionQueue.ts';
import { attachedTexts } from './attachedTexts.ts';
import { type Database, questionJobs } from './database.ts';
import { removeOldRuns } from './oldRuns.ts';
import type { RunRows } from './runRows.ts';
import { type Queries, refuseLater } from './schema.ts';
import { type SharedRun, shareRun } from './sharedRunStore.ts';
import { judgedBy, type QuestionJob, releaseJudgements } from './questionJobs.ts';
import { type FigureRow, figuresOf } from './sharedQueue.ts';

/** Workers in a row that may end over a question without anything that its run wrote in between. */
const mostIdle = 5;

/** How long the start of a run waits for a database that can't be reached, in milliseconds. */
const startMs = 20_000;

/** A question that a worker took from the database. */
export interface SharedQuestion extends TakenQuestion {
  readonly batch: string;
  /** Where its run is saved: on this machine below the folder of runs, and in the database. Once for each attempt. */
  prepare(runsFolder: string): Promise<SharedRun>;
}

interface Attempt {
  readonly id: string;
  readonly retryCount: number;
}

interface TakenRow extends FigureRow {
  readonly status: string;
  readonly job: string | null;
  readonly epoch: string;
  readonly question: BatchQuestion;
  readonly run: string | null;
  readonly refreshes: string | null;
  readonly answers: readonly string[];
  readonly lines: string;
  readonly idle: number;
  /** Of a judgement: the run of the report. */
  readonly about: string | null;
}

/**
 * Takes the next question of any batch; undefined: none is ready. Waits for a database that can't be reached.
 *
 * @param jobs The queue of their jobs: questions to research, or judgements.
 * @param attempt The claim on a job. pg-boss counts attempts; a job whose worker is gone has the count of the attempt that was lost.
 */
export async function takeQuestion(
  database: Database,
  signal: AbortSignal,
  jobs = questionJobs,
): Promise<SharedQuestion | undefined> {
  const { boss } = database;
  for (;;) {
    const [job] = await database.persistently(() => boss.fetch<QuestionJob>(jobs, { includeMetadata: true }), signal);
    if (job === undefined) return undefined;
    const attempt = { id: job.id, retryCount: job.retryCount };
    let taken: Claimed | undefined;
    try {
      taken = await database.persistently(() => claim(database, job.data, job.id), signal);
    } catch (error) {
      // To whom it may be of use.
      await boss.fail(jobs, attempt).catch(() => undefined);
      throw error;
    }
    if (taken !== undefined) return lease(database, jobs, job.data, attempt, taken);
    await boss.complete(jobs, attempt).catch(() => undefined);
  }
}

interface Claimed {
  readonly epoch: string;
  readonly row: TakenRow;
  readonly budget: Budget;
}

/** Undefined: the job stands for nothing any more. */
function claim(database: Database, { batch, id }: QuestionJob, job: string): Promise<Claimed | undefined> {
  return database.transaction(async (queries) => {
    // One at a time for each batch: two must not take the same part of its budget.
    const [of] = await queries.query<{ paused: boolean; budget: Budget; schema: number }>(
      `SELECT paused, budget, (SELECT version FROM research_schema) AS schema FROM research_batch
      WHERE name = $1 FOR NO KEY UPDATE`,
      [batch],
    );
    // Migrated by a newer worker since this one has started.
    refuseLater(of?.schema ?? 0);
    const [row] = await queries.query<TakenRow>(
      `SELECT q.*, (SELECT j.run FROM research_question j WHERE j.batch = $3 AND j.id = q.question ->> 'after') AS about
      FROM research_question q WHERE q.batch = $1 AND q.id = $2 FOR UPDATE`,
      [batch, id, judgedBy(batch)],
    );
    if (of === undefined || row?.job !== job) return undefined;
    if (row.status !== 'pending' && row.status !== 'running') return undefined;
    if (of.paused) {
      await queries.query(
        "UPDATE research_question SET status = 'pending', job = NULL, changed = clock_timestamp() WHERE batch = $1 AND id = $2",
        [batch, id],
      );
      return undefined;
    }
    const [written] = await queries.query<{ lines: string }>(
      'SELECT coalesce(max(seq) + 1, 0) AS lines FROM research_line WHERE run = $1',
      [row.run],
    );
    const lines = written?.lines ?? '0';
    // Taken again from a worker that ended without a word.
    const idle = row.status === 'running' && lines === row.lines ? row.idle + 1 : 0;
    const budget = await shareIn(queries, batch, id, of.budget);
    const failure: QuestionFailure | undefined =
      idle > mostIdle
        ? { reason: 'bug', message: `${idle} workers ended over this question before it got further.` }
        : budget === undefined
          ? { reason: 'budget', message: 'The budget of the batch is used up.' }
          : undefined;
    const [updated] = await queries.query<{ epoch: string }>(
      `UPDATE research_question SET status = $3, failure = $4, budget = $5, lines = $6, idle = $7, epoch = epoch + 1, changed = clock_timestamp()
      WHERE batch = $1 AND id = $2 RETURNING epoch`,
      [batch, id, failure === undefined ? 'running' : 'failed', failure ?? null, budget ?? null, lines, idle],
    );
    return failure === undefined && budget !== undefined ? { epoch: updated!.epoch, row, budget } : undefined;
  });
}

/** Its part of what is left of the batch's budget. What those in progress may use is theirs. */
async function shareIn(queries: Queries, batch: string, id: string, budget: Budget): Promise<Budget | undefined> {
  if (Object.keys(budget).length === 0) return {};
  const rows = await queries.query<FigureRow & { budget: Budget | null; open: boolean }>(
    `SELECT tokens, cost, ms, CASE WHEN status = 'running' AND id <> $2 THEN budget END AS budget,
    status = 'pending' OR id = $2 AS open FROM research_question WHERE batch = $1`,
    [batch, id],
  );
  const used = rows.map((row) => reserved(figuresOf(row), row.budget ?? {}));
  return shareOf(budget, sumOf(used), Math.max(1, rows.filter(({ open }) => open).length));
}

function lease(
  database: Database,
  jobs: string,
  { batch, id }: QuestionJob,
  attempt: Attempt,
  { epoch, row, budget }: Claimed,
): SharedQuestion {
  const { boss } = database;
  const controller = new AbortController();
  const mine = [batch, id, epoch] as const;
  const lost = (): void =>
    controller.abort(new DOMException('The question was cancelled or is another worker’s.', 'AbortError'));
  let rows: () => RunRows | undefined = () => undefined;
  /** Updates the question as long as it is this worker's. */
  const update = async (set: string, values: readonly unknown[], queries: Queries = database): Promise<boolean> => {
    const found = await queries.query(
      `UPDATE research_question SET ${set}, changed = clock_timestamp()
      WHERE batch = $1 AND id = $2 AND epoch = $3 AND status = 'running' RETURNING 1`,
      [...mine, ...values],
    );
    if (found.length === 0) lost();
    return found.length > 0;
  };
  const figures = 'tokens = $4, cost = $5, ms = $6';
  const valuesOf = ({ tokens, cost, ms }: Figures): unknown[] => [Math.round(tokens), cost, Math.round(ms)];
  const end = async (
    set: string,
    values: readonly unknown[],
    now: Figures,
    { isBack = false, isReported = false } = {},
  ): Promise<void> => {
    // What the run wrote comes first: who reads the outcome finds all of it.
    await rows()?.settled();
    const never = new AbortController().signal;
    const write = async (queries: Queries): Promise<void> => {
      await update(`${figures}, ${set}, budget = NULL`, [...valuesOf(now), ...values], queries);
      if (isReported) await releaseJudgements(database, queries, batch, id);
    };
    await database.persistently(() => database.transaction(write), never).catch(() => undefined);
    // Where this is lost, the job comes to a worker again, which finds that there is nothing to do.
    await (isBack ? boss.fail(jobs, attempt) : boss.complete(jobs, attempt)).catch(() => undefined);
    if (!isBack) await removeOldRuns(database, batch).catch(() => undefined);
    rows()?.end();
    lost();
  };
  return {
    batch,
    question: row.question,
    ...(row.refreshes !== null && { refreshes: row.refreshes }),
    ...(row.run !== null && { run: row.run }),
    ...(row.about !== null && { about: row.about }),
    answers: row.answers,
    budget,
    figures: figuresOf(row),
    signal: controller.signal,
    attached: () => attachedTexts(database, batch, row.question),
    async prepare(runsFolder) {
      const { run } = row;
      const began = async (id: string): Promise<void> => {
        await this.started(id);
        controller.signal.throwIfAborted();
      };
      const refreshed = row.refreshes ?? undefined;
      const prepared = await shareRun(database, { batch, id, epoch }, runsFolder, run ?? undefined, began, refreshed);
      rows = prepared.rows;
      return prepared;
    },
    async started(run) {
      // A run that waited longer would begin unsaved.
      const limit = AbortSignal.any([controller.signal, AbortSignal.timeout(startMs)]);
      await database.persistently(() => update('run = $4', [run]), limit).catch(lost);
    },
    async heartbeat(now) {
      try {
        await update(figures, valuesOf(now));
        await boss.touch(jobs, attempt);
        if (rows()?.lost.aborted === true) lost();
      } catch {
        // A database that can't be reached says nothing about whose the question is.
      }
    },
    async answered() {
      // The oldest one: the run has it in its journal.
      await update('answers = answers - 0', []).catch(() => false);
    },
    finish: (result, now) => end("status = 'reported', result = $7", [result], now, { isReported: true }),
    fail: (failure, now) => end("status = 'failed', failure = $7", [failure], now),
    async refuse(failure, now) {
      const isMine = 'SELECT 1 FROM research_question WHERE batch = $1 AND id = $2 AND epoch = $3';
      const pause = `UPDATE research_batch SET paused = true, refused = $4 WHERE name = $1 AND NOT paused AND EXISTS (${isMine})`;
      await database.query(pause, [...mine, failure]).catch(() => undefined);
      await end("status = 'pending'", [], now, { isBack: true });
    },
    wait: (asked, now) => end("status = 'waiting', asked = $7", [asked], now),
    release: (now) => end("status = 'pending'", [], now, { isBack: true }),
  };
}
