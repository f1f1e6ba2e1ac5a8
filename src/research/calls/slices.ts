/** How long work may hold the process before others have a turn, in milliseconds. */
const sliceMs = 40;

/** Cuts long synchronous work into slices, so that Stop, timers and the editor's other work get through between them. */
export class Slices {
  readonly #signal: AbortSignal;
  #began = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call it before each piece of work. Rejects with `signal.reason` when aborted. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal.throwIfAborted();
    this.#began = performance.now();
  }
}
