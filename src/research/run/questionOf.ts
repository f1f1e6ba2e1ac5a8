import type { QuestionInput } from '../analyst/analyst.ts';
import type { ResearchStateType } from '../state.ts';
import type { AnalystPort } from './runContext.ts';

/** The question as all later steps see it. */
export function questionOf(
  run: AnalystPort,
  state: Pick<ResearchStateType, 'originalQuery' | 'clarifiedQuery' | 'assumptions'> &
    Partial<Pick<ResearchStateType, 'lookups'>>,
): QuestionInput {
  const learnt = (state.lookups ?? []).filter(({ outcome }) => outcome === 'found');
  return {
    question: state.originalQuery,
    clarifiedQuestion: state.clarifiedQuery || state.originalQuery,
    assumptions: state.assumptions,
    ...(learnt.length > 0 && { learnt: learnt.map(({ term, summary }) => ({ term, summary })) }),
    ...(run.workspace ? { workspace: run.workspace } : {}),
  };
}
