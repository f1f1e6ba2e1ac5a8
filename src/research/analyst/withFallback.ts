import { ResearchError, type ErrorReason } from '../errors.ts';
import type { Analyst, Scope } from './analyst.ts';

/** Why a step can't be done by this model, though the run can go on: no other try would change it. */
const byRules: readonly ErrorReason[] = ['budget', 'contextLength'];

/**
 * An analyst whose steps before and between the researchers are done without the model when their prompt does not fit it, or the
 * run's budget has no room for them. Reading and writing have fallbacks of their own, which keep what was found.
 */
export function withFallback(analyst: Analyst, fallback: Analyst): Analyst {
  if (analyst === fallback || analyst.kind === 'extractive') return analyst;
  const step =
    <I, O>(name: string, first: (input: I, scope: Scope) => Promise<O>, second: typeof first) =>
    async (input: I, scope: Scope): Promise<O> => {
      try {
        return await first(input, scope);
      } catch (error) {
        if (scope.signal.aborted || !ResearchError.is(error, ...byRules)) throw error;
        // The budget has a warning of its own, once.
        if (error.reason !== 'budget') scope.warn({ kind: 'step.byRules', step: name, error });
        return await second(input, scope);
      }
    };
  return {
    kind: analyst.kind,
    act: (input, scope) => analyst.act(input, scope),
    distil: (input, scope) => analyst.distil(input, scope),
    writeReport: (input, scope) => analyst.writeReport(input, scope),
    ...(analyst.review && { review: analyst.review.bind(analyst) }),
    ...(analyst.reflect && { reflect: analyst.reflect.bind(analyst) }),
    assess: step('assess', analyst.assess.bind(analyst), fallback.assess.bind(fallback)),
    analyze: step('analyze', analyst.analyze.bind(analyst), fallback.analyze.bind(fallback)),
    discover: step('discover', analyst.discover.bind(analyst), fallback.discover.bind(fallback)),
    plan: step('plan', analyst.plan.bind(analyst), fallback.plan.bind(fallback)),
    coordinate: step('coordinate', analyst.coordinate.bind(analyst), fallback.coordinate.bind(fallback)),
    brief: step('brief', analyst.brief.bind(analyst), fallback.brief.bind(fallback)),
    supervise: step('supervise', analyst.supervise.bind(analyst), fallback.supervise.bind(fallback)),
  };
}
