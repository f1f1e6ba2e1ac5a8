import fs from 'node:fs';
import path from 'node:path';
import { assemble, research, type RunOptions } from '../../src/engine.ts';
import { pathSink } from '../../src/node/reportSink.ts';
import { fileRunStore, newRunId } from '../../src/node/runStore.ts';
import type { RunParts } from '../../src/research/runner/createRun.ts';
import { ResearchError } from '../../src/research/errors.ts';
import type { Clock, ResearchEvent, RunFolder, RunRecord } from '../../src/research/ports.ts';
import { runResearch, type ResearchResult } from '../../src/research/runResearch.ts';
import { startModelServer, type ModelServer, type Script } from './modelServer.ts';
import type { ModelRequest } from './modelServer.ts';
import { removeFolder, temporaryFolder } from './paths.ts';
import { silentLog } from './scriptedParts.ts';
import { imitatedSettings, type SourceServer } from './sourceServer.ts';

/** Whole runs of the engine in this process, on an imitated model and imitated sources over real HTTP, in which something goes wrong. */

/** Real time in which every wait is over at once and counted as if it had been waited for. */
export function fastClock(): Clock {
  let skipped = 0;
  return {
    now: () => new Date(Date.now() + skipped),
    monotonic: () => performance.now() + skipped,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      skipped += ms;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

export interface FaultyRunOptions {
  readonly question: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly sources: SourceServer;
  /** What the imitated model says other than usual, in both lives. Absent: there is no model. */
  readonly script?: Script | undefined;
  /** What goes wrong at it, in the first life only: it is healthy when the run is resumed. */
  readonly fault?: Script | undefined;
  /** Changes what the run is made of. */
  readonly parts?: (parts: Omit<RunParts, 'folder'>) => Partial<Omit<RunParts, 'folder'>>;
  /** Changes the run's folder. */
  readonly folder?: (folder: RunFolder) => RunFolder;
  /** Where runs are kept, and reports saved; default: folders of the run's own. */
  readonly runsFolder?: string;
  readonly reports?: string;
  readonly onEvent?: (event: ResearchEvent, location: string) => void;
  readonly stop?: AbortController;
  readonly workspaceFolder?: string;
}

export interface Life {
  readonly result: ResearchResult | undefined;
  readonly error: unknown;
  readonly events: readonly ResearchEvent[];
  readonly ms: number;
  /** Requests that the model's server got in this life. */
  readonly requests: readonly ModelRequest[];
}

export interface FaultyRun extends Life {
  readonly run: string;
  readonly location: string;
  readonly server: ModelServer | undefined;
  /** The lines of a file of the run's folder; none when it isn't there. */
  lines(name: string): readonly string[];
  record(): RunRecord;
  /** Goes on with the run on a healthy server. */
  resume(): Promise<Life>;
  end(): Promise<void>;
}

export class HungRun extends Error {}

/** A run that has not ended by then never does: the slowest one waits for a dozen time-outs of 2 s, on however busy a machine. */
const hungMs = 600_000;

/** Begins a run and waits for its end, whatever that is. The caller ends it. */
export async function faultyRun(options: FaultyRunOptions): Promise<FaultyRun> {
  const ownFolder = temporaryFolder('faults');
  const runsFolder = options.runsFolder ?? ownFolder;
  let healthy = false;
  const server =
    options.script &&
    (await startModelServer({
      script: (request) => (healthy ? undefined : options.fault?.(request)) ?? options.script!(request),
      pieceLength: 120,
      imitation: { searches: 2, thinks: false },
    }));
  const run = newRunId(new Date());
  const location = path.join(runsFolder, run);
  const sink = pathSink(options.reports ?? path.join(ownFolder, 'reports'));
  const settings = {
    ...imitatedSettings(options.sources),
    planApproval: 'never',
    // Researchers ask the model where to search next, however much the plan's queries have found.
    depth: 'deep',
    clarification: 'off',
    // No healthy answer is late on a busy machine; a fault that is silence sets less.
    'limits.idleSeconds': 600,
    'limits.maxStructuredOutputRetries': 1,
    'limits.maxReviewIterations': 1,
    'limits.maxDiscoverIterations': 2,
    'limits.maxIterations': 2,
    'limits.maxToolCallsPerResearcher': 3,
    ...(server ? { 'model.baseUrl': server.url, 'model.name': 'imitation-1' } : { 'model.provider': 'extractive' }),
    ...options.settings,
  };
  const engine: RunOptions = {
    settings,
    runsFolder,
    secrets: { key: async () => undefined },
    log: silentLog,
    version: 'test',
    saveTo: sink,
    ...(options.workspaceFolder === undefined ? {} : { workspaceFolder: options.workspaceFolder }),
  };
  const live = async (begin: (onEvent: (event: ResearchEvent) => void) => Promise<ResearchResult>): Promise<Life> => {
    const events: ResearchEvent[] = [];
    const before = server?.requests.length ?? 0;
    const started = performance.now();
    const { result, error } = await within(
      hungMs,
      begin((event) => {
        events.push(event);
        options.onEvent?.(event, location);
      }),
    );
    return { result, error, events, ms: performance.now() - started, requests: server?.requests.slice(before) ?? [] };
  };
  const first = await live(async (onEvent) => {
    const { parts, controller } = await assemble(engine);
    const store = fileRunStore(runsFolder, 100);
    const open = async (record: RunRecord): Promise<RunFolder> => {
      const folder = await store.create(record);
      return options.folder?.(folder) ?? folder;
    };
    return runResearch({
      ...parts,
      clock: fastClock(),
      ...options.parts?.(parts),
      question: options.question,
      run,
      controller,
      onEvent,
      openFolder: open,
      ...(options.stop ? { signal: options.stop.signal } : {}),
      workspaceFolder: options.workspaceFolder,
      program: 'test',
    });
  });
  return {
    ...first,
    run,
    location,
    server,
    lines: (name) => {
      const file = path.join(location, name);
      // Neither folders nor devices: what stands there instead of a file is the fault.
      const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
      return isFile
        ? fs
            .readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [];
    },
    record: () => JSON.parse(fs.readFileSync(path.join(location, 'run.json'), 'utf8')) as RunRecord,
    resume: () => {
      healthy = true;
      return live((onEvent) => research({ ...engine, resume: run, onEvent }));
    },
    end: async () => {
      await server?.close();
      removeFolder(ownFolder);
    },
  };
}

async function within(
  ms: number,
  work: Promise<ResearchResult>,
): Promise<{ result: ResearchResult | undefined; error: unknown }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new HungRun(`The run did not end within ${ms} ms.`)), ms)),
  );
  try {
    return { result: await Promise.race([work, late]), error: undefined };
  } catch (error) {
    return { result: undefined, error };
  } finally {
    clearTimeout(timer);
  }
}

export const reasonOf = (error: unknown): string => (ResearchError.is(error) ? error.reason : String(error));
