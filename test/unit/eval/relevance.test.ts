import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OffTopicScore, readCases, scoreExtractive, scoreNamed } from '../../eval/relevance/offTopic.ts';
import { readRepeats, scoreRepeats } from '../../eval/relevance/repeats.ts';

/** Floors a little under what was measured: `test/eval/relevance/README.md`. */
describe('sources that only share words with the question', () => {
  const leftOut = ({ foreignLeftOut, foreign }: OffTopicScore) => foreignLeftOut / foreign;
  const lost = ({ aboutLost, about }: OffTopicScore) => aboutLost / about;
  const among = ({ foreignQuotes, quotes }: OffTopicScore) => foreignQuotes / quotes;
  for (const [set, least] of [
    ['dev', { silent: 0.24, right: 0.92, quotes: 0.24 }],
    ['heldOut', { silent: 0.4, right: 0.95, quotes: 0.45 }],
  ] as const) {
    const cases = readCases(set);

    it(`are left out in part when a model names none, and hardly any other source is (${set})`, async () => {
      const score = await scoreNamed(cases, 'nothing');
      assert.ok(leftOut(score) >= least.silent && lost(score) <= 0.02, JSON.stringify(score));
    });

    it(`are left out when a model names them (${set})`, async () => {
      const score = await scoreNamed(cases, 'right');
      assert.ok(leftOut(score) >= least.right && lost(score) <= 0.02, JSON.stringify(score));
    });

    it(`are not what a model makes them that is mistaken, or names all (${set})`, async () => {
      const [wrong, everything] = [await scoreNamed(cases, 'wrong'), await scoreNamed(cases, 'everything')];
      assert.ok(lost(wrong) <= 0.14, JSON.stringify(wrong));
      assert.ok(lost(everything) <= 0.02, JSON.stringify(everything));
    });

    it(`are seldom quoted without a model (${set})`, () => {
      const score = scoreExtractive(cases);
      assert.ok(among(score) <= least.quotes, JSON.stringify(score));
    });
  }
});

describe('what several sections state', () => {
  for (const set of ['dev', 'heldOut'])
    it(`stands in the body of a report once, and no condition of it is lost (${set})`, () => {
      const notes: string[] = [];
      const score = scoreRepeats(readRepeats(set), (line) => notes.push(line));
      assert.ok(score.repeated <= (set === 'dev' ? 1 : 0), notes.join('\n'));
      assert.ok(score.lost <= (set === 'dev' ? 0 : 1), notes.join('\n'));
    });
});
