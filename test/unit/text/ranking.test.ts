import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectMmr } from '../../../src/research/text/mmr.ts';
import { containment, jaccard, shingles } from '../../../src/research/text/similarity.ts';

test('the next choice says something new', () => {
  const same = new Set(['0-1', '1-0']);
  const order = selectMmr([1, 0.9, 0.8], (a, b) => (same.has(`${a}-${b}`) ? 1 : 0), 3, { lambda: 0.5 });
  assert.deepEqual(order, [0, 2, 1]);
});

test('what is too like a chosen one is never chosen', () => {
  assert.deepEqual(
    selectMmr([1, 0.9, 0.8], (a, b) => (a + b === 1 ? 1 : 0), 3, { maxSimilarity: 1 }),
    [0, 2],
  );
});

test('crowding makes room for others', () => {
  const groups = ['x', 'x', 'y'];
  const taken = new Map<string, number>();
  const order = selectMmr([1, 0.9, 0.8], () => 0, 3, {
    crowding: (index) => (taken.get(groups[index]!) ?? 0) * 0.5,
    onChosen: (index) => taken.set(groups[index]!, (taken.get(groups[index]!) ?? 0) + 1),
  });
  assert.deepEqual(order, [0, 2, 1]);
});

test('similarities lie between nothing shared and all shared', () => {
  assert.equal(jaccard(new Set(), new Set()), 0);
  assert.equal(jaccard(new Set(['a', 'b']), new Set(['b', 'c'])), 1 / 3);
  assert.equal(containment(new Set(['a']), new Set(['a', 'b'])), 1);
  assert.deepEqual([...shingles(['a', 'b', 'c', 'd'])], ['a b c', 'b c d']);
  assert.deepEqual([...shingles(['a'])], ['a']);
  assert.equal(shingles([]).size, 0);
});
