import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agreement } from '../../../../src/research/evidence/agreement.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { citedSentences } from '../../../support/citedSentences.ts';
import { distortedSentences } from '../../../support/distortedSentences.ts';
import { isCited } from '../../../support/labelledSentences.ts';

const sourceOf = (text: string): Source => ({
  id: 'S12345',
  kind: 'web',
  identity: 'url:https://example.org/',
  title: '',
  authors: [],
  retrievedAt: '2026-03-04T10:00:00.000Z',
  facts: [],
  alreadyCited: false,
  text,
});

/** Of the distorted sentences of each half, those that the check lets through: what they turn round stands in words alone. */
const missed = { first: 2, second: 1 };

describe('a sentence and the passage that it cites', () => {
  for (const half of ['first', 'second'] as const) {
    const own = distortedSentences.filter((one) => one.half === half);
    it(`contradict each other where one turns the other round (${half} half)`, () => {
      const passed = own.flatMap(({ passage, distorted }) =>
        distorted.filter((text) => isCited({ text, sources: [sourceOf(passage)] }, [sourceOf(passage)])),
      );
      assert.ok(passed.length <= missed[half], passed.join('\n'));
    });

    it(`don't where the sentence is faithful (${half} half)`, () => {
      const refused = [
        ...own.map(({ passage, faithful }) => ({ passage, sentences: faithful })),
        ...citedSentences
          .filter((one) => one.half === half)
          .map(({ passage, paraphrases }) => ({ passage, sentences: paraphrases })),
      ].flatMap(({ passage, sentences }) =>
        sentences.filter((sentence) => agreement(sentence, sourceOf(passage)) === 'contradicts'),
      );
      assert.deepEqual(refused, []);
    });
  }
});
