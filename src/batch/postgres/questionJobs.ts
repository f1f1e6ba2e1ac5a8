import { randomUUID } from 'node:crypto';
import type { BatchQuestion, QuestionStatus } from '../questionQueue.ts';
import { type Database, judgementJobs, questionJobs } from './database.ts';
import type { Queries } from './schema.ts';

/** What a job says: which question is to be researched. */
export interface QuestionJob {
  readonly batch: string;
  readonly id: string;
}

/** Gives questions a job, in the transaction that makes them pending; a judgement only when there is the report that it comes after. */
export async function enqueue(
  { boss }: Database,
  queries: Queries,
  batch: string,
  questions: readonly BatchQuestion[],
): Promise<void> {
  const ready = await readyOf(queries, batch, questions);
  if (ready.length === 0) return;
  const jobs = ready.map(({ id, priority }) => ({ id: randomUUID(), question: id, priority }));
  await queries.query(
    `UPDATE research_question q SET job = j.job FROM unnest($2::text[], $3::uuid[]) AS j (id, job)
    WHERE q.batch = $1 AND q.id = j.id`,
    [batch, jobs.map(({ question }) => question), jobs.map(({ id }) => id)],
  );
  const db = {
    executeSql: async (text: string, values?: unknown[]) => ({
      rows: await queries.query<Record<string, unknown>>(text, values),
    }),
  };
  const data = (id: string): QuestionJob => ({ batch, id });
  await boss.insert(
    jobsOf(batch),
    jobs.map(({ id, question, priority }) => ({ id, priority, data: data(question) })),
    { db },
  );
}

/** Those whose report is there, if they come after one. Whoever reports one meanwhile waits, and then finds its judgements. */
async function readyOf(
  queries: Queries,
  batch: string,
  questions: readonly BatchQuestion[],
): Promise<readonly BatchQuestion[]> {
  const judged = questions.flatMap(({ after: id }) => id ?? []);
  if (judged.length === 0) return questions;
  const rows = await queries.query<{ id: string; status: QuestionStatus }>(
    'SELECT id, status FROM research_question WHERE batch = $1 AND id = ANY ($2) ORDER BY id FOR SHARE',
    [judgedBy(batch), judged],
  );
  const reported = new Set(rows.filter(({ status }) => status === 'reported').map(({ id }) => id));
  return questions.filter(({ after: id }) => id === undefined || reported.has(id));
}

/** Gives the judgements of a report their jobs, in the transaction that makes it. Those that another one has locked, it gives theirs. */
export async function releaseJudgements(
  database: Database,
  queries: Queries,
  batch: string,
  id: string,
): Promise<void> {
  const rows = await queries.query<{ question: BatchQuestion }>(
    `SELECT question FROM research_question WHERE batch = $1 AND question ->> 'after' = $2 AND status = 'pending' AND job IS NULL
    ORDER BY position FOR UPDATE SKIP LOCKED`,
    [judgementsOf(batch), id],
  );
  const questions = rows.map(({ question }) => question);
  await enqueue(database, queries, judgementsOf(batch), questions);
}

const judging = 'judge ';

/** The batch of the judgements of a batch. */
export function judgementsOf(batch: string): string {
  return `${judging}${batch}`;
}

/** The batch that a batch of judgements is about. */
export function judgedBy(batch: string): string {
  return batch.slice(judging.length);
}

export function jobsOf(batch: string): string {
  return batch.startsWith(judging) ? judgementJobs : questionJobs;
}

/** The batch of the refreshes that a schedule has queued. */
export function refreshesOf(schedule: string): string {
  return `refresh ${schedule}`;
}
