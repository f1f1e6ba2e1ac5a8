import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnalystLimits, Plan } from '../../../../src/research/analyst/analyst.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { detectLanguage } from '../../../../src/research/text/language.ts';
import { scopeOf } from './samples.ts';
import { slow } from '../../../support/slow.ts';

const analyst = new ExtractiveAnalyst();

async function planOf(
  question: string,
  given: { language?: string; depth?: AnalystLimits['depth']; focus?: readonly string[]; clarified?: string } = {},
): Promise<Plan> {
  const asked = { question, clarifiedQuestion: given.clarified ?? question, assumptions: [] };
  const scope = scopeOf({ language: given.language ?? detectLanguage(question), depth: given.depth ?? 'standard' });
  return analyst.plan(
    {
      ...asked,
      analysis: await analyst.analyze(asked),
      focus: given.focus ?? [],
      discovered: [],
      wanted: { min: 3, max: 7 },
    },
    scope,
  );
}

const titles = ({ sections }: Plan): string[] => sections.map(({ title }) => title);

test('the question for techniques gets a section of its own, in the words of the question', async () => {
  const plan = await planOf('What are the main techniques for retrieval-augmented generation?');
  assert.equal(plan.title, 'Main techniques for retrieval-augmented generation');
  assert.deepEqual(titles(plan), [
    'What retrieval-augmented generation is and how it works',
    'Techniques for retrieval-augmented generation',
    'Evaluation and results',
    'Tools and implementations',
    'Limits and open problems',
  ]);
});

test('an order to list is no part of the title', async () => {
  assert.equal(
    (await planOf('List the metrics for evaluating RAG answers')).title,
    'Metrics for evaluating RAG answers',
  );
});

test('a subject in the plural is spoken of in the plural', async () => {
  assert.equal(titles(await planOf('vector databases'))[0], 'What vector databases are and how they work');
  assert.equal(titles(await planOf('embedding models'))[0], 'What embedding models are and how they work');
  assert.equal(titles(await planOf('bioinformatics'))[0], 'What bioinformatics is and how it works');
  assert.equal(
    titles(await planOf('techniques for reducing hallucinations'))[0],
    'What reducing hallucinations is and how it works',
  );
});

test('a comparison has every side in every section and in its queries', async () => {
  const plan = await planOf('Compare LangChain, LlamaIndex and Haystack');
  assert.ok(plan.sections.length >= 3);
  for (const { title, queries } of plan.sections) {
    for (const side of ['LangChain', 'LlamaIndex', 'Haystack']) {
      assert.ok(title.includes(side), `${title} lacks ${side}`);
      assert.ok(queries.some((query) => query.includes(side)));
    }
  }
});

test('focus points of the user come after the definition', async () => {
  const plan = await planOf('What is RAG?', { focus: ['Definition and how it works', 'licences of the tools'] });
  assert.equal(titles(plan)[1], 'Licences of the tools');
  assert.ok(plan.sections[1]!.queries.some((query) => query.includes('RAG')));
});

test('each of several questions has a section and queries of its own', async () => {
  const plan = await planOf(
    'We have many manuals, little money and two people. How large should chunks be? Do we need a reranker? How do we defend against prompt injection?',
  );
  assert.deepEqual(titles(plan), [
    'How large should chunks be',
    'Do we need a reranker',
    'How do we defend against prompt injection',
  ]);
  assert.deepEqual(
    plan.sections.map(({ queries }) => queries[0]),
    ['large chunks', 'need reranker', 'defend prompt injection'],
  );
  assert.equal(
    plan.title,
    'How large should chunks be? Do we need a reranker? How do we defend against prompt injection',
  );
});

test('a further question comes after what the subject is, and the sections that it leaves', async () => {
  assert.deepEqual(titles(await planOf('What is RAG? How does it scale?')).slice(0, 2), [
    'What RAG is and how it works',
    'How does RAG scale',
  ]);
});

test('a side that a further question asks for is not planned twice', async () => {
  const plan = titles(await planOf('Explain RAG. What are the pitfalls?'));
  assert.deepEqual(plan.slice(0, 2), ['What RAG is and how it works', 'What are the pitfalls of RAG']);
  assert.ok(!plan.includes('Limits and open problems'));
});

test('a clause is the heading of the section that answers it', async () => {
  const plan = await planOf('Who introduced RAG?');
  assert.equal(titles(plan)[0], 'Who introduced RAG');
  assert.ok(!titles(plan).some((title) => /^(?:What|Definition)/.test(title)));
  assert.equal(plan.sections.length, 3);
  assert.ok((await planOf('How can I reduce latency?')).sections.length > 3);
});

test('an answer to a clarification moves its side to the front', async () => {
  const plan = await planOf('AI', { clarified: 'AI — Limits and open problems' });
  assert.equal(titles(plan)[1], 'Limits and open problems');
  assert.ok(plan.sections.every(({ queries }) => queries.every((query) => query.startsWith('AI'))));
});

test('medicine gets uses where software gets tools', async () => {
  assert.ok(titles(await planOf('KRAS G12C')).includes('Use in practice'));
  assert.ok(titles(await planOf('tyrosine kinase')).includes('Use in practice'));
  assert.ok(!titles(await planOf('PD-1 耐药机制')).includes('工具与实现'));
  for (const software of ['vector database', 'paraphrase mining', 'release automation'])
    assert.ok(titles(await planOf(software)).includes('Tools and implementations'), software);
});

for (const [language, question, heading] of [
  ['zh', '检索增强生成有哪些主要技术？', '检索增强生成的技术'],
  ['ja', 'RAGの主な手法にはどのようなものがありますか', 'RAGの手法'],
  ['ko', '검색 증강 생성의 주요 기술은 무엇인가요?', '검색 증강 생성: 기술'],
  ['ar', 'ما هي تقنيات التوليد المعزز بالاسترجاع؟', 'تقنيات التوليد المعزز بالاسترجاع'],
  ['ru', 'Какие методы RAG существуют?', 'Методы RAG'],
  ['de', 'Welche Methoden gibt es für Retrieval?', 'Verfahren und Ansätze'],
  ['fr', 'Qu’est-ce que le RAG ?', 'Techniques et approches'],
  ['es', '¿Qué es RAG?', 'Técnicas y enfoques'],
] as const) {
  test(`headings of a question in ${language} are in ${language}`, async () => {
    assert.ok(
      titles(await planOf(question, { language })).includes(heading),
      titles(await planOf(question, { language })).join(' / '),
    );
  });
}

test('a language without texts gets English headings', async () => {
  assert.ok(titles(await planOf('Mikä on RAG?', { language: 'fi' })).includes('Limits and open problems'));
});

test('a quick plan is shorter and a deep one no shorter', async () => {
  const [quick, standard, deep] = await Promise.all(
    (['quick', 'standard', 'deep'] as const).map((depth) => planOf('What is RAG?', { depth })),
  );
  assert.equal(quick!.sections.length, 3);
  assert.ok(deep!.sections.length > standard!.sections.length);
});

const severalQuestions = [
  'How do I evaluate RAG?',
  'Who introduced RAG? How do I evaluate it? What limits it?',
  'What is RAG? How is it evaluated? What are its limits?',
  'A vs B? How do I evaluate them? Which tools are there? What does it cost? Who made it? When was it made? Where is it used? Why is it slow?',
  'Who is away? Who is away?',
];

test('every question gets 3 to 7 sections with titles and queries that differ', slow, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.constantFrom(...severalQuestions)),
      fc.constantFrom('quick', 'standard', 'deep'),
      fc.array(fc.string({ maxLength: 30 }), { maxLength: 9 }),
      async (question, depth, focus) => {
        const plan = await planOf(question, { depth, focus });
        assert.ok(plan.sections.length >= 3 && plan.sections.length <= 7);
        assert.deepEqual(
          plan.sections.map(({ id }) => id),
          plan.sections.map((_, index) => `s${index + 1}`),
        );
        for (const { title, queries } of plan.sections) {
          assert.notEqual(title.trim(), '');
          assert.ok(queries.length > 0 && new Set(queries).size === queries.length);
        }
      },
    ),
  );
});

test('no section is an introduction or a conclusion', async () => {
  for (const question of ['What is RAG?', 'BM25 vs DPR', 'Explain RAG in detail', '什么是RAG？']) {
    for (const title of titles(await planOf(question)))
      assert.doesNotMatch(title, /introduction|conclusion|summary|简介|结论/i);
  }
});
