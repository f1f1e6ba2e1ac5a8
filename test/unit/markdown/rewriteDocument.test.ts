import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDocument } from '../../../src/markdown/readDocument.ts';
import { rewriteDocument } from '../../../src/markdown/rewriteDocument.ts';
import { assertAllowed, hostileMarkdown } from '../../support/hostileMarkdown.ts';
import { notes, paper, repository, savedFiles } from '../../support/savedRun.ts';
import { rounds } from '../../support/sampled.ts';

const body = `Retrieval pairs a **model** with *search*. [[1]](#ref-1) It keeps knowledge out of weights. [[1]](#ref-1)[[2]](#ref-2)

## How it works

A retriever finds passages; \`code_of(x)\` and 3 &lt; 4 & more_of_it. [[1]](#ref-1)

1. Chunk the documents.
2. Embed them. [[3]](#ref-3)
   - dense vectors
   - sparse weights
3. Rerank. [[2]](#ref-2)

> Late interaction sits between both. [[3]](#ref-3)

\`\`\`ts
const graph = new StateGraph();
\`\`\`

| Technique | Size |
| :--- | ---: |
| Sparse [[1]](#ref-1) | 1.0 GB |

检索增强生成。[[1]](#ref-1)它很有用。[[2]](#ref-2)`;

test('a report of our own is written again as it is', () => {
  const { report } = savedFiles([paper, repository, notes], { body });
  const markdown = report.replace(/^---\n[^]*?\n---\n\n?/, '');
  assert.equal(rewriteDocument(markdown), markdown);
});

test('whatever stands in the folder of a run, what is copied of it holds nothing but what a report may', () => {
  fc.assert(
    fc.property(hostileMarkdown, (hostile) => {
      const copied = rewriteDocument(hostile);
      assertAllowed(copied, (href) => /^https?:\/\//i.test(href));
    }),
    { numRuns: rounds(300), seed: 5 },
  );
});

test('a link behind an exclamation mark is no image', () => {
  assert.equal(rewriteDocument('\\![x](https://example.org)'), '\\![x](https://example.org)\n');
  assert.equal(rewriteDocument('So it is\\![[1]](#ref-1)'), 'So it is\\![[1]](#ref-1)\n');
});

test('an address that was written as code stays code, in the panel, in an export and in a copy', () => {
  const text = 'See `https://evil.example/x` and `www.evil.example` and `S3f9a1`.\n';
  const [read] = readDocument(text);
  assert.ok(read?.block.type === 'paragraph');
  assert.deepEqual(
    read.block.nodes.flatMap((node) => (node.type === 'code' ? [node.text] : [])),
    ['https://evil.example/x', 'www.evil.example', 'S3f9a1'],
  );
  assert.equal(rewriteDocument(text), text);
});

test('code behind a quoted list is not quoted', () => {
  const [quote, code] = readDocument('> - a\n\n- ```\nmake\n').map(({ block }) => block);
  assert.ok(quote?.type === 'quote' && quote.blocks.length === 1);
  assert.deepEqual(code, { type: 'code', lines: ['make'] });
});

test('code in a quotation is code, and ends with it', () => {
  const text =
    '> Apply the secret:\n>\n> ```\n> make external\n>\n>   indented\n> ```\n>\n> [1]\n\nBetween.\n\n> ~~~\n> open\n\nAfter it.\n';
  const [quote, , open, after] = readDocument(text).map(({ block }) => block);
  assert.ok(quote?.type === 'quote' && open?.type === 'quote' && after?.type === 'paragraph');
  assert.deepEqual(quote.blocks[1], { type: 'code', lines: ['make external', '', '  indented'] });
  assert.deepEqual(open.blocks, [{ type: 'code', lines: ['open'] }]);
  assert.match(rewriteDocument(text), /^> ```\n> make external\n>\n> {3}indented\n> ```$/m);
});
