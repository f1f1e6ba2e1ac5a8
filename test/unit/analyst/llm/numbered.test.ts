import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotesNamed, withNumbers, withoutNumbers } from '../../../../src/research/analyst/llm/numbered.ts';
import { selectPassages } from '../../../../src/research/analyst/llm/passages.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { hasQuote } from '../../../../src/research/evidence/support.ts';
import { source } from '../../../support/analystTestKit.ts';
import { numberForms } from './looseForms.ts';

const quoteNamed = (quote: string, from: Source | undefined) => quotesNamed(quote, from)[0] ?? '';

const paper = source(
  'Sa1b2c',
  '# Results\n\nDense retrieval reaches a recall of 79.4 % at 20. It needs 59,000 training pairs.\n\n- BM25 needs no training pairs at all.\n\nSee Fig. 3. 稠密检索的召回率更高。',
);

test('sentences that can be quoted have the number of their place in the whole text', () => {
  assert.equal(
    withNumbers(paper, paper.text),
    '# Results\n\n{1} Dense retrieval reaches a recall of 79.4 % at 20. {2} It needs 59,000 training pairs.\n\n- {3} BM25 needs no training pairs at all.\n\nSee Fig. 3. {5} 稠密检索的召回率更高。',
  );
  assert.equal(quoteNamed('3', paper), 'BM25 needs no training pairs at all.');
});

test('what leans on something else is quoted with it, and found again in the source', () => {
  const guide = source(
    'Sd3e4f',
    `# Limits

Tarn keeps the first eight bytes of a key. It takes 340 MB.

A project may have:

- seats: 3
- storage: 2 GB

| Size | Price |
| --- | --- |
| small | 0.02 |
| large | 0.08 |
`,
  );
  const numbers = new Map(
    [...withNumbers(guide, guide.text).matchAll(/\{(\d+)\} ([^\n{]+)/g)].map(([, number, text]) => [
      text!.trim(),
      number!,
    ]),
  );
  const named = (text: string) => quoteNamed(numbers.get(text)!, guide);
  assert.equal(named('It takes 340 MB.'), 'Tarn keeps the first eight bytes of a key. It takes 340 MB.');
  assert.equal(named('Tarn keeps the first eight bytes of a key.'), 'Tarn keeps the first eight bytes of a key.');
  assert.equal(named('| large | 0.08 |'), '| Size | Price |\n…\n| large | 0.08 |');
  assert.equal(named('storage: 2 GB'), 'A project may have:\n…\nstorage: 2 GB');
  for (const number of numbers.values()) assert.ok(hasQuote(guide, quoteNamed(number, guide)), number);
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

test('a number is read in whatever form it is given', () => {
  const runs = source(
    'Sa1b2c',
    Array.from({ length: 60 }, (_, index) => `Trial ${index} had recall ${index}.5 points.`).join(' '),
  );
  const sentence = (number: number) => `Trial ${number} had recall ${number}.5 points.`;
  for (const [form, named] of numberForms)
    assert.deepEqual(
      quotesNamed(form, runs),
      named.map((numbers) => numbers.map(sentence).join(' ')),
      form,
    );
});
