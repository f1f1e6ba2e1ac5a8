import { Command, interrupt } from '@langchain/langgraph';
import type { Route } from '../routes.ts';
import type { ApproveResume, Interrupt } from '../run/interrupts.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { approvedPlan, firstStepOf, pendingSections, proposalOf } from './plan.ts';

/** Waits until the plan is approved, edited or not. Calls nothing. */
export function approvePlanNode(run: RunContext) {
  return (state: ResearchStateType): Route<'approvePlan'> => {
    const outline = state.outline!;
    const proposed = proposalOf(run, outline, state.strategy);
    const resumed = interrupt<Interrupt, ApproveResume>({ kind: 'approve', plan: proposed });
    // A program that drives the graph itself may resume with any plan; for the run's own dialogue this changes nothing.
    const { title, sections } = approvedPlan(proposed, resumed.plan);
    const approved = { ...outline, title, sections };
    return state.strategy === 'supervisor'
      ? new Command({ update: { outline: approved, researchBrief: sections[0]!.description }, goto: 'supervise' })
      : new Command({
          update: { outline: approved, sections: pendingSections(sections, run.attached) },
          goto: firstStepOf(state.strategy),
        });
  };
}
