import { strategyOf } from '../../protocol/strategy.ts';
import type { EditedPlan } from '../../protocol/ports.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { briefOf, decided } from './boundedPlan.ts';
import { proposalOf } from './proposal.ts';

/**
 * The initial state of a run whose plan was given: that plan, its strategy and focus, and the question unchanged. Throws
 * `config` for a plan that can't be researched.
 */
export function givenPlan(run: RunContext, question: string, plan: EditedPlan): Partial<ResearchStateType> {
  const wanted = run.settings.strategy;
  const strategy = plan.strategy ?? (wanted === 'auto' ? 'sections' : wanted);
  const focus = plan.focus ?? [];
  const outline = { title: plan.title ?? question.slice(0, 120), objective: '', scope: '', sections: [] };
  const proposed = proposalOf(run, outline, { strategy, focus, planRemarks: [], decision: 'START_RESEARCH' });
  const decision = decided(proposed, plan);
  if (!('plan' in decision)) throw new Error('A plan is no remark.');
  const { title, sections, focus: points } = decision.plan;
  return {
    clarifiedQuery: question,
    decision: 'START_RESEARCH',
    strategy,
    focus: points,
    outline: { ...outline, title, sections },
    ...(strategyOf(strategy).planner === 'brief' ? { researchBrief: briefOf(question, { title, sections }) } : {}),
  };
}
