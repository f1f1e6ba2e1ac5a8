import type { Analyst, Scope } from './analyst.ts';

type StepName = Exclude<keyof Analyst, 'kind' | 'writeReport'>;

/** A step of any analyst; `more` is what a writing step gets beside its input. */
export type AnyStep = (input: never, scope: Scope, ...more: never[]) => Promise<never>;

const names: readonly StepName[] = [
  ...([
    'assess',
    'followUp',
    'challenge',
    'analyze',
    'discover',
    'plan',
    'act',
    'distil',
    'review',
    'reflect',
    'brief',
  ] as const),
  ...(['supervise', 'writeSection', 'frame', 'critique', 'verify'] as const),
];

/** An analyst with each of its steps but the streamed report changed. Steps that it lacks stay absent. */
export function eachStep(
  analyst: Analyst,
  { writeReport }: Pick<Analyst, 'writeReport'>,
  change: (name: StepName, step: AnyStep) => AnyStep,
): Analyst {
  const changed = names.flatMap((name) => {
    const step = analyst[name]?.bind(analyst) as AnyStep | undefined;
    return step === undefined ? [] : [[name, change(name, step)]];
  });
  return { ...(Object.fromEntries(changed) as Analyst), kind: analyst.kind, writeReport };
}
