import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { openDatabase } from '../../../src/batch/postgres/database.ts';
import { restoreRun } from '../../../src/batch/postgres/sharedRunStore.ts';
import { runFiles } from '../../../src/protocol/runFolder.ts';
import { parseEvent, type ResearchEvent } from '../../../src/protocol/events.ts';
import { root } from '../../support/paths.ts';

/** What `deep-research batch … --json` says at its end. */
const outcome = z.object({
  /** Where the runs are. */
  runs: z.string(),
  questions: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['pending', 'running', 'waiting', 'reported', 'failed', 'cancelled']),
      run: z.nullable(z.string()),
      error: z.optional(z.nullable(z.string())),
    }),
  ),
});
export type BatchOutcome = z.infer<typeof outcome>;

/** What ends when this process is asked to end. */
export const running = new Set<ChildProcess>();

/** Runs `deep-research batch`, as a person would, whose progress is shown on stderr. Rejects when it refuses the file or an option. */
export async function runBatch(args: readonly string[]): Promise<BatchOutcome> {
  const stdout = await command(args);
  try {
    return outcome.parse(JSON.parse(stdout));
  } catch {
    throw new Error('The batch did not run; stderr says why.');
  }
}

/** Fetches the runs of reports that workers have written, each once, from the database of their queue. */
export async function fetchRuns(queue: string, outcome: BatchOutcome, runs: string): Promise<BatchOutcome> {
  const database = await openDatabase(queue);
  try {
    for (const { run, status } of outcome.questions)
      if (run !== null && status === 'reported' && !existsSync(join(runs, run, runFiles.sources)))
        await restoreRun(database, runs, run);
  } finally {
    await database.close();
  }
  return { ...outcome, runs };
}

/** Queues what failed again. */
export async function retryBatch(args: readonly string[]): Promise<void> {
  await command(['retry', ...args]);
}

async function command(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), 'batch', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  try {
    return await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve(stdout));
    });
  } finally {
    running.delete(child);
  }
}

/** All events of a run, over all the processes that it had. */
export function eventsOf(runsFolder: string, run: string): ResearchEvent[] {
  const file = join(runsFolder, run, 'events.ndjson');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => eventOf(line) ?? []);
}

/** The stored text of a source. */
export function evidenceOf(runsFolder: string, run: string, source: string): string {
  const file = join(runsFolder, run, 'evidence', `${source}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function eventOf(line: string): ResearchEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return parseEvent(JSON.parse(line));
  } catch {
    // The last line of a process that was killed.
    return undefined;
  }
}
