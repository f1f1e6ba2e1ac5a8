import { untilAborted } from '../../research/calls/waiting.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly cancel: AbortController;
  waiting: number;
}

/** Work with the same key is done once for all callers that ask while it is in progress. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /**
   * Joins the work of `key`, or starts it. One caller's abort rejects that caller at once with `signal.reason`; the signal
   * that `start` was given is aborted only when the last caller has left.
   */
  async run(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.waiting += 1;
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && signal.aborted) {
        this.#forget(key, flight);
        flight.cancel.abort(signal.reason);
      }
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const cancel = new AbortController();
    const result = start(cancel.signal).finally(() => this.#forget(key, flight));
    const flight: Flight<T> = { result, cancel, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
