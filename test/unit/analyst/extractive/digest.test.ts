import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnalystLimits, DistilInput, OutputFormat } from '../../../../src/research/analyst/analyst.ts';
import { fingerprint, isNearDuplicate } from '../../../../src/research/analyst/extractive/choosePassages.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { matchQuote } from '../../../../src/research/evidence/quotes.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { scopeOf, sourceOf } from './samples.ts';
import { slow } from '../../../support/slow.ts';

const analyst = new ExtractiveAnalyst();
const question = 'What are the main techniques for retrieval-augmented generation?';

function distil(
  sources: readonly Source[],
  given: Partial<DistilInput> & { readonly depth?: AnalystLimits['depth'] } = {},
) {
  const section = {
    id: 's2',
    title: 'Techniques for retrieval-augmented generation',
    description: 'Techniques and approaches: retrieval-augmented generation.',
    queries: ['retrieval-augmented generation techniques'],
  };
  return analyst.distil(
    { section, question, outputFormat: 'list', gaps: [], gathered: [], sources, ...given },
    scopeOf({ depth: given.depth ?? 'standard' }),
  );
}

const subjects = [
  'Retrieval-augmented generation',
  'A retrieval-augmented generation system',
  'Dense retrieval for retrieval-augmented generation',
  'RAG',
];
const verbs = ['uses', 'trains', 'searches', 'ranks', 'encodes', 'rewrites', 'merges', 'splits'];
const objects = [
  'queries and passages with two encoders',
  'the passages of every document in the index',
  'a hypothetical document in place of the query',
  'rankings of several retrievers by their ranks',
  'documents at headings and paragraphs',
  'candidates with a cross-encoder model',
  'the question before the search begins',
  'summaries of clusters of chunks',
];
const sentence = fc
  .tuple(fc.constantFrom(...subjects), fc.constantFrom(...verbs), fc.constantFrom(...objects), fc.nat(99))
  .map(([subject, verb, object, number]) => `${subject} ${verb} ${object} in ${number} of the cases.`);
const junk = fc.constantFrom(
  '[![badge](https://b)](https://c)',
  '## Notes',
  '- short',
  '| a | b |',
  'However, this one points back to the one before it.',
  '```\ncode\n```',
  '<p align="center">html</p>',
  'Licensed under the MIT License by the authors.',
  'Is this a question about retrieval-augmented generation?',
);
const anySource = fc
  .tuple(
    fc.array(fc.oneof(sentence, sentence, junk), { minLength: 1, maxLength: 12 }),
    fc.constantFrom('workspace', 'arxiv', 'github' as const),
  )
  .map(([parts, kind]) => ({ text: parts.join('\n\n'), kind: kind }));
const sourceSet = fc
  .array(anySource, { minLength: 1, maxLength: 6 })
  .map((list) =>
    list.map((given, index) => sourceOf({ ...given, title: `Retrieval-augmented generation ${index}` }, index)),
  );

const quotedLine = /(\S.*?) \[(S[0-9a-f]{5,})\]/g;

function quotesOf(content: string): { text: string; source: string }[] {
  return content
    .split('\n')
    .filter((line) => !line.startsWith('#') && !/^\|[-|]+$/.test(line))
    .flatMap((line) =>
      [...line.replace(/^- /, '').matchAll(quotedLine)].map(([, text, source]) => ({
        text: text!.replace(/^\| .*? \| /, ''),
        source: source!,
      })),
    );
}

test('every sentence of the content and of the findings stands in the source that it names', async () => {
  await fc.assert(
    fc.asyncProperty(
      sourceSet,
      fc.constantFrom<OutputFormat>('list', 'prose', 'table'),
      async (sources, outputFormat) => {
        const { content, findings } = await distil(sources, { outputFormat });
        const text = new Map(sources.map((source) => [source.id, source.text]));
        for (const { claim, quote, source } of findings) {
          assert.equal(claim, quote);
          assert.equal(matchQuote(quote, text.get(source)!), 'exact');
        }
        for (const { text: shown, source } of quotesOf(content))
          assert.equal(matchQuote(shown, text.get(source)!), 'exact', shown);
      },
    ),
    { numRuns: 60 },
  );
});

test('no two findings say nearly the same', async () => {
  await fc.assert(
    fc.asyncProperty(sourceSet, async (sources) => {
      const prints = (await distil(sources)).findings.map(({ claim }) => fingerprint(claim));
      for (const [index, print] of prints.entries())
        for (const other of prints.slice(index + 1)) assert.ok(!isNearDuplicate(print, other));
    }),
    { numRuns: 60 },
  );
});

test('the same input gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(sourceSet, async (sources) => {
      const copies = sources.map((source) => ({ ...source }));
      assert.deepEqual(await distil(sources), await distil(copies));
    }),
    { numRuns: 30 },
  );
});

test('arbitrary text gives findings or none, never an error', slow, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 4 }),
      async (texts) => {
        const { content, findings } = await distil(texts.map((text, index) => sourceOf({ text }, index)));
        assert.equal(content === '', findings.length === 0);
      },
    ),
  );
});

const near = [
  'Hybrid search in retrieval-augmented generation runs dense and sparse retrieval and merges the rankings.',
  'Hybrid search in retrieval-augmented generation runs sparse and dense retrieval, and merges the two rankings.',
];
test('a sentence that two sources share is quoted once', async () => {
  const { findings } = await distil(near.map((text, index) => sourceOf({ text }, index)));
  assert.equal(findings.length, 1);
});

test('what has nothing to do with the subject is not quoted', async () => {
  const { findings } = await distil([
    sourceOf(
      { text: 'RAG retrieves passages and lets a language model answer from them with citations.', title: 'RAG' },
      1,
    ),
    sourceOf(
      {
        text: 'The committee books the large room on Thursday and waters the office plants every week.',
        title: 'Minutes',
      },
      2,
    ),
    sourceOf(
      {
        text: 'Sourdough bread rises slowly because wild yeast ferments the dough at room temperature.',
        kind: 'arxiv',
        title: 'Bread',
      },
      3,
    ),
  ]);
  assert.deepEqual(
    findings.map(({ source }) => source),
    ['Sa0001'],
  );
});

test('one talkative source does not crowd out the others', async () => {
  const many = objects
    .map((object, index) => `Retrieval-augmented generation ${verbs[index]} ${object} in practice.`)
    .join(' ');
  const { findings } = await distil([
    sourceOf({ text: many }, 1),
    sourceOf({ text: 'RAG rewrites follow-up questions into standalone queries before it searches.' }, 2),
    sourceOf({ text: 'RAG clusters chunks by embedding and summarises each cluster with a model.' }, 3),
  ]);
  assert.equal(new Set(findings.slice(0, 4).map(({ source }) => source)).size, 3);
});

test('depth decides how much is shown', async () => {
  const text = objects
    .flatMap((object, index) =>
      subjects
        .slice(0, 2)
        .map((subject, at) => `${subject} ${verbs[(index + at) % 8]} ${object} number ${index * 7 + at}.`),
    )
    .join('\n\n');
  const shown = async (depth: AnalystLimits['depth']) =>
    quotesOf(
      (
        await distil([sourceOf({ text })], {
          depth,
          section: { id: 's1', title: 'Limits', description: '', queries: ['retrieval-augmented generation limits'] },
          question: 'RAG',
        })
      ).content,
    ).length;
  assert.ok((await shown('quick')) <= (await shown('standard')) && (await shown('standard')) <= (await shown('deep')));
});

test('a comparison has a row for each side', async () => {
  const { content } = await distil(
    [
      sourceOf({ text: 'BM25 ranks documents by rare words and needs no training data at all.' }, 1),
      sourceOf({ text: 'DPR trains two encoders on questions and passages that answer them.' }, 2),
    ],
    {
      question: 'BM25 vs DPR',
      outputFormat: 'table',
      section: { id: 's1', title: 'How BM25 and DPR work', description: '', queries: ['BM25 DPR overview'] },
    },
  );
  assert.match(
    content,
    /^\| Subject \| What it says \|\n\|---\|---\|\n\| BM25 \| BM25 ranks .*\[Sa0001\] \|\n\| DPR \| DPR trains .*\[Sa0002\] \|$/,
  );
});

test('quotes of several kinds of sources stand under their kinds, the own workspace first', async () => {
  const { content } = await distil([
    sourceOf(
      {
        text: 'RAG trains a reader model to answer from the passages that it retrieves.',
        kind: 'github',
        title: 'a/b',
      },
      1,
    ),
    sourceOf({ text: 'RAG splits documents into chunks and searches them with every question.', kind: 'arxiv' }, 2),
    sourceOf({ text: 'RAG rewrites queries and ranks candidates with a cross-encoder model.' }, 3),
  ]);
  assert.deepEqual(content.match(/^### .*$/gm), ['### In this workspace', '### Papers', '### Projects']);
});

test('a question in another script still quotes what its search returned', async () => {
  const { findings } = await distil(
    [
      sourceOf({
        text: 'Hybrid search merges two rankings by reciprocal rank fusion and needs no calibration.',
        kind: 'arxiv',
      }),
    ],
    {
      question: '检索增强生成有哪些主要技术？',
      section: { id: 's1', title: '检索增强生成的技术', description: '', queries: ['检索增强生成 技术'] },
    },
  );
  assert.equal(findings.length, 1);
});

test('a hundred long sources take little time, a second section less', slow, async () => {
  const paragraphs = Array.from(
    { length: 400 },
    (_, n) =>
      `${subjects[n % 4]} ${verbs[n % 8]} ${objects[(n * 3) % 8]} in trial ${n}. Every trial of the laboratory used ${n} documents of the same archive.`,
  );
  const sources = Array.from({ length: 100 }, (_, index) => {
    let text = '';
    for (let n = index; text.length < 20_000; n += 1) text += `${paragraphs[(n * 7) % 400]}\n\n`;
    return sourceOf({ text: text.slice(0, 20_000), kind: index % 2 === 0 ? 'workspace' : 'arxiv' }, index);
  });
  const cpu = async (): Promise<number> => {
    const before = process.cpuUsage();
    await distil(sources);
    return process.cpuUsage(before).user / 1_000;
  };
  const [first, second] = [await cpu(), await cpu()];
  assert.ok(first < 4_000, `first took ${Math.round(first)} ms of processor time`);
  assert.ok(
    second < first / 1.5 + 100,
    `the second, ${Math.round(second)} ms, did not profit from the first, ${Math.round(first)} ms`,
  );
});
