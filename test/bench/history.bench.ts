import path from 'node:path';
import process from 'node:process';
import { groupRuns } from '../../src/host/history/groupRuns.ts';
import { RunCatalogue } from '../../src/runs/runCatalogue.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { saveManyRuns } from '../support/savedRuns.ts';
import { silentLog } from '../support/scriptedParts.ts';

/**
 * Opening the history: reading and grouping, until the tree has all of its rows. Medians. 200 runs are what `runs.keep` keeps by
 * default, 5,000 what somebody gets who raises it; the files are in the system's cache.
 */
const rounds = 15;
const budgets = [
  { count: 200, budgetMs: 50 },
  { count: 5_000, budgetMs: 1_000 },
];

function open(runs: string): number {
  const started = performance.now();
  groupRuns(new RunCatalogue(runs, silentLog).list(), new Date());
  return performance.now() - started;
}

let failed = 0;
for (const { count, budgetMs } of budgets) {
  const home = temporaryFolder('history-bench');
  const runs = path.join(home, 'runs');
  saveManyRuns(runs, count, new Date(), '/home/someone/project');
  const first = open(runs);
  const times = Array.from({ length: rounds }, () => open(runs)).sort((a, b) => a - b);
  removeFolder(home);
  const median = times[Math.floor(rounds / 2)]!;
  const isOver = median > budgetMs;
  if (isOver) failed += 1;
  console.log(
    `${isOver ? 'OVER' : 'ok  '} ${count} runs: ${median.toFixed(0)} ms (budget ${budgetMs} ms), ${first.toFixed(0)} ms at first`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
