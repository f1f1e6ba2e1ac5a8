import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Bm25, rankBm25 } from '../../../src/research/text/bm25.ts';
import { selectMmr } from '../../../src/research/text/mmr.ts';
import { containment, jaccard, shingles } from '../../../src/research/text/similarity.ts';

test('the text that has all words of the query stands first, one without any is left out', () => {
  const ranked = rankBm25('hybrid search', ['dense retrieval only', 'hybrid search merges rankings', 'search']);
  assert.deepEqual(
    ranked.map(({ index }) => index),
    [1, 2],
  );
});

test('a rare word weighs more than a common one', () => {
  const ranked = rankBm25('rag hyde', ['rag one', 'rag two', 'rag three', 'hyde four']);
  assert.equal(ranked[0]!.index, 3);
});

test('plural and singular find each other', () => {
  assert.equal(rankBm25('techniques', ['a technique', 'other'])[0]!.index, 0);
});

test('equal texts keep their order and no score is negative', () => {
  assert.deepEqual(
    rankBm25('a1', ['a1', 'a1', 'a1']).map(({ index }) => index),
    [0, 1, 2],
  );
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 8 }), fc.string(), (texts, query) => {
      for (const { score } of rankBm25(query, texts)) assert.ok(score > 0 && Number.isFinite(score));
    }),
  );
});

test('an empty set of documents ranks nothing', () => {
  assert.deepEqual(new Bm25([]).rank(new Map([['a', 1]])), []);
});

test('a weight of the query scales its term', () => {
  const bm25 = new Bm25([['a'], ['b']]);
  assert.ok(bm25.score(new Map([['a', 2]]), 0) > bm25.score(new Map([['a', 1]]), 0));
});

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
