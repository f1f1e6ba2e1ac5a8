import { strategyOf } from '../../protocol/strategy.ts';
import { Command, interrupt } from '@langchain/langgraph';
import { briefOf, isBrief } from '../plan/boundedPlan.ts';
import { proposalOf } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import type { ApproveResume, Interrupt } from './interrupts.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { pendingSections } from './plan.ts';

/** Waits until the plan is approved, edited or not, or another one is asked for. Calls nothing. */
export function approvePlanNode(run: RunContext) {
  return (state: ResearchStateType): Route<'approvePlan'> => {
    const outline = state.outline!;
    const proposed = proposalOf(run, outline, state);
    const decision = interrupt<Interrupt, ApproveResume>({ kind: 'approve', plan: proposed });
    if ('another' in decision) {
      const { remark, focus, strategy, as } = decision.another;
      const own = isSame(focus, proposed.focus) ? {} : { focus };
      return new Command({
        update: {
          planRemarks: [...state.planRemarks, remark],
          ...own,
          ...(as && { chosenKind: as }),
          strategy,
          researchBrief: '',
        },
        goto: run.parent ? 'followUp' : strategyOf(strategy).planner,
      });
    }
    const { title, sections, focus } = decision.plan;
    // A follow-up has the strategy of its kind.
    const strategy = run.parent ? state.strategy : decision.plan.strategy;
    const question = state.clarifiedQuery || state.originalQuery;
    const update = {
      outline: { ...outline, title, sections },
      strategy,
      // Every later prompt has the question; a plan of its own was made for the focus points before.
      ...(isSame(focus, proposed.focus) ? {} : { focus, clarifiedQuery: withFocus(question, focus) }),
    };
    if (run.parent) return new Command({ update, goto: 'followUp' });
    const { planner, firstStep } = strategyOf(strategy);
    if (planner === 'plan') {
      const planned = pendingSections(sections, run.attached);
      return new Command({ update: { ...update, sections: planned }, goto: firstStep });
    }
    const researchBrief = isBrief(proposed) ? sections[0]!.description : briefOf(question, { title, sections });
    return new Command({ update: { ...update, researchBrief }, goto: firstStep });
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.join('\n') === b.join('\n');
}

function withFocus(question: string, focus: readonly string[]): string {
  return focus.length === 0 ? question : `${question}\n\nFocus: ${focus.join('; ')}`;
}
