import { Command, interrupt } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import type { ApproveResume, Interrupt } from '../run/interrupts.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { firstStepOf, numbered, pendingSections, proposalOf } from './plan.ts';

/** Waits until the plan is approved, changed or not. What comes back is what runs. Calls nothing. */
export function approvePlanNode(run: RunContext) {
  return (state: ResearchStateType): Command => {
    const outline = state.outline!;
    const { plan } = interrupt<Interrupt, ApproveResume>({
      kind: 'approve',
      plan: proposalOf(run, outline, state.strategy),
    });
    if (plan.sections.length === 0) {
      throw new ResearchError('config', 'The approved plan has no sections, so there is nothing to research.', {
        next: 'Approve a plan of 1 to 30 sections.',
      });
    }
    if (state.strategy === 'supervisor') {
      // Its plan is the brief: what the user made of it is what the supervisor gets.
      const brief = plan.sections.map((section) => section.description.trim() || section.title).join('\n\n');
      return new Command({
        update: { outline: { ...outline, title: plan.title.trim() || outline.title }, researchBrief: brief },
        goto: 'supervise',
      });
    }
    const queries = new Map(outline.sections.map((section) => [section.id, section]));
    const approved = numbered({
      ...outline,
      title: plan.title.trim() || outline.title,
      // The queries of a section that was renamed no longer fit.
      sections: plan.sections.map((section) => {
        const before = queries.get(section.id);
        const same = before?.title === section.title && before.description === section.description;
        return { ...section, queries: same ? before.queries : (section.queries ?? []) };
      }),
    });
    return new Command({
      update: { outline: approved, sections: pendingSections(approved.sections) },
      goto: firstStepOf(state.strategy),
    });
  };
}
