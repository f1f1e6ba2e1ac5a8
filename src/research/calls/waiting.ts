import type { ResearchError } from '../errors.ts';

/** Waiting for work that may never end. No clock is read here, so that setting it, or a sleep of the computer, changes nothing. */

/** A limit is counted in slices of at most this length, in milliseconds. */
const longestSlice = 5_000;
/** And in at least so many where it is long enough: each is a turn of the event loop, in which a busy process reads what has arrived. */
const fewestSlices = 18;

/**
 * A time limit that counts only while this computer is awake. It adds up slices of an ordinary timer: a night's sleep delays one
 * of them and so adds one slice, where a single timer would expire at once.
 */
export class AwakeTimer {
  readonly #ms: number;
  readonly #onEnd: () => void;
  readonly #onSlice: ((slice: number) => void) | undefined;
  #left: number;
  #restarted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onSlice Called after each slice, before it is counted, with its length; may restart the timer. */
  constructor(ms: number, onEnd: () => void, onSlice?: (slice: number) => void) {
    this.#ms = ms;
    this.#left = ms;
    this.#onEnd = onEnd;
    this.#onSlice = onSlice;
    this.#next();
  }

  /** Restarts the limit. Costs nothing, so that every piece of a stream may call it. */
  restart(): void {
    this.#restarted = true;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #next(): void {
    const slice = Math.max(1, Math.min(this.#left, Math.ceil(this.#ms / fewestSlices), longestSlice));
    this.#timer = setTimeout(() => {
      this.#onSlice?.(slice);
      this.#left = this.#restarted ? this.#ms : this.#left - slice;
      this.#restarted = false;
      if (this.#left > 0) this.#next();
      else this.#onEnd();
    }, slice);
  }
}

/** Rejects as soon as the signal is aborted, even when the work does not listen to it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // A rejection of work that is no longer awaited must not end the program.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Rejects with the error when the work takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>, late: () => ResearchError): Promise<T> {
  work.catch(() => undefined);
  let timer: AwakeTimer | undefined;
  const over = new Promise<never>((_, reject) => (timer = new AwakeTimer(ms, () => reject(late()))));
  try {
    return await Promise.race([work, over]);
  } finally {
    timer?.end();
  }
}

/** Waits for the work to settle, for at most `ms`. Never rejects. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = new AwakeTimer(ms, resolve);
    void work
      .catch(() => undefined)
      .then(() => {
        timer.end();
        resolve();
      });
  });
}
