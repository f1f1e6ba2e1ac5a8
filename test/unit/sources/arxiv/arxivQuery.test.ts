import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildArxivQuery, readSyntax } from '../../../../src/sources/arxiv/arxivQuery.ts';

const first = (text: string, language = 'en'): string | undefined => buildArxivQuery(text, language)?.attempts[0].query;
const second = (text: string): string | undefined => buildArxivQuery(text, 'en')?.attempts[1]?.query;

describe('a query for arXiv', () => {
  it('joins words by AND and prefers them side by side', () => {
    assert.equal(first('attention mechanism'), 'all:"attention mechanism" OR (all:attention AND all:mechanism)');
  });

  it('leaves out function words and words about the wish, and makes weak words optional', () => {
    assert.equal(
      first('What are the main techniques for retrieval-augmented generation?'),
      '(all:"retrieval-augmented" AND all:generation AND all:techniques) OR (all:"retrieval-augmented" AND all:generation)',
    );
    assert.equal(first('recent papers on KRAS'), 'all:KRAS');
  });

  it('keeps quoted phrases', () => {
    assert.equal(
      first('"retrieval augmented generation" evaluation'),
      'all:"retrieval augmented generation" AND all:evaluation',
    );
    assert.equal(first('“graph neural network” chemistry'), 'all:"graph neural network" AND all:chemistry');
  });

  it('keeps syntax that is well formed', () => {
    for (const text of [
      'ti:attention AND cat:cs.CL',
      '(ti:rag OR abs:rag) AND cat:cs.*',
      'au:del_maestro ANDNOT ti:checkerboard',
      'all:electron AND submittedDate:[202301010600 TO 202401010600]',
    ]) {
      assert.equal(first(text), text);
    }
    assert.equal(first('ti:"attention is all you need"'), 'ti:"attention is all you need"');
    assert.equal(first('abs:llm and not ti:survey'), 'abs:llm ANDNOT ti:survey');
  });

  it('never leaves two terms side by side, which arXiv reads as OR', () => {
    assert.equal(first('ti:attention mechanism'), 'ti:attention AND ti:mechanism');
    assert.equal(first('ti:attention "beam search"'), 'ti:attention AND all:"beam search"');
  });

  it('reads broken syntax as words', () => {
    assert.equal(first('foo AND'), 'all:foo');
    assert.equal(first('(ti:rag OR'), 'all:rag');
    assert.equal(first('"unclosed phrase'), 'all:"unclosed phrase" OR (all:unclosed AND all:phrase)');
    assert.equal(first('cat:not/a\\category! rag'), 'all:category AND all:rag');
  });

  it('keeps the Latin terms of other scripts and says what it left out', () => {
    const built = buildArxivQuery('PD-1 耐药机制 GLP-1', 'zh');
    assert.equal(built?.attempts[0].query, 'all:"PD-1" AND all:"GLP-1"');
    assert.match(built?.notes.join() ?? '', /English.*耐药机制/);
    assert.equal(buildArxivQuery('量子计算的主要方法', 'zh'), undefined);
    assert.equal(buildArxivQuery('ما هو التعلم العميق', 'ar'), undefined);
    assert.equal(buildArxivQuery('😀🎉', 'en'), undefined);
  });

  it('gives nothing for nothing', () => {
    for (const text of ['', '   ', '"', '"""', 'ti:', '()', 'AND OR', 'the of and', '?!', '\u0000'])
      assert.equal(buildArxivQuery(text, 'en'), undefined, text);
  });

  it('relaxes to some of the terms, the strongest first', () => {
    assert.equal(second('KRAS G12C'), 'all:KRAS OR all:G12C');
    assert.equal(
      second('LoRA quantization latency'),
      '(all:LoRA AND all:quantization) OR (all:LoRA AND all:latency) OR (all:quantization AND all:latency)',
    );
    assert.equal(second('"speculative decoding"'), 'all:speculative AND all:decoding');
    assert.equal(second('transformer'), undefined);
    assert.equal(second('ti:rag OR ti:retrieval'), undefined);
    assert.equal(
      second('ti:rag AND abs:reranking AND cat:cs.CL'),
      '(all:rag OR all:reranking) AND cat:cs.CL'.replace('rag OR all:reranking', 'reranking OR all:rag'),
    );
  });

  it('is always well formed, bounded and made of the words that were asked, whatever the input', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            '(',
            ')',
            'AND',
            'OR',
            'ANDNOT',
            'NOT',
            'ti:',
            'cat:',
            'all:',
            'submittedDate:[',
            'TO',
            ']',
            ':',
            '\\',
            '*',
            'rag',
            'GPT-4',
            '知识',
            '\n',
            '&id_list=1',
            '%22',
            'a.b',
            "o'clock",
          ),
          { maxLength: 30 },
        )
        .map((parts) => parts.join(' ')),
      fc
        .array(fc.constantFrom('"', '(', ')', ':', '\\', 'x', 'ti', 'AND', ' '), { maxLength: 40 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom('en', 'zh', 'de', ''), (text, language) => {
        const built = buildArxivQuery(text, language);
        if (built === undefined) return;
        for (const { query: attempt } of built.attempts) {
          assert.ok(attempt.length <= 4_000);
          assert.doesNotMatch(attempt, /[\p{Cc}\\{}<>]/u);
          // The grammar reads it back to the same text: quotes and brackets are closed, and no two terms lack an operator.
          const end = ' AND all:end';
          assert.equal(readSyntax(attempt + end)?.query, attempt + end);
          const words =
            attempt
              .replace(/\b(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):/g, ' ')
              .match(/[\p{L}\p{N}]+/gu) ?? [];
          const asked = text.normalize('NFKC').toLowerCase();
          for (const word of words)
            assert.ok(/^(AND|OR|ANDNOT|TO)$/.test(word) || asked.includes(word.toLowerCase()), `${word} in ${attempt}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('says which papers a query of words finds', () => {
    assert.deepEqual(
      buildArxivQuery('LoRA latency', 'en')?.attempts.map(({ groups }) => groups),
      [[['LoRA', 'latency']], [['LoRA'], ['latency']]],
    );
    assert.equal(buildArxivQuery('ti:rag', 'en')?.attempts[0].groups, undefined);
  });
});
