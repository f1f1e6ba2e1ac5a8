import type { Trust } from '../../protocol/ports.ts';
import { isUnreachable, ResearchError } from '../errors.ts';
import type { Analyst } from './analyst.ts';
import type { ReplacedStep } from '../languages/warning.ts';
import { type AnyStep, eachStep } from './eachStep.ts';

export interface FallbackOptions {
  readonly trust: Trust;
  /** Whether a model has answered in this run. Until then one that can't be used is a mistake in the settings. */
  readonly hasAnswered: () => boolean;
  /** It was tried, now or in an earlier run, and its answers could be read: what it can be asked at is a model's server. */
  readonly wasRead: boolean;
  /** The user did not choose it: unless it can be reached, the run does without. */
  readonly isModelFound: boolean;
}

/** Steps that the fallback does in place of a model that can't. */
const replaced = new Set<string>([
  'assess',
  'followUp',
  'analyze',
  'discover',
  'plan',
  'brief',
  'supervise',
] satisfies ReplacedStep[]);
const isReplaced = (name: string): name is ReplacedStep => replaced.has(name);

/**
 * An analyst that does with the model what its trial showed that it can: all of it, the writing and the second reading (whose controls
 * say whether it counts), or nothing. Its steps are done without the model when its answer is unusable, too late, cut off or refused: each
 * with one warning that says what was replaced.
 * Reading (`act`, `distil`), reviewing and writing reject instead, because their callers keep what was found until then. A
 * model that is refused (see `ModelTries`) fails them at once, without a call.
 *
 * A model that can't be used at the first contact (a wrong key, no quota, an unknown model, an unreachable server) ends the run.
 */
export function withFallback(analyst: Analyst, fallback: Analyst, options: FallbackOptions): Analyst {
  if (analyst === fallback || analyst.kind === 'extractive') return analyst;
  if (options.trust === 'quotes') return fallback;
  const asked = eachStep(analyst, analyst, (name, step) => async (input, scope, ...more) => {
    try {
      const answer = await step(input, scope, ...more);
      scope.noteUse();
      return answer;
    } catch (thrown) {
      const error = ResearchError.from(thrown);
      if (scope.signal.aborted) throw thrown;
      if (endsRun(error, options)) throw error.reason === 'network' ? withOffer(error) : thrown;
      scope.noteUse(error);
      if (!isReplaced(name) || error.hasReason('abort', 'finish')) throw thrown;
      // The budget has a warning of its own, once.
      if (error.reason !== 'budget') scope.warn({ kind: 'step.byRules', step: name, error });
      return await (fallback[name] as AnyStep).call(fallback, input, scope);
    }
  });
  // It tries again by itself, and what it fails with says nothing about who writes.
  const verifying = analyst.verify && { verify: analyst.verify.bind(analyst) };
  if (options.trust === 'leads') return { ...asked, ...verifying };
  const { kind, writeSection } = asked;
  return { ...eachStep(fallback, asked, (_, step) => step), kind, ...(writeSection && { writeSection }), ...verifying };
}

/** What a person has to mend before anything can be done with this model. */
function endsRun(error: ResearchError, { hasAnswered, wasRead, isModelFound }: FallbackOptions): boolean {
  if (hasAnswered()) return false;
  if (error.hasReason('auth', 'quota', 'notFound')) return true;
  // Without any answer so far a bad one is that of a server which is no model's: a web page.
  if (error.reason === 'badAnswer') return !wasRead;
  return !isModelFound && isUnreachable(error);
}

function withOffer({ reason, message, next, origin }: ResearchError): ResearchError {
  const offer = 'To research without a model, set deepResearch.model.provider to extractive (--provider extractive).';
  return new ResearchError(reason, message, { next: `${next} ${offer}`, ...(origin !== undefined && { origin }) });
}
