import { Command } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import type { Failure } from '../run/failure.ts';
import type { RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType, SectionState } from '../state.ts';

/** The fan-in: all sections of the round are in. */
export function aggregateNode(run: RunContext) {
  return (state: ResearchStateType): Route<'aggregate'> => {
    const failed = state.sections.filter((section) => section.status === 'failed').length;
    const withSources = state.sections.filter((section) => section.sourceIds.length > 0).length;
    run.log.info(`sections: ${state.sections.length}, with sources: ${withSources}, failed: ${failed}`);
    if (state.strategy === 'supervisor') return new Command({ goto: 'supervise' });
    // There is nothing to review where nothing was found.
    return new Command({ goto: state.strategy === 'short' || withSources === 0 ? 'report' : 'review' });
  };
}

/** Sources alone are no evidence: something in them has to be about the section. */
export function hasEvidence({ distilled }: SectionState): boolean {
  return distilled !== undefined && (distilled.findings.length > 0 || /\[S[0-9a-f]{5,64}\]/.test(distilled.content));
}

/** "Finish now" was requested before anything was found. */
export function nothingFoundYet(): ResearchError {
  return new ResearchError(
    'noEvidence',
    'The research was finished before anything that answers the question was found, so there is nothing to report.',
    {
      next: 'Resume the run, or rerun the question and give it more time.',
    },
  );
}

/** Ends the run when there is nothing at all to report: nothing is ever written from memory. */
export function assertEvidence(run: RunContext, state: ResearchStateType): void {
  if (state.sections.some(hasEvidence)) return;
  if (run.finishSignal.aborted) throw nothingFoundYet();
  const searched = [...new Set(state.sections.flatMap((section) => section.searched))];
  const failed = state.sections.filter((section) => section.status === 'failed');
  if (failed.length > 0 && failed.length === state.sections.length) {
    // Usually one cause: the run ends with it, as it would have at the first call.
    const first = failed.find(({ failure }) => failure !== undefined)?.failure;
    const { reason, message, next, origin }: Failure = first ?? {
      reason: 'noEvidence',
      message: failed[0]!.error ?? 'nothing answered.',
      next: '',
    };
    throw new ResearchError(reason, `No section could be researched: ${message}`, {
      ...(origin === undefined ? {} : { origin }),
      next:
        next || 'Check the connection, the key and the enabled sources, then resume the run: what was found is saved.',
    });
  }
  throw new ResearchError(
    'noEvidence',
    `Nothing that answers the question was found${searched.length > 0 ? ` in ${searched.join(', ')}` : ''}, so no report was written.`,
    {
      next: 'Try other or fewer words, enable more sources, or open a folder that has something on the subject.',
    },
  );
}
