import { Command } from '@langchain/langgraph';
import type { QuestionInput } from '../analyst/analyst.ts';
import { scopeOf, type RunContext } from '../runContext.ts';
import type { ResearchStateType } from '../state.ts';

/** Finds the type of the question and the form of its answer. */
export function analyzeNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Command> => {
    run.emit({ type: 'run/phase', phase: 'analyze' });
    const scope = scopeOf(run, { path: 'analyze', phase: 'analyze', today: state.today, language: state.language }, run.signal);
    const analysis = await run.analyst.analyze(questionOf(run, state), scope);
    const discovers = analysis.queryType === 'list' && analysis.needsDiscovery && run.analyst.kind === 'llm';
    return new Command({ update: { analysis: { ...analysis, needsDiscovery: discovers } }, goto: discovers ? 'discover' : 'plan' });
  };
}

/** The question as all later steps see it. */
export function questionOf(run: RunContext, state: ResearchStateType): QuestionInput {
  return {
    question: state.originalQuery,
    clarifiedQuestion: state.clarifiedQuery || state.originalQuery,
    assumptions: state.assumptions,
    ...(run.workspace ? { workspace: run.workspace } : {}),
  };
}
