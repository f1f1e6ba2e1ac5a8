import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { authorsOf, parseBibtex } from '../../../../src/sources/workspace/bibtex.ts';
import { kindOf, passagesOf } from '../../../../src/sources/workspace/passages.ts';

const outline = (path: string, text: string) =>
  passagesOf(path, text).map(({ firstLine, lastLine, headings }) => [firstLine, lastLine, headings.join('/')]);

describe('passages of Markdown', () => {
  it('are the sections, each with the headings that it stands under', () => {
    assert.deepEqual(
      outline(
        'a.md',
        '# Title\n\nIntro.\n\n## First\nText.\n\nMore.\n\n### Deep\n\nDeep text.\n\n## Second\n\n- a\n- b\n',
      ),
      [
        [1, 3, 'Title'],
        [5, 8, 'Title/First'],
        [10, 12, 'Title/First/Deep'],
        [14, 17, 'Title/Second'],
      ],
    );
  });

  it('know underlined headings, front matter and fences', () => {
    const text = '---\ntitle: x\n---\nTitle\n=====\n\nText.\n\n```sh\n# no heading\n\nls\n```\n\nSub\n---\ntext\n';
    assert.deepEqual(outline('a.md', text), [
      [4, 13, 'Title'],
      [15, 17, 'Title/Sub'],
    ]);
  });

  it('leave out headings with nothing under them', () => {
    assert.deepEqual(outline('a.md', '# T\n\n## A\n\n## B\n\ntext\n'), [[5, 7, 'T/B']]);
  });

  it('cut long sections between paragraphs', () => {
    const text = `# T\n\n${Array.from({ length: 50 }, (_, n) => `Paragraph ${n}.\nMore of it.\n`).join('\n')}`;
    const passages = passagesOf('a.md', text);
    assert.ok(passages.length > 2);
    assert.ok(passages.every(({ firstLine, lastLine, headings }) => lastLine - firstLine < 60 && headings[0] === 'T'));
    assert.ok(passages.slice(1).every(({ text: own }) => own.startsWith('Paragraph')));
  });
});

describe('passages of code and text', () => {
  it('keep a function with its comment together', () => {
    const code = `import a from 'a';\n\n${['one', 'two', 'three'].map((name) => `/** Does ${name}. */\nfunction ${name}() {\n${'  work();\n\n'.repeat(10)}}\n`).join('\n')}`;
    const passages = passagesOf('a.ts', code);
    assert.equal(passages.length, 3);
    assert.match(passages[1]!.text, /^\/\*\* Does two\. \*\/\nfunction two/);
    assert.match(passages[1]!.text, /\n}$/);
  });

  it('put short paragraphs of text together', () => {
    assert.deepEqual(outline('a.txt', 'One.\n\nTwo.\n\n\nThree.\n'), [[1, 6, '']]);
  });

  it('tell kinds of files apart', () => {
    assert.deepEqual(['README', 'a.MD', 'refs.bib', 'x/notes', 'a.rst', 'a.py', 'a.json', 'Makefile'].map(kindOf), [
      'text',
      'markdown',
      'bibtex',
      'text',
      'text',
      'code',
      'data',
      'code',
    ]);
  });
});

describe('passages of any file', () => {
  it('are its own lines, in order, without overlap, of a readable size, and hold every line with words', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        '# H',
        '## H2',
        'text here',
        '```',
        '---',
        '===',
        '  indented',
        '}',
        '- item',
        '| a | b |',
        'x'.repeat(300),
      ),
      fc.string({ maxLength: 40 }).map((text) => text.replace(/[\n\r]/g, ' ')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('a.md', 'a.txt', 'a.ts', 'a.json'),
        fc.array(line, { maxLength: 200 }),
        (path, lines) => {
          const text = lines.join('\n');
          let at = 0;
          const covered = new Set<number>();
          for (const passage of passagesOf(path, text)) {
            assert.ok(passage.firstLine > at && passage.lastLine >= passage.firstLine);
            assert.ok(passage.lastLine - passage.firstLine < 70);
            assert.equal(passage.text, lines.slice(passage.firstLine - 1, passage.lastLine).join('\n'));
            at = passage.lastLine;
            for (let n = passage.firstLine; n <= passage.lastLine; n += 1) covered.add(n);
          }
          if (path === 'a.txt')
            for (const [index, own] of lines.entries())
              if (/[\p{L}\p{N}]/u.test(own)) assert.ok(covered.has(index + 1));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('take time in proportion to the file', () => {
    const started = performance.now();
    for (const [path, text] of [
      ['a.md', '# x\n'.repeat(100_000)],
      ['b.md', '```\n'.repeat(100_001)],
      ['c.ts', 'a\n\n'.repeat(100_000)],
      ['d.txt', 'y'.repeat(1_000_000)],
      ['e.bib', '@a{b,c={'.repeat(50_000)],
      ['f.bib', '@a{\n'.repeat(50_000)],
    ] as const)
      passagesOf(path, text);
    assert.ok(performance.now() - started < 6_000);
  });
});

describe('BibTeX', () => {
  const text = `% comment
@string{acl = "ACL"}
@article{lewis2020,
  title = {Retrieval-Augmented {Generation} for {NLP}},
  author = "Lewis, Patrick and K{\\"u}ttler, Heinrich and others",
  year = 2020, journal={NeurIPS},
  abstract = {We combine a retriever, with a = sign, and a generator {nested {deep}}.},
}
@misc{broken, title = {Never closed
@inproceedings{next,title={After the broken one},eprint={2312.10997},archivePrefix={arXiv}}
`;
  it('is read entry by entry, with lines, past what is broken', () => {
    const entries = parseBibtex(text);
    assert.deepEqual(
      entries.map(({ key, firstLine, lastLine }) => [key, firstLine, lastLine]),
      [
        ['lewis2020', 3, 8],
        ['broken', 9, 9],
        ['next', 10, 10],
      ],
    );
    assert.equal(entries[0]?.fields['title'], 'Retrieval-Augmented Generation for NLP');
    assert.deepEqual(authorsOf(entries[0]), ['Patrick Lewis', 'Heinrich Küttler']);
  });

  it('becomes passages in plain words', () => {
    const [first, , last] = passagesOf('refs.bib', text);
    assert.equal(
      first?.text,
      'Retrieval-Augmented Generation for NLP. Patrick Lewis, Heinrich Küttler. NeurIPS, 2020.\n\nWe combine a retriever, with a = sign, and a generator nested deep.',
    );
    assert.equal(first?.date, '2020');
    assert.match(last!.text, /arXiv:2312\.10997/);
  });
});
