import { Command, interrupt } from '@langchain/langgraph';
import { briefOf, isBrief } from '../plan/boundedPlan.ts';
import { proposalOf } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import type { ApproveResume, Interrupt } from '../run/interrupts.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { firstStepOf, pendingSections } from './plan.ts';

/** Waits until the plan is approved, edited or not, or another one is asked for. Calls nothing. */
export function approvePlanNode(run: RunContext) {
  return (state: ResearchStateType): Route<'approvePlan'> => {
    const outline = state.outline!;
    const proposed = proposalOf(run, outline, state);
    const decision = interrupt<Interrupt, ApproveResume>({ kind: 'approve', plan: proposed });
    if ('another' in decision) {
      const { remark, focus, strategy } = decision.another;
      return new Command({
        update: { planRemarks: [...state.planRemarks, remark], focus, strategy, researchBrief: '' },
        goto: strategy === 'supervisor' ? 'brief' : 'plan',
      });
    }
    const { title, sections, focus, strategy } = decision.plan;
    const update = { outline: { ...outline, title, sections }, focus, strategy };
    if (strategy !== 'supervisor') {
      const planned = pendingSections(sections, run.attached);
      return new Command({ update: { ...update, sections: planned }, goto: firstStepOf(strategy) });
    }
    const question = state.clarifiedQuery || state.originalQuery;
    const researchBrief = isBrief(proposed) ? sections[0]!.description : briefOf(question, { title, sections });
    return new Command({ update: { ...update, researchBrief }, goto: 'supervise' });
  };
}
