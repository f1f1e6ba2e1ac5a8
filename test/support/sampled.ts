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

/** The kind of call that a line of a journal is of: its key without the numbers and ids in it. */
export function stepOf(line: string): string {
  const { key } = JSON.parse(line) as { readonly key: string };
  return key
    .split('/')
    .filter((part) => /^[a-z]+$/i.test(part))
    .join('/');
}

type KindOf<Case> = (value: Case) => string | readonly string[];

export function choose<Case>(cases: readonly Case[], by: string, kindOf: KindOf<Case> = () => ''): readonly Case[] {
  const ranks = cases.map((_, index) => createHash('sha256').update(`${by} ${index}`).digest('hex'));
  const order = [...cases.keys()].sort((a, b) => (ranks[a]! < ranks[b]! ? -1 : 1));
  const left = new Map(order.map((index) => [index, new Set([kindOf(cases[index]!)].flat())]));
  const chosen: number[] = [];
  // Always the case with the most kinds that none has yet, so that few cover all; of equal ones the first by the seed.
  while (left.size > 0) {
    const [best, kinds] = [...left].reduce((most, one) => (one[1].size > most[1].size ? one : most));
    chosen.push(best);
    left.delete(best);
    for (const [index, own] of left) {
      for (const kind of kinds) own.delete(kind);
      if (own.size === 0) left.delete(index);
    }
  }
  return chosen.sort((a, b) => a - b).map((index) => cases[index]!);
}
