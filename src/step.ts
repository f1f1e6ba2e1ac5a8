import { builtIn } from './catalogue.ts';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isGraphInterrupt } from '@langchain/langgraph';
import { assemble } from './engine.ts';
import { systemClock } from './node/clock.ts';
import { environmentSecrets } from './node/environmentSecrets.ts';
import { newRunId } from './node/runStore.ts';
import { CheckpointLog } from './research/persistence/checkpointLog.ts';
import { inMemoryRunFolder } from './research/persistence/inMemoryRunFolder.ts';
import { createRun } from './research/runner/createRun.ts';
import { ResearchError } from './research/errors.ts';
import { buildGraph, nodesOf } from './research/graph.ts';
import { readEntry } from './research/persistence/journal.ts';
import type { Log } from './research/ports.ts';
import { runFiles } from './protocol/runFolder.ts';

/** Debugging one node: `npm run step -- assess --state state.json`. Prints the node's result; its events go to stderr. */
const usage = `Usage: npm run step -- NODE --state FILE [--settings FILE] [--workspace DIR]

Runs one node of the graph on a state, prints its result on stdout and its events on stderr. FILE is a JSON file, or the
folder of a run: then the state is that of its last checkpoint, with the sources that it had found.
NODE is assess, askUser, verifyTopic, analyze, discover, plan, brief, approvePlan, dispatch, section, aggregate,
review, confirmReview, retrieve, read, reflect, supervise, report, or graph for the whole.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { state: { type: 'string' }, settings: { type: 'string' }, workspace: { type: 'string' } },
  });
  const [name] = positionals;
  if (!name || !values.state) {
    process.stderr.write(usage);
    return 2;
  }
  const { parts, controller, close } = await assemble({
    settings: values.settings ? ((await json(values.settings)) as Record<string, unknown>) : {},
    workspaceFolder: resolve(values.workspace ?? process.cwd()),
    runsFolder: '',
    secrets: environmentSecrets(process.env, builtIn.keyServices),
    log,
    version: 'step',
    saveTo: { save: () => Promise.resolve(undefined) },
  });
  const { state, journal } = await stateOf(resolve(values.state));
  const now = systemClock.now();
  const withDefaults = {
    today: now.toISOString().slice(0, 10),
    language: 'en',
    strategy: 'sections',
    asked: [],
    lookups: [],
    assumptions: [],
    discoveredItems: [],
    retrieved: [],
    sections: [],
    reviewIterations: 0,
    planRemarks: [],
    planRound: 0,
    leftOut: [],
    discoverySummary: '',
    discoveryCoverage: '',
    clarifiedQuery: '',
    ...state,
  };
  const onEvent = (event: unknown): void => void process.stderr.write(`${JSON.stringify(event)}\n`);
  const { context } = createRun(
    { ...parts, folder: inMemoryRunFolder(), onEvent, journal },
    newRunId(now),
    now.toISOString(),
    'en',
    controller,
  );
  await context.calls.restore();
  const result = await runNode(name, withDefaults);
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  controller.abort();
  await close();
  return 0;

  async function runNode(node: string, input: Record<string, unknown>): Promise<unknown> {
    if (node === 'graph')
      return buildGraph(context).invoke(input, { configurable: { thread_id: context.run }, recursionLimit: 1_000 });
    const nodes = nodesOf(context) as Record<string, (state: never, config: never) => unknown>;
    const run = Object.hasOwn(nodes, node) ? nodes[node] : undefined;
    if (!run) throw new ResearchError('badRequest', `There is no node "${node}". ${usage}`);
    return run(input as never, { configurable: {}, signal: controller.signal } as never);
  }
}

/** A state from a file; from a run's folder that of its last checkpoint, with its journal. */
async function stateOf(
  path: string,
): Promise<{ readonly state: Record<string, unknown>; readonly journal: readonly string[] }> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory())
    return { state: (await json(path)) as Record<string, unknown>, journal: [] };
  const lines = (name: string) =>
    readFile(join(path, name), 'utf8').then(
      (text) => text.split('\n'),
      () => [],
    );
  const tuple = await new CheckpointLog(() => Promise.resolve(), await lines(runFiles.checkpoints)).getTuple({
    configurable: { thread_id: basename(path) },
  });
  if (!tuple) throw new ResearchError('badRequest', `${path} holds no checkpoint of a run.`);
  // What the tools found stays; the model is called again, since its answer is what is being debugged.
  const journal = (await lines(runFiles.journal)).filter((line) => readEntry(line)?.kind === 'tool');
  return { state: tuple.checkpoint.channel_values, journal };
}

async function json(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(resolve(file), 'utf8'));
  } catch (error) {
    throw new ResearchError(
      'badRequest',
      `${file} can't be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const write = (message: string): void => void process.stderr.write(`${message}\n`);
const log: Log = { trace() {}, debug: write, info: write, warn: write, error: write };

try {
  process.exitCode = await main();
} catch (error) {
  if (isGraphInterrupt(error)) process.stdout.write(`${JSON.stringify(error.interrupts, undefined, 2)}\n`);
  else {
    const failure = ResearchError.from(error);
    process.stderr.write(`${failure.reason}: ${failure.message} ${failure.next}\n${failure.stack ?? ''}\n`);
    process.exitCode = 1;
  }
}
