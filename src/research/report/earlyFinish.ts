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
  const { today, language, outline = { title, objective: question, scope: '', sections: [planned] } } = state;
  const scope = scopeOf(run, { path: 'found', phase: 'report', section: planned.id, today, language });
  const input = { section: planned, question, gaps: [], gathered: [], sources };
  const distilled = await run.fallback.distil({ ...input, chosen: run.analyst.kind === 'llm' }, scope);
  const section: SectionState = {
    ...{ ...planned, status: 'completed', attempt: 1, distilled, gaps: [] },
    sourceIds: sources.map(({ id }) => id),
    searched: [...new Set(sources.map(({ kind }) => kind))],
  };
  return { ...state, clarifiedQuery: question, analysis, outline, sections: [section] };
}
