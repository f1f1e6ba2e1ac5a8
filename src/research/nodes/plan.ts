import { withoutEnd } from '../text/ends.ts';
import { Command } from '@langchain/langgraph';
import type { Strategy } from '../../protocol/strategy.ts';
import type { Plan, PlannedSection } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { ProposedPlan } from '../../protocol/ports.ts';
import { briefId } from '../../protocol/reduceRun.ts';
import { estimateAfter } from '../../protocol/planEstimate.ts';
import { estimatePlan, isCostly } from '../policy/budget.ts';
import { priceOf, type Price } from '../policy/prices.ts';
import type { Route } from '../routes.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { questionOf } from './analyze.ts';

const maxSections = 30;

/** Makes the outline. Idempotent: an outline that exists is never made again. */
export function planNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'plan'>> => {
    run.emit({ type: 'run/phase', phase: 'plan' });
    const { strategy } = state;
    if (strategy === 'supervisor') throw new Error('The plan of the strategy "supervisor" is its brief.');
    const outline =
      state.outline ??
      numbered(strategy === 'short' && run.analyst.kind === 'llm' ? shortPlan(state) : await makePlan(run, state));
    if (outline.sections.length === 0) {
      throw new ResearchError('badAnswer', 'The plan has no sections, so there is nothing to research.', {
        next: 'Say in the question what the report should cover, or choose another model.',
      });
    }
    const proposed = proposalOf(run, outline, strategy);
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
      update: { outline, sections: pendingSections(outline.sections, run.attached) },
      goto: firstStepOf(strategy),
    });
  };
}

/** The first node of a strategy after its plan is approved. */
export function firstStepOf(strategy: Exclude<Strategy, 'supervisor'>): 'coordinate' | 'dispatch' | 'retrieve' {
  switch (strategy) {
    case 'sections':
      return 'coordinate';
    case 'short':
      return 'dispatch';
    case 'iterative':
      return 'retrieve';
  }
}

/** The strategy `short`: the question is the only section. */
function shortPlan(state: ResearchStateType): Plan {
  const question = state.clarifiedQuery || state.originalQuery;
  const title = withoutEnd(question.replace(/\s+/g, ' '), '?？').slice(0, 100).trim();
  return { title, objective: question, scope: '', sections: [{ id: 's1', title, description: question, queries: [] }] };
}

export function proposalOf(run: RunContext, outline: Plan, strategy: Strategy): ProposedPlan {
  return {
    title: outline.title,
    sections: outline.sections,
    estimate: estimatePlan(outline.sections.length, run.settings, run.analyst.kind, strategy, priceOfRun(run)),
  };
}

/** Of the main model: which role takes which part of the tokens is not known before. */
function priceOfRun({ model, prices, settings }: RunContext): Price | undefined {
  return model === null ? undefined : priceOf(model, settings.prices, prices);
}

export function shown({ id, title, description }: PlannedSection) {
  return { id, title, description };
}

/** @param attached Ids of the sources that every section has from its start. */
export function pendingSections(sections: readonly PlannedSection[], attached: readonly string[]): SectionState[] {
  return sections.map((section) => ({
    ...section,
    status: 'pending',
    attempt: 0,
    sourceIds: attached,
    gaps: [],
    searched: [],
  }));
}

/** Ids by position, unique titles, at most 30 sections. Idempotent. */
function numbered<P extends Pick<Plan, 'title' | 'sections'>>(plan: P): P {
  const taken = new Set<string>();
  const sections = plan.sections.slice(0, maxSections).map((section, index) => {
    const bare = section.title.replace(/\s+/g, ' ').trim() || `Section ${index + 1}`;
    let title = bare;
    for (let times = 2; taken.has(title.toLowerCase()); times += 1) title = `${bare} (${times})`;
    taken.add(title.toLowerCase());
    return { ...section, id: `s${index + 1}`, title };
  });
  return { ...plan, title: plan.title.replace(/\s+/g, ' ').trim(), sections };
}

/**
 * The plan that runs, from the user's edit of the proposed one: numbered, each section with the queries that still fit it. The edit
 * of a brief (strategy `supervisor`) becomes its text. What is shown as approved, journalled and researched is this one plan.
 * Throws `config` for a plan without sections.
 */
export function approvedPlan(proposed: ProposedPlan, edited: ProposedPlan): ProposedPlan {
  if (edited.sections.length === 0) {
    throw new ResearchError('config', 'The approved plan has no sections, so there is nothing to research.', {
      next: 'Approve a plan of 1 to 30 sections.',
    });
  }
  const title = edited.title.trim() || proposed.title;
  const [brief] = proposed.sections;
  if (brief?.id === briefId) {
    const description = edited.sections.map((section) => section.description.trim() || section.title).join('\n\n');
    return { ...edited, title, sections: [{ ...brief, description }] };
  }
  const before = new Map(proposed.sections.map((section) => [section.id, section]));
  const sections = edited.sections.map((section) => {
    const { id, title: heading, description } = section;
    const known = before.get(id);
    // The queries of a section that was changed no longer fit it.
    const isSame = known?.title === heading && known.description === description;
    return { id, title: heading, description, queries: isSame ? known.queries : (section.queries ?? []) };
  });
  const estimate = estimateAfter(proposed.estimate, proposed.sections.length, sections.length);
  return numbered({ ...edited, title, sections, estimate });
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
