import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseEvent, type ResearchEvent } from '../../../src/protocol/events.ts';
import { root } from '../../support/paths.ts';

export interface QuestionRun {
  /** Exit code of the command line; null: it was killed. */
  readonly code: number | null;
  /** What it said last on stderr. */
  readonly said: string;
}

/** What ends when this process is asked to end. */
export const running = new Set<ChildProcess>();

/**
 * Runs the command line, as a person would, and reports the run's id as soon as it is known. Everything else stands in the run's folder
 * afterwards.
 */
export async function runQuestion(args: readonly string[], onRun: (run: string) => void): Promise<QuestionRun> {
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), ...args, '--yes', '--events'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = eventOf(line);
    if (event?.type === 'run/started') onRun(event.run);
  });
  try {
    return await new Promise<QuestionRun>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, said: said.trim().split('\n').slice(-3).join(' ') }));
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
