import process from 'node:process';
import { setTimeout as after } from 'node:timers/promises';
import { l10n } from '../node/l10n.ts';
import { cutToColumns, say, terminalLine } from '../node/terminalLine.ts';
import { progressBar, timeLeft } from './batchText.ts';
import type { Figures } from './figures.ts';
import type { FollowedQueue, QuestionState } from './questionQueue.ts';
import { resultLine } from './resultFiles.ts';

/** Between two looks at the queue for the bar, and between two results files, in milliseconds. */
const barMs = 1_000;

/**
 * Shows how far a batch is, on stderr, and writes its results.
 * @param write Writes the results files.
 */
export function batchProgress(queue: FollowedQueue, write: () => Promise<void>) {
  const hasTerminal = process.stderr.isTTY === true;
  const ended: Figures[] = [];
  const left = new Set<string>();
  const done = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  const show = (state: QuestionState): void => {
    const line = resultLine(state);
    if (line === undefined) return;
    ended.push(state.figures);
    if (hasTerminal) process.stderr.write('\r\u001B[K');
    const { id, outcome, error, path } = line;
    const what = error === null ? path : l10n.error(error);
    say(terminalLine(`${id}: ${outcome}${what === null ? '' : `, ${what}`}`));
  };

  const look = async (): Promise<void> => {
    const shown = new Set(left);
    left.clear();
    if (shown.size > 0) {
      for await (const state of queue.states()) if (shown.has(state.id)) show(state);
      await write();
    }
    if (!hasTerminal) return;
    const counts = await queue.counts();
    const bar = progressBar(counts, timeLeft(counts, ended));
    process.stderr.write(`\r\u001B[K${cutToColumns(bar, (process.stderr.columns ?? 80) - 1)}`);
  };

  /** With 100,000 questions a look takes longer than the time between two of them. */
  const lookOften = async (): Promise<void> => {
    const { signal } = done;
    for (let pause = barMs; ;) {
      await after(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const began = performance.now();
      // The last one, at the end, says what is wrong.
      await look().catch(() => undefined);
      pause = Math.max(barMs, 20 * (performance.now() - began));
    }
  };

  return {
    start: () => void (looking = lookOften()),
    left: (id: string) => void left.add(id),
    /** Rejects when the results can't be written. */
    async end(): Promise<void> {
      done.abort();
      await looking;
      await look();
      if (hasTerminal) process.stderr.write('\n');
      await write();
    },
  };
}
