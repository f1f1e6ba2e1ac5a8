import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type * as modelServer from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import type * as sourceServer from '../support/sourceServer.ts';

/**
 * Processor time and memory of the built command line, on the sample folder with the imitated model and services: a run with a
 * model, with milliseconds to its first model call, one without, and `--version`. The best of some rounds, since other processes
 * only slow it down. `BESIDE=FOLDER` measures another, built checkout with its own imitations, in turns with this one.
 *
 *     ROUNDS=5 BESIDE=../other npm run bench -- runTime
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const question = 'How do retrieval-augmented generation systems work?';
const checkouts = [...(process.env.BESIDE ?? '').split(':').filter(Boolean), root].map((folder) => resolve(folder));

interface Row {
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly ms: number;
  /** From the start of the process to its first model call. */
  readonly firstCallMs?: number;
}

const rows = new Map<string, Row[]>();
for (let round = 0; round < rounds; round += 1)
  for (const checkout of checkouts)
    for (const [name, measure] of Object.entries({
      model: withModel,
      'no model': withoutModel,
      '--version': version,
    })) {
      const key = `${checkout === root ? 'here' : checkout.split('/').at(-1)} ${name}`;
      rows.set(key, [...(rows.get(key) ?? []), await measure(checkout)]);
    }
console.log('run                            cpu ms  peak MB  ms      ms to the first call');
for (const [name, measured] of rows) {
  const least = (key: keyof Row): string => {
    const values = measured.flatMap((row) => row[key] ?? []);
    return values.length === 0 ? '' : String(Math.round(Math.min(...values)));
  };
  console.log(
    name.padEnd(31) +
      least('cpuMs').padEnd(8) +
      least('peakMb').padEnd(9) +
      least('ms').padEnd(8) +
      least('firstCallMs'),
  );
}

async function version(checkout: string): Promise<Row> {
  return run(checkout, ['--version']);
}

async function withoutModel(checkout: string): Promise<Row> {
  return inFolder(checkout, (common) => run(checkout, [...common, '--provider', 'extractive']));
}

async function withModel(checkout: string): Promise<Row> {
  const { startModelServer } = await supportOf<typeof modelServer>(checkout, 'modelServer.ts');
  const server = await startModelServer({ isTried: true });
  try {
    return await inFolder(checkout, async (common) => {
      const started = performance.now();
      const row = await run(checkout, [...common, '--base-url', server.url, '--model', 'imitation-1']);
      return { ...row, firstCallMs: server.requests[0]!.startedAt - started };
    });
  } finally {
    await server.close();
  }
}

async function inFolder(checkout: string, measure: (common: readonly string[]) => Promise<Row>): Promise<Row> {
  const { startSourceServer } = await supportOf<typeof sourceServer>(checkout, 'sourceServer.ts');
  const [sources, workspace, runs] = [await startSourceServer(), copyWorkspace('examples'), temporaryFolder('runs')];
  try {
    const settings = join(runs, 'settings.json');
    writeFileSync(
      settings,
      JSON.stringify({
        'deepResearch.sources.enabled': ['workspace', 'arxiv', 'github'],
        'deepResearch.endpoints.arxiv': sources.arxivUrl,
        'deepResearch.endpoints.github': sources.githubUrl,
      }),
    );
    const place = ['--workspace', workspace, '--run-dir', runs, '--settings', settings];
    return await measure([question, '--strategy', 'sections', '--yes', ...place]);
  } finally {
    await sources.close();
    removeFolder(workspace);
    removeFolder(runs);
  }
}

function supportOf<T>(checkout: string, file: string): Promise<T> {
  return import(pathToFileURL(join(checkout, 'test', 'support', file)).href) as Promise<T>;
}

/** Runs the command; it and the processes that it starts write at their end what they have used. */
async function run(checkout: string, args: readonly string[]): Promise<Row> {
  const usage = join(temporaryFolder('usage'), 'usage');
  const report = `process.on('exit', () => process.getBuiltinModule('fs').appendFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage()) + '\\n'))`;
  const { OPENAI_API_KEY: _key, GITHUB_TOKEN: _token, ...env } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, [join(checkout, 'dist', 'cli.js'), ...args], {
    env: {
      ...env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}`,
      XDG_DATA_HOME: join(usage, '..'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((done) => child.once('close', done));
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`${checkout} ended with ${String(code)}: ${said}`);
  const used = readFileSync(usage, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as NodeJS.ResourceUsage);
  rmSync(join(usage, '..'), { recursive: true });
  return {
    ms,
    cpuMs: used.reduce((sum, { userCPUTime, systemCPUTime }) => sum + userCPUTime + systemCPUTime, 0) / 1_000,
    peakMb: used.reduce((sum, { maxRSS }) => sum + maxRSS, 0) / 1_024,
  };
}
