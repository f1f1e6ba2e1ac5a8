import * as z from 'zod';
import type { Tried } from '../research/ports.ts';
import { remembered } from './remembered.ts';

const tried = z.object({ trust: z.enum(['leads', 'helps', 'quotes']), right: z.number(), of: z.number() });

interface AskedModel {
  /** Of its server. */
  readonly host: string;
  readonly model: string;
}

const trialsIn = (runsFolder: string) => remembered(runsFolder, '.trials.json', tried);
const nameOf = ({ host, model }: AskedModel): string => `${host} ${model}`;

/**
 * What the trials of models showed.
 * @returns Undefined for a model that has had no trial.
 */
export async function knownTrials(runsFolder: string): Promise<(asked: AskedModel) => Tried | undefined> {
  const known = await trialsIn(runsFolder).read();
  return (asked) => known[nameOf(asked)];
}

export function trialPort(runsFolder: string, asked: AskedModel) {
  return {
    known: async () => (await knownTrials(runsFolder))(asked),
    learnt: (outcome: Tried) => trialsIn(runsFolder).add({ [nameOf(asked)]: outcome }),
  };
}
