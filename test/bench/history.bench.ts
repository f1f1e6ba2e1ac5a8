import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { arrangeRuns, groupRuns } from '../../src/host/history/arrangeRuns.ts';
import { RunCatalogue } from '../../src/host/history/runCatalogue.ts';
import { keepManyRuns } from '../support/keptRuns.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedRun.ts';

/**
 * Opening the history of 5,000 runs: reading, arranging and grouping, each time with a catalogue that knows nothing. Medians;
 * the files are in the system's cache, as they are for whoever opened the editor on this folder today.
 */
const count = 5_000;
const rounds = 15;
const budgetMs = 200;

const home = temporaryFolder('history-bench');
const runs = path.join(home, 'runs');
const index = path.join(home, 'history.json');
const workspace = '/home/someone/project';
keepManyRuns(runs, count, new Date(), workspace);

async function open(catalogue: RunCatalogue): Promise<number> {
  const started = performance.now();
  const shown = arrangeRuns(await catalogue.list(), { sort: 'newest', filter: '', workspaces: [workspace] }, ({ state }) => state);
  const groups = groupRuns(shown, new Date());
  const ms = performance.now() - started;
  if (groups.reduce((sum, group) => sum + group.runs.length, 0) !== count) throw new Error('runs are missing');
  return ms;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function measure(make: () => RunCatalogue): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await open(make()));
  return median(times);
}

/** Waits until the index is there: it is written behind the user's back. */
async function indexed(): Promise<void> {
  while (!fs.existsSync(index)) await new Promise((resolve) => setImmediate(resolve));
}

const fresh = () => new RunCatalogue(runs, index, silentLog);
const first = await open(fresh());
await indexed();
const afterRestart = await measure(fresh);
const unindexed = await measure(() => new RunCatalogue(runs, path.join(home, 'no', 'index'), silentLog));
const kept = fresh();
await open(kept);
const again = await measure(() => kept);
const bytes = fs.statSync(index).size;
removeFolder(home);

console.log(`     ${count} runs: the very first time ${first.toFixed(0)} ms, without an index ${unindexed.toFixed(0)} ms, index of ${(bytes / 1e6).toFixed(1)} MB`);
let failed = 0;
for (const [what, ms] of [['opened after a restart', afterRestart], ['looked at again', again]] as const) {
  const ok = ms <= budgetMs;
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${count} runs, ${what}: ${ms.toFixed(0)} ms (budget ${budgetMs} ms)`);
}
process.exitCode = failed === 0 ? 0 : 1;
