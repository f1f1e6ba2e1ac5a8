import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from '../../support/sampled.ts';

const steps = ['plan', 'act', 'act', 'act', 'distil', 'act', 'report', 'act'].map((step, at) => ({ step, at }));
const seeds = Array.from({ length: 50 }, (_, seed) => String(seed));

test('a sample has each kind of case once, in the order of the cases', () => {
  for (const seed of seeds) {
    const chosen = choose(steps, seed, ({ step }) => step);
    assert.deepEqual(chosen.map(({ step }) => step).sort(), ['act', 'distil', 'plan', 'report']);
    assert.deepEqual(
      chosen,
      steps.filter((step) => chosen.includes(step)),
    );
  }
});

test('a case that covers several kinds stands for all of them', () => {
  const pairs = ['a', 'b', 'c'].flatMap((row) => [1, 2, 3].map((column) => ({ row, column })));
  for (const seed of seeds) {
    const chosen = choose(pairs, seed, ({ row, column }) => [`row ${row}`, `column ${column}`]);
    assert.equal(new Set(chosen.map(({ row }) => row)).size, 3);
    assert.equal(new Set(chosen.map(({ column }) => column)).size, 3);
    assert.ok(chosen.length <= 5);
  }
});

test('few cases cover all kinds: one that has many of them is taken first', () => {
  const cases = [['a'], ['b'], ['a', 'b', 'c'], ['c'], ['b', 'd']];
  for (const seed of seeds)
    assert.deepEqual(
      choose(cases, seed, (kinds) => kinds),
      [cases[2], cases[4]],
    );
});

test('without kinds it is one case', () => assert.equal(choose(steps, '1').length, 1));

test('the same seed repeats a choice, and over the seeds every case is chosen', () => {
  const kind = ({ step }: (typeof steps)[number]) => step;
  assert.deepEqual(choose(steps, '7', kind), choose(steps, '7', kind));
  const chosen = new Set(seeds.flatMap((seed) => choose(steps, seed, kind)));
  assert.equal(chosen.size, steps.length);
});
