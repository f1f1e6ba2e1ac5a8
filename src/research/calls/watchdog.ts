import type { Analyst, Scope } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { AwakeTimer, untilAborted } from './waiting.ts';

export interface WatchdogOptions {
  /** Time without any progress after which work is given up, in milliseconds. */
  readonly stallMs: number;
  /** Whether a call below a place of the run is under way: it has a deadline, a limit of silence and a pause of its own. */
  readonly isBusy: (path: string) => boolean;
}

export interface Guarding {
  readonly signal: AbortSignal;
  /** Aborted when the work is given up. */
  readonly cut?: AbortController;
  /** How many limits long it is waited: a net below another one waits longer. */
  readonly patience?: number;
}

/**
 * Cuts off what stands still. Calls watch themselves; this is for all else that is waited for: while no call is under way below
 * a place of the run and nothing ends there, its time runs, and then what hangs there is left alone, and nothing beside it.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  /** Counts everything that happened in the run. */
  #events = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Something happened in the run. */
  progress(): void {
    this.#events += 1;
  }

  /**
   * Gives what the work gives. Rejects with `timeout` when nothing happened there for the limit, and with `signal.reason` at
   * once when aborted.
   *
   * @param path Place of the run; "" is the whole run, for which each of its events counts as progress.
   */
  async guard<T>(path: string, what: string, work: Promise<T>, { signal, cut, patience = 1 }: Guarding): Promise<T> {
    const limit = this.#options.stallMs * patience;
    let events = this.#events;
    const over = Promise.withResolvers<never>();
    const giveUp = (): void => {
      const error = new ResearchError(
        'timeout',
        `${what} stood still for ${Math.round(limit / 1000)} s and was given up.`,
        { next: 'Go on with the run, or look at the log for details.' },
      );
      cut?.abort(error);
      over.reject(error);
    };
    const timer = new AwakeTimer(limit, giveUp, () => {
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

/** An analyst whose every step is watched, so that one that never ends is a failure of that step. */
export function watched(analyst: Analyst, watchdog: Watchdog): Analyst {
  const step = <I, O>(name: string, think: (input: I, scope: Scope) => Promise<O>) => {
    return (input: I, scope: Scope): Promise<O> => {
      const cut = new AbortController();
      return watchdog.guard(scope.path, `The step "${name}"`, think(input, scopeUntil(scope, cut.signal)), {
        signal: scope.signal,
        cut,
      });
    };
  };
  return {
    kind: analyst.kind,
    assess: step('assess', (input, scope) => analyst.assess(input, scope)),
    analyze: step('analyze', (input, scope) => analyst.analyze(input, scope)),
    discover: step('discover', (input, scope) => analyst.discover(input, scope)),
    plan: step('plan', (input, scope) => analyst.plan(input, scope)),
    coordinate: step('coordinate', (input, scope) => analyst.coordinate(input, scope)),
    brief: step('brief', (input, scope) => analyst.brief(input, scope)),
    act: step('act', (input, scope) => analyst.act(input, scope)),
    distil: step('distil', (input, scope) => analyst.distil(input, scope)),
    review: step('review', (input, scope) => analyst.review(input, scope)),
    reflect: step('reflect', (input, scope) => analyst.reflect(input, scope)),
    supervise: step('supervise', (input, scope) => analyst.supervise(input, scope)),
    async *writeReport(input, scope) {
      const cut = new AbortController();
      const writing = analyst.writeReport(input, scopeUntil(scope, cut.signal))[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await watchdog.guard(scope.path, 'The step "report"', writing.next(), {
            signal: scope.signal,
            cut,
          });
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // A generator that hangs would not return either: it is left to itself.
        if (!cut.signal.aborted && !scope.signal.aborted) await writing.return?.(undefined);
      }
    },
  };
}

/** What was cut off makes no further call when it wakes up after all. */
function scopeUntil(scope: Scope, cut: AbortSignal): Scope {
  return {
    ...scope,
    signal: AbortSignal.any([scope.signal, cut]),
    async model(...call) {
      cut.throwIfAborted();
      return await scope.model(...call);
    },
  };
}
