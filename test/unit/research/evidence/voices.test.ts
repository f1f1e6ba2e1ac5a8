import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countVoices } from '../../../../src/research/evidence/voices.ts';

const release =
  'The maker says that its new index answers nine of ten queries in less than four milliseconds on a laptop of 2023.';
const own =
  'On our machines the index needed eleven milliseconds for half of the queries, and more for the rest of them.';
const itself = (id: string): string => id;

test('copies of one text, whole or inside another one, are one voice', () => {
  const said = (source: string, text: string) => ({ source, text });
  assert.equal(countVoices([], itself), 0);
  assert.equal(countVoices([said('Sa', release), said('Sb', own)], itself), 2);
  assert.equal(countVoices([said('Sa', release), said('Sb', `News of the day. ${release}`)], itself), 1);
  assert.equal(countVoices([said('Sa', release), said('Sa', own)], itself), 1, 'one source');
  assert.equal(
    countVoices([said('Sa', release), said('Sb', own)], () => 'Sa'),
    1,
    'one work',
  );
});

test('voices that a third one joins are one', () => {
  const halves = [release, own].map((text, index) => ({ source: `S${index}`, text }));
  assert.equal(countVoices([...halves, { source: 'S2', text: `${release} ${own}` }], itself), 1);
});

test('a short sentence that many could have written joins nobody', () => {
  const short = ['Sa', 'Sb'].map((source) => ({ source, text: 'It was released in 2020.' }));
  assert.equal(countVoices(short, itself), 2);
});
