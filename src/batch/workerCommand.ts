import process from 'node:process';
import type { RunOptions } from '../engine.ts';
import { stopOnSignals } from './batchText.ts';
import { openDatabase } from './postgres/database.ts';
import { sharedState } from './postgres/sharedLimits.ts';
import { SharedWork } from './postgres/sharedWork.ts';
import type { TakenQuestion } from './questionQueue.ts';
import { workThrough } from './workThrough.ts';
import type { WorkerArguments } from './workerArguments.ts';

/** `deep-research worker`: researches what a queue has until the process is asked to end. Rejects with a `ResearchError`. */
export async function workerCommand(
  { queue, atOnce, settings, yes, limits }: WorkerArguments,
  base: RunOptions,
): Promise<number> {
  // One for each question that writes, and some for the queue itself.
  const database = await openDatabase(queue, { isWorker: true, connections: Math.min(10, atOnce + 3) });
  try {
    const stop = stopOnSignals((text) => log('info', { event: 'stopping', text }));
    log('info', { event: 'started', version: base.version, schema: database.schema, atOnce });
    const work = new SharedWork(database, (taken) => log('info', { event: 'taken', ...about(taken) }));
    await workThrough(
      work,
      {
        options: {
          ...base,
          shared: sharedState(database, limits),
          log: { ...base.log, warn: (text) => log('warn', { text }), error: (text) => log('error', { text }) },
        },
        ...{ flags: settings, folder: base.workspaceFolder ?? base.runsFolder, yes },
        // Each question brings a place of its own.
        sinkOf: () => ({ save: () => Promise.resolve(undefined) }),
      },
      {
        atOnce,
        isOver: () => Promise.resolve(false),
        onLeft: (taken) => log('info', { event: 'left', ...about(taken) }),
      },
      stop,
    );
    log('info', { event: 'stopped' });
    return 0;
  } finally {
    await database.close();
  }
}

/** Neither questions nor texts are logged. */
function about(taken: TakenQuestion & { readonly batch?: string }) {
  return { batch: taken.batch, question: taken.question.id, run: taken.run };
}

function log(level: 'info' | 'warn' | 'error', entry: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, pid: process.pid, ...entry })}\n`);
}
