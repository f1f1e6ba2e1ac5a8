import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areCopies, containment, shingles, sketchOf } from '../../../../src/research/evidence/similarity.ts';

test('what a text holds of another one lies between nothing and all', () => {
  assert.equal(containment(new Set(['a']), new Set(['a', 'b'])), 1);
  assert.equal(containment(new Set(), new Set(['a'])), 0);
  assert.deepEqual([...shingles(['a', 'b', 'c', 'd'])], ['a b c', 'b c d']);
  assert.deepEqual([...shingles(['a'])], ['a']);
  assert.equal(shingles([]).size, 0);
});

test('a copy is known by its sketch, another text and a short one are not', () => {
  const words = (from: number): string => Array.from({ length: 80 }, (_, index) => `word${from + index}`).join(' ');
  const sketch = sketchOf(words(0))!;
  assert.ok(areCopies(sketch, sketchOf(`Menu. ${words(0)} Imprint.`)!));
  assert.ok(!areCopies(sketch, sketchOf(words(500))!));
  assert.equal(sketchOf('Some words alone.'), undefined);
});
