/** Admits at most `limit` holders; others wait in order of arrival. It queues and never refuses. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs a task as a holder. Rejects with `signal.reason` when aborted while it waits, and with what the task rejects with. */
  async use<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const leave = await this.enter(signal);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Waits for a place; gives the function that frees it, to be called once. Rejects with `signal.reason` when aborted while waiting. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return () => this.#leave();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(() => this.#leave());
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
