import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReportInput } from '../../../../src/research/analyst/analyst.ts';
import { llmAnalyst } from '../../../../src/research/analyst/llm/llmAnalyst.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { answer, facts, questionInput, reviewed, scopeOver } from '../../../support/analystTestKit.ts';

/** A report whose stream breaks: the text that was shown stays, and nothing is said twice, whatever the model does next. */

const analyst = llmAnalyst;
const input: ReportInput = {
  ...questionInput,
  title: 'RAG',
  objective: 'What it is.',
  limits: '',
  focus: [],
  analysis: { queryType: 'general', outputFormat: 'prose', needsDiscovery: false, discoveryTarget: '', reasoning: '' },
  discovered: [],
  sections: [reviewed('s1'), reviewed('s2')],
  contradictions: [],
  sources: facts,
};
const whole = `# Retrieval in short

Retrieval finds what a model does not know, and the model says it in words [Sa1b2c].

## Section s1

Dense retrieval outperforms BM25 by 9 to 19 points [Sd3e4f]. It needs vectors of every passage [Sa1b2c].

## Section s2

Sparse retrieval needs no training [Sd3e4f]. Names and numbers are found by it alone [Sa1b2c].

## Conclusion and outlook

Both together find most.
`;
const last = whole.length - 1;
/** In a heading, in a word, in a marker, after a marker, between sections, in the last sentence. */
const cuts = [
  30,
  whole.indexOf('outperforms') + 4,
  whole.indexOf('[Sd3e4f]') + 4,
  whole.indexOf('[Sd3e4f].') + 9,
  whole.indexOf('## Section s2'),
  last - 8,
];
/** How models go on after a break. */
const ways: Readonly<Record<string, (written: string) => string>> = {
  'exactly where it stopped': (written) => whole.slice(written.length),
  'with the last words once more': (written) => whole.slice(Math.max(0, written.length - 60)),
  'with the half word or marker once more': (written) =>
    whole.slice(written.length - (/(?:\[[^\]\s]*|[\p{L}\p{N}]+)$/u.exec(written)?.[0].length ?? 0)),
  'after an ellipsis': (written) => `…${whole.slice(written.length)}`,
  'from the beginning': () => whole,
};

describe('a report whose stream breaks', () => {
  for (const [way, next] of Object.entries(ways)) {
    for (const reason of ['streamBroken', 'timeout', 'network'] as const) {
      it(`by ${reason}, and is continued: ${way}; is complete and repeats nothing`, async () => {
        for (const cut of cuts) {
          const shown: string[] = [];
          let calls = 0;
          const scope = scopeOver((_request, _label, onText) => {
            calls += 1;
            if (calls > 1) return answer(next(whole.slice(0, cut)));
            for (let at = 0; at < cut; at += 7) onText?.(whole.slice(at, Math.min(cut, at + 7)));
            throw new ResearchError(reason, 'Cut.');
          });
          for await (const piece of analyst.writeReport(input, scope)) shown.push(piece);
          assert.equal(shown.join(''), whole, `cut at ${cut}: ${JSON.stringify(whole.slice(cut - 12, cut))}`);
          assert.equal(calls, 2);
        }
      });
    }
  }

  it('three times, is still one report', async () => {
    const stops = [40, 160, 300];
    let calls = 0;
    const scope = scopeOver((request, _label, onText) => {
      const written = request.messages.length > 2 ? request.messages.at(-2)!.content : '';
      const stop = stops[calls];
      calls += 1;
      if (stop === undefined) return answer(whole.slice(written.length));
      onText?.(whole.slice(written.length, stop));
      throw new ResearchError('streamBroken', 'Cut.');
    });
    let text = '';
    for await (const piece of analyst.writeReport(input, scope)) text += piece;
    // What was held back to look for a repetition had not been shown: it is written anew.
    assert.equal(text, whole);
    assert.equal(calls, 4);
  });

  it('and is restarted in other words, keeps what was shown and adds only the sections that it had not begun', async () => {
    const cut = whole.indexOf('It needs vectors');
    let calls = 0;
    const scope = scopeOver((_request, _label, onText) => {
      calls += 1;
      if (calls > 1)
        return answer(
          whole
            .replace('Dense retrieval outperforms', 'In short, dense retrieval beats')
            .replace('It needs vectors', 'Vectors are needed'),
        );
      onText?.(whole.slice(0, cut));
      throw new ResearchError('streamBroken', 'Cut.');
    });
    let text = '';
    for await (const piece of analyst.writeReport(input, scope)) text += piece;
    assert.ok(text.startsWith(whole.slice(0, cut)));
    assert.equal(text.split('Retrieval finds what').length, 2);
    assert.equal(text.split('## Section s1').length, 2);
    assert.match(text, /## Section s2\n\nSparse retrieval needs no training/);
    assert.match(text, /Both together find most\.\n$/);
  });
});
