import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CitationWriter } from '../../../../src/research/evidence/citations.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { quoteBlock, verbatimPassage } from '../../../../src/research/evidence/verbatim.ts';
import { plainMarks } from '../../../support/plainMarks.ts';

function sourceOf(path: string, text: string, title = path): Source {
  return {
    ...{ id: 'S12345', kind: 'workspace', identity: `file:${path}`, title, authors: [] },
    ...{
      file: { path, firstLine: 3, lastLine: 4 },
      retrievedAt: '2026-01-01T00:00:00Z',
      facts: [],
      alreadyCited: false,
    },
    text,
  };
}

function shown(path: string, text: string): string {
  return plainMarks(`${verbatimPassage(sourceOf(path, text), text, 1).join('\n\n')}\n`);
}

test('a passage stands under its place, with its marker at the end', () => {
  assert.equal(shown('docs/a.md', 'One.\nTwo.'), '#### docs/a.md:3–4 · docs/a.md\n\n> One.\n> Two. [1]\n');
});

test('what is struck out stays so, and a raised number stays apart', () => {
  assert.match(shown('a.md', 'It opens at ~~42~~ 43 bar.'), /^> It opens at ~~42~~ 43 bar\. \[1\]$/m);
  assert.match(shown('a.md', '10<sup>6</sup> Pa of H<sub>2</sub>O.'), /^> 10\^6 Pa of H2O\. \[1\]$/m);
});

test('the place of a passage of a notebook has no lines', () => {
  assert.match(shown('a.ipynb', 'One.'), /^#### a\.ipynb$/m);
});

test('Org is quoted with its headings and the words of its links, Markdown without marks of footnotes', () => {
  assert.equal(
    shown('a.org', '* Licence\n\nBy [[https://a.example][the office]] and [[https://b.example]].'),
    '#### a.org:3–4\n\n> **Licence**\n>\n> By the office and `https://b.example`. [1]\n',
  );
  assert.match(shown('a.md', 'Variables[^2] are `a[^2]`.'), /^> Variables are `a\[\^2\]`\. \[1\]$/m);
});

test('rows become a table, code and configuration a listing', () => {
  assert.match(
    shown('a.csv', 'week,who\n"W1, late",Ana'),
    /\| week \| who \| {3}\|\n\|---\|---\|---\|\n\| W1, late \| Ana \| \[1\] \|/,
  );
  assert.match(
    shown('q.csv', 'name,note,price\n"Rope, blue","strong\nand ""long""",12.50'),
    /\| Rope, blue \| strong and "long" \| 12\.50 \| \[1\] \|$/m,
  );
  assert.match(shown('a.ts', 'const a = `x`;'), /```\nconst a = `x`;\n```\n\n\[1\]/);
});

test('plain text is quoted with its marks, and code that is cut from Markdown or plain text is a listing', () => {
  assert.match(shown('a.txt', 'Set `__go` or *args*.'), /^> Set \\`\\_\\_go\\` or \\\*args\\\*\. \[1\]$/m);
  const code = 'import numpy\nnumpy.__version__';
  const source = sourceOf('a.ipynb', code);
  const cut = { ...source, file: { ...source.file!, isCode: true as const } };
  const listing = `\`\`\`\n${code}\n\`\`\`\n\n[1]`;
  assert.ok(plainMarks(verbatimPassage(cut, code, 1).join('\n\n')).endsWith(listing));
  const whole = sourceOf('a.md', `Cell 1:\n\n\`\`\`python\n${code}\nprint(1)\n\`\`\``);
  assert.ok(plainMarks(verbatimPassage(whole, code, 1).join('\n\n')).endsWith(listing));
});

test('a quotation has no listing without a line', () => {
  const text = 'Title\n\n```{currentmodule} a\n```\n\nDo this:\n\n```python';
  assert.doesNotMatch(shown('a.md', text), /```/);
});

test('nothing in a quotation is active, and its words stay', () => {
  const text =
    'See [the docs](https://example.org/x) and <b>this</b> ![pic](javascript:alert) at https://example.org/y. [2] costs $5 in max_body.';
  const out = shown('a.md', text);
  assert.match(
    out,
    /the docs and this pic at `https:\/\/example\.org\/y`\. \\\[2\\\] costs \$5 in max\\?_body\. \[1\]/,
  );
  assert.doesNotMatch(out, /<b>|javascript|\]\(/);
});

test('definitions of footnotes and links are quoted by their words, and no quotation is empty', () => {
  const quoteOf = (path: string, text: string) => shown(path, text).slice(shown(path, text).indexOf('\n\n') + 2);
  assert.equal(
    quoteOf(
      'a.md',
      '## Refs\n\n[turbine]: http://a.example/ref "Efficiency title"\n\n[^1]: Blades *turn*\n    at dawn.',
    ),
    '> **Refs**\n>\n> turbine: `http://a.example/ref` "Efficiency title"\n>\n> Blades *turn*\n>     at dawn. [1]\n',
  );
  assert.equal(quoteOf('a.md', 'Words.\n\n[turbine]: http://a.example/ref'), '> Words. [1]\n');
  assert.equal(
    quoteOf('a.md', '## Refs\n\n[turbine]: http://a.example'),
    '> **Refs**\n>\n> turbine: `http://a.example` [1]\n',
  );
  assert.equal(quoteOf('a.md', '<img alt="turbine">'), '```\n<img alt="turbine">\n```\n\n[1]\n');
  assert.match(quoteOf('a.log', '[INFO]: started at noon'), /INFO.*: started at noon \[1\]/);
});

test('the writer of a report shows a quote of a source, and drops what does not stand there', () => {
  const source = sourceOf('a.md', 'The port is 7420.\nIt is fixed.');
  const evidence = {
    get: (id: string) => (id === source.id ? source : undefined),
    byUrl: () => undefined,
    candidates: [source],
  };
  const write = (markdown: string) => {
    const writer = new CitationWriter(evidence, '');
    return { out: plainMarks(writer.push(markdown) + writer.finish()), counts: writer.counts };
  };
  const good = write(`Before.\n\n${quoteBlock('S12345', 'The port is 7420.')}\n\nAfter.\n`);
  assert.match(good.out, /Before\.\n\n#### a\.md:3–4[^]*> The port is 7420\. \[1\]\n\nAfter\./);
  assert.deepEqual([good.counts.cited, good.counts.verified, good.counts.dropped], [1, 1, 0]);
  for (const bad of [
    quoteBlock('S12345', 'The port is 7421.'),
    quoteBlock('S99999', 'The port is 7420.'),
    '```quote-S12345\nThe portal',
  ])
    assert.deepEqual([write(bad).out, write(bad).counts.dropped], ['', 1], bad);
});

test('any text is shown without a heading, link or tag of its own', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a.md', 'a.csv', 'a.ts', 'a.txt'),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (path, text) => {
        const [, ...blocks] = verbatimPassage(sourceOf(path, text), text, 1);
        for (const block of blocks) if (path === 'a.md' || path === 'a.txt') assert.doesNotMatch(block, /^#{1,6} /m);
      },
    ),
  );
});
