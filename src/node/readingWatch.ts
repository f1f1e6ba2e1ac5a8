import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { type Input, longestInput, type Reading } from '../research/ports.ts';
import { readBytes } from '../files/regularFile.ts';

/** Ticks of the watching thread. They don't pass while the machine sleeps, so that a sleep is not taken for a stop. */
const tickMs = 250;
/**
 * The event loop turns every 40 ms while a long text is read in slices: after three seconds of processor time without a turn it counts
 * as stuck, in microseconds. The time is that of all threads and of all runs in the process; a busy machine that gives it none does not
 * make it stuck.
 */
const stuckMicros = 3_000_000;
/** Without processor time it waits for something, a disk for instance. */
const waitingTicks = 40;
const textBytes = 8_192;
const limits = { tickMs, stuckMicros, waitingTicks };
/** Of the shared memory: numbers, then a text. */
const layout = { beatAt: 0, lengthAt: 1, words: 2 };
const { beatAt, lengthAt, words } = layout;

/**
 * Runs in a thread of its own, which stays awake when the main one doesn't come back: writes what was being read into the run's
 * folder, and takes it out again when the main thread comes back after all.
 */
const watcher = `
const { workerData: { shared, file, tickMs, stuckMicros, waitingTicks, endTicks, beatAt, lengthAt, words } } = require('node:worker_threads');
const fs = require('node:fs');
const state = new Int32Array(shared, 0, words);
const bytes = new Uint8Array(shared, words * 4);
let beat = -1, still = 0, size = -1, what = '', begun = process.cpuUsage();
const stuck = () => {
  what = Buffer.from(bytes.slice(0, Atomics.load(state, lengthAt))).toString('utf8');
  if (what === '') return;
  size = fs.existsSync(file) ? fs.statSync(file).size : 0;
  fs.appendFileSync(file, what, { mode: 0o600 });
};
const tick = () => {
  const now = Atomics.load(state, beatAt);
  if (now !== beat) {
    if (size >= 0) fs.truncateSync(file, size);
    [beat, still, size, what, begun] = [now, 0, -1, '', process.cpuUsage()];
    return;
  }
  still += 1;
  const { user, system } = process.cpuUsage(begun);
  if (size < 0 && (user + system >= stuckMicros || still >= waitingTicks)) stuck();
  if (still < endTicks || endTicks < 0 || size < 0) return;
  fs.writeSync(2, 'deep-research: reading this does not end: ' + JSON.parse(what.split('\\n')[0]).name +
    '. The program stops here; the run can be resumed, without it.\\n');
  process.kill(process.pid, 'SIGKILL');
};
setInterval(() => { try { tick(); } catch {} }, tickMs);
`;

const inputSchema = z.object({
  kind: z.enum(['file', 'source', 'call', 'answer']),
  name: z.string().min(1).max(longestInput),
});
/** In a run of a hundred such inputs, something else is wrong. */
const mostStopped = 100;

/** What earlier processes got stuck in, by the run's folder. Never rejects. */
export async function readStopped(file: string): Promise<Input[]> {
  const text = await readBytes(file, 1_000_000).then(String, () => '');
  return text
    .split('\n')
    .slice(0, mostStopped)
    .flatMap((line) => {
      try {
        return [inputSchema.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}

/**
 * Notes durably what a run is reading when its process gets stuck, so that the run does not get stuck in it again when it is
 * resumed. One run's; nothing is written while the event loop turns.
 */
export class ReadingWatch implements Reading {
  readonly stopped: readonly Input[];
  readonly #shared = new SharedArrayBuffer(words * 4 + textBytes);
  readonly #state = new Int32Array(this.#shared, 0, words);
  readonly #text = new Uint8Array(this.#shared, words * 4);
  readonly #calls = new Set<Input>();
  readonly #endsAfterMs: number | undefined;
  #input: Input | undefined;
  #worker: Worker | undefined;
  #beat: NodeJS.Timeout | undefined;

  /** @param endsAfterMs When the process ends itself because it is stuck; absent: never. */
  constructor(endsAfterMs: number | undefined, stopped: readonly Input[] = []) {
    this.#endsAfterMs = endsAfterMs;
    this.stopped = stopped;
  }

  /** Starts the watching thread. Where there can be none, nothing is noted. */
  watch(file: string): void {
    if (this.#worker !== undefined) return;
    try {
      const endTicks = this.#endsAfterMs === undefined ? -1 : Math.round(this.#endsAfterMs / tickMs);
      this.#worker = new Worker(watcher, {
        eval: true,
        // A preload of the process has no business here.
        execArgv: [],
        env: {},
        workerData: { ...{ shared: this.#shared, file, endTicks }, ...limits, ...layout },
        resourceLimits: { maxOldGenerationSizeMb: 16 },
      });
      this.#worker.unref();
      this.#worker.on('error', () => undefined);
      this.#beat = setInterval(() => Atomics.add(this.#state, beatAt, 1), tickMs / 2);
      this.#beat.unref();
    } catch {
      this.#worker = undefined;
    }
  }

  during<T>(input: Input, work: () => T): T {
    const before = this.#input;
    this.#show(input);
    try {
      return work();
    } finally {
      this.#show(before);
    }
  }

  next(input: Input): void {
    this.#show(input);
    setImmediate(() => {
      if (this.#input === input) this.#show(undefined);
    });
  }

  async call<T>(input: Input, work: () => Promise<T>): Promise<T> {
    this.#calls.add(input);
    this.#show(this.#input);
    try {
      return await work();
    } finally {
      this.#calls.delete(input);
      this.#show(this.#input);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** The last named one, else the calls in progress, of which one is stuck. */
  #show(input: Input | undefined): void {
    this.#input = input;
    const all = input === undefined ? [...this.#calls] : [input];
    const text = all.map((one) => `${JSON.stringify(one)}\n`).join('');
    // A thread that looks meanwhile sees no text: only what stays is written.
    Atomics.store(this.#state, lengthAt, 0);
    const { read, written } = new TextEncoder().encodeInto(text, this.#text);
    Atomics.store(this.#state, lengthAt, read === text.length ? written : 0);
  }
}
