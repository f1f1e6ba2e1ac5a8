import { ResearchError } from '../errors.ts';
import { AwakeTimer, untilAborted } from './waiting.ts';

export interface WatchdogOptions {
  /** Time without any progress after which work times out, in milliseconds. */
  readonly stallMs: number;
  /** Whether a call below a place of the run is in progress: it has a deadline, a limit of silence and a pause of its own. */
  readonly isBusy: (path: string) => boolean;
}

export interface Guarding {
  readonly signal: AbortSignal;
  /** Aborted when the work times out. */
  readonly abort?: AbortController;
  /** Factor on the limit: an outer guard waits longer than those inside it. */
  readonly patience?: number;
}

/**
 * Times out work that stalls. Calls watch themselves; this is for everything else that is awaited: its time runs while no call
 * below a place of the run is in progress, and then the work at that place alone is abandoned.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  /** Counts everything that happened in the run. */
  #events = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** The run made progress. */
  progress(): void {
    this.#events += 1;
  }

  /**
   * Resolves with the result of the work. Rejects with `timeout` when there was no progress within the limit, and at once with
   * `signal.reason` when aborted.
   *
   * @param path Place of the run; "" is the whole run, for which each of its events counts as progress.
   */
  async guard<T>(path: string, what: string, work: Promise<T>, { signal, abort, patience = 1 }: Guarding): Promise<T> {
    const limit = this.#options.stallMs * patience;
    let events = this.#events;
    const over = Promise.withResolvers<never>();
    const timeOut = (): void => {
      const error = new ResearchError(
        'timeout',
        `${what} made no progress for ${Math.round(limit / 1000)} s and timed out.`,
        { next: 'Resume the run, or see the log for details.' },
      );
      abort?.abort(error);
      over.reject(error);
    };
    const timer = new AwakeTimer(limit, timeOut, () => {
      const happened = path === '' && events !== this.#events;
      events = this.#events;
      if (happened || this.#options.isBusy(path)) timer.restart();
    });
    try {
      return await untilAborted(Promise.race([work, over.promise]), signal);
    } finally {
      timer.end();
    }
  }
}
