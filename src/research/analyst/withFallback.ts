import type { Trust } from '../../protocol/ports.ts';
import { isUnreachable, ResearchError } from '../errors.ts';
import type { Analyst, Scope } from './analyst.ts';
import { type AnyStep, eachStep } from './eachStep.ts';

/** A step that failed as often in a row is not asked for again, nor is anything once so many different steps did. */
const mostInARow = 3;

export interface FallbackOptions {
  readonly trust: Trust;
  /** Whether a model has answered in this run. Until then one that can't be used is a mistake in the settings. */
  readonly hasAnswered: () => boolean;
  /** The user did not choose it: unless it can be reached, the run does without. */
  readonly isModelFound: boolean;
}

/** Steps that the fallback does in place of a model that can't. */
const replaced = new Set(['assess', 'analyze', 'discover', 'plan', 'coordinate', 'brief', 'supervise']);

/**
 * An analyst that does with the model what its trial showed that it can: all of it, the writing alone, or nothing. Its steps are done
 * without the model when its answer is unusable, too late, cut off or refused: each with one warning that says what was replaced.
 * Reading (`act`, `distil`), reviewing and writing reject instead, because their callers keep what was found until then; all of them
 * reject at once, without a call, when the model was given up.
 *
 * A model that can't be used at the first contact (a wrong key, no quota, an unknown model, an unreachable server) ends the run.
 */
export function withFallback(analyst: Analyst, fallback: Analyst, options: FallbackOptions): Analyst {
  if (analyst === fallback || analyst.kind === 'extractive') return analyst;
  if (options.trust === 'quotes') return fallback;
  const breaker = new Breaker();
  const writing: Pick<Analyst, 'writeReport'> = {
    async *writeReport(input, scope) {
      breaker.check('report');
      yield* analyst.writeReport(input, scope);
    },
  };
  const asked = eachStep(analyst, writing, (name, step) => async (input, scope, ...more) => {
    const second = replaced.has(name) ? (fallback[name]!.bind(fallback) as AnyStep) : undefined;
    if (breaker.isOpen(name) && second) return await second(input, scope);
    breaker.check(name);
    try {
      const answer = await step(input, scope, ...more);
      breaker.succeeded(name);
      return answer;
    } catch (thrown) {
      const error = ResearchError.from(thrown);
      if (scope.signal.aborted) throw thrown;
      if (endsRun(error, options)) throw error.reason === 'network' ? withOffer(error) : thrown;
      breaker.failed(name, error, scope);
      if (second === undefined || error.hasReason('abort', 'finish')) throw thrown;
      // The budget has a warning of its own, once, and so has a model that was given up.
      if (error.reason !== 'budget' && !breaker.isOpen(name)) scope.warn({ kind: 'step.byRules', step: name, error });
      return await second(input, scope);
    }
  });
  // A model of its own as a rule: what it fails with says nothing about the one that writes.
  const verifying = analyst.verify && { verify: analyst.verify.bind(analyst) };
  if (options.trust === 'leads') return { ...asked, ...verifying };
  const { kind, writeSection } = asked;
  return { ...eachStep(fallback, asked, (_, step) => step), kind, ...(writeSection && { writeSection }) };
}

/** What a person has to mend before anything can be done with this model. */
function endsRun(error: ResearchError, { hasAnswered, isModelFound }: FallbackOptions): boolean {
  if (hasAnswered()) return false;
  // Without any answer so far a bad one is that of a server which is no model's: a web page.
  if (error.hasReason('auth', 'quota', 'notFound', 'badAnswer')) return true;
  return !isModelFound && isUnreachable(error);
}

function withOffer({ reason, message, next, origin }: ResearchError): ResearchError {
  const offer = 'To research without a model, set deepResearch.model.provider to extractive (--provider extractive).';
  return new ResearchError(reason, message, { next: `${next} ${offer}`, ...(origin !== undefined && { origin }) });
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
