import { createHash, randomInt } from 'node:crypto';

/** `npm run test:exhaustive`: every case of every loop that `npm test` samples. */
const isExhaustive = process.env['DEEP_RESEARCH_EXHAUSTIVE'] === '1';

const seed = process.env['DEEP_RESEARCH_SEED'] || String(randomInt(1_000_000));
let isSeedPrinted = false;

/**
 * The cases to run, in their order: all of them when exhaustive, otherwise a choice by a seed that has every kind of case at
 * least once. The seed is printed once per file; `DEEP_RESEARCH_SEED` repeats its choice.
 * @param kindOf The kind of a case, or several kinds that it covers; without it any one case stands for all.
 */
export function sampled<Case>(cases: readonly Case[], kindOf?: KindOf<Case>): readonly Case[] {
  if (isExhaustive) return cases;
  if (!isSeedPrinted) console.log(`Sampled: DEEP_RESEARCH_SEED=${seed} repeats this choice.`);
  isSeedPrinted = true;
  return choose(cases, seed, kindOf);
}

/** How often a property is tried: `all` times when exhaustive, otherwise a tenth of it. What fails is printed with its seed. */
export function rounds(all: number): number {
  return isExhaustive ? all : Math.ceil(all / 10);
}

type KindOf<Case> = (value: Case) => string | readonly string[];

export function choose<Case>(cases: readonly Case[], by: string, kindOf: KindOf<Case> = () => ''): readonly Case[] {
  const rank = (index: number) => createHash('sha256').update(`${by} ${index}`).digest('hex');
  const order = [...cases.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const covered = new Set<string>();
  const chosen = order.filter((index) => {
    const missing = [kindOf(cases[index]!)].flat().filter((kind) => !covered.has(kind));
    for (const kind of missing) covered.add(kind);
    return missing.length > 0;
  });
  return chosen.sort((a, b) => a - b).map((index) => cases[index]!);
}
