import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Tried } from '../research/ports.ts';

const tried = z.object({ trust: z.enum(['leads', 'helps', 'quotes']), right: z.number(), of: z.number() });
const trials = z.record(z.string(), tried);
/** Models that are remembered, the latest. */
const mostModels = 200;

interface AskedModel {
  /** Of its server. */
  readonly host: string;
  readonly model: string;
}

/**
 * What the trials of models showed, in one private file beside the runs. A file that can't be read or written is as none.
 * @returns Undefined for a model that has had no trial.
 */
export async function knownTrials(runsFolder: string): Promise<(asked: AskedModel) => Tried | undefined> {
  const known = await readTrials(runsFolder);
  return (asked) => known[nameOf(asked)];
}

const nameOf = ({ host, model }: AskedModel): string => `${host} ${model}`;

export function trialPort(runsFolder: string, asked: AskedModel) {
  return {
    known: async () => (await knownTrials(runsFolder))(asked),
    async learnt(outcome: Tried): Promise<void> {
      if (runsFolder === '') return;
      const file = fileIn(runsFolder);
      const temporary = `${file}.${process.pid}`;
      const name = nameOf(asked);
      const { [name]: _, ...others } = await readTrials(runsFolder);
      const latest = Object.entries({ ...others, [name]: outcome }).slice(-mostModels);
      try {
        await mkdir(runsFolder, { recursive: true, mode: 0o700 });
        await writeFile(temporary, JSON.stringify(Object.fromEntries(latest), null, 1), { mode: 0o600 });
        await rename(temporary, file);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}

const fileIn = (runsFolder: string): string => join(runsFolder, '.trials.json');

async function readTrials(runsFolder: string): Promise<z.output<typeof trials>> {
  try {
    return trials.parse(JSON.parse(await readFile(fileIn(runsFolder), 'utf8')));
  } catch {
    return {};
  }
}
