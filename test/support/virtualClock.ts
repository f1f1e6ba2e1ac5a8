import type { Clock } from '../../src/research/ports.ts';

export interface VirtualClock extends Clock {
  /** All sleeps that were asked for, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Lets time pass without anyone sleeping. */
  advance(ms: number): void;
}

/**
 * A clock for tests over real I/O: a sleep ends as soon as the event loop has nothing quicker to do, and time jumps by its
 * length. With `stopped`, sleeps end only by abort.
 */
export function virtualClock(options: { readonly stopped?: boolean; readonly start?: string } = {}): VirtualClock {
  const epoch = Date.parse(options.start ?? '2026-08-20T06:00:00Z');
  const sleeps: number[] = [];
  let elapsed = 0;
  let due: { readonly at: number; readonly wake: () => void }[] = [];
  const wakeNext = (): void => {
    due.sort((a, b) => a.at - b.at);
    const next = due.shift();
    if (next === undefined) return;
    elapsed = Math.max(elapsed, next.at);
    next.wake();
  };
  return {
    sleeps,
    advance: (ms) => {
      elapsed += ms;
    },
    now: () => new Date(epoch + elapsed),
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        sleeps.push(ms);
        const entry = {
          at: elapsed + ms,
          wake: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        const leave = (): void => {
          due = due.filter((other) => other !== entry);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        due.push(entry);
        if (!options.stopped) setImmediate(wakeNext);
      }),
  };
}
