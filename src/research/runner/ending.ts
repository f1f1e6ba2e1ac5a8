import type { EventBody } from '../../protocol/events.ts';
import { ResearchError } from '../errors.ts';
import { nothingFoundYet } from '../nodes/aggregate.ts';
import type { EventPort, LimitPort } from '../run/runContext.ts';

/** How long a stopped run waits for its own steps, and then for its files, in milliseconds. */
export const settlingMs = 700;

/** The program closes and the user did not stop the run: it is left interrupted, to be resumed. */
export function isClosing({ aborted, reason }: AbortSignal): boolean {
  return (
    aborted &&
    typeof reason === 'object' &&
    reason !== null &&
    (reason as { readonly closing?: unknown }).closing === true
  );
}

/** Why a run ended without a report. */
export function failureOfRun(context: EventPort & LimitPort, error: unknown): ResearchError {
  const { signal } = context;
  // The run ended itself: its connection was lost for too long.
  if (signal.aborted && ResearchError.is(signal.reason, 'network', 'rateLimit')) return signal.reason;
  if (signal.aborted) return new ResearchError('abort', 'The run was stopped.', { cause: error });
  const failure = ResearchError.from(error);
  return failure.reason === 'finish' ? nothingFoundYet(context) : failure;
}

/** The last event of a run that ended without a report. */
export function endOf(failure: ResearchError, location: string | undefined): EventBody {
  const { reason, message, next } = failure;
  const saved = location ? `What was found is saved in ${location}.` : '';
  if (reason === 'abort')
    return { type: 'run/cancelled', reason, message, next: next || saved || 'Rerun the question at any time.' };
  if (reason === 'needsAnswer') return { type: 'run/paused', reason, message, next };
  return {
    type: 'run/failed',
    reason,
    message,
    next: next || saved || 'See the log for details, and rerun the question.',
  };
}
