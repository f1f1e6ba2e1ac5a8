import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readQuestion } from '../../../../src/research/analyst/extractive/question.ts';
import { acronymOf, longFormOf } from '../../../../src/research/analyst/extractive/shortForms.ts';
import { subjectWords } from '../../../../src/research/analyst/extractive/subjectWords.ts';

const types: readonly (readonly [question: string, type: string, format: string])[] = [
  ['What are the main techniques for retrieval-augmented generation?', 'list', 'list'],
  ['Which vector databases are written in Rust?', 'list', 'list'],
  ['List papers on reranking', 'list', 'list'],
  ['检索增强生成有哪些主要技术？', 'list', 'list'],
  ['盘点开源向量数据库', 'list', 'list'],
  ['벡터 데이터베이스 종류', 'list', 'list'],
  ['Welche Methoden gibt es für Retrieval?', 'list', 'list'],
  ['FAISS vs HNSW', 'comparison', 'table'],
  ['What is the difference between BM25 and dense retrieval?', 'comparison', 'table'],
  ['对比 BM25 和稠密检索', 'comparison', 'table'],
  ['BM25和稠密检索的区别', 'comparison', 'table'],
  ['RAG와 파인튜닝 비교', 'comparison', 'table'],
  ['Is Rust faster than Go?', 'comparison', 'table'],
  ['Explain in detail how attention works', 'deep_dive', 'prose'],
  ['深入分析大语言模型的幻觉', 'deep_dive', 'prose'],
  ['트랜스포머를 자세히 설명해줘', 'deep_dive', 'prose'],
  ['What is HyDE?', 'general', 'prose'],
  ['KRAS G12C', 'general', 'prose'],
  ['linked list implementation in Rust', 'general', 'prose'],
  ['finite difference methods for the heat equation', 'general', 'prose'],
  ['What is HyDE? Answer as a table.', 'general', 'table'],
];
for (const [question, type, format] of types) {
  test(`"${question}" is a ${type} question, answered as ${format}`, () => {
    const read = readQuestion(question);
    assert.deepEqual([read.type, read.format], [type, format]);
  });
}

const subjects: readonly (readonly [question: string, subject: string])[] = [
  ['What are the main techniques for retrieval-augmented generation?', 'retrieval-augmented generation'],
  ['How does HNSW work?', 'HNSW'],
  ['Can you give me an in-depth explanation of speculative decoding?', 'speculative decoding'],
  ['What is HyDE and how does it work?', 'HyDE'],
  ['best open-source vector databases', 'open-source vector databases'],
  ['检索增强生成有哪些主要技术？', '检索增强生成'],
  ['什么是检索增强生成？', '检索增强生成'],
  ['検索拡張生成とは何ですか', '検索拡張生成'],
  ['검색 증강 생성의 주요 기술은 무엇인가요?', '검색 증강 생성'],
  ['ما هي تقنيات التوليد المعزز بالاسترجاع؟', 'التوليد المعزز بالاسترجاع'],
  ['Какие методы RAG существуют?', 'RAG'],
  ['¿Cuáles son las técnicas de RAG?', 'RAG'],
  ['pros and cons of BM25', 'BM25'],
  ['Wie funktioniert HyDE und wann ist es sinnvoll?', 'HyDE'],
  ['¿Cómo funciona HyDE y cuándo usarlo?', 'HyDE'],
  ['Как работает HyDE и когда его использовать?', 'HyDE'],
  ['What are the main limitations and open problems of RAG?', 'RAG'],
  ['What are the trade-offs of late interaction?', 'late interaction'],
];
for (const [question, subject] of subjects) {
  test(`"${question}" is about "${subject}"`, () => assert.equal(readQuestion(question).subject, subject));
}

test('a clause makes no heading, but words to search for', () => {
  const read = readQuestion('How do I evaluate RAG systems for faithfulness?');
  assert.equal(read.subject, '');
  assert.equal(read.keywords, 'evaluate RAG systems faithfulness');
  assert.equal(read.facet, 'evaluation');
});

for (const question of [
  'Who introduced RAG?',
  'Which vector database supports filtering by payload?',
  'Which metrics measure faithfulness?',
  'What changed in version 0.2.0?',
  'What causes hallucinations?',
  'Who is away next week?',
  'Which team introduced RAG?',
  'What is the capital of France?',
  'Wie groß sollten Chunks sein?',
  'Pourquoi le reranking aide ?',
  '如何评估RAG系统的忠实度?',
  'RAGはどのように評価しますか？',
  'What are the action items from the last meeting?',
]) {
  test(`"${question}" is a clause and makes no heading`, () => assert.equal(readQuestion(question).subject, ''));
}

for (const [question, subject] of [
  ['Which language models for code exist?', 'language models for code'],
  ['which methods based on graphs', 'methods based on graphs'],
  ['Which techniques exist for RAG?', 'RAG'],
  ['Who is Alan Turing?', 'Alan Turing'],
] as const) {
  test(`"${question}" still asks for a noun: "${subject}"`, () =>
    assert.equal(readQuestion(question).subject, subject));
}

const background =
  'We are building an assistant for our support team. It answers from forty thousand documents, and compared to last year it is slow. ';
const told: readonly (readonly [text: string, keywords: string, questions: readonly string[]])[] = [
  [
    `${background}How do we keep access rights? Do we need a reranker?`,
    'keep access rights',
    ['How do we keep access rights?', 'Do we need a reranker?'],
  ],
  [`Hello! ${background}What is RAG?`, 'RAG', ['What is RAG?']],
  ['What is RAG? How does it scale?', 'RAG', ['What is RAG?', 'How does RAG scale?']],
  ['What is RAG? What are its limits?', 'RAG', ['What is RAG?', 'What are the limits of RAG?']],
  [
    'How large should chunks be? How do I split them? How do I split them?',
    'large chunks',
    ['How large should chunks be?', 'How do I split chunks?'],
  ],
  [
    'What is the difference between BM25 and DPR? How do I evaluate them?',
    'BM25 DPR',
    ['What is the difference between BM25 and DPR?', 'How do I evaluate BM25 and DPR?'],
  ],
  [
    'Explain RAG. What are the main pitfalls? Who uses its index?',
    'RAG',
    ['Explain RAG.', 'What are the main pitfalls of RAG?', "Who uses RAG's index?"],
  ],
  ['什么是RAG？它有什么局限？', 'RAG', ['什么是RAG？', 'RAG有什么局限？']],
  ['Compare Postgres and MySQL. When should I use each?', 'Postgres MySQL', ['Compare Postgres and MySQL.']],
  ['What is HyDE? Answer as a table.', 'HyDE', ['What is HyDE?']],
  ['Notes on HyDE. All of it.', 'Notes HyDE', ['Notes on HyDE. All of it.']],
];
for (const [text, keywords, questions] of told) {
  test(`"${text.slice(-60)}" asks ${questions.join(' and ')}`, () => {
    const read = readQuestion(text);
    assert.deepEqual([read.keywords, read.questions], [keywords, questions]);
  });
}

test('names in Latin letters are keywords of their own beside Chinese and Japanese, and how it asks is none', () => {
  assert.equal(readQuestion('如何评估RAG系统的忠实度?').keywords, '评估 RAG 系统的忠实度');
  assert.equal(readQuestion('GPT-4模型的局限').keywords, 'GPT-4 模型');
});

test('what is told before a question does not change its kind', () =>
  assert.equal(readQuestion(`${background}What is RAG?`).type, 'general'));

const comparisons: readonly (readonly [question: string, sides: readonly string[]])[] = [
  ['FAISS vs HNSW for vector search', ['FAISS', 'HNSW']],
  ['Compare LangChain, LlamaIndex and Haystack for RAG', ['LangChain', 'LlamaIndex', 'Haystack']],
  ['Which is better, Postgres or MySQL?', ['Postgres', 'MySQL']],
  ['Should I use fine-tuning or RAG?', ['fine-tuning', 'RAG']],
  ['Is Rust faster than Go?', ['Rust', 'Go']],
  ['BM25和稠密检索的区别是什么？', ['BM25', '稠密检索']],
  ['RAG와 파인튜닝의 차이를 비교해줘', ['RAG', '파인튜닝']],
  ['Чем BM25 отличается от dense retrieval?', ['BM25', 'dense retrieval']],
  ['Was ist der Unterschied zwischen BM25 und DPR?', ['BM25', 'DPR']],
  ['ما الفرق بين RAG و fine-tuning؟', ['RAG', 'fine-tuning']],
  ['What are the trade-offs between dense and sparse retrieval?', ['dense retrieval', 'sparse retrieval']],
  ['What are the advantages of hybrid search over dense retrieval?', ['hybrid search', 'dense retrieval']],
  ['BM25 vs semantic search', ['BM25', 'semantic search']],
  ['What is Corrective RAG and how does it differ from Self-RAG?', ['Corrective RAG', 'Self-RAG']],
  ['How does HyDE work, and how does it compare to query expansion?', ['HyDE', 'query expansion']],
  [
    'What is the difference between HNSW and product quantisation, and when should I use each?',
    ['HNSW', 'product quantisation'],
  ],
  ['Compare BM25 and DPR, and which is faster?', ['BM25', 'DPR']],
  ['Was ist der Unterschied zwischen BM25 und DPR und wann nehme ich was?', ['BM25', 'DPR']],
  ['How does it differ from BM25?', []],
  ['C# vs F#: which is better?', ['C#', 'F#']],
  ['Which is better, Postgres or MySQL, and why?', ['Postgres', 'MySQL']],
  ['pros and cons of long context vs RAG', ['long context', 'RAG']],
];
for (const [question, sides] of comparisons) {
  test(`"${question}" compares ${sides.join(', ') || 'nothing that it names'}`, () =>
    assert.deepEqual(readQuestion(question).sides, sides));
}

test('greetings, pleas, pronouns and keyboard rows name no subject', () => {
  for (const text of [
    '',
    'hi',
    'help me',
    'asdf',
    'qwertyui',
    'aaaa',
    'tell me about it',
    'what is this',
    'do research',
    '🎉🎉',
    '42',
    '你好，帮帮我',
    'こんにちは',
    '도와주세요',
    'привет, помоги мне',
    'hola',
  ]) {
    assert.deepEqual(subjectWords(text), [], text);
  }
});

test('short names of real things are subjects', () => {
  for (const text of ['AI', 'HyDE', 'KRAS G12C', 'GLP-1 agonists', 'PD-1 耐药机制', 'lstm', 'C++'])
    assert.ok(subjectWords(text).length > 0, text);
});

test('what a clarification added asks of the subject and does not change it', () => {
  const read = readQuestion('AI — Tools and implementations');
  assert.equal(read.subject, 'AI');
  assert.equal(read.facet, 'tools');
});

test('a short form is found for a long name, and the other way round in a text that explains it', () => {
  assert.equal(acronymOf('retrieval-augmented generation'), 'RAG');
  assert.equal(acronymOf('dense retrieval'), '');
  assert.equal(
    longFormOf('RAG', ['We study Retrieval-Augmented Generation (RAG) for code.']),
    'Retrieval Augmented Generation',
  );
  assert.equal(longFormOf('RAG', ['An old rag (RAG) here.']), '');
});

test('any text is read, the same way each time, a huge one quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.deepEqual(readQuestion(text), readQuestion(text))),
  );
  for (const text of [
    'compare '.repeat(25_000),
    'a, '.repeat(60_000),
    'между '.repeat(30_000),
    '和'.repeat(200_000),
    'is it? '.repeat(30_000),
    'which tools '.repeat(20_000),
    'RAG系'.repeat(60_000),
    ' und wie'.repeat(40_000),
    'how '.repeat(50_000),
    'compare a and is '.repeat(20_000),
    'and how does it differ from '.repeat(20_000),
    ' — '.repeat(50_000),
  ]) {
    const started = performance.now();
    readQuestion(text);
    subjectWords(text);
    assert.ok(performance.now() - started < 1_000, text.slice(0, 10));
  }
});
