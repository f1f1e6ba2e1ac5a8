import { hasEvidence } from './hasEvidence.ts';
import type { EventPort, LimitPort } from '../run/runContext.ts';
import type { SectionState } from '../state.ts';

/** Ends the calls of a section's research: with the run, or when the user stops this section alone. */
export function stoppable(run: EventPort & LimitPort, section: string): AbortSignal {
  return AbortSignal.any([run.signal, run.steering.signalOf(section)]);
}

/** A section that the user has stopped, as it ends: with what it has found, or without anything. */
export function stopped(run: EventPort, section: SectionState): SectionState {
  const { error: _error, failure: _failure, ...kept } = section;
  return hasEvidence(section)
    ? { ...kept, status: 'completed', gaps: [], stopped: true }
    : { ...kept, status: 'failed', gaps: [], stopped: true, error: run.texts.stoppedByUser };
}
