import type { Analyst, Scope } from './analyst.ts';

type StepName = Exclude<keyof Analyst, 'kind' | 'writeReport'>;

/** A step of any analyst; `more` is what a writing step gets beside its input. */
export type AnyStep = (input: never, scope: Scope, ...more: never[]) => Promise<never>;

/** An analyst with each of its steps but the streamed report changed. Steps that it lacks stay absent. */
export function eachStep(
  analyst: Analyst,
  { writeReport }: Pick<Analyst, 'writeReport'>,
  change: (name: StepName, step: AnyStep) => AnyStep,
): Analyst {
  const isStep = (entry: [string, unknown]): entry is [StepName, AnyStep] =>
    entry[0] !== 'writeReport' && typeof entry[1] === 'function';
  const steps = Object.entries(analyst).filter(isStep);
  const changed = steps.map(([name, step]) => [name, change(name, step.bind(analyst))]);
  return { ...(Object.fromEntries(changed) as Analyst), kind: analyst.kind, writeReport };
}
