import type { Analyst, Scope } from '../analyst/analyst.ts';
import { eachStep } from '../analyst/eachStep.ts';
import type { Watchdog } from '../calls/watchdog.ts';

/** An analyst whose every step is guarded: one that never ends fails as that step. */
export function watched(analyst: Analyst, watchdog: Watchdog): Analyst {
  const guarded = <T>(name: string, scope: Scope, think: (inner: Scope) => Promise<T>): Promise<T> => {
    const abort = new AbortController();
    const work = think(scopeUntil(scope, abort.signal));
    return watchdog.guard(scope.path, `The step "${name}"`, work, { signal: scope.signal, abort });
  };
  const writing: Pick<Analyst, 'writeReport'> = {
    async *writeReport(input, scope) {
      const abort = new AbortController();
      const written = analyst.writeReport(input, scopeUntil(scope, abort.signal))[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await watchdog.guard(scope.path, 'The step "report"', written.next(), {
            signal: scope.signal,
            abort,
          });
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // A generator that hangs would not return either: it is abandoned.
        if (!abort.signal.aborted && !scope.signal.aborted) await written.return?.(undefined);
      }
    },
  };
  return eachStep(
    analyst,
    writing,
    (name, step) =>
      (input, scope, ...more) =>
        guarded(name, scope, (inner) => step(input, inner, ...more)),
  );
}

/** Abandoned work makes no further call when it wakes up after all. */
function scopeUntil(scope: Scope, aborted: AbortSignal): Scope {
  return {
    ...scope,
    signal: AbortSignal.any([scope.signal, aborted]),
    async model(...call) {
      aborted.throwIfAborted();
      return await scope.model(...call);
    },
  };
}
