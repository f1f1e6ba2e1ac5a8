import type { Strategy } from '../../src/protocol/strategy.ts';
import type { Analyst } from '../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../src/research/errors.ts';
import { canary } from './canary.ts';
import { outcomeOf, problemsOf, resumeProblems } from './faultChecks.ts';
import { faultyRun } from './faultRun.ts';
import {
  injected,
  modelFaults,
  questions,
  scenarioOf,
  stepsOf,
  type FaultyStep,
  type ModelFault,
} from './modelFaults.ts';
import type { Script } from './modelServer.ts';
import type { SourceServer } from './sourceServer.ts';

/** One cell of the table: what goes wrong at which step of which strategy, at every call of the step or at one of them. */
export interface Cell {
  readonly strategy: Strategy;
  readonly step: FaultyStep;
  readonly fault: string;
  readonly mode: 'every' | 'one';
}

export interface CellResult {
  readonly cell: Cell;
  readonly outcome: string;
  readonly problems: readonly string[];
}

/** A mistake of the program in the analyst's own step, and a user who stops while the step is asking. */
const throws = 'throws';
const stopped = 'stopped';
export const faultNames: readonly string[] = [throws, ...modelFaults.map(({ name }) => name), stopped];

/** A fault at one call differs from one at every call where the step asks several times, or where it is asked again. */
const askedAgain = ['500', 'broken stream', 'malformed JSON'];
const local = [...askedAgain, throws, 'rate-limited for an hour', '400', 'hang'];
const asksOften = ({ strategy, step }: Pick<Cell, 'strategy' | 'step'>): boolean =>
  ['discoverer', 'supervise', 'section'].includes(step) || (['act', 'distil'].includes(step) && strategy !== 'short');
/** Runs that these end are resumed; that a run can be resumed does not depend on which server's error it was. */
const thenResumed = ['500', 'malformed JSON', stopped];

export const cells: readonly Cell[] = (Object.keys(stepsOf) as Strategy[]).flatMap((strategy) =>
  stepsOf[strategy].flatMap((step) =>
    faultNames.flatMap((fault): Cell[] => {
      const both = (asksOften({ strategy, step }) ? local : askedAgain).includes(fault);
      return (both ? (['every', 'one'] as const) : (['every'] as const)).map((mode) => ({
        strategy,
        step,
        fault,
        mode,
      }));
    }),
  ),
);

/** Each step of each strategy, and each fault at one call and at all. */
export const kindsOf = ({ strategy, step, fault, mode }: Cell): readonly string[] => [
  `${strategy}, ${step}`,
  `${fault} at ${mode}`,
];

export const nameOf = ({ strategy, step, fault, mode }: Cell): string =>
  `${strategy}, ${step}: ${fault} at ${mode === 'every' ? 'every call' : 'one call'}`;

/** Longest way of an answer from the imitated server to the run, in the same process. */
const onTheWayMs = 100;

export async function runCell(cell: Cell, sources: SourceServer): Promise<CellResult> {
  const { strategy, step, mode } = cell;
  const at = mode === 'every' ? 'every' : asksOften(cell) ? 1 : 0;
  const stop = new AbortController();
  const hit = new Set<number>();
  let thrown = 0;
  let stoppedAt = Infinity;
  const fault = modelFaults.find(({ name }) => name === cell.fault);
  const script: Script | undefined =
    cell.fault === stopped
      ? injected({ override: () => ({ hang: true }) }, step, at, () => {
          stoppedAt = Math.min(stoppedAt, performance.now());
          stop.abort(new ResearchError('abort', 'Stopped.'));
        })
      : fault && injected(fault, step, at, (index) => hit.add(index));
  const run = await faultyRun({
    question: questions[strategy],
    settings: {
      strategy: strategy === 'short' ? 'auto' : strategy,
      // A critic reads the draft of a deep run alone.
      ...(step === 'critique' ? { depth: 'deep' } : {}),
      ...(['hang', 'silent stream'].includes(cell.fault) ? { 'limits.idleSeconds': 2 } : {}),
    },
    sources,
    script: scenarioOf(step),
    ...(script ? { fault: script } : {}),
    stop,
    ...(cell.fault === throws
      ? { parts: ({ analyst }) => ({ analyst: throwing(analyst, step, at, () => (thrown += 1)) }) }
      : {}),
  });
  // An answer that was on its way when the user stopped was sent, but may not have been read.
  for (const { index, endedAt = Infinity } of run.requests) if (endedAt > stoppedAt - onTheWayMs) hit.add(index);
  try {
    const problems = await problemsOf(run, hit, { reasons: reasonsOf(cell, fault), stopped: cell.fault === stopped });
    if (hit.size + thrown === 0 && !stop.signal.aborted)
      problems.push('the fault never struck: the step was not reached');
    if (run.events.at(-1)?.type !== 'run/finished' && mode === 'every' && thenResumed.includes(cell.fault)) {
      problems.push(...(await resumeProblems(run, hit)));
    }
    return { cell, outcome: outcomeOf(run), problems };
  } finally {
    await run.end();
  }
}

function reasonsOf({ fault }: Cell, { reasons }: Pick<ModelFault, 'reasons'> = { reasons: [] }): readonly string[] {
  return fault === throws ? ['bug'] : reasons;
}

const methodOf: Readonly<Record<FaultyStep, keyof Analyst>> = {
  assess: 'assess',
  analyze: 'analyze',
  discoverer: 'act',
  discover: 'discover',
  plan: 'plan',
  brief: 'brief',
  supervise: 'supervise',
  act: 'act',
  distil: 'distil',
  review: 'review',
  reflect: 'reflect',
  section: 'writeSection',
  frame: 'frame',
  critique: 'critique',
  report: 'writeReport',
};

/** An analyst with a mistake in one of its steps, made in the way in which mistakes happen. */
function throwing(analyst: Analyst, step: FaultyStep, at: 'every' | number, onThrow: () => void): Analyst {
  let calls = 0;
  return new Proxy(analyst, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (name !== methodOf[step]) return typeof own === 'function' ? (own.bind(target) as unknown) : own;
      return (input: { readonly role?: string }, ...rest: unknown[]) => {
        const isOther = methodOf[step] === 'act' && (input.role === 'discoverer') !== (step === 'discoverer');
        if (!isOther) calls += 1;
        if (isOther || (at !== 'every' && calls - 1 !== at))
          return (own as (...args: unknown[]) => unknown).call(target, input, ...rest);
        onThrow();
        throw new TypeError(`Cannot read properties of undefined (reading '${canary}')`);
      };
    },
  });
}
