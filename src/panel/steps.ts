import type { Phase } from '../protocol/events.ts';
import type { RunView } from '../protocol/runView.ts';
import { knownStrategy, strategyOf } from '../protocol/strategy.ts';
import type { StringKey } from '../protocol/strings.ts';

export interface Step {
  readonly label: Extract<StringKey, `phase.${string}`>;
  readonly state: 'done' | 'current' | 'next' | 'notReached';
}

const order: readonly { readonly label: Step['label']; readonly phases: readonly Phase[]; readonly optional?: true }[] =
  [
    { label: 'phase.understand', phases: ['assess', 'analyze'] },
    { label: 'phase.verify', phases: ['verify'], optional: true },
    { label: 'phase.discover', phases: ['discover'], optional: true },
    { label: 'phase.plan', phases: ['plan'] },
    { label: 'phase.research', phases: ['research'] },
    { label: 'phase.review', phases: ['review'] },
    { label: 'phase.report', phases: ['report'] },
  ];

/**
 * The run's phases as the stepper shows them: optional steps only where they are taken; sections that are sent back
 * lead back to Research.
 */
export function steps(view: RunView): Step[] {
  const known = knownStrategy(view.strategy);
  const skipped: readonly Phase[] = known === undefined ? [] : strategyOf(known).skips;
  const shown = order.filter((step) => {
    const optional = step.optional || step.phases.some((phase) => skipped.includes(phase));
    return !optional || step.phases.some((phase) => view.phasesSeen.includes(phase));
  });
  const { phase, status } = view;
  const current = phase === null ? 0 : shown.findIndex((step) => step.phases.includes(phase));
  const ended = status === 'failed' || status === 'cancelled';
  return shown.map(({ label }, i) => {
    if (status === 'finished' || i < current) return { label, state: 'done' };
    if (i === current) return { label, state: 'current' };
    return { label, state: ended ? 'notReached' : 'next' };
  });
}
