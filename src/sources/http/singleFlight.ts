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
  run(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          this.#forget(key, flight);
          flight.cancel.abort(signal.reason);
        }
        reject(signal.reason);
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      const settled = (): void => signal.removeEventListener('abort', leave);
      flight.result.then(resolve, reject).finally(settled);
    });
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const cancel = new AbortController();
    const result = start(cancel.signal).finally(() => this.#forget(key, flight));
    // When all callers have left, nothing handles the rejection.
    result.catch(() => undefined);
    const flight: Flight<T> = { result, cancel, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
