import type { Clock } from '../../research/ports.ts';

interface Waiter {
  readonly start: () => void;
}

/** Lets requests to one host through: in order, at most `concurrency` at a time, starts at least `intervalMs` apart. */
export class Gate {
  readonly #clock: Clock;
  readonly #concurrency: number;
  readonly #intervalMs: number;
  #queue: Waiter[] = [];
  #active = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  #timer: AbortController | undefined;

  constructor(clock: Clock, concurrency: number, intervalMs: number) {
    this.#clock = clock;
    this.#concurrency = concurrency;
    this.#intervalMs = intervalMs;
  }

  /** Waits for a place; gives the function that frees it. Rejects with `signal.reason` at once when aborted while waiting. */
  enter(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const leave = (): void => {
        this.#queue = this.#queue.filter((other) => other !== waiter);
        if (this.#queue.length === 0) this.#timer?.abort();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', leave);
          this.#active += 1;
          this.#lastStart = this.#clock.monotonic();
          let held = true;
          resolve(() => {
            if (!held) return;
            held = false;
            this.#active -= 1;
            this.#pump();
          });
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiter);
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#active < this.#concurrency && this.#queue.length > 0) {
      const wait = this.#lastStart + this.#intervalMs - this.#clock.monotonic();
      if (wait > 0) {
        this.#pumpLater(wait);
        return;
      }
      this.#queue.shift()?.start();
    }
  }

  #pumpLater(ms: number): void {
    if (this.#timer !== undefined) return;
    const timer = new AbortController();
    this.#timer = timer;
    const done = (): void => {
      this.#timer = undefined;
      this.#pump();
    };
    this.#clock.sleep(ms, timer.signal).then(done, done);
  }
}
