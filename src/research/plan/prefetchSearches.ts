import { estimatePlan } from '../../protocol/planEstimate.ts';
import { maxPlanned, strategyOf } from '../../protocol/strategy.ts';
import type { PlannedSection } from '../analyst/analyst.ts';
import type { RunContext } from '../run/runContext.ts';
import { beginSection } from '../section/research.ts';
import type { ResearchStateType } from '../state.ts';
import { beginRetrieval } from '../section/retrieval.ts';
import { ownQueries } from './boundedPlan.ts';
import { estimateBasisOf, mustApprove } from './proposal.ts';

/**
 * Sends the queries of each section as soon as the section is written, while the rest of the plan is; undefined where a plan
 * could wait for the user. The section's researcher takes what they found.
 */
export function prefetchSearches(
  run: RunContext,
  state: ResearchStateType,
): ((section: PlannedSection) => void) | undefined {
  const sections = Array.from({ length: maxPlanned }, () => ({}));
  const largest = { estimate: estimatePlan({ strategy: state.strategy, sections }, estimateBasisOf(run, state)) };
  if (mustApprove(run, state, largest)) return undefined;
  // As in the finished plan.
  const own = ownQueries();
  const begin = strategyOf(state.strategy).searches === 'inRounds' ? beginRetrieval : beginSection;
  return (section) => {
    const queries = own(section);
    if (queries.length > 0) begin(run, state, { ...section, queries });
  };
}
