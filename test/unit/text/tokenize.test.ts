import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem, terms, tokenize } from '../../../src/research/text/tokenize.ts';

test('words come lower-cased and in order', () => {
  assert.deepEqual(tokenize('Dense retrieval, then Reranking.'), ['dense', 'retrieval', 'then', 'reranking']);
});

test('names with digits and signs stay whole, hyphenated words come apart', () => {
  assert.deepEqual(tokenize('GPT-4, PD-1, C++, C#, llama-3.1-8b and retrieval-augmented'), [
    'gpt-4',
    'pd-1',
    'c++',
    'c#',
    'llama-3.1-8b',
    'and',
    'retrieval',
    'augmented',
  ]);
});

test('an apostrophe holds a word together, a genitive goes', () => {
  assert.deepEqual(tokenize("can't don’t PD-1's paper's"), ["can't", "don't", 'pd-1', 'paper']);
});

test('scripts without spaces come as pairs of characters', () => {
  assert.deepEqual(tokenize('知识图谱'), ['知识', '识图', '图谱']);
  assert.deepEqual(tokenize('RAG系统'), ['rag', '系统']);
  assert.deepEqual(tokenize('검색 증강'), ['검색', '증강']);
});

test('full-width and composed forms are the same as plain ones', () => {
  assert.deepEqual(tokenize('ＧＰＴ'), tokenize('GPT'));
  assert.deepEqual(tokenize('cafe\u0301'), tokenize('café'));
  assert.deepEqual(tokenize('المعزّز'), tokenize('المعزز'));
});

test('an ASCII text gives the same tokens beside text of another script', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      assert.deepEqual(tokenize(`${text} 图谱`), [...tokenize(text), '图谱']);
    }),
  );
});

test('plurals and Arabic articles are taken off, other endings stay', () => {
  for (const [word, expected] of [
    ['techniques', 'technique'],
    ['queries', 'query'],
    ['classes', 'class'],
    ['analysis', 'analysis'],
    ['status', 'status'],
    ['loss', 'loss'],
    ['الاسترجاع', 'استرجاع'],
  ] as const) {
    assert.equal(stem(word), expected);
  }
});

test('terms leave function words out, in the language asked for too', () => {
  assert.deepEqual(terms('What are the techniques of RAG?'), ['technique', 'rag']);
  assert.deepEqual(terms('die Methoden der Suche', 'de'), ['methoden', 'suche']);
});

test('any text is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const token of tokenize(text)) assert.ok(token.length > 0 && !/\s/.test(token));
    }),
  );
});
