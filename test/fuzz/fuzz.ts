import fc from 'fast-check';
import { superLinearCost } from '../support/growth.ts';
import { attack, fillers, type Target, targets, textFor } from './targets.ts';

/**
 * `npm run fuzz -- --minutes N --seed S NAME…`: random texts for every target in turn until the time is over, then each of the
 * fillers at 1 MB. Exit 1 when a target threw, broke a promise, or took more than time that is linear in the text.
 */
const words = process.argv.slice(2);
const minutes = numberOf('--minutes') ?? 2;
const seed = numberOf('--seed') ?? Date.now() & 0x7fffffff;
const names = words.filter((word, index) => !word.startsWith('--') && !words[index - 1]?.startsWith('--'));
const chosen = targets.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));

function numberOf(flag: string): number | undefined {
  const at = words.indexOf(flag);
  const value = Number(words[at + 1]);
  return at === -1 || !Number.isFinite(value) ? undefined : value;
}

const failures = new Map<string, string>();
console.log(`fuzz: ${chosen.length} targets, ${minutes} min, seed ${seed}`);
let tried = 0;
const end = performance.now() + minutes * 60_000;
for (let round = 0; performance.now() < end && failures.size < chosen.length; round += 1) {
  for (const target of chosen) {
    if (failures.has(target.name) || performance.now() > end) continue;
    const found = await fc.check(
      fc.asyncProperty(textFor(target), (text) => attack(target, text)),
      { seed: seed + round, numRuns: 100 },
    );
    tried += found.numRuns;
    if (found.failed)
      fail(target, `${String(found.errorInstance)}\n  text: ${JSON.stringify(found.counterexample?.[0])}`);
  }
}
for (const target of chosen) {
  for (const filler of [...fillers, ...target.tokens]) {
    const length = Math.min(target.longest ?? 1_000_000, 1_000_000);
    const text = filler.repeat(Math.ceil(length / filler.length)).slice(0, length);
    tried += 1;
    const cost = await superLinearCost((part) => attack(target, part), text);
    if (cost !== undefined) fail(target, `${JSON.stringify(filler)}: ${cost}`);
  }
}
function fail({ name }: Target, why: string): void {
  failures.set(name, why);
  console.log(`✖ ${name}: ${why.slice(0, 2_000)}`);
}
console.log(`${tried} tried, ${failures.size} of ${chosen.length} targets failed`);
process.exitCode = failures.size > 0 ? 1 : 0;
