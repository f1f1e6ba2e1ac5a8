import { builtIn } from '../../src/catalogue.ts';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { startModelServer, type ModelRequest } from '../support/modelServer.ts';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedParts.ts';

/**
 * Design section 10, against an imitated model server with a fixed delay: how much of a run is neither model nor source, and
 * how near 30 sections with 4 researchers come to the ideal. Ratios within one run; medians of several.
 */
const delayMs = 400;
const rounds = 3;
const budgets = { overhead: 0.05, schedule: 1.1, researchers: 4 };

interface Measured {
  readonly wallMs: number;
  /** Time in which at least one call to the model server was being answered. */
  readonly busyMs: number;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly ResearchEvent[];
}

async function measure(sections: number, limit: number): Promise<Measured> {
  const server = await startModelServer({ delayMs, imitation: { sections } });
  const runsFolder = temporaryFolder('bench');
  const events: ResearchEvent[] = [];
  const started = performance.now();
  await research({
    question: 'How do retrieval-augmented generation systems work?',
    settings: {
      'model.baseUrl': server.url,
      'model.name': 'imitation-1',
      planApproval: 'never',
      clarification: 'off',
      'limits.maxConcurrentResearchers': limit,
      'sources.enabled': ['workspace'],
    },
    workspaceFolder: `${root}/examples`,
    runsFolder,
    secrets: environmentSecrets({}, builtIn.keyServices),
    log: silentLog,
    version: 'bench',
    saveTo: { save: () => Promise.resolve(undefined) },
    onEvent: (event) => events.push(event),
  });
  const wallMs = performance.now() - started;
  await server.close();
  removeFolder(runsFolder);
  return { wallMs, busyMs: union(server.requests), requests: server.requests, events };
}

function union(requests: readonly ModelRequest[]): number {
  const spans = requests
    .map(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt] as const)
    .sort((a, b) => a[0] - b[0]);
  let total = 0;
  let until = -Infinity;
  for (const [from, to] of spans) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

let failed = 0;
function report(what: string, value: number, budget: number, unit = ''): void {
  const ok = value <= budget;
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${what}: ${value.toFixed(3)}${unit} (budget ${budget}${unit})`);
}

await measure(3, 5); // Warm: modules, JIT.
const runs: Measured[] = [];
for (let round = 0; round < rounds; round += 1) runs.push(await measure(5, 5));
report(
  'time in which no model is asked / time in which one is',
  median(runs.map(({ wallMs, busyMs }) => (wallMs - busyMs) / busyMs)),
  budgets.overhead,
);

const wide = await measure(30, budgets.researchers);
const researching = wide.requests.filter(({ step }) => step === 'act' || step === 'distil');
const perSection = researching.length / 30;
const others = wide.requests.length - researching.length;
const ideal = (Math.ceil(30 / budgets.researchers) * perSection + others) * delayMs;
const inFlight = Math.max(
  ...researching.map(
    (request) =>
      researching.filter((other) => other.startedAt <= request.startedAt && (other.endedAt ?? 0) > request.startedAt)
        .length,
  ),
);
const done = new Set(
  wide.events.flatMap((event) => (event.type === 'section/updated' && event.status === 'completed' ? [event.id] : [])),
).size;
report('30 sections: researchers in flight', inFlight, budgets.researchers);
report('30 sections: not done', 30 - done, 0);
report('30 sections: wall / ideal', wide.wallMs / ideal, budgets.schedule);
process.exitCode = failed === 0 ? 0 : 1;
