import { Command } from '@langchain/langgraph';
import type { Strategy } from '../../protocol/strategy.ts';
import type { Plan, PlannedSection } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { ProposedPlan } from '../../protocol/ports.ts';
import { estimatePlan, isCostly } from '../policy/budget.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { questionOf } from './analyze.ts';

const maxSections = 30;

/** Makes the outline. Idempotent: an outline that stands is never made again, whoever comes back here. */
export function planNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Command> => {
    run.emit({ type: 'run/phase', phase: 'plan' });
    const outline =
      state.outline ?? numbered(state.strategy === 'short' ? shortPlan(state) : await makePlan(run, state));
    if (outline.sections.length === 0) {
      throw new ResearchError('badAnswer', 'The plan has no sections, so there is nothing to research.', {
        next: 'Say in the question what the report shall be about, or choose another model.',
      });
    }
    const proposed = proposalOf(run, outline, state.strategy);
    const needsApproval = mustApprove(run, state, proposed);
    run.emit({
      type: 'plan/proposed',
      title: outline.title,
      sections: proposed.sections.map(shown),
      estimate: proposed.estimate,
      needsApproval,
    });
    if (needsApproval) return new Command({ update: { outline }, goto: 'approvePlan' });
    run.emit({
      type: 'plan/approved',
      title: outline.title,
      sections: proposed.sections.map(shown),
      estimate: proposed.estimate,
    });
    return new Command({
      update: { outline, sections: pendingSections(outline.sections) },
      goto: firstStepOf(state.strategy),
    });
  };
}

/** Where a strategy goes once its plan stands. */
export function firstStepOf(strategy: Strategy): 'coordinate' | 'dispatch' | 'retrieve' | 'supervise' {
  switch (strategy) {
    case 'sections':
      return 'coordinate';
    case 'short':
      return 'dispatch';
    case 'iterative':
      return 'retrieve';
    case 'supervisor':
      return 'supervise';
  }
}

/** The short path: the question is its own and only section. */
function shortPlan(state: ResearchStateType): Plan {
  const question = state.clarifiedQuery || state.originalQuery;
  const title = question
    .replace(/\s+/g, ' ')
    .replace(/[?？]+$/, '')
    .slice(0, 100)
    .trim();
  return { title, objective: question, scope: '', sections: [{ id: 's1', title, description: question, queries: [] }] };
}

export function proposalOf(run: RunContext, outline: Plan, strategy: Strategy): ProposedPlan {
  return {
    title: outline.title,
    sections: outline.sections,
    estimate: estimatePlan(outline.sections.length, run.settings, run.analyst.kind, strategy),
  };
}

export function shown({ id, title, description }: PlannedSection) {
  return { id, title, description };
}

export function pendingSections(sections: readonly PlannedSection[]): SectionState[] {
  return sections.map((section) => ({
    ...section,
    status: 'pending',
    attempt: 0,
    sourceIds: [],
    gaps: [],
    searched: [],
  }));
}

/** Ids by position, titles that differ, at most 30 sections. */
export function numbered(plan: Plan): Plan {
  const seen = new Map<string, number>();
  const sections = plan.sections.slice(0, maxSections).map((section, index) => {
    const bare = section.title.replace(/\s+/g, ' ').trim() || `Section ${index + 1}`;
    const times = (seen.get(bare.toLowerCase()) ?? 0) + 1;
    seen.set(bare.toLowerCase(), times);
    return { ...section, id: `s${index + 1}`, title: times > 1 ? `${bare} (${times})` : bare };
  });
  return { ...plan, title: plan.title.replace(/\s+/g, ' ').trim(), sections };
}

async function makePlan(run: RunContext, state: ResearchStateType): Promise<Plan> {
  const scope = scopeOf(run, { path: 'plan', phase: 'plan', today: state.today, language: state.language }, run.signal);
  const plan = await run.analyst.plan(
    {
      ...questionOf(run, state),
      analysis: state.analysis!,
      focus: state.assessment?.focus ?? [],
      discovered: state.discoveredItems,
      wanted: state.strategy === 'iterative' ? { min: 3, max: 5 } : { min: 3, max: 7 },
    },
    scope,
  );
  return { ...plan, title: plan.title.trim() || state.originalQuery.slice(0, 120) };
}

export function mustApprove(run: RunContext, state: ResearchStateType, proposed: ProposedPlan): boolean {
  const when = run.settings.planApproval;
  if (when === 'never') return false;
  return when === 'always' || state.decision === 'CONFIRM_PLAN' || isCostly(proposed.estimate);
}
