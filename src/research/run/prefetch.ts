/**
 * Work that was started before the step that needs it, by its place in the run. A step takes what is there, or does the work itself:
 * calls have the same keys either way, so that a resumed run finds them in its journal.
 */
export class Prefetch {
  readonly #started = new Map<string, { readonly work: Promise<unknown>; readonly stop: AbortController }>();
  readonly #seen = new Set<string>();
  readonly #ended: AbortSignal;

  /** @param ended Ends all of it: the run's signal. */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
  }

  /** Starts the work of a place once. Its failure is passed to the caller that takes it. */
  start<T>(place: string, work: (signal: AbortSignal) => Promise<T>): void {
    if (this.#seen.has(place) || this.#ended.aborted) return;
    this.#seen.add(place);
    const stop = new AbortController();
    const started = work(AbortSignal.any([this.#ended, stop.signal]));
    started.catch(() => undefined);
    this.#started.set(place, { work: started, stop });
  }

  /** The work of a place, for several. */
  get<T>(place: string): Promise<T> | undefined {
    return this.#started.get(place)?.work as Promise<T> | undefined;
  }

  /**
   * Takes the work of a place, once; undefined when it was not started.
   * @param signal Ends the work from now on.
   */
  take<T>(place: string, signal?: AbortSignal): Promise<T> | undefined {
    const started = this.#started.get(place);
    const stop = (): void => started?.stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    // Taken before it was started: the caller does the work itself, and no other starts it.
    this.#seen.add(place);
    this.#started.delete(place);
    return started?.work as Promise<T> | undefined;
  }

  /** Cancels work that was not taken. */
  discard(why: unknown): void {
    for (const { stop } of this.#started.values()) stop.abort(why);
    this.#started.clear();
  }
}
