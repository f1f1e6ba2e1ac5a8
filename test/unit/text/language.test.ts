import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detectLanguage } from '../../../src/research/text/language.ts';

const samples: readonly (readonly [language: string, text: string])[] = [
  ['en', 'What are the main techniques for retrieval-augmented generation?'],
  ['en', 'KRAS G12C'],
  ['en', 'quantum computing in de novo protein design'],
  ['zh', 'PD-1 耐药机制'],
  ['ja', '検索拡張生成とは何ですか'],
  ['ja', 'RAG の multi-hop retrieval'],
  ['ko', '검색 증강 생성은 무엇인가요'],
  ['ar', 'ما هي تقنيات RAG'],
  ['fa', 'تفاوت RAG و fine-tuning چیست؟'],
  ['ru', 'Что такое RAG?'],
  ['uk', 'Що таке RAG і як він працює?'],
  ['de', 'Was ist RAG?'],
  ['de', 'Vergleich von BM25 und Dense Retrieval'],
  ['fr', 'Quels sont les principaux algorithmes de tri ?'],
  ['es', '¿Qué es RAG?'],
  ['pt', 'O que é geração aumentada por recuperação?'],
  ['it', "Che cos'è la generazione aumentata?"],
  ['nl', 'Wat is het verschil tussen A en B?'],
  ['pl', 'Co to jest RAG i jak działa?'],
  ['tr', 'RAG nedir ve nasıl çalışır?'],
  ['sv', 'Vad är skillnaden mellan A och B?'],
  ['vi', 'RAG là gì và nó hoạt động như thế nào?'],
  ['id', 'Apa itu RAG dan bagaimana cara kerjanya?'],
  ['el', 'Τι είναι το RAG;'],
  ['he', 'מה זה RAG?'],
  ['hi', 'RAG क्या है?'],
  ['th', 'RAG คืออะไร'],
];

for (const [language, text] of samples) {
  test(`"${text}" is ${language}`, () => assert.equal(detectLanguage(text), language));
}

test('a foreign term inside a question does not decide', () => {
  assert.equal(detectLanguage('What does 知识图谱 mean?'), 'en');
});

test('text without letters counts as English', () => {
  for (const text of ['', '🎉', '42', '   ']) assert.equal(detectLanguage(text), 'en');
});

test('any text gets a tag', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.match(detectLanguage(text), /^[a-z]{2}$/)));
});
