import { setTimeout as after } from 'node:timers/promises';
import { runFiles } from '../../protocol/runFolder.ts';
import { ResearchError } from '../../research/errors.ts';
import { type Budget, type Figures, sumOf } from '../figures.ts';
import {
  type BatchCounts,
  type BatchQuestion,
  type FollowedQueue,
  noneByStatus,
  type QuestionFailure,
  type QuestionState,
  type QuestionStatus,
} from '../questionQueue.ts';
import type { Database } from './database.ts';
import { enqueue, jobsOf, refreshesOf } from './questionJobs.ts';
import { readFiles, savedPrefix } from './runRows.ts';
import type { Queries } from './schema.ts';

/** How often the table is looked at for what others wrote, in milliseconds. */
const lookMs = 1_000;
/** Questions of a statement. */
const pageSize = 1_000;

/** A batch whose questions are in a database, from where workers on any machine take them. */
export class SharedQueue implements FollowedQueue {
  readonly #database: Database;
  readonly #batch: string;
  /** Where the report of a question is saved on this machine. Absent: nowhere. */
  pathOf: ((id: string) => string) | undefined;

  /** @param batch Name of one that is there. */
  constructor(database: Database, batch: string) {
    this.#database = database;
    this.#batch = batch;
  }

  /** Makes the batch where there is none of this name; one that is there gets the budget. */
  static async open(database: Database, batch: string, budget: Budget, keep: number): Promise<SharedQueue> {
    await database.query(
      `INSERT INTO research_batch (name, budget, keep) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO UPDATE SET budget = excluded.budget, keep = excluded.keep`,
      [batch, budget, keep],
    );
    return new SharedQueue(database, batch);
  }

  /** Opens a batch to look at it and to say what is wanted. Rejects with `badRequest` when there is none of this name. */
  static async find(database: Database, batch: string): Promise<SharedQueue> {
    const rows = await database.query('SELECT 1 FROM research_batch WHERE name = $1', [batch]);
    if (rows.length > 0) return new SharedQueue(database, batch);
    throw new ResearchError('badRequest', `The queue has no batch "${batch}".`, {
      next: 'Pass the file that it was begun with, or its name; deep-research batch status without a file lists them.',
    });
  }

  /** Every batch with how many of its questions have which status, the newest first. */
  static async list(database: Database): Promise<{ readonly batch: string; readonly by: BatchCounts['by'] }[]> {
    const rows = await database.query<{ batch: string; status: QuestionStatus; count: string }>(
      `SELECT batch, status, count(*), max(max(changed)) OVER (PARTITION BY batch) AS last
      FROM research_question GROUP BY batch, status ORDER BY last DESC, batch`,
    );
    const batches = new Map<string, Record<QuestionStatus, number>>();
    for (const { batch, status, count } of rows) {
      const by = batches.get(batch) ?? noneByStatus();
      batches.set(batch, { ...by, [status]: Number(count) });
    }
    return [...batches].map(([batch, by]) => ({ batch, by }));
  }

  async add(questions: readonly BatchQuestion[]): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.query('SELECT 1 FROM research_batch WHERE name = $1 FOR UPDATE', [this.#batch]);
      const [row] = await queries.query<{ next: number }>(
        'SELECT coalesce(max(position) + 1, 0) AS next FROM research_question WHERE batch = $1',
        [this.#batch],
      );
      for (let from = 0; from < questions.length; from += pageSize) {
        const page = questions.slice(from, from + pageSize);
        const added = await queries.query<{ id: string }>(
          `INSERT INTO research_question (batch, id, position, question)
          SELECT $1, q.question ->> 'id', $2 + q.at, q.question
          FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS q (question, at)
          ON CONFLICT (batch, id) DO NOTHING RETURNING id`,
          [this.#batch, (row?.next ?? 0) + from - 1, JSON.stringify(page)],
        );
        const isNew = new Set(added.map(({ id }) => id));
        await enqueue(
          this.#database,
          queries,
          this.#batch,
          page.filter(({ id }) => isNew.has(id)),
        );
      }
    });
  }

  async counts(): Promise<BatchCounts> {
    const by = noneByStatus();
    const rows = await this.#database.query<{ status: QuestionStatus; count: string } & FigureRow>(
      `SELECT status, count(*), sum(tokens) AS tokens, sum(ms) AS ms, CASE WHEN bool_or(cost IS NULL) THEN NULL ELSE sum(cost) END AS cost
      FROM research_question WHERE batch = $1 GROUP BY status`,
      [this.#batch],
    );
    for (const { status, count } of rows) by[status] = Number(count);
    const [batch] = await this.#database.query<{ paused: boolean; refused: QuestionFailure | null }>(
      'SELECT paused, refused FROM research_batch WHERE name = $1',
      [this.#batch],
    );
    return {
      ...{ by, figures: sumOf(rows.map(figuresOf)), isPaused: batch?.paused === true },
      ...(batch?.refused && { refused: batch.refused }),
    };
  }

  async *states(): AsyncGenerator<QuestionState> {
    for (let from = -1; ;) {
      const rows = await this.#database.query<StateRow>(
        `SELECT id, position, status, run, tokens, cost, ms, result, failure, asked FROM research_question
        WHERE batch = $1 AND position > $2 ORDER BY position LIMIT $3`,
        [this.#batch, from, pageSize],
      );
      for (const row of rows) yield this.#placed(stateOf(row));
      if (rows.length === 0) return;
      from = rows.at(-1)!.position;
    }
  }

  async pause(): Promise<void> {
    await this.#database.query('UPDATE research_batch SET paused = true, refused = NULL WHERE name = $1', [
      this.#batch,
    ]);
  }

  async resume(): Promise<void> {
    await this.#change(async (queries) => {
      await queries.query('UPDATE research_batch SET paused = false, refused = NULL WHERE name = $1', [this.#batch]);
      // Jobs that came to a worker meanwhile were dropped.
      return queries.query<QuestionRow>(
        `UPDATE research_question SET changed = clock_timestamp()
        WHERE batch = $1 AND status = 'pending' AND job IS NULL RETURNING id, position, question`,
        [this.#batch],
      );
    });
  }

  async cancel(ids?: readonly string[]): Promise<number> {
    await this.#refuseUnknown(ids);
    const rows = await this.#database.query<{ job: string | null }>(
      // Nothing more is written by who has it.
      `UPDATE research_question q SET status = 'cancelled', job = NULL, epoch = q.epoch + 1, changed = clock_timestamp()
      FROM (SELECT id, job FROM research_question WHERE batch = $1 AND status IN ('pending', 'running', 'waiting')
        AND ($2::text[] IS NULL OR id = ANY ($2)) FOR UPDATE) was
      WHERE q.batch = $1 AND q.id = was.id RETURNING was.job`,
      [this.#batch, ids ?? null],
    );
    const jobs = rows.flatMap(({ job }) => job ?? []);
    // A worker that takes one finds that there is nothing to do: this is for 100,000 of them.
    for (let from = 0; from < jobs.length; from += pageSize)
      await this.#database.boss.cancel(jobsOf(this.#batch), jobs.slice(from, from + pageSize)).catch(() => undefined);
    return rows.length;
  }

  async retry(ids?: readonly string[]): Promise<number> {
    await this.#refuseUnknown(ids);
    return this.#change((queries) =>
      queries.query<QuestionRow>(
        `UPDATE research_question SET status = 'pending', failure = NULL, idle = 0, changed = clock_timestamp()
        WHERE batch = $1 AND (status = 'failed' OR ($2::text[] IS NOT NULL AND status = 'cancelled'))
        AND ($2::text[] IS NULL OR id = ANY ($2)) RETURNING id, position, question`,
        [this.#batch, ids ?? null],
      ),
    );
  }

  async answer(id: string, answer: string): Promise<void> {
    await this.#refuseUnknown([id]);
    const answered = await this.#change((queries) =>
      queries.query<QuestionRow>(
        `UPDATE research_question SET status = 'pending', asked = NULL, answers = answers || to_jsonb($3::text), changed = clock_timestamp()
        WHERE batch = $1 AND id = $2 AND status = 'waiting' RETURNING id, position, question`,
        [this.#batch, id, answer],
      ),
    );
    if (answered > 0) return;
    throw new ResearchError('badRequest', `The question "${id}" does not wait for an answer.`, {
      next: 'deep-research batch status lists those that do.',
    });
  }

  async changed(since: string | undefined, signal: AbortSignal): Promise<string> {
    for (;;) {
      const mark = await this.#mark(signal);
      if (mark !== since) return mark;
      await after(lookMs, undefined, { signal });
    }
  }

  /** The files that the run of a question saved as its report, by their ending after the report's name: "" and `.evidence.md`. */
  async report(run: string): Promise<ReadonlyMap<string, string>> {
    const files = await readFiles(this.#database, run, savedPrefix);
    return new Map([...files].map(([name, data]) => [name.slice(savedPrefix.length), data.toString()]));
  }

  /** Texts that the report of a run has had, without what was edited by hand; none before its first change. */
  async versions(run: string): Promise<readonly string[]> {
    const files = await readFiles(this.#database, run, `${runFiles.versions}/`);
    return [...files].filter(([name]) => /\/\d+\.md$/.test(name)).map(([, data]) => data.toString());
  }

  /**
   * Queues a refresh of each report of a batch, or of one run, where none is pending, beside those that a pause has left.
   * @param of Name of the batch, or the run.
   * @param occurrence Names the time: the refreshes of one are queued once.
   */
  static async refresh(database: Database, of: string, occurrence: string): Promise<void> {
    const batch = refreshesOf(of);
    await database.transaction(async (queries) => {
      // Locks the batch: positions are given one after another.
      await queries.query(
        `INSERT INTO research_batch (name, budget, keep) SELECT $1, '{}', max(b.keep)
      FROM research_batch b JOIN research_question q ON q.batch = b.name WHERE $2 IN (q.batch, q.run) HAVING count(*) > 0
      ON CONFLICT (name) DO UPDATE SET keep = excluded.keep`,
        [batch, of],
      );
      await queries.query(
        `INSERT INTO research_question (batch, id, position, question, refreshes)
      SELECT $1, concat(q.id, ' ', $3::text),
        (SELECT coalesce(max(position) + 1, 0) FROM research_question WHERE batch = $1) + row_number() OVER (ORDER BY q.position),
        jsonb_build_object('id', concat(q.id, ' ', $3::text), 'question', q.question ->> 'question', 'priority', 0), q.run
      FROM research_question q WHERE $2 IN (q.batch, q.run) AND q.status = 'reported' AND q.refreshes IS NULL
      ON CONFLICT DO NOTHING`,
        [batch, of, occurrence],
      );
    });
    await new SharedQueue(database, batch).resume();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #placed(state: QuestionState): QuestionState {
    if (state.result === undefined || this.pathOf === undefined) return state;
    return { ...state, result: { ...state.result, path: this.pathOf(state.id) } };
  }

  /** Of several of the last changes: one that was made earlier may be committed later. */
  async #mark(signal: AbortSignal): Promise<string> {
    const [row] = await this.#database.persistently(
      () =>
        this.#database.query<{ mark: string }>(
          `SELECT concat(b.paused, ' ', (SELECT md5(string_agg(changed::text, ' ')) FROM
            (SELECT changed FROM research_question WHERE batch = b.name ORDER BY changed DESC LIMIT 100) AS last)) AS mark
          FROM research_batch b WHERE name = $1`,
          [this.#batch],
        ),
      signal,
    );
    return row?.mark ?? '';
  }

  /** What becomes pending gets a job, in the same transaction. Gives how many there were. */
  #change(update: (queries: Queries) => Promise<QuestionRow[]>): Promise<number> {
    return this.#database.transaction(async (queries) => {
      const rows = await update(queries);
      rows.sort((a, b) => a.position - b.position);
      for (let from = 0; from < rows.length; from += pageSize)
        await enqueue(
          this.#database,
          queries,
          this.#batch,
          rows.slice(from, from + pageSize).map(({ question }) => question),
        );
      return rows.length;
    });
  }

  async #refuseUnknown(ids: readonly string[] | undefined): Promise<void> {
    if (ids === undefined) return;
    const rows = await this.#database.query<{ id: string }>(
      'SELECT id FROM research_question WHERE batch = $1 AND id = ANY ($2)',
      [this.#batch, ids],
    );
    const unknown = ids.find((id) => !rows.some((row) => row.id === id));
    if (unknown !== undefined)
      throw new ResearchError('badRequest', `The batch has no question "${unknown}".`, {
        next: 'deep-research batch status lists them.',
      });
  }
}

export interface FigureRow {
  readonly tokens: string;
  readonly cost: number | null;
  readonly ms: string;
}

interface QuestionRow {
  readonly id: string;
  readonly position: number;
  readonly question: BatchQuestion;
}

type StateRow = FigureRow &
  Pick<QuestionState, 'id' | 'status'> & {
    readonly position: number;
  } & { readonly [K in 'run' | 'result' | 'failure' | 'asked']: QuestionState[K] | null };

export function figuresOf({ tokens, cost, ms }: FigureRow): Figures {
  return { tokens: Number(tokens), cost, ms: Number(ms) };
}

function stateOf({ id, status, run, result, failure, asked, ...row }: StateRow): QuestionState {
  return {
    ...{ id, status, figures: figuresOf(row) },
    ...(run !== null && { run }),
    ...(status === 'reported' && result !== null && { result }),
    ...(status === 'failed' && failure !== null && { failure }),
    ...(status === 'waiting' && asked !== null && { asked }),
  };
}
