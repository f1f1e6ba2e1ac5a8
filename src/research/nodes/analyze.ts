import { questionOf } from '../run/questionOf.ts';
import { Command } from '@langchain/langgraph';
import { strategyOf } from '../../protocol/strategy.ts';
import type { Analysis } from '../analyst/analyst.ts';
import { analyzeEarly, holdsEarly, unused } from '../plan/speculativePlan.ts';
import { chooseStrategy } from '../policy/chooseStrategy.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';

/** Determines the type of the question and the form of its answer, and chooses the strategy by them. */
export function analyzeNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'analyze'>> => {
    run.emit({ type: 'run/phase', phase: 'analyze' });
    const isEarly = holdsEarly(run, state);
    if (!isEarly) run.prefetch.discard(unused());
    const analysis = isEarly
      ? await (run.prefetch.take<Analysis>('analyze') ?? analyzeEarly(run, state, run.signal))
      : await run.analyst.analyze(questionOf(run, state), stepScope(run, state, 'analyze', 'analyze'));
    const { strategy, why } = state.outline
      ? ({ strategy: state.strategy, why: 'chosen' } as const)
      : chooseStrategy(
          run.settings.strategy,
          state.clarifiedQuery || state.originalQuery,
          analysis,
          state.assessment?.focus ?? [],
        );
    run.emit({ type: 'run/strategy', strategy, why: run.texts.strategies[why] });
    const definition = strategyOf(strategy);
    const discovers =
      definition.discovers === true &&
      state.outline === undefined &&
      analysis.needsDiscovery &&
      analysis.queryType === 'list';
    if (definition.early === undefined || discovers) run.prefetch.discard(unused());
    return new Command({
      update: { strategy, analysis: { ...analysis, needsDiscovery: discovers } },
      goto: discovers ? 'discover' : definition.planner,
    });
  };
}
