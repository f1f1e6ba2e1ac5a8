import { ResearchError, type ErrorReason } from '../errors.ts';
import type { RunContext } from './runContext.ts';

/** Why a part of the run failed, as it stands in the state: plain JSON, in words of our own. */
export interface Failure {
  readonly reason: ErrorReason;
  readonly message: string;
  readonly next: string;
  /** Host or provider that failed. */
  readonly origin?: string;
}

/** What was caught at a step of the run. A mistake of the program goes into the log, where alone its details belong. */
export function caught(run: Pick<RunContext, 'log'>, where: string, thrown: unknown): ResearchError {
  const error = ResearchError.from(thrown);
  if (error.reason === 'bug') run.log.error(`${where}: ${error.stack ?? error.message}`);
  return error;
}

export function failureOf({ reason, plain, next, origin }: ResearchError): Failure {
  return { reason, message: plain, next, ...(origin === undefined ? {} : { origin }) };
}
