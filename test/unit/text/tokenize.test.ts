import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../../../src/research/text/stem.ts';
import { terms, tokenize } from '../../../src/research/text/tokenize.ts';

test('words come lower-cased and in order, of a name its parts', () => {
  assert.deepEqual(tokenize('Dense retrieval, then Reranking.'), ['dense', 'retrieval', 'then', 'reranking']);
  assert.deepEqual(tokenize('PD-1, C++, C# and llama-3.1'), ['pd', '1', 'c++', 'c#', 'and', 'llama', '3', '1']);
  assert.deepEqual(tokenize("PD-1's paper's"), ['pd', '1', 'paper']);
});

test('scripts without spaces come as pairs of characters', () => {
  assert.deepEqual(tokenize('知识图谱'), ['知识', '识图', '图谱']);
  assert.deepEqual(tokenize('RAG系统'), ['rag', '系统']);
  assert.deepEqual(tokenize('검색 증강'), ['검색', '증강']);
});

test('full-width and composed forms are the same as plain ones', () => {
  assert.deepEqual(tokenize('ＧＰＴ'), tokenize('GPT'));
  assert.deepEqual(tokenize('cafe\u0301'), tokenize('café'));
  assert.deepEqual(terms('المعزّز'), terms('المعزز'));
});

test('an ASCII text gives the same tokens beside text of another script', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      assert.deepEqual(tokenize(`${text} 图谱`), [...tokenize(text), '图谱']);
    }),
  );
});

test('forms of one word have one stem, and Arabic articles are taken off', () => {
  for (const [word, other] of [
    ['techniques', 'technique'],
    ['ports', 'port'],
    ['stopped', 'stop'],
    ['режимами', 'режим'],
    ['الاسترجاع', 'استرجاع'],
  ] as const) {
    assert.equal(stem(word), stem(other));
  }
  for (const word of ['status', 'analysis', 'loss']) assert.equal(stem(word), word);
});

test('terms leave function words out, in the language asked for too', () => {
  assert.deepEqual(terms('What are the techniques of RAG?'), [stem('techniques'), 'rag']);
  assert.deepEqual(terms('die Methoden der Suche', 'de'), [stem('methoden'), stem('suche')]);
});

test('any text is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const token of tokenize(text)) assert.ok(token.length > 0 && !/\s/.test(token));
    }),
  );
});
