import * as z from 'zod';
import type { Clock, Tried } from '../research/ports.ts';
import { remembered } from './remembered.ts';

/** Changes with the tasks of `trial.ts`, so that what older ones showed is not taken for an outcome. */
const tasksVersion = 2;

const tried = z.object({
  trust: z.enum(['leads', 'helps', 'quotes']),
  right: z.number(),
  of: z.number(),
  isLate: z.literal(true).optional(),
  /** ISO 8601. */
  at: z.string(),
});

export interface AskedModel {
  /** Of its server. */
  readonly host: string;
  readonly model: string;
  /** Distinguishes what goes by the same name, as its server lists it. Absent: it does not say. Null: it can't be asked now. */
  readonly build?: string | null | undefined;
}

/** An outcome between the thresholds is a matter of luck: the model is tried again after so long, in milliseconds. */
const helpsFor = 7 * 24 * 60 * 60_000;
/** The machine may have been busy. */
const lateFor = 24 * 60 * 60_000;

const trialsIn = (runsFolder: string) => remembered(runsFolder, '.trials.json', tried);
const nameOf = ({ host, model, build }: AskedModel): string =>
  [tasksVersion, host, model, build ?? ''].join(' ').trim();

/**
 * What the trials of models showed.
 * @returns Undefined for a model that has had no trial, or is due for another. Of a build that can't be asked for, the latest of its name.
 */
export async function knownTrials(
  runsFolder: string,
  clock: Pick<Clock, 'now'>,
): Promise<(asked: AskedModel) => Tried | undefined> {
  const known = await trialsIn(runsFolder).read();
  const latest = (name: string) => Object.entries(known).findLast(([one]) => `${one} `.startsWith(`${name} `));
  return (asked) => {
    const name = nameOf(asked);
    const found = asked.build === null ? latest(name)?.[1] : known[name];
    if (found === undefined) return undefined;
    const { at, ...outcome } = found;
    const holds = outcome.isLate ? lateFor : outcome.trust === 'helps' ? helpsFor : Infinity;
    return clock.now().getTime() - Date.parse(at) > holds ? undefined : outcome;
  };
}

/** @param build Asks the server for it. Never rejects. */
export function trialPort(
  runsFolder: string,
  { host, model, build: buildOf }: Omit<AskedModel, 'build'> & { readonly build: () => Promise<AskedModel['build']> },
  clock: Pick<Clock, 'now'>,
) {
  let build: Promise<AskedModel['build']> | undefined;
  const asked = async (): Promise<AskedModel> => ({ host, model, build: await (build ??= buildOf()) });
  return {
    name: nameOf({ host, model }),
    known: async () => (await knownTrials(runsFolder, clock))(await asked()),
    learnt: async (outcome: Tried) => {
      const known = await asked();
      // A server that was busy may list it now.
      const now = known.build === null ? { ...known, build: await buildOf() } : known;
      await trialsIn(runsFolder).add({ [nameOf(now)]: { ...outcome, at: clock.now().toISOString() } });
    },
  };
}
