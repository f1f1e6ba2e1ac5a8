import { Command } from '@langchain/langgraph';
import { inputOf } from '../evidence/source.ts';
import { numbered } from '../plan/boundedPlan.ts';
import { proposalOf, shown } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import { scopeOf, type EvidencePort, type CallPort, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { unanalyzed } from '../stateSchema.ts';
import { PassageIndex } from '../text/passageIndex.ts';
import { cutPassages } from '../text/passages.ts';
import { readQuery } from '../text/query.ts';
import { pendingSections, singlePlan } from './plan.ts';

/** Sources that an answer is made of. */
const mostSources = 8;

/** A question about a finished run: as it stands alone, answered by one section from what that run has read. */
export function followUpNode(run: RunContext) {
  return async ({ originalQuery, today, language }: ResearchStateType): Promise<Route<'followUp'>> => {
    run.emit({ type: 'run/phase', phase: 'assess' });
    const scope = scopeOf(run, { path: 'followUp', phase: 'assess', today, language });
    const { report } = run.parent!;
    const clarifiedQuery =
      report === '' ? originalQuery : await run.analyst.followUp({ question: originalQuery, report }, scope);
    const strategy = 'short';
    run.emit({ type: 'run/strategy', strategy, why: run.texts.strategies.followUp });
    const outline = numbered(singlePlan({ originalQuery, clarifiedQuery }));
    const decision = 'START_RESEARCH';
    const proposed = proposalOf(run, outline, { strategy, focus: [], planRemarks: [], decision });
    run.emit({ type: 'plan/approved', ...shown(proposed) });
    return new Command({
      update: {
        ...{ clarifiedQuery, decision, strategy, analysis: unanalyzed, outline },
        sections: pendingSections(outline.sections, bestSources(run, clarifiedQuery, language)),
      },
      goto: 'dispatch',
    });
  };
}

/** Sources with the best passages for a question; where none has its words, those that were read first. */
function bestSources(
  { attached, registry, reading }: EvidencePort & CallPort,
  question: string,
  language: string,
): readonly string[] {
  const index = new PassageIndex();
  for (const id of attached) {
    const source = registry.get(id)!;
    reading.during(inputOf(source), () => index.add(id, '', cutPassages(source.file?.path ?? 'page.md', source.text)));
  }
  const { hits } = index.search(readQuery(question, language), 3 * mostSources);
  const best = [...new Set(hits.map(({ path }) => path))];
  return (best.length > 0 ? best : attached).slice(0, mostSources);
}
