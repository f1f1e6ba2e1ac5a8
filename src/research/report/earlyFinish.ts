import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { unanalyzed } from '../stateSchema.ts';

/**
 * What a report needs of the state, when the run was finished before its sections had anything: all that was found until then
 * (while terms were looked up, or things discovered) in one section, as verbatim quotes.
 */
export async function earlyFinish(run: RunContext, state: ResearchStateType): Promise<ResearchStateType> {
  const question = state.clarifiedQuery || state.originalQuery;
  const title = question
    .replace(/\s+/g, ' ')
    .replace(/[?？]+$/, '')
    .slice(0, 100)
    .trim();
  const sources = run.registry.all();
  const { analysis = unanalyzed } = state;
  const planned = { id: 's1', title, description: question, queries: [] };
  const scope = scopeOf(run, {
    path: 'found',
    phase: 'report',
    section: planned.id,
    today: state.today,
    language: state.language,
  });
  const distilled = await run.fallback.distil(
    {
      section: planned,
      question,
      gaps: [],
      gathered: [],
      sources,
      chosen: run.analyst.kind === 'llm',
    },
    scope,
  );
  const section: SectionState = {
    ...planned,
    status: 'completed',
    attempt: 1,
    distilled,
    sourceIds: sources.map(({ id }) => id),
    gaps: [],
    searched: [...new Set(sources.map(({ kind }) => kind))],
  };
  return {
    ...state,
    clarifiedQuery: question,
    analysis,
    outline: state.outline ?? { title, objective: question, scope: '', sections: [planned] },
    sections: [section],
  };
}
