import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteNamed, statementOf, withNumbers, withoutNumbers } from '../../../../src/research/analyst/llm/numbered.ts';
import { selectPassages } from '../../../../src/research/analyst/llm/passages.ts';
import { hasQuote } from '../../../../src/research/evidence/support.ts';
import { source } from './analystTestKit.ts';

const paper = source(
  'Sa1b2c',
  '# Results\n\nDense retrieval reaches a recall of 79.4 % at 20. It needs 59,000 training pairs.\n\n- BM25 needs no training pairs at all.\n\nSee Fig. 3. 稠密检索的召回率更高。',
);

test('sentences that can be quoted have the number of their place in the whole text', () => {
  assert.equal(
    withNumbers(paper, paper.text),
    '# Results\n\n{1} Dense retrieval reaches a recall of 79.4 % at 20. {2} It needs 59,000 training pairs.\n\n- {4} BM25 needs no training pairs at all.\n\nSee Fig. 3. {7} 稠密检索的召回率更高。',
  );
  assert.equal(quoteNamed('4', paper), 'BM25 needs no training pairs at all.');
});

test('a row of a table states its cells', () => {
  assert.equal(statementOf('| BM25 | 59.1 | - |'), 'BM25, 59.1');
});

test('every number of any passages names words of the source', () => {
  const long = source(
    'Sd3e4f',
    Array.from({ length: 400 }, (_, index) => `Run ${index} reached a recall of ${index}.5 points.`).join(' '),
  );
  const shown = withNumbers(long, selectPassages(long, 'recall of run 211', 600));
  const numbers = [...shown.matchAll(/\{(\d+)\} (Run \d+)/g)];
  assert.ok(numbers.length > 20 && /\[…\]/.test(shown));
  for (const [, number, run] of numbers) {
    assert.ok(quoteNamed(number!, long).startsWith(`${run} reached`));
    assert.ok(hasQuote(long, quoteNamed(number!, long)));
  }
  assert.equal(withoutNumbers(shown), selectPassages(long, 'recall of run 211', 600));
});

test('a quote is read in the forms that models give numbers in, and as it is where it is written out', () => {
  const named = (quote: string) => quoteNamed(quote, paper);
  assert.match(named('{1}'), /^Dense retrieval/);
  assert.equal(named(' 1 '), named('1'));
  assert.equal(named('1-2'), named('{1}, {2}'));
  assert.equal(named('999'), '');
  assert.equal(quoteNamed('1', undefined), '');
  assert.equal(named('{1} Dense retrieval reaches'), 'Dense retrieval reaches');
  assert.equal(named('59,000 training pairs'), '59,000 training pairs');
});
