import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { RunRecord } from '../../src/protocol/runRecord.ts';
import { builtIn } from '../../src/catalogue.ts';
import { savedRecord } from './savedRun.ts';

/** Whole folders of runs, for the tests of the history. */

/** `20260304-100000-000001` */
function runIdOf(at: Date, number: number): string {
  const stamp = at.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${number.toString(16).padStart(6, '0')}`;
}

/** Saves a run below `runsFolder`; `created` decides its id. Gives the id. */
export function saveRun(
  runsFolder: string,
  number: number,
  over: Partial<RunRecord> = {},
  files: Readonly<Record<string, string>> = {},
): string {
  const created = over.created ?? '2026-03-04T10:00:00.000Z';
  const run = runIdOf(new Date(created), number);
  const folder = path.join(runsFolder, run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify({ ...savedRecord(over), created, run }, undefined, 1));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return run;
}

/** A lock as the process that works on a run holds it. `age`: milliseconds since it was last touched. */
export function holdLock(
  runsFolder: string,
  run: string,
  { pid = process.pid, host = hostname(), age = 0 } = {},
): void {
  const file = path.join(runsFolder, run, 'run.lock');
  const at = new Date(Date.now() - age);
  writeFileSync(file, JSON.stringify({ version: 1, pid, host, token: 'a', at: at.toISOString() }));
  utimesSync(file, at, at);
}

/** Many runs, one an hour before `now`; records of the usual size. */
export function saveManyRuns(runsFolder: string, count: number, now: Date, workspace: string): void {
  const settings = Object.fromEntries(
    Object.keys(builtIn.settings).map((key) => [key, 'as it was when the run began']),
  );
  for (let number = 0; number < count; number += 1) {
    const created = new Date(now.getTime() - number * 3_600_000).toISOString();
    saveRun(runsFolder, number, {
      created,
      ended: created,
      settings,
      workspace,
      question: `Question ${number}: how do systems of retrieval-augmented generation choose what to read, and what does it cost them in time, tokens and accuracy?`,
      title: `What system ${number} reads`,
      path: `${workspace}/research/what-system-${number}-reads.md`,
      status: number % 7 === 0 ? 'failed' : 'finished',
      ...(number % 7 === 0
        ? { failure: { reason: 'network', message: 'The model server could not be reached.' } }
        : { outcome: number % 5 === 0 ? 'partial' : 'complete', cited: number % 40 }),
    });
  }
}
