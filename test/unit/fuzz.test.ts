import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attack, costOf, fillers, targets, textFor } from '../fuzz/targets.ts';
import { slow } from '../support/slow.ts';

/** A short pass over what `npm run fuzz` attacks for as long as one likes. */
const seed = Number(process.env['DEEP_RESEARCH_FUZZ_SEED'] ?? 1);
/** Of a text of 64,000 characters on a machine that is busy with other tests; quadratic time takes tens of seconds. */
const limitMs = 1_500;

for (const target of targets) {
  test(`${target.name}: no text of its format breaks it`, async () => {
    await fc.assert(
      fc.asyncProperty(textFor(target), (text) => attack(target, text)),
      { seed, numRuns: 60 },
    );
  });

  test(`${target.name}: its time is linear in the text`, slow, async () => {
    for (const filler of [...fillers, ...target.tokens]) {
      const ms = await costOf(target, filler.repeat(64_000 / filler.length));
      assert.ok(ms < limitMs, `${Math.round(ms)} ms for 64,000 characters of ${JSON.stringify(filler)}`);
    }
  });
}
