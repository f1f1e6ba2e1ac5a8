import { strategyOf } from '../../protocol/strategy.ts';
import { hasEvidence } from '../section/hasEvidence.ts';
import { Command } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import { fillText } from '../../protocol/fillText.ts';
import type { RunContext, AnalystPort, EventPort, LimitPort } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';
import { pendingMembers } from './discover.ts';
import { pendingRemarks } from './pendingRemarks.ts';

/** The fan-in: all sections of the round are in. */
export function aggregateNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'aggregate'>> => {
    const failed = state.sections.filter((section) => section.status === 'failed').length;
    const withSources = state.sections.filter((section) => section.sourceIds.length > 0).length;
    run.log.info(`sections: ${state.sections.length}, with sources: ${withSources}, failed: ${failed}`);
    const { review } = strategyOf(state.strategy);
    // A node of the strategy's own decides.
    if (review !== 'review' && review !== 'report') return new Command({ goto: review });
    // There is nothing to review where nothing was found.
    const reviews = review === 'review' && run.analyst.review !== undefined && withSources > 0;
    const members = await pendingMembers(run, state);
    const sections = await pendingRemarks(run, state, 'aggregate', !reviews);
    if (sections.length > 0) return new Command({ update: { ...members, sections }, goto: 'dispatch' });
    return new Command({ update: members, goto: reviews ? 'review' : 'report' });
  };
}

/** "Finish now" was requested before anything was found. */
export function nothingFoundYet({ texts }: Pick<RunContext, 'texts'>): ResearchError {
  return new ResearchError('noEvidence', texts.ends.tooEarly, { next: texts.ends.tooEarlyNext });
}

/** Everything was searched, and nothing of it answers. A report that says so is what there is to say. */
export function foundNothing(run: LimitPort, { sections }: Pick<ResearchStateType, 'sections'>): boolean {
  return (
    !run.finishSignal.aborted &&
    sections.length > 0 &&
    sections.every(
      (section) => section.status !== 'failed' && (section.distilled?.answered === 'notFound' || !hasEvidence(section)),
    )
  );
}

/** Throws when there is nothing at all to report: nothing is ever written from memory. */
export function assertEvidence(run: AnalystPort & EventPort & LimitPort, state: ResearchStateType): void {
  // A report is not changed where nothing was found for it.
  const mayBeEmpty = state.change === undefined;
  const isSearched = !run.isOffline() || (run.workspace?.fileCount ?? 0) > 0;
  if (state.sections.some(hasEvidence) || (mayBeEmpty && isSearched && foundNothing(run, state))) return;
  if (run.finishSignal.aborted) throw nothingFoundYet(run);
  const { ends } = run.texts;
  if (run.isOffline()) throw new ResearchError('noEvidence', ends.offline, { next: ends.offlineNext });
  const failed = state.sections.filter((section) => section.status === 'failed');
  if (failed.length > 0 && failed.length === state.sections.length) {
    // Usually one cause: the run ends with it, as it would have at the first call.
    const cause = failed.find(({ failure }) => failure !== undefined)?.failure;
    const error = cause?.message ?? failed[0]!.error ?? '';
    throw new ResearchError(cause?.reason ?? 'noEvidence', fillText(ends.noneResearched, { error }), {
      ...(cause?.origin === undefined ? {} : { origin: cause.origin }),
      next: cause?.next || ends.noneResearchedNext,
    });
  }
  const sources = [...new Set(state.sections.flatMap((section) => section.searched))].join(', ');
  const message = sources === '' ? ends.nothingFound : fillText(ends.nothingFoundIn, { sources });
  throw new ResearchError('noEvidence', message, { next: ends.nothingFoundNext });
}
