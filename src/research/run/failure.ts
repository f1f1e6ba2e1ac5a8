import { ResearchError } from '../errors.ts';
import type { Failure } from '../stateSchema.ts';
import type { RunContext, EventPort, LimitPort } from './runContext.ts';

/** What was caught at a step of the run. Details of a bug go to the log and nowhere else. */
export function caught(run: Pick<RunContext, 'log'>, where: string, thrown: unknown): ResearchError {
  const error = ResearchError.from(thrown);
  if (error.reason === 'bug') run.log.error(`${where}: ${error.stack ?? error.message}`);
  return error;
}

/**
 * What a step failed with that the run can do without. A stop and "finish now" are no failures of the step: they are thrown
 * again, the latter as the `finish` error that `finishable` waits for.
 */
export function optionalFailure(run: EventPort & LimitPort, where: string, thrown: unknown): ResearchError {
  if (run.signal.aborted) throw run.signal.reason;
  if (run.finishSignal.aborted) throw run.finishSignal.reason;
  return caught(run, where, thrown);
}

export function failureOf({ reason, plain, next, origin }: ResearchError): Failure {
  return { reason, message: plain, next, ...(origin === undefined ? {} : { origin }) };
}
