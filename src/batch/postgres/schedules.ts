import { ResearchError } from '../../research/errors.ts';
import { type Database, scheduledJobs } from './database.ts';
import { refreshesOf } from './questionJobs.ts';
import { SharedQueue } from './sharedQueue.ts';

/** What is refreshed at which times, and what became of it. */
export interface Schedule {
  /** The run whose report is refreshed, or the batch. */
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  /** Of the next occurrence, ISO 8601. */
  readonly next: string | undefined;
  /** When a report was refreshed last, and when one changed by it. */
  readonly refreshed: string | undefined;
  readonly changed: string | undefined;
  readonly pending: number;
  /** Of refreshes that failed. */
  readonly failed: number;
  /** Of the last that failed. */
  readonly error: string | undefined;
}

/** What an occurrence says. */
interface Occurrence {
  readonly name: string;
}

/**
 * Refreshes a run's report, or those of a batch, at the times of a cron expression; a schedule of this name is replaced. Gives the next
 * time. Rejects with `badRequest` for an expression that is none, or that names no time.
 * @param timeZone Of the expression, as IANA names it.
 */
export async function addSchedule(database: Database, cron: string, name: string, timeZone: string): Promise<Date> {
  const next = nextOf(database, cron, timeZone);
  const occurrence: Occurrence = { name };
  await database.boss.schedule(scheduledJobs, cron, occurrence, { key: name, tz: timeZone, missed: 'once' });
  return next;
}

function nextOf({ boss }: Database, cron: string, tz: string): Date {
  try {
    // Five fields: schedules are looked at once a minute.
    if (cron.length > 200 || cron.trim().split(/\s+/).length !== 5) throw new Error('it has not five fields');
    const [next] = boss.previewSchedule(cron, { tz, count: 1 });
    if (next !== undefined) return next;
    throw new Error('it names no time');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ResearchError('badRequest', `"${cron.slice(0, 200)}" is not a cron expression: ${why}.`, {
      next: 'Write minute, hour, day of the month, month and day of the week: "0 7 * * 1" is Mondays at 7:00.',
    });
  }
}

/** Rejects with `badRequest` for a run that the queue does not have, or whose report or sources were removed. */
export async function refuseUnknownRun({ query }: Database, run: string): Promise<void> {
  const found = await query(
    `SELECT 1 FROM research_question q JOIN research_file f ON f.run = q.run AND f.name = 'sources.json' AND f.part = 0
    WHERE q.run = $1 AND q.status = 'reported' AND q.refreshes IS NULL`,
    [run],
  );
  if (found.length > 0) return;
  throw new ResearchError('badRequest', `The queue has no report of a run "${run.slice(0, 100)}".`, {
    next: 'Pass the run of a question that deep-research batch FILE --queue has researched: results.jsonl names it.',
  });
}

/** Rejects with `badRequest` when there is no schedule of this name. What it has queued is cancelled. */
export async function removeSchedule(database: Database, name: string): Promise<void> {
  // Only what is a name: pg-boss throws for other texts.
  const isThere = (await database.boss.getSchedules(scheduledJobs)).some(({ key }) => key === name);
  if (!isThere)
    throw new ResearchError('badRequest', `The queue has no schedule "${name.slice(0, 100)}".`, {
      next: 'deep-research schedule --list names them.',
    });
  await database.boss.unschedule(scheduledJobs, name);
  await new SharedQueue(database, refreshesOf(name)).cancel();
}

export async function listSchedules(database: Database): Promise<Schedule[]> {
  const schedules = await database.boss.getSchedules(scheduledJobs);
  const rows = await database.query<{ batch: string } & Record<'refreshed' | 'changed', Date | null> & Counts>(
    `SELECT batch, max(changed) FILTER (WHERE status = 'reported') AS refreshed,
      max(changed) FILTER (WHERE (result ->> 'changed')::int > 0) AS changed,
      count(*) FILTER (WHERE status IN ('pending', 'running')) AS pending, count(*) FILTER (WHERE status = 'failed') AS failed,
      (array_agg(failure ->> 'message' ORDER BY changed DESC) FILTER (WHERE status = 'failed'))[1] AS error
    FROM research_question WHERE batch = ANY ($1) GROUP BY batch`,
    [schedules.map(({ key }) => refreshesOf(key))],
  );
  return schedules.map(({ key, cron, timezone }) => {
    const row = rows.find(({ batch }) => batch === refreshesOf(key));
    return {
      ...{ name: key, cron, timeZone: timezone, next: nextOf(database, cron, timezone).toISOString() },
      ...{ refreshed: row?.refreshed?.toISOString(), changed: row?.changed?.toISOString() },
      ...{ pending: Number(row?.pending ?? 0), failed: Number(row?.failed ?? 0), error: row?.error ?? undefined },
    };
  });
}

interface Counts {
  readonly pending: string;
  readonly failed: string;
  readonly error: string | null;
}

/** Begins what schedules say, at their times, as long as the database is open: one worker of all takes each occurrence. */
export async function workSchedules(database: Database): Promise<void> {
  await database.boss.work<Occurrence>(scheduledJobs, { pollingIntervalSeconds: 2 }, async (jobs) => {
    for (const { id, data } of jobs) await SharedQueue.refresh(database, data.name, id);
  });
}
