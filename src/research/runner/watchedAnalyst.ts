import type {
  Analyst,
  CritiqueInput,
  FrameInput,
  ReflectInput,
  ReviewInput,
  Scope,
  SectionInput,
  VerifyInput,
} from '../analyst/analyst.ts';
import type { Watchdog } from '../calls/watchdog.ts';

/** An analyst whose every step is guarded: one that never ends fails as that step. */
export function watched(analyst: Analyst, watchdog: Watchdog): Analyst {
  const step = <I, O>(name: string, think: (input: I, scope: Scope) => Promise<O>) => {
    return (input: I, scope: Scope): Promise<O> => {
      const abort = new AbortController();
      return watchdog.guard(scope.path, `The step "${name}"`, think(input, scopeUntil(scope, abort.signal)), {
        signal: scope.signal,
        abort,
      });
    };
  };
  const review = analyst.review?.bind(analyst);
  const reflect = analyst.reflect?.bind(analyst);
  const frame = analyst.frame?.bind(analyst);
  const critique = analyst.critique?.bind(analyst);
  const verify = analyst.verify?.bind(analyst);
  const writeSection = analyst.writeSection?.bind(analyst);
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
    ...(review ? { review: step('review', (input: ReviewInput, scope) => review(input, scope)) } : {}),
    ...(reflect ? { reflect: step('reflect', (input: ReflectInput, scope) => reflect(input, scope)) } : {}),
    ...(frame ? { frame: step('frame', (input: FrameInput, scope) => frame(input, scope)) } : {}),
    ...(critique ? { critique: step('critique', (input: CritiqueInput, scope) => critique(input, scope)) } : {}),
    ...(verify ? { verify: step('verify', (input: VerifyInput, scope) => verify(input, scope)) } : {}),
    ...(writeSection
      ? {
          writeSection: (input, scope, onText) =>
            step('writeSection', (_: SectionInput, inner) => writeSection(input, inner, onText))(input, scope),
        }
      : {}),
    supervise: step('supervise', (input, scope) => analyst.supervise(input, scope)),
    async *writeReport(input, scope) {
      const abort = new AbortController();
      const writing = analyst.writeReport(input, scopeUntil(scope, abort.signal))[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await watchdog.guard(scope.path, 'The step "report"', writing.next(), {
            signal: scope.signal,
            abort,
          });
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // A generator that hangs would not return either: it is abandoned.
        if (!abort.signal.aborted && !scope.signal.aborted) await writing.return?.(undefined);
      }
    },
  };
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
