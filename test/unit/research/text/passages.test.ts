import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cutPassages, kindOf } from '../../../../src/research/text/passages.ts';

const outline = (path: string, text: string) =>
  cutPassages(path, text).map(({ firstLine, lastLine, headings }) => [firstLine, lastLine, headings.join('/')]);

describe('passages of Markdown', () => {
  it('are paragraphs, the first with the heading that it stands under', () => {
    assert.deepEqual(outline('a.md', '# Title\n\nIntro.\n\n## First\nText.\n\nMore.\n'), [
      [1, 3, 'Title'],
      [5, 6, 'Title/First'],
      [8, 8, 'Title/First'],
    ]);
  });

  it('know underlined headings, front matter and fences', () => {
    const text = '---\ntitle: x\n---\nTitle\n=====\n\nText:\n\n```sh\n# no heading\n\nls\n```\n\nSub\n---\ntext\n';
    assert.deepEqual(outline('a.md', text), [
      [2, 2, ''],
      [4, 13, 'x/Title'],
      [15, 17, 'x/Title/Sub'],
    ]);
  });

  it('know headings in HTML, on one line or on three', () => {
    const text =
      '<h1 align="center">Top</h1>\n\nA.\n\n<h3 name="b">\nWhy <em>slow</em>?\n</h3>\n\nBecause.\n\n<h2>open\n';
    assert.deepEqual(outline('a.md', text), [
      [1, 3, 'Top'],
      [5, 9, 'Top/Why slow?'],
      [11, 11, 'Top/Why slow?'],
    ]);
  });

  it('stand under a heading in HTML that other HTML follows at once', () => {
    assert.deepEqual(outline('a.md', '# T\n\n<h3>Gold</h3>\n<p>Who pays.</p>\n\nMore.\n'), [
      [3, 4, 'T/Gold'],
      [6, 6, 'T/Gold'],
    ]);
  });

  it('have the definitions of links in one piece', () => {
    assert.deepEqual(outline('a.md', 'See [a] and [b].\n\n[a]: https://a.example\n[b]: https://b.example\n'), [
      [1, 1, ''],
      [3, 4, ''],
    ]);
  });

  it('have the same lines whatever ends these', () => {
    const text = '# T\n\ntext\n\n```\na\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    assert.deepEqual(outline('a.md', text.replaceAll('\n', '\r\n')), outline('a.md', text));
  });

  it('are rows of a table, each with the names of its columns', () => {
    const [row, second] = cutPassages('a.md', '# T\n\n| key | default |\n|---|---|\n| port | 80 |\n| host | all |\n');
    assert.deepEqual(
      [row?.form, row?.head, row?.text, row?.firstLine],
      ['row', '| key | default |', '| port | 80 |', 5],
    );
    assert.equal(second?.text, '| host | all |');
  });

  it('are items of a long list under the line that introduces it, and a short list as a whole', () => {
    const long = Array.from({ length: 12 }, (_, n) => `- item ${n} ${'with words '.repeat(6)}`).join('\n');
    const items = cutPassages('a.md', `# T\n\nThese are the items:\n\n${long}\n`);
    assert.equal(items.length, 13);
    assert.deepEqual(items[1]?.headings, ['T', 'These are the items:']);
    assert.equal(cutPassages('a.md', '# T\n\nTwo:\n\n- a\n- b\n').length, 1);
  });

  it('are below the whole sentence that introduces their list, with the words of its code', () => {
    const items = Array.from({ length: 12 }, (_, n) => `- item ${n} ${'with words '.repeat(6)}`).join('\n');
    const lead = `Variables[^2] can be used for it, as ${'said '.repeat(20)}above. They are set before\n\`go *args\` is called.`;
    assert.deepEqual(cutPassages('a.md', `${lead}\n\n${items}\n`)[1]?.headings, [
      'They are set before go *args is called.',
    ]);
    const dotted = `${lead}\n .\n${items}\n`;
    assert.ok(cutPassages('a.txt', dotted).every(({ headings }) => headings[0] !== '.'));
  });

  it('begin with the mark of a note and its heading, and leave out comments', () => {
    const text =
      '# T\n\n## A\n\n!!! tip\n\n    Do it at once.\n\n<!-- hidden -->\n<!--\nand this\n-->\n\n:::note\n\nText.\n\n<!-- a --> b\n';
    assert.deepEqual(outline('a.md', text), [
      [3, 7, 'T/A'],
      [14, 16, 'T/A'],
      [18, 18, 'T/A'],
    ]);
    assert.equal(cutPassages('a.md', '<!-- never closed\n\ntext\n').length, 2);
  });

  it('are the lines of a listing that nothing closes', () => {
    assert.deepEqual(outline('a.md', '~~~'), []);
    assert.deepEqual(outline('a.md', `${'word '.repeat(200)}\n\n\`\`\`\na\nb`), [
      [1, 1, ''],
      [4, 5, ''],
    ]);
  });

  it('end no listing, list or announcement in its middle', () => {
    const code = ['```python', ...Array.from({ length: 60 }, (_, n) => `step_${n}(argument)`), '```'];
    const [first, second] = cutPassages('a.md', ['It looks so:', '', 'Cell 5:', '', ...code].join('\n'));
    assert.match(first!.text, /^It looks so:\n\nCell 5:\n\n```python\nstep_0[^]*step_8\(argument\)$/);
    assert.deepEqual([second?.form, second?.text.split('\n', 1)], ['code', ['step_9(argument)']]);
    const item = '- Streams are opened in text mode.\n\n  Do this:\n\n  ```\n  a = b\n  ```\n\n';
    const [one, two] = cutPassages(
      'a.md',
      `# T\n\n${item}${`  More words of it, ${'word '.repeat(80)}\n\n`.repeat(2)}`,
    );
    assert.match(one!.text, /a = b\n {2}```\n\n {2}More[^\n]*$/);
    assert.match(two!.text, /^\n? {2}More/);
    const long = Array.from({ length: 30 }, (_, n) => `and so on ${n}${n === 9 ? '.' : ''}`).join('\n');
    assert.match(cutPassages('a.md', `> ${long.replaceAll('\n', '\n> ')}`)[0]!.text, /on 9\.$/);
  });

  it('are no targets of links, and no directives with options alone', () => {
    const text =
      '(the-types)=\n\n# Types\n\n```{currentmodule} a\n```\n\nThere are two.\n\n```{include} b\n---\nlanguage: text\n---\n```\n';
    assert.deepEqual(outline('a.md', text), [[3, 8, 'Types']]);
    assert.equal(cutPassages('a.md', '```\nport: 80\n```\n').length, 1);
  });

  it('leave out headings with nothing under them', () => {
    assert.deepEqual(outline('a.md', '# T\n\n## A\n\n## B\n\ntext\n'), [[5, 7, 'T/B']]);
  });
});

describe('passages of other texts', () => {
  it('keep a function with its comment together', () => {
    const code = `import a from 'a';\n\n${['one', 'two'].map((name) => `/** Does ${name}. */\nfunction ${name}() {\n  work();\n}\n`).join('\n')}`;
    const passages = cutPassages('a.ts', code);
    assert.equal(passages.length, 3);
    assert.match(passages[2]!.text, /^\/\*\* Does two\. \*\/\nfunction two[^]*\n}$/);
  });

  it('name the class that a method belongs to, not the member before it', () => {
    const method = (name: string) => `  void ${name}() {\n${'    call();\n'.repeat(8)}  }\n`;
    const text = `class Store {\n  int size = 1;\n\n${method('open')}\n${method('close')}}\n`;
    const found = cutPassages('Store.java', text).find((passage) => passage.text.includes('void close'));
    assert.deepEqual(found?.headings, ['class Store']);
  });

  it('name the function that a piece of a long one belongs to', () => {
    const body = Array.from({ length: 40 }, (_, n) => `  step${n}();`).join('\n');
    const passages = cutPassages('a.ts', `export function longOne() {\n${body}\n}\n`);
    assert.ok(passages.length > 2);
    assert.ok(passages.slice(1).every(({ headings }) => headings[0]?.includes('longOne')));
  });

  it('are below a symbol as it is in the file', () => {
    const body = Array.from({ length: 40 }, (_, n) => `    step${n}()`).join('\n');
    for (const symbol of [
      'def option(*param: str, **kwargs: t.Any)',
      'fn get() -> Result<Vec<u8>, Error>',
      'for (; a < b->c[d]; a++)',
    ]) {
      const [, part] = cutPassages('a.x', `${symbol} {\n${body}\n}\n`);
      assert.deepEqual(part?.headings, [symbol]);
    }
    const [, long] = cutPassages('a.x', `def option(${'argument, '.repeat(20)}) {\n${body}\n}\n`);
    assert.match(long!.headings[0]!, /^def option\((?:argument, ){9}argument,…$/);
  });

  it('of a record of JSON or YAML are below its first texts', () => {
    const record = (name: string, capital: string) => ({
      name: { common: name, official: name },
      codes: Array.from({ length: 12 }, (_, at) => at),
      capital: [capital],
    });
    const text = JSON.stringify([record('Chad', "N'Djamena"), record('Mali', 'Bamako')], undefined, 4);
    const passage = cutPassages('countries.json', text).find((one) => one.text.includes('Bamako'));
    assert.deepEqual(passage?.headings, ['Mali']);
    const member = (first: string, last: string) =>
      `- id:\n    fec: S4AK00099\n  name:\n    first: ${first}\n    last: ${last}\n  terms:\n${'  - class: 3\n    party: Red\n'.repeat(8)}  born: 1957\n`;
    const born = cutPassages('a.yaml', member('Ana', 'Ruiz') + member('Lee', 'Oyelaran')).findLast(({ text }) =>
      text.includes('born'),
    );
    assert.deepEqual(born?.headings, ['Lee, Oyelaran, Red']);
  });

  it('keep a setting with its comment, below its key', () => {
    const lines = Array.from({ length: 20 }, (_, n) => `  # why ${n}\n  key${n}: ${n}`).join('\n');
    const passages = cutPassages('a.yaml', `server:\n${lines}\n`);
    assert.ok(passages.slice(1).every(({ headings, text }) => headings[0] === 'server' && text.startsWith('  # why')));
  });

  it('give each row of a CSV file its header, and each entry of a bibliography its title', () => {
    assert.deepEqual(
      cutPassages('a.csv', 'week,who\nW1,Ana\n').map(({ head, text }) => [head, text]),
      [['week,who', 'W1,Ana']],
    );
    const table = 'name,note,price\n"Rope, blue","strong\nand ""long""",12.50\nNail,5" or 6,1\n"Open,2,3\nLast,,4\n';
    assert.deepEqual(
      cutPassages('q.csv', table).map(({ firstLine, lastLine, text }) => [firstLine, lastLine, text.slice(-5)]),
      [
        [2, 3, '12.50'],
        [4, 4, 'r 6,1'],
        [5, 5, 'n,2,3'],
        [6, 6, 'st,,4'],
      ],
    );
    const [entry] = cutPassages('a.bib', '@book{k,\n  title = {On Spools},\n  year = 2020\n}\n');
    assert.deepEqual(entry?.headings, ['On Spools']);
  });

  it('are code in a plain text that is code, and prose in one with some marks', () => {
    const script = '# shellcheck disable=SC2312\nfunction __go() {\n  \\builtin cd -- "$@" # jump\n}\n';
    const [passage, ...others] = cutPassages('templates/sh.txt', script);
    assert.deepEqual([passage?.form, passage?.headings, passage?.text], ['code', [], script.trimEnd()]);
    assert.deepEqual(others, []);
    const prose = 'Set max_body = 20 in the configuration before the first start of the relay.\n';
    assert.equal(cutPassages('notes.txt', prose)[0]?.form, 'prose');
  });

  it('tell kinds of files apart', () => {
    assert.deepEqual(['a.md', 'b.py', 'c.bib', 'd.csv', 'e.toml', 'README', 'x/LICENSE.txt', 'Makefile'].map(kindOf), [
      'markdown',
      'code',
      'bibtex',
      'table',
      'config',
      'text',
      'text',
      'config',
    ]);
  });
});

describe('cutting', () => {
  it('gives the lines as they stand, for any text of any kind', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a.md', 'a.txt', 'a.ts', 'a.yaml', 'a.csv', 'a.bib'),
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom('# h', '- x', '  y: 1', '```', '| a | b |', '|---|---|', '', '@a{')),
        ),
        (path, lines) => {
          const text = lines.join('\n');
          const all = text.split('\n');
          for (const passage of cutPassages(path, text)) {
            assert.ok(
              passage.firstLine >= 1 && passage.firstLine <= passage.lastLine && passage.lastLine <= all.length,
            );
            assert.ok(
              all
                .slice(passage.firstLine - 1, passage.lastLine)
                .join('\n')
                .includes(passage.text),
            );
          }
        },
      ),
    );
  });
});

describe('documents as documents', () => {
  it('have headings with stars in Org alone: elsewhere they are items', () => {
    const text = '* One is here\n* two is there\n';
    assert.equal(cutPassages('a.rst', text)[0]?.text, text.trimEnd());
    assert.deepEqual([cutPassages('a.txt', text)[0]?.form, cutPassages('a.txt', text).length], ['prose', 1]);
    assert.deepEqual(outline('a.org', '* Licence\n\nFree.\n\nMore.\n'), [
      [1, 3, 'Licence'],
      [5, 5, 'Licence'],
    ]);
  });

  it('read a list whose items are counted by letters with the line that announces it', () => {
    const list = 'The union has these programmes:\n\na) Exchange\n\nb) Research\n\n(c) Culture\n';
    for (const path of ['a.md', 'a.txt', 'a.rst'])
      assert.deepEqual(outline(path, `${list}\nIt has no other.\n`), [
        [1, 7, ''],
        [9, 9, ''],
      ]);
  });

  it('read the paragraph that a line announces with it', () => {
    assert.deepEqual(outline('a.txt', 'Servers need:\n\n   TYPE - ASCII\n   MODE - Stream\n\nMore text.\n'), [
      [1, 4, ''],
      [6, 6, ''],
    ]);
  });

  it('know the numbered headings of plain text, and no list or contents', () => {
    const text = '5.  RULES\n\n   5.1.  Least server\n\n      It listens.\n\n1. Take this one.\n\n1.2 Contents ... 7\n';
    assert.deepEqual(outline('a.txt', text), [
      [3, 7, '5 RULES/5.1 Least server'],
      [9, 9, '5 RULES/5.1 Least server'],
    ]);
  });

  it('leave out what each page of a plain text begins and ends with', () => {
    const pages = [1, 2, 3, 4].map(
      (page) =>
        `RFC 959                    October 1985\nFile Transfer\n\n   Text ${'xyzw'[page - 1]}.\n\n\nPostel            [Page ${page}]\n\f\n`,
    );
    const texts = cutPassages('a.txt', pages.join('')).map(({ text }) => text.trim());
    assert.deepEqual(texts.slice(-3), ['Text y.', 'Text z.', 'Text w.']);
    assert.ok(texts.every((text) => !text.includes('[Page')));
  });

  it('have the rows of a table drawn with rules, with the names of its columns', () => {
    const rule = '+------+-------+';
    const text = [
      'Sizes',
      '-----',
      '',
      rule,
      '| name | MTU   |',
      '|      | bytes |',
      rule.replaceAll('-', '='),
      '| a    | 98    |',
      rule,
      '| b    | 162   |',
      rule,
      '',
    ];
    const rows = cutPassages('a.rst', text.join('\n')).map(({ form, head, firstLine, text: row }) => [
      form,
      head,
      firstLine,
      row,
    ]);
    assert.deepEqual(rows, [
      ['row', '| name | MTU bytes |', 8, '| a    | 98    |'],
      ['row', '| name | MTU bytes |', 10, '| b    | 162   |'],
    ]);
  });
});
