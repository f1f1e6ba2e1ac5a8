/** How long work may hold the process before others have a turn, in milliseconds. */
const sliceMs = 40;

/** Cuts long synchronous work into slices, so that Stop, timers and the editor's other work get through between them. */
export class Slices {
  readonly #signal: AbortSignal;
  #began = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call it before each piece of work: undefined while the slice lasts. Rejects with `signal.reason` once aborted. */
  next(): Promise<void> | undefined {
    return !this.#signal.aborted && performance.now() - this.#began < sliceMs ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#began = performance.now();
  }
}

/** Resolves in the next turn of the event loop, after timers and input that are due. A timer of 0 ms would be clamped. */
export async function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });
  port1.close();
}
