import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { passagesOf } from '../../../../src/research/analyst/extractive/passages.ts';
import { matchQuote } from '../../../../src/research/evidence/quotes.ts';
import { splitSentences } from '../../../../src/research/text/sentences.ts';
import type { SourceKind } from '../../../../src/research/tools.ts';
import { sourceOf } from './samples.ts';
import { slow } from '../../../support/slow.ts';

function quotable(text: string, kind: SourceKind = 'workspace', path?: string): string[] {
  const file = path === undefined ? {} : { file: { path, firstLine: 1, lastLine: 9 } };
  return passagesOf(sourceOf({ text, kind, ...file })).map((passage) => passage.text);
}

for (const sentence of [
  'Dense retrieval encodes queries and passages as vectors and compares them by cosine.',
  'nDCG compares a ranking with the ideal order and counts later results less.',
  'Liu et al. found that models use the beginning and the end of a long context best.',
  'Dense Passage Retrieval beat a strong Lucene BM25 system by 9 to 19 percentage points.',
  '检索增强生成把检索到的文档交给语言模型，由模型据此写出答案。',
  '検索拡張生成は、検索した文書を言語モデルに渡して回答を書かせる手法である。',
  '검색 증강 생성은 검색한 문서를 언어 모델에 넘겨 답을 쓰게 하는 기법이다.',
  'Генерация с дополненной выборкой передаёт найденные документы языковой модели.',
  'التوليد المعزز بالاسترجاع يمرر الوثائق المسترجعة إلى نموذج لغوي لكتابة الإجابة.',
  'Das Verfahren der hybriden Suche verbindet Rangfolgen aus zwei Suchmaschinen.',
]) {
  test(`"${sentence.slice(0, 50)}…" stands alone`, () => assert.deepEqual(quotable(sentence), [sentence]));
}

for (const [why, sentence] of [
  ['it points back', 'This approach improves the recall of the retriever by a wide margin.'],
  ['it points back', 'However, the recall of a dense retriever drops on rare names and codes.'],
  ['it points back', 'Detecting such errors remains challenging for every kind of retriever.'],
  ['it points back', 'On RAGTruth, it reaches an F1 score of 0.776 and beats the baseline.'],
  ['it points elsewhere', 'The results of the retriever are shown in Table 3 for all datasets.'],
  ['it is a question', 'How does a dense retriever compare queries and passages at all?'],
  ['it is a call', 'Dense retrieval compares queries and passages like magic, at last!'],
  ['it introduces a list', 'A dense retriever has the following parts that work together well:'],
  ['it is cut off', 'Dense retrieval encodes queries and passages as vectors and then…'],
  ['it begins in the middle', 'and compares them by inner product or cosine, which is quite fast.'],
  ['it is too short', 'Dense retrieval is fast.'],
  ['it has no verb', 'Faster retrieval with smaller vectors, better recall and lower cost.'],
  ['it holds an address', 'The code of the retriever is described at https://example.org/code for all.'],
  ['it holds HTML', 'Dense retrieval <b>encodes</b> queries and passages as vectors of numbers.'],
  ['it holds a foreign reference', 'Dense retrieval encodes queries and passages as vectors of numbers [12].'],
  ['it holds LaTeX', 'Dense retrieval compares vectors with $q^T p$ and sorts the passages by it.'],
  ['its brackets are open', 'Dense retrieval (which compares vectors encodes queries and passages as numbers.'],
  ['it is a licence', 'The retriever of the project is licensed under the terms of the MIT licence.'],
  ['it asks for help', 'Contributions are welcome and every pull request to the retriever is reviewed.'],
  ['it is an order', 'Install the retriever before you index the documents of the collection.'],
  ['it is advertising', 'The retriever offers blazing fast search that revolutionizes your documents.'],
  ['it is an announcement', 'The code and the models of the retriever are publicly available on GitHub.'],
  ['it points back', '然而，稠密检索在罕见名称上的召回率会明显下降。'],
  ['it points back', 'しかし、密な検索では珍しい名前の再現率が下がることがある。'],
  ['it points back', '그러나 밀집 검색은 드문 이름에서 재현율이 떨어질 수 있다.'],
  ['it points back', 'Однако плотный поиск хуже находит редкие имена и коды ошибок.'],
  ['it points back', 'Cependant, la recherche dense trouve mal les noms rares et les codes.'],
] as const) {
  test(`not quoted, because ${why}: "${sentence.slice(0, 40)}…"`, () => assert.deepEqual(quotable(sentence), []));
}

test('orders and set-up of a project page are passed over', () => {
  for (const sentence of [
    'Generate an API key for the retriever and keep it in a safe place.',
    'You can install the retriever with pip or another package manager.',
    'To run the retriever you need a graphics card with enough memory.',
  ]) {
    assert.deepEqual(quotable(sentence, 'github'), [], sentence);
  }
});

const page = `---
title: Ignored front matter that would otherwise be a sentence of the page.
---
# Retriever 🚀

[![Build](https://img.shields.io/x.svg)](https://ci.example) [![Licence](https://img.shields.io/y.svg)](https://l.example)

<div align="center">
The retriever in this block of HTML is not prose and must not be quoted.
</div>

Docs | Website | Discord | Twitter

## How it works

The **retriever** encodes each [passage](https://example.org/p) as a vector
and keeps the vectors in one index.

- A hybrid index stores words and vectors of every passage side by side.
- fast
- [ ] The index of the retriever will be sharded over several machines.

\`\`\`ts
const sentence = 'A string in code is not a sentence that the page says.';
\`\`\`

    An indented block is code and not a sentence that the page says.

| A table | is not prose |
|---|---|
| The cell of a table is not a sentence | that the page says. |

> A quoted paragraph belongs to the page and may be quoted as well.

<!-- A comment is not shown to readers and must not be quoted. -->

Limits
------

A vector index answers from stale vectors when documents change.
`;

test('prose is taken from a page, and badges, HTML, navigation, code, tables, tasks and comments are not', () => {
  assert.deepEqual(quotable(page, 'web'), [
    'The retriever encodes each passage as a vector and keeps the vectors in one index.',
    'A hybrid index stores words and vectors of every passage side by side.',
    'A quoted paragraph belongs to the page and may be quoted as well.',
    'A vector index answers from stale vectors when documents change.',
  ]);
});

test('a sentence knows the heading above it', () => {
  assert.deepEqual(
    passagesOf(sourceOf({ text: page, kind: 'web' })).map(({ heading }) => heading),
    ['How it works', 'How it works', 'How it works', 'Limits'],
  );
});

test("minutes, changes and tasks are the weakest of the passages of the user's own files, and no passages of other pages", () => {
  const text = `# Sync

- Ana is away next week, and Kofi shows the retriever to the others.
- Fixed: a code fence that was never closed swallowed the rest of the file.

Action items:

- [ ] The index of the retriever will be sharded over several machines.

## Later

The retriever keeps the vectors of all passages in one index.
`;
  const own = passagesOf(sourceOf({ text }));
  assert.equal(own.length, 4);
  assert.ok(
    own.slice(0, 3).every(({ quality }) => quality > 0 && quality <= 0.3) && own[3]!.quality > 0.7,
    own.map(({ quality }) => quality).join(),
  );
  assert.deepEqual(
    own.map(({ heading }) => heading),
    ['Sync', 'Sync', 'Action items', 'Later'],
  );
  assert.deepEqual(quotable(text, 'github'), [own[3]!.text]);
});

test('code, data and bibliographies hold no prose', () => {
  const sentence = 'Dense retrieval encodes queries and passages as vectors of numbers.';
  for (const path of ['a.ts', 'a.bib', 'a.json', 'a.py', 'a.csv'])
    assert.deepEqual(quotable(sentence, 'workspace', path), [], path);
  assert.deepEqual(quotable(sentence, 'workspace', 'notes/a.md'), [sentence]);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        'Dense retrieval encodes ',
        'queries. ',
        '**',
        '[',
        '](http://x) ',
        '`',
        '\n',
        '# ',
        '- ',
        '> ',
        '```\n',
        '<div>',
        '|',
        '[S12345]',
        'e.g. ',
        '"',
        '。',
        '检索',
        '\\%',
        '_',
        '~',
        '  ',
        '1. ',
        '…',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

test('whatever the text is, each passage stands in it and stays one sentence in a report', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const passage of quotable(text)) {
        assert.equal(matchQuote(passage, text), 'exact', JSON.stringify(passage));
        assert.equal(splitSentences(`${passage} [S12345]`).length, 1);
        assert.doesNotMatch(passage, /[\n<>[\]|]/);
      }
    }),
    { numRuns: 500 },
  );
});

test('a megabyte of anything is read in bounded time', slow, () => {
  for (const piece of [
    'Dense retrieval encodes queries and passages as vectors of numbers. ',
    '[',
    '**',
    '> ',
    '(',
    '`',
    'a',
    '。',
    '\n',
    '# x\n',
    '<',
    '"',
    '1. ',
    'this ',
    'a, it ',
    '![',
    '[a](',
    '- [ ] ',
    'code is ',
    '\\',
  ]) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const started = performance.now();
    quotable(text);
    assert.ok(
      performance.now() - started < 3_000,
      `${JSON.stringify(piece)} took ${Math.round(performance.now() - started)} ms`,
    );
  }
});
