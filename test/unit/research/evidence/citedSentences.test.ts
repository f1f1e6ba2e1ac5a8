import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { sharesContent } from '../../../../src/research/evidence/support.ts';
import { citedSentences } from '../../../support/citedSentences.ts';

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

describe('a sentence that cites a source', () => {
  for (const half of ['first', 'second'] as const) {
    const own = citedSentences.filter((one) => one.half === half);
    it(`stays when it says in other words what the source says (${half} half)`, () => {
      for (const { passage, paraphrases } of own)
        for (const sentence of paraphrases) assert.ok(sharesContent(sentence, [sourceOf(passage)]), sentence);
    });

    it(`goes when it is about something else (${half} half)`, () => {
      for (const { passage, inventions } of own)
        for (const sentence of inventions) assert.ok(!sharesContent(sentence, [sourceOf(passage)]), sentence);
    });
  }

  it('goes when it names what none of its few common words is about', () => {
    const passage = 'RAG answers from documents that are retrieved for each question.';
    assert.ok(!sharesContent('RAG was banned in Germany in all hospitals.', [sourceOf(passage)]));
  });

  it('is not compared with a source in another language', () => {
    const german = sourceOf('Der Sandfilter wird zurückgespült, sobald der Druckunterschied zu groß ist.');
    assert.ok(sharesContent('The sand filter is washed back once the pressure difference is too large.', [german]));
  });
});
