import { trimEnd } from '../text/trimEnd.ts';
import { Command } from '@langchain/langgraph';
import { strategyOf } from '../../protocol/strategy.ts';
import type { Plan, PlanInput, PlannedSection } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { merged, numbered, ownQueries } from '../plan/boundedPlan.ts';
import { withEntities } from '../plan/entities.ts';
import { interleave } from '../policy/interleave.ts';
import { boundsByUser, focusOf, minPlanned, propose } from '../plan/proposal.ts';
import { earlyPlan, outlineOf } from '../plan/speculativePlan.ts';
import { prefetchSearches } from '../plan/prefetchSearches.ts';
import type { Route } from '../routes.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { pendingSection, type ResearchStateType, type SectionState } from '../state.ts';
import { questionOf } from '../run/questionOf.ts';

/** Makes the outline. Idempotent: an outline that exists is not made again, unless the user asked for another one. */
export function planNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'plan'>> => {
    run.emit({ type: 'run/phase', phase: 'plan' });
    const { strategy } = state;
    const { planner, firstStep } = strategyOf(strategy);
    if (planner !== 'plan') throw new Error(`The plan of the strategy "${strategy}" is its brief.`);
    const planRound = state.planRemarks.length;
    const existing = state.planRound === planRound ? state.outline : undefined;
    const outline = existing ?? (await newOutline(run, state));
    if (propose(run, outline, state)) return new Command({ update: { outline, planRound }, goto: 'approvePlan' });
    return new Command({
      update: { outline, planRound, sections: pendingSections(outline.sections, run.attached) },
      goto: firstStep,
    });
  };
}

/**
 * A query that two sections share is left to the first.
 * @param attached Ids of the sources that every section has from its start.
 */
export function pendingSections(sections: readonly PlannedSection[], attached: readonly string[]): SectionState[] {
  const own = ownQueries();
  return sections.map((section) => pendingSection({ ...section, queries: own(section) }, attached));
}

async function newOutline(run: RunContext, state: ResearchStateType): Promise<Plan> {
  const { strategy, planRemarks } = state;
  if (strategyOf(strategy).isSingle && run.analyst.kind === 'llm' && planRemarks.length === 0)
    return numbered(singlePlan(state));
  const wanted = boundsOf(state);
  const plan = await makePlan(run, state, wanted);
  if (plan.sections.length === 0) {
    throw new ResearchError('badAnswer', 'The plan has no sections, so there is nothing to research.', {
      next: 'Say in the question what the report should cover, or choose another model.',
    });
  }
  if (run.analyst.kind === 'extractive' && planRemarks.at(-1)) run.warn({ kind: 'plan.remarkByWords' });
  const bounded = merged(plan, wanted.max, state.language);
  if (run.analyst.kind === 'llm' && bounded.sections.length !== plan.sections.length)
    run.warn({ kind: 'plan.bounded', planned: plan.sections.length, sections: bounded.sections.length });
  return numbered(withEntities(bounded, state));
}

/** How many sections a plan may have; a user who asks for another plan may want any number. */
function boundsOf({ strategy, planRemarks }: ResearchStateType): { readonly min: number; readonly max: number } {
  if (planRemarks.length > 0) return boundsByUser;
  return { min: minPlanned, max: strategyOf(strategy).maxSections };
}

/** The question is the only section. */
export function singlePlan(state: Pick<ResearchStateType, 'originalQuery' | 'clarifiedQuery'>): Plan {
  const question = state.clarifiedQuery || state.originalQuery;
  const title = trimEnd(question.replace(/\s+/g, ' '), '?？').slice(0, 100).trim();
  return { title, objective: question, scope: '', sections: [{ id: 's1', title, description: question, queries: [] }] };
}

async function makePlan(run: RunContext, state: ResearchStateType, wanted: ReturnType<typeof boundsOf>): Promise<Plan> {
  const { planRemarks, outline } = state;
  const isListed = state.discoveredItems.length > 0 || state.retrieved.length > 0;
  const isPlain = planRemarks.length === 0 && state.focus === undefined && !isListed;
  const early = isPlain ? await earlyPlan(run, state) : undefined;
  const onSection = run.analyst.kind === 'llm' && state.leftOut.length === 0 ? prefetchSearches(run, state) : undefined;
  if (early) {
    if (onSection) early.listen(onSection);
    const plan = await (onSection ? early.outline(run) : early.plan);
    if (plan.sections.length <= wanted.max) return titled(plan, state);
  }
  // Every plan is made by calls of its own.
  const path = planRemarks.length === 0 ? 'plan' : `plan/${planRemarks.length}`;
  const input: PlanInput = {
    ...questionOf(run, state),
    analysis: state.analysis!,
    focus: focusOf(state),
    ownFocus: state.focus ?? [],
    discovered: state.discoveredItems,
    // Of a discovery whose members are still being extracted.
    found: interleave(state.retrieved.flatMap(({ calls }) => calls.map(({ sources }) => sources))).flatMap(
      (id) => run.registry.get(id) ?? [],
    ),
    leftOut: state.leftOut,
    discovery: { summary: state.discoverySummary, coverage: state.discoveryCoverage },
    remarks: planRemarks,
    ...(planRemarks.length > 0 && outline ? { previous: outline } : {}),
    wanted,
  };
  const scope = stepScope(run, state, 'plan', path);
  // Where the early plan was no good, its sections' searches may be in progress.
  const plan = await (onSection && !early
    ? outlineOf(run, path, (onOutline) => run.analyst.plan({ ...input, onSection, onOutline }, scope))
    : run.analyst.plan(input, scope));
  return titled(plan, state);
}

function titled(plan: Plan, { originalQuery }: ResearchStateType): Plan {
  return { ...plan, title: plan.title.trim() || originalQuery.slice(0, 120) };
}
