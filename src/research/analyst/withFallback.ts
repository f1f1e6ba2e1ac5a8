import type { Trust } from '../../protocol/ports.ts';
import { ResearchError } from '../errors.ts';
import type { Analyst, Scope, SectionInput } from './analyst.ts';

/** A step that failed as often in a row is not asked for again, nor is anything once so many different steps did. */
const mostInARow = 3;

export interface FallbackOptions {
  readonly trust: Trust;
  /** Whether a model has answered in this run. Until then one that can't be used is a mistake in the settings. */
  readonly hasAnswered: () => boolean;
}

/**
 * An analyst that does with the model what its trial showed that it can: all of it, the writing alone, or nothing. Its steps are done without the model when its answer is unusable, too late, cut off or refused: each with one warning
 * that says what was replaced. Reading (`act`, `distil`), reviewing and writing reject instead, because their callers keep what was
 * found until then; all of them reject at once, without a call, when the model was given up.
 *
 * A model that can't be used at the first contact (a wrong key, no quota, an unknown model, an unreachable server) ends the run.
 */
export function withFallback(analyst: Analyst, fallback: Analyst, options: FallbackOptions): Analyst {
  if (analyst === fallback || analyst.kind === 'extractive') return analyst;
  if (options.trust === 'quotes') return fallback;
  const breaker = new Breaker();
  const asked =
    <I, O>(name: string, first: (input: I, scope: Scope) => Promise<O>) =>
    async (input: I, scope: Scope): Promise<O> => {
      breaker.check(name);
      try {
        const answer = await first(input, scope);
        breaker.succeeded(name);
        return answer;
      } catch (error) {
        if (!scope.signal.aborted && !endsRun(error, options)) breaker.failed(name, ResearchError.from(error), scope);
        throw error;
      }
    };
  const step = <I, O>(name: string, first: (input: I, scope: Scope) => Promise<O>, second: typeof first) => {
    const tried = asked(name, first);
    return async (input: I, scope: Scope): Promise<O> => {
      try {
        return await tried(input, scope);
      } catch (thrown) {
        const error = ResearchError.from(thrown);
        if (scope.signal.aborted || error.hasReason('abort', 'finish') || endsRun(error, options)) throw thrown;
        // The budget has a warning of its own, once, and so has a model that is no longer asked.
        if (error.reason !== 'budget' && !breaker.isOpen(name)) scope.warn({ kind: 'step.byRules', step: name, error });
        return await second(input, scope);
      }
    };
  };
  const writing: Pick<Analyst, 'writeReport' | 'writeSection'> = {
    async *writeReport(input, scope) {
      breaker.check('report');
      yield* analyst.writeReport(input, scope);
    },
    ...(analyst.writeSection && {
      writeSection: (input, scope, onText) =>
        asked('section', (given: SectionInput, inner) => analyst.writeSection!(given, inner, onText))(input, scope),
    }),
  };
  if (options.trust === 'helps') return { ...bound(fallback), kind: analyst.kind, ...writing };
  return {
    kind: analyst.kind,
    ...writing,
    act: asked('act', analyst.act.bind(analyst)),
    distil: asked('distil', analyst.distil.bind(analyst)),
    ...(analyst.review && { review: asked('review', analyst.review.bind(analyst)) }),
    ...(analyst.reflect && { reflect: asked('reflect', analyst.reflect.bind(analyst)) }),
    ...(analyst.frame && { frame: asked('frame', analyst.frame.bind(analyst)) }),
    ...(analyst.critique && { critique: asked('critique', analyst.critique.bind(analyst)) }),
    // A model of its own as a rule: what it fails with says nothing about the one that writes.
    ...(analyst.verify && { verify: analyst.verify.bind(analyst) }),
    assess: step('assess', analyst.assess.bind(analyst), fallback.assess.bind(fallback)),
    analyze: step('analyze', analyst.analyze.bind(analyst), fallback.analyze.bind(fallback)),
    discover: step('discover', analyst.discover.bind(analyst), fallback.discover.bind(fallback)),
    plan: step('plan', analyst.plan.bind(analyst), fallback.plan.bind(fallback)),
    coordinate: step('coordinate', analyst.coordinate.bind(analyst), fallback.coordinate.bind(fallback)),
    brief: step('brief', analyst.brief.bind(analyst), fallback.brief.bind(fallback)),
    supervise: step('supervise', analyst.supervise.bind(analyst), fallback.supervise.bind(fallback)),
  };
}

/** The steps that every analyst has. */
function bound(analyst: Analyst): Omit<Analyst, 'kind' | 'writeReport'> {
  return {
    assess: analyst.assess.bind(analyst),
    analyze: analyst.analyze.bind(analyst),
    discover: analyst.discover.bind(analyst),
    plan: analyst.plan.bind(analyst),
    act: analyst.act.bind(analyst),
    distil: analyst.distil.bind(analyst),
    coordinate: analyst.coordinate.bind(analyst),
    brief: analyst.brief.bind(analyst),
    supervise: analyst.supervise.bind(analyst),
  };
}

/** What a person has to mend before anything can be done with this model. */
function endsRun(thrown: unknown, { hasAnswered }: FallbackOptions): boolean {
  const error = ResearchError.from(thrown);
  if (hasAnswered()) return false;
  // Without any answer so far a bad one is that of a server which is no model's: a web page.
  if (error.hasReason('auth', 'quota', 'notFound', 'badAnswer')) return true;
  return error.reason === 'network' && error.status === undefined;
}

/** A circuit breaker (Nygard, Release It!, 2007) that stays open: a model that is of no use stays so for the rest of a run. */
class Breaker {
  /** Failures in a row, by step. */
  readonly #failures = new Map<string, number>();
  /** Steps that failed since one succeeded. */
  readonly #steps = new Set<string>();
  readonly #open = new Map<string, ResearchError>();

  isOpen(step: string): boolean {
    return this.#reason(step) !== undefined;
  }

  /** Throws what the step failed with last when it is not asked for any more. */
  check(step: string): void {
    const reason = this.#reason(step);
    if (reason) throw reason;
  }

  succeeded(step: string): void {
    this.#failures.delete(step);
    this.#steps.clear();
  }

  failed(step: string, error: ResearchError, scope: Scope): void {
    // Time, money and the length of a prompt say nothing about the model.
    if (error.hasReason('abort', 'finish', 'budget', 'contextLength', 'bug')) return;
    const failures = (this.#failures.get(step) ?? 0) + 1;
    this.#failures.set(step, failures);
    this.#steps.add(step);
    const opened = this.#steps.size >= mostInARow ? 'all' : failures >= mostInARow ? step : undefined;
    if (opened === undefined || this.isOpen(step)) return;
    this.#open.set(opened, error);
    scope.warn({ kind: 'model.givenUp', error });
  }

  #reason(step: string): ResearchError | undefined {
    return this.#open.get('all') ?? this.#open.get(step);
  }
}
