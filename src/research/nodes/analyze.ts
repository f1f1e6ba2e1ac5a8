import { Command } from '@langchain/langgraph';
import type { Strategy } from '../../protocol/strategy.ts';
import type { Analysis, QuestionInput } from '../analyst/analyst.ts';
import { analyzeEarly, holdsEarly, unused } from '../plan/beginnings.ts';
import { chooseStrategy } from '../policy/chooseStrategy.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';

/** Determines the type of the question and the form of its answer, and chooses the strategy by them. */
export function analyzeNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'analyze'>> => {
    run.emit({ type: 'run/phase', phase: 'analyze' });
    const scope = scopeOf(
      run,
      { path: 'analyze', phase: 'analyze', today: state.today, language: state.language },
      run.signal,
    );
    const isEarly = holdsEarly(run, state);
    if (!isEarly) run.ahead.discard(unused());
    const analysis = isEarly
      ? await (run.ahead.take<Analysis>('analyze') ?? analyzeEarly(run, state, run.signal))
      : await run.analyst.analyze(questionOf(run, state), scope);
    const { strategy, why } = state.outline
      ? ({ strategy: state.strategy, why: 'chosen' } as const)
      : chooseStrategy(
          run.settings.strategy,
          state.clarifiedQuery || state.originalQuery,
          analysis,
          state.assessment?.focus ?? [],
        );
    run.emit({ type: 'run/strategy', strategy, why: run.texts.strategies[why] });
    const discovers =
      strategy === 'sections' &&
      state.outline === undefined &&
      analysis.needsDiscovery &&
      (analysis.queryType === 'list' || run.analyst.kind === 'extractive');
    if (strategy === 'supervisor' || strategy === 'short' || discovers) run.ahead.discard(unused());
    return new Command({
      update: { strategy, analysis: { ...analysis, needsDiscovery: discovers } },
      goto: afterAnalysis(strategy, discovers),
    });
  };
}

function afterAnalysis(strategy: Strategy, discovers: boolean): 'discover' | 'plan' | 'brief' {
  if (strategy === 'supervisor') return 'brief';
  return discovers ? 'discover' : 'plan';
}

/** The question as all later steps see it. */
export function questionOf(
  run: RunContext,
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
