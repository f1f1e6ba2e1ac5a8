import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { englishOf } from '../../../../src/research/analyst/extractive/glossary.ts';

test('set terms have their English names, the longest one first', () => {
  assert.equal(englishOf('大语言模型的幻觉'), 'large language models hallucination');
  assert.equal(englishOf('Векторные базы данных'), 'vector databases');
  assert.equal(englishOf('検索拡張生成'), 'retrieval-augmented generation');
});

test('names beside them are kept', () => {
  assert.equal(englishOf('PD-1 耐药'), 'PD-1 resistance');
});

test('English text and unknown terms have none', () => {
  for (const text of ['', 'retrieval-augmented generation', 'multimodal retrieval', '蜜蜂', 'GPT-4'])
    assert.equal(englishOf(text), '');
});

test('any text is looked up', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(typeof englishOf(text), 'string')));
});
