import process from 'node:process';
import { setTimeout as after } from 'node:timers/promises';
import { progressBar, timeLeft } from './batchText.ts';
import type { Figures } from './figures.ts';
import type { FollowedQueue, QuestionState } from './questionQueue.ts';
import { resultLine } from './resultFiles.ts';

/** Between two looks at the queue for the bar, and between two results files, in milliseconds. */
const barMs = 1_000;

/** Shows how far a batch is, on stderr, and writes its results. */
export class BatchProgress {
  readonly #queue: FollowedQueue;
  readonly #write: () => Promise<void>;
  readonly #say: (line: string) => void;
  readonly #hasTerminal = process.stderr.isTTY === true;
  readonly #ended: Figures[] = [];
  readonly #left = new Set<string>();
  readonly #done = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  /** @param write Writes the results files. */
  constructor(queue: FollowedQueue, write: () => Promise<void>, say: (line: string) => void) {
    this.#queue = queue;
    this.#write = write;
    this.#say = say;
  }

  start(): void {
    this.#looking = this.#lookOften();
  }

  left(id: string): void {
    this.#left.add(id);
  }

  /** Rejects when the results can't be written. */
  async end(): Promise<void> {
    this.#done.abort();
    await this.#looking;
    await this.#look();
    if (this.#hasTerminal) process.stderr.write('\n');
    await this.#write();
  }

  /** With 100,000 questions a look takes longer than the time between two of them. */
  async #lookOften(): Promise<void> {
    const { signal } = this.#done;
    for (let pause = barMs; ;) {
      await after(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const began = performance.now();
      // The last one, at the end, says what is wrong.
      await this.#look().catch(() => undefined);
      pause = Math.max(barMs, 20 * (performance.now() - began));
    }
  }

  async #look(): Promise<void> {
    const left = new Set(this.#left);
    this.#left.clear();
    if (left.size > 0) {
      for await (const state of this.#queue.states()) if (left.has(state.id)) this.#line(state);
      await this.#write();
    }
    if (!this.#hasTerminal) return;
    const counts = await this.#queue.counts();
    const bar = progressBar(counts, timeLeft(counts, this.#ended));
    process.stderr.write(`\r\u001B[K${bar.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }

  #line(state: QuestionState): void {
    const line = resultLine(state);
    if (line === undefined) return;
    this.#ended.push(state.figures);
    if (this.#hasTerminal) process.stderr.write('\r\u001B[K');
    this.#say(
      `${line.id}: ${line.outcome}${line.error === null ? (line.path === null ? '' : `, ${line.path}`) : `, ${line.error}`}`,
    );
  }
}
