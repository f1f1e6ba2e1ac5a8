import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { arrangeRuns, groupRuns } from '../../src/host/history/arrangeRuns.ts';
import { RunCatalogue } from '../../src/host/history/runCatalogue.ts';
import type { RunEntry } from '../../src/host/history/runEntry.ts';
import { keepManyRuns } from '../support/savedRuns.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedRun.ts';

/**
 * Opening the history of 5,000 runs: reading, arranging and grouping, each time with a catalogue that knows nothing, until the
 * tree has something to show: all of them, or the newest when no index knows them. Medians, but for the very first time; the
 * files are in the system's cache, as they are for whoever opened the editor on this folder today.
 */
const count = 5_000;
const rounds = 15;
const budgetMs = 200;

const home = temporaryFolder('history-bench');
const runs = path.join(home, 'runs');
const index = path.join(home, 'history.json');
const workspace = '/home/someone/project';
keepManyRuns(runs, count, new Date(), workspace);

/** Milliseconds until there is something to show, and until all is there. */
async function open(catalogue: RunCatalogue): Promise<{ shown: number; all: number }> {
  const started = performance.now();
  let first: number | undefined;
  const show = (entries: readonly RunEntry[]) => {
    const groups = groupRuns(
      arrangeRuns(entries, { sort: 'newest', filter: '', workspaces: [workspace] }, ({ state }) => state),
      new Date(),
    );
    first ??= performance.now() - started;
    return groups.reduce((sum, group) => sum + group.runs.length, 0);
  };
  if (show(await catalogue.list({}, show)) !== count) throw new Error('runs are missing');
  return { shown: first!, all: performance.now() - started };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function measure(make: () => RunCatalogue): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push((await open(make())).shown);
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

console.log(
  `     ${count} runs: the very first time all of them after ${first.all.toFixed(0)} ms, index of ${(bytes / 1e6).toFixed(1)} MB`,
);
let failed = 0;
for (const [what, ms] of [
  ['opened the very first time', first.shown],
  ['opened without an index', unindexed],
  ['opened after a restart', afterRestart],
  ['looked at again', again],
] as const) {
  const ok = ms <= budgetMs;
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${count} runs, ${what}: ${ms.toFixed(0)} ms (budget ${budgetMs} ms)`);
}
process.exitCode = failed === 0 ? 0 : 1;
