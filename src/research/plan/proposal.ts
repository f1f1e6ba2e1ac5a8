import { maxPlanned } from '../../protocol/strategy.ts';
import type { EstimateBasis } from '../../protocol/plan.ts';
import { type Depth, depths, maxSections } from '../../protocol/planBounds.ts';
import { estimatePlan } from '../../protocol/planEstimate.ts';
import type { ProposedPlan } from '../../protocol/ports.ts';
import type { Plan } from '../analyst/analyst.ts';
import { confirmsPlan } from '../policy/sufficiency.ts';
import { type Settings, verificationOf } from '../settings/config.ts';
import { priceOf } from '../settings/prices.ts';
import type { RunContext, LimitPort } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

type PlanState = Pick<ResearchStateType, 'strategy' | 'focus' | 'planRemarks' | 'decision'> &
  Partial<Pick<ResearchStateType, 'assessment' | 'analysis' | 'change'>>;

/** The focus points of the run: the user's own, else those of the assessment. */
export function focusOf({ focus, assessment }: Pick<PlanState, 'focus' | 'assessment'>): readonly string[] {
  return focus ?? assessment?.focus ?? [];
}

export function proposalOf(run: RunContext, outline: Plan, state: PlanState): ProposedPlan {
  const { strategy } = state;
  const { title, sections } = outline;
  const basis = estimateBasisOf(run, state);
  return {
    ...{ title, sections, strategy, basis },
    focus: focusOf(state),
    estimate: estimatePlan({ strategy, sections }, basis),
    round: state.planRemarks.length,
  };
}

/** A plan as its events show it. */
export function shown({ title, sections, estimate, strategy, focus, round }: ProposedPlan) {
  return { title, sections: sections.map(shownSection), estimate, strategy, focus: [...focus], round };
}

/** Shows the plan; one that doesn't wait for the user is approved. Gives whether it waits. */
export function propose(run: RunContext, outline: Plan, state: PlanState): boolean {
  const proposed = proposalOf(run, outline, state);
  const needsApproval = mustApprove(run, state, proposed);
  run.emit({ type: 'plan/proposed', ...shown(proposed), basis: proposed.basis, needsApproval });
  if (!needsApproval) run.emit({ type: 'plan/approved', ...shown(proposed) });
  return needsApproval;
}

function shownSection({ id, title, description, queries, sources, depth }: ProposedPlan['sections'][number]) {
  return {
    ...{ id, title, description },
    ...(queries.length === 0 ? {} : { queries: [...queries] }),
    ...(sources === undefined ? {} : { sources: [...sources] }),
    ...(depth === undefined ? {} : { depth }),
  };
}

/** Whether the plan waits for the user. */
export function mustApprove(
  run: LimitPort,
  { decision, planRemarks }: PlanState,
  { estimate }: Pick<ProposedPlan, 'estimate'>,
): boolean {
  // A user who asked for another plan wants to see it.
  return confirmsPlan(run.settings.planApproval, planRemarks.length > 0 ? 'CONFIRM_PLAN' : decision, estimate);
}

/**
 * Whether the discovered entities of a list wait for the user: always if that is set, else only in a run whose plan would wait too, so
 * that no run stops that would not have.
 */
export function mustApproveEntities(run: RunContext, state: PlanState, entities: number): boolean {
  if (entities === 0) return false;
  // At most one section each; a model plans no more than seven.
  const sections = Array.from({ length: Math.min(entities, maxPlanned) }, () => ({}));
  return mustApprove(run, state, {
    estimate: estimatePlan({ strategy: state.strategy, sections }, estimateBasisOf(run, state)),
  });
}

/** Sections of a model's plan at least. */
export const minPlanned = 3;

/** What another plan may have: the user's own bounds, since a remark may ask for more or fewer sections. */
export const boundsByUser = { min: 1, max: maxSections } as const;

export function estimateBasisOf(
  { model, prices, settings, analyst, tools }: RunContext,
  { analysis, change }: Partial<Pick<ResearchStateType, 'analysis' | 'change'>>,
): EstimateBasis {
  return {
    ...basisOf(
      settings,
      analyst.kind,
      tools.map(({ source }) => source),
      // Of the main model: which role takes which part of the tokens is not known before.
      model === null ? undefined : priceOf(model, settings.prices, prices),
    ),
    searchedByModel: tools.flatMap(({ source, asksModel }) => (asksModel === true ? [source] : [])),
    // By its prompt's own rule: one for facts and lists, one a side for comparisons.
    topics: analysis?.queryType === 'comparison' ? 2 : 1,
    // It is written from findings.
    ...(change?.as === 'rewrite' && { sources: [], maxToolCalls: 0, reviewRounds: 0 }),
  };
}

/** What the estimate of a run is computed from at each depth, when nothing is known but the settings. */
export function basesOf(...[settings, ...known]: Parameters<typeof basisOf>): Readonly<Record<Depth, EstimateBasis>> {
  const [quick, standard, deep] = depths.map((depth) => basisOf({ ...settings, depth }, ...known));
  return { quick: quick!, standard: standard!, deep: deep! };
}

function basisOf(
  settings: Settings,
  analyst: EstimateBasis['analyst'],
  sources: readonly string[],
  price: { readonly in: number; readonly out: number } | undefined,
): EstimateBasis {
  return {
    analyst,
    depth: settings.depth,
    sources: [...new Set(sources)],
    atOnce: settings['limits.maxConcurrentResearchers'],
    maxToolCalls: settings['limits.maxToolCallsPerResearcher'],
    reviewRounds: settings['limits.maxReviewIterations'],
    maxIterations: settings['limits.maxIterations'],
    maxSupervisorIterations: settings['limits.maxSupervisorIterations'],
    topics: 1,
    verification: verificationOf(settings),
    price: price === undefined ? null : { in: price.in, out: price.out },
  };
}
