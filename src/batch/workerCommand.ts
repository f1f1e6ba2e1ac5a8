import process from 'node:process';
import type { RunOptions } from '../engine.ts';
import { stopOnSignals } from './batchText.ts';
import { Metrics, type QueueDepth, writeMetrics } from './metrics.ts';
import { type Database, openDatabase } from './postgres/database.ts';
import { workSchedules } from './postgres/schedules.ts';
import { sharedState } from './postgres/sharedLimits.ts';
import { SharedWork } from './postgres/sharedWork.ts';
import { noneByStatus, type QuestionStatus, type TakenQuestion } from './questionQueue.ts';
import { researchTaken, type Workplace } from './researchTaken.ts';
import { workThrough } from './workThrough.ts';
import type { WorkerArguments } from './workerArguments.ts';

/** `deep-research worker`: researches what a queue has until the process is asked to end. Rejects with a `ResearchError`. */
export async function workerCommand(
  { queue, atOnce, settings, yes, limits, metrics: folder }: WorkerArguments,
  base: RunOptions,
): Promise<number> {
  // One for each question that writes, and some for the queue itself.
  const database = await openDatabase(queue, { isWorker: true, connections: Math.min(10, atOnce + 3) });
  const metrics = new Metrics();
  let written: Awaited<ReturnType<typeof writeMetrics>> | undefined;
  try {
    if (folder !== undefined)
      written = await writeMetrics(folder, async () => metrics.text(await depthOf(database).catch(() => undefined)));
    await workSchedules(database);
    const stop = stopOnSignals((text) => log('info', { event: 'stopping', text }));
    log('info', { event: 'started', version: base.version, schema: database.schema, atOnce });
    const work = new SharedWork(database, (taken) => log('info', { event: 'taken', ...about(taken) }));
    const place: Workplace = {
      options: {
        ...base,
        shared: sharedState(database, limits),
        log: { ...base.log, warn: (text) => log('warn', { text }), error: (text) => log('error', { text }) },
      },
      ...{ flags: settings, folder: base.workspaceFolder ?? base.runsFolder, yes },
      // Each question brings a place of its own.
      sinkOf: () => ({ save: () => Promise.resolve(undefined) }),
      onEvent: (event) => metrics.observe(event),
    };
    await workThrough(
      work,
      {
        work: (taken, signal) => researchTaken(taken, place, signal),
        atOnce,
        isOver: () => Promise.resolve(false),
        onLeft(taken, result) {
          const changed = result?.changed ?? 0;
          log('info', { event: 'left', ...about(taken) });
          if (changed > 0)
            log('info', { event: 'changed', ...about(taken), refreshed: taken.refreshes, parts: changed });
        },
      },
      stop,
    );
    log('info', { event: 'stopped' });
    return 0;
  } finally {
    await written?.close();
    await database.close();
  }
}

async function depthOf({ query }: Database): Promise<QueueDepth> {
  const rows = await query<{ status: QuestionStatus; count: string; oldest: number | null }>(
    `SELECT status, count(*), extract(epoch FROM clock_timestamp() - min(changed))::float8 AS oldest
    FROM research_question WHERE question ->> 'after' IS NULL GROUP BY status`,
  );
  const by = noneByStatus();
  for (const { status, count } of rows) by[status] = Number(count);
  return { by, oldestSeconds: Math.max(0, rows.find(({ status }) => status === 'pending')?.oldest ?? 0) };
}

/** Neither questions nor texts are logged. */
function about(taken: TakenQuestion & { readonly batch?: string }) {
  return { batch: taken.batch, question: taken.question.id, run: taken.run };
}

function log(level: 'info' | 'warn' | 'error', entry: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, pid: process.pid, ...entry })}\n`);
}
