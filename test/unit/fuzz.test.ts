import { test } from 'node:test';
import fc from 'fast-check';
import { attack, targets, textFor } from '../fuzz/targets.ts';
import { rounds } from '../support/sampled.ts';

/** A short pass over what `npm run fuzz` attacks for as long as one likes. */
const seed = Number(process.env['DEEP_RESEARCH_FUZZ_SEED'] ?? 1);

for (const target of targets) {
  test(`${target.name}: no text of its format breaks it`, async () => {
    await fc.assert(
      fc.asyncProperty(textFor(target), (text) => attack(target, text)),
      { seed, numRuns: rounds(200) },
    );
  });
}
