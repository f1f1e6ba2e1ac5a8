import { ResearchError } from '../errors.ts';
import type { RunContext } from '../runContext.ts';
import type { ResearchStateType } from '../state.ts';

/** The fan-in: all sections of the round are in. Ends the run when there is nothing at all to report. */
export function aggregateNode(run: RunContext) {
  return (state: ResearchStateType): Partial<ResearchStateType> => {
    const failed = state.sections.filter((section) => section.status === 'failed');
    const withEvidence = state.sections.filter((section) => section.sourceIds.length > 0);
    run.log.info(`sections: ${state.sections.length}, with sources: ${withEvidence.length}, failed: ${failed.length}`);
    if (withEvidence.length > 0) return {};
    const searched = [...new Set(state.sections.flatMap((section) => section.searched))];
    if (failed.length > 0 && failed.length === state.sections.length) {
      throw new ResearchError('noEvidence', `No section could be researched: ${failed[0]!.error ?? 'unknown error'}`, {
        next: 'Check the connection, the key and the enabled sources, then start again. What was done is kept with the run.',
      });
    }
    throw new ResearchError('noEvidence', `Nothing was found${searched.length > 0 ? ` in ${searched.join(', ')}` : ''}, so no report was written.`, {
      next:
        searched.length > 0
          ? 'Ask with other or fewer words, enable more sources, or open a folder that has something on the subject.'
          : 'Enable a source (setting deepResearch.sources.enabled), or open a folder to research.',
    });
  };
}
