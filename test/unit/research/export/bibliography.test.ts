import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { bibtex } from '../../../../src/research/export/bibtex.ts';
import { cslItems, type CslItem } from '../../../../src/research/export/cslItems.ts';
import { personName } from '../../../../src/research/export/personName.ts';
import { citedSources } from '../../../../src/research/export/references.ts';
import { readStoredSources, type StoredSource } from '../../../../src/research/export/storedSources.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import { savedFiles, notes, paper, repository } from '../../../support/savedRun.ts';
import { type BibEntry, readBibtex } from '../../../support/readBibtex.ts';

function stored(...documents: readonly FoundDocument[]): StoredSource[] {
  const registry = new EvidenceRegistry();
  for (const document of documents) registry.add(document, '2026-03-04T10:00:01.000Z');
  return readStoredSources(registry.toJson());
}
const item = (document: FoundDocument): CslItem => cslItems(stored(document))[0]!;
const entry = (document: FoundDocument): BibEntry => readBibtex(bibtex(cslItems(stored(document))))[0]!;
const web: FoundDocument = { kind: 'web', title: 'A page', authors: [], url: 'https://example.org/a', text: 'x' };

/** Types and fields of the CSL-JSON schema 1.0.2 that we use, and what its values look like. */
const schemaTypes = ['article', 'article-journal', 'software', 'dataset', 'webpage', 'post', 'post-weblog', 'document'];
const textFields = [
  'id',
  'type',
  'title',
  'URL',
  'DOI',
  'publisher',
  'container-title',
  'genre',
  'number',
  'archive',
  'archive_location',
  'version',
  'note',
];
const nameFields = ['family', 'given', 'non-dropping-particle', 'suffix', 'literal'];

function assertCsl(items: readonly CslItem[]): void {
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length, 'ids are unique');
  for (const each of JSON.parse(JSON.stringify(items)) as Record<string, unknown>[]) {
    assert.ok(schemaTypes.includes(String(each['type'])));
    for (const [field, value] of Object.entries(each)) {
      if (textFields.includes(field)) assert.ok(typeof value === 'string' && value !== '', field);
      else if (field === 'author')
        for (const name of value as Record<string, unknown>[])
          assert.ok(
            Object.entries(name).every(([part, text]) => nameFields.includes(part) && typeof text === 'string'),
          );
      else if (field === 'issued' || field === 'accessed')
        assert.ok(
          (value as { 'date-parts': number[][] })['date-parts'].every(
            (parts) => parts.length >= 1 && parts.length <= 3 && parts.every(Number.isInteger),
          ),
        );
      else assert.fail(`${field} is no field of the schema that we use`);
    }
    assert.match(String(each['id']), /^[a-z][a-z0-9]*$/);
  }
}

describe('CSL-JSON', () => {
  it('has one line a field, so that no field looks like an entry', () => {
    const text = bibtex([{ ...item(paper), publisher: 'x\n@article{evil,\n title={y}}', number: '1\n}\n@comment{' }]);
    assert.deepEqual(text.match(/^@\w+/gm)?.length, 1, text);
  });

  it('has a preprint as an article of arXiv, with its version and where it was published', () => {
    assert.deepEqual(item(paper), {
      id: 'lewis2020retrieval',
      type: 'article',
      title: paper.title,
      author: [
        { family: 'Lewis', given: 'Patrick' },
        { family: 'Perez', given: 'Ethan' },
        { family: 'Gogh', given: 'Vincent', 'non-dropping-particle': 'van' },
        { family: 'Piktus', given: 'Aleksandra' },
      ],
      issued: { 'date-parts': [[2020, 5, 22]] },
      accessed: { 'date-parts': [[2026, 3, 4]] },
      URL: 'https://arxiv.org/abs/2005.11401v4',
      publisher: 'arXiv',
      number: 'arXiv:2005.11401',
      archive: 'arXiv',
      archive_location: '2005.11401',
      DOI: '10.48550/arXiv.2005.11401',
      version: '4',
      note: 'Published in Advances in Neural Information Processing Systems 33',
    });
    assert.equal(item({ ...paper, ids: { arxiv: '2005.11401', doi: '10.1000/Xyz' } }).DOI, '10.1000/xyz');
  });

  it('has repositories, issues, files and pages as what they are', () => {
    assert.deepEqual(item(repository), {
      id: 'langchainai2026langgraphjs',
      type: 'software',
      title: 'langchain-ai/langgraphjs',
      author: [{ literal: 'langchain-ai' }],
      issued: { 'date-parts': [[2026, 2, 1]] },
      accessed: { 'date-parts': [[2026, 3, 4]] },
      URL: 'https://github.com/langchain-ai/langgraphjs',
      publisher: 'GitHub',
    });
    const issue = item({
      ...repository,
      url: 'https://github.com/a/b/pull/12',
      ids: { repo: 'a/b', issue: 12 },
      facts: ['pull request'],
    });
    assert.deepEqual(
      [issue.type, issue.genre, issue.number, issue['container-title']],
      ['post', 'Pull request', '12', 'GitHub'],
    );
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const file = item({ ...web, kind: 'github', url: `https://github.com/a/b/blob/${commit}/src/x.ts` });
    assert.deepEqual([file.type, file.version], ['software', commit]);
    const own = item(notes);
    assert.deepEqual(
      [own.type, own.archive_location, own.issued, own.URL],
      ['document', 'notes/search_basics.md#L3-L9', undefined, undefined],
    );
    assert.equal(item(web).type, 'webpage');
    assert.equal(item({ ...web, kind: 'blog' }).type, 'post-weblog');
    assert.equal(item({ ...web, kind: 'hackernews', url: 'https://news.ycombinator.com/item?id=1' }).type, 'post');
    assert.equal(item({ ...web, kind: 'huggingface', url: 'https://huggingface.co/datasets/a/b' }).type, 'dataset');
    assert.equal(item({ ...web, kind: 'scholarly', ids: { doi: '10.1/x' } }).type, 'article-journal');
  });

  it('says of a date no more than is known, and nothing of one that is none', () => {
    const issued = (date: string) => item({ ...web, date }).issued?.['date-parts'][0];
    assert.deepEqual(issued('2020'), [2020]);
    assert.deepEqual(issued('2020-05'), [2020, 5]);
    assert.deepEqual(issued('2020-05-22T10:00:00Z'), [2020, 5, 22]);
    assert.deepEqual(issued('2020-13-01'), [2020]);
    for (const none of ['', 'May 2020', '0000', '20205']) assert.equal(issued(none), undefined, none);
  });

  it('never has an address that is none of the web', () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://u:p@example.org', 'x'])
      assert.equal(item({ ...web, url }).URL, undefined, url);
  });

  it('gives every source a key of its own, the same in every run', () => {
    const same = (n: number) => ({
      ...web,
      title: 'On the same',
      authors: ['Ada Lovelace'],
      date: '1843',
      url: `https://example.org/${n}`,
    });
    const keys = cslItems(stored(...Array.from({ length: 28 }, (_, n) => same(n)))).map(({ id }) => id);
    assert.deepEqual(
      [keys[0], keys[1], keys[25], keys[26], keys[27]],
      ['lovelace1843samea', 'lovelace1843sameb', 'lovelace1843samez', 'lovelace1843sameaa', 'lovelace1843sameab'],
    );
    assert.equal(
      item({ ...web, title: 'The Würde: of "ß"', authors: ['Łukasz Müller-Lüdenscheidt'] }).id,
      'mullerludenscheidtwurde',
    );
    assert.equal(item({ ...web, title: '2020 in review', authors: [] }).id, 'n2020');
    const chinese = { ...web, title: '检索增强生成', authors: ['张伟'] };
    assert.equal(item(chinese).id, stored(chinese)[0]!.id.toLowerCase());
    const clash = ['Same', 'Same', 'Samea'].map((title, n) => ({ ...web, title, url: `https://example.org/${n}` }));
    assert.equal(new Set(cslItems(stored(...clash)).map(({ id }) => id)).size, 3);
  });
});

describe('a name', () => {
  const cases: readonly (readonly [string, ReturnType<typeof personName>])[] = [
    ['Ada Lovelace', { family: 'Lovelace', given: 'Ada' }],
    ['Ludwig van der Berg', { family: 'Berg', given: 'Ludwig', 'non-dropping-particle': 'van der' }],
    ['de la Cruz, Juan', { family: 'Cruz', given: 'Juan', 'non-dropping-particle': 'de la' }],
    ["Jean d'Alembert", { family: "d'Alembert", given: 'Jean' }],
    ['bell hooks', { family: 'hooks', given: 'bell' }],
    ['Martin Luther King Jr.', { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    ['King, Jr., Martin Luther', { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    ['García Márquez, Gabriel', { family: 'García Márquez', given: 'Gabriel' }],
    ['J. R. R. Tolkien', { family: 'Tolkien', given: 'J. R. R.' }],
    ['Aristotle', { literal: 'Aristotle' }],
    ['OpenAI', { literal: 'OpenAI' }],
    ['Gemini Team', { literal: 'Gemini Team' }],
    ['The LIGO Scientific Collaboration', { literal: 'The LIGO Scientific Collaboration' }],
    ['Acme, Inc.', { literal: 'Acme, Inc.' }],
    ['Barnes and Noble', { literal: 'Barnes and Noble' }],
    ['张 伟', { literal: '张 伟' }],
    ['user42 name', { literal: 'user42 name' }],
    ['a, b, c, d', { literal: 'a, b, c, d' }],
    ['', { literal: '' }],
  ];
  for (const [name, parts] of cases)
    it(`"${name}" is ${JSON.stringify(parts)}`, () => assert.deepEqual(personName(name), parts));
});

describe('BibTeX', () => {
  it('has a preprint as arXiv gives it, and names with the family first', () => {
    const { type, key, fields } = entry(paper);
    assert.deepEqual([type, key], ['misc', 'lewis2020retrieval']);
    assert.equal(fields['author']?.raw, 'Lewis, Patrick and Perez, Ethan and van Gogh, Vincent and Piktus, Aleksandra');
    assert.deepEqual(
      [
        fields['eprint']?.text,
        fields['archiveprefix']?.text,
        fields['year']?.text,
        fields['month']?.raw,
        fields['urldate']?.text,
      ],
      ['2005.11401', 'arXiv', '2020', 'may', '2026-03-04'],
    );
    assert.equal(fields['url']?.text, 'https://arxiv.org/abs/2005.11401v4');
  });

  it('keeps organisations and single names whole', () => {
    assert.equal(
      entry({ ...web, authors: ['Gemini Team', 'Ada Lovelace', 'Barnes and Noble'] }).fields['author']?.raw,
      '{Gemini Team} and Lovelace, Ada and {Barnes and Noble}',
    );
    assert.equal(entry(repository).fields['author']?.raw, '{langchain-ai}');
  });

  it('keeps capitals that a style must not make small, and no others', () => {
    const title = (text: string) => entry({ ...web, title: text }).fields['title']?.raw;
    assert.equal(
      title('BERT-based LoRA: Retrieval-Augmented Generation with GPT-4 and 3D'),
      '{BERT}-based {LoRA}: Retrieval-Augmented Generation with {GPT}-4 and {3D}',
    );
    assert.equal(title('A SURVEY OF RAG'), 'A SURVEY OF RAG');
  });

  it('escapes what is special, and keeps letters of every script', () => {
    const title = 'C# & R_x: 100% {of} $5 ~a^b \\section <i> "q" | é ß 检索 𝛼';
    const { fields } = entry({ ...web, title });
    assert.equal(fields['title']?.text, title);
    assert.match(
      fields['title'].raw,
      /C\\# \\& R\\_x: 100\\% \\textbraceleft\{\}of\\textbraceright\{\} \\\$5 \\textasciitilde\{\}a\\textasciicircum\{\}b \\textbackslash\{\}section/,
    );
  });

  it('leaves addresses as they are, but for what would end the field', () => {
    assert.equal(
      entry({ ...web, url: 'https://example.org/a_b?x=1&y=%20#c~d' }).fields['url']?.raw,
      'https://example.org/a_b?x=1&y=%20#c~d',
    );
    assert.equal(entry({ ...web, kind: 'scholarly', ids: { doi: '10.1/a}b{c' } }).fields['doi']?.raw, '10.1/a%7Db%7Bc');
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '\\',
          '#',
          '%',
          '&',
          '_',
          '$',
          '~',
          '^',
          '"',
          '@',
          ',',
          '=',
          ' and ',
          ' ',
          'aB',
          'é',
          '中',
          '\n',
          '\\{',
          '\\textbackslash{}',
          '<',
          '|',
          '}\n@misc{x,',
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join('')),
  );
  const anyDocument: fc.Arbitrary<FoundDocument> = fc.record({
    kind: fc.constantFrom('arxiv', 'github', 'web', 'blog', 'scholarly', 'mcp', 'hackernews', 'huggingface'),
    title: anyText,
    authors: fc.array(anyText, { maxLength: 4 }),
    date: fc.constantFrom('2020-01-02', '1999', '', 'x'),
    url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), anyText),
    text: fc.constant('x'),
    facts: fc.array(
      anyText.map((text) => `published in ${text}`),
      { maxLength: 1 },
    ),
    ids: fc.oneof(
      fc.constant({}),
      anyText.map((doi) => ({ doi })),
      anyText.map((doi) => ({ doi: `10.${doi}` })),
      fc.constant({ arxiv: '2005.11401' }),
    ),
  });

  it('of any sources reads back as they were: one whole entry each, its title and names unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { minLength: 1, maxLength: 6 }), (documents) => {
        const items = cslItems(stored(...documents));
        assertCsl(items);
        const entries = readBibtex(bibtex(items));
        assert.deepEqual(
          entries.map(({ key }) => key),
          items.map(({ id }) => id),
        );
        entries.forEach(({ fields }, index) => {
          const { title, author = [] } = items[index]!;
          assert.equal(fields['title']?.text, title);
          const names = fields['author']?.names ?? [];
          assert.deepEqual(
            names,
            author.map((name) =>
              'literal' in name
                ? name.literal
                : [
                    [name['non-dropping-particle'], name.family].filter(Boolean).join(' '),
                    ...(name.suffix ? [name.suffix] : []),
                    name.given,
                  ].join(', '),
            ),
          );
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the cited sources', () => {
  const files = savedFiles([paper, repository, notes]);
  const sources = readStoredSources(files.sources);
  const titles = (markdown: string, order: readonly string[] = []) =>
    citedSources(markdown, sources, order).map(({ title }) => title);
  const list = /## References\n\n([\s\S]*?)\n\n##/.exec(files.report)![1]!;

  it('are identified by address, by file and lines, and by title, in the order of the list', () => {
    assert.deepEqual(titles(files.report), [paper.title, repository.title, notes.title]);
    assert.deepEqual(titles(files.report.replace(list, list.split('\n').reverse().join('\n'))), [
      notes.title,
      repository.title,
      paper.title,
    ]);
    const other = readStoredSources(
      savedFiles([
        { kind: 'mcp', title: 'Notes', authors: [], text: 'a' },
        { kind: 'mcp', title: 'Notes [on] <search>', authors: [], text: 'b' },
      ]).sources,
    );
    assert.deepEqual(
      citedSources('## References\n\n- [1] Notes \\[on\\] &lt;search>. 2020.\n', other, []).map(({ title }) => title),
      ['Notes [on] <search>'],
    );
  });

  it('are found in a list that an editor reformatted', () => {
    const variants = [
      files.report.replaceAll('\n', '\r\n'),
      files.report.replaceAll('- [', '* \\[').replaceAll(/(\\\[\d)\]/g, '$1\\]'),
      files.report.replaceAll('- [', '1. ['),
      files.report.replace('## References', '### 参考文献 ###'),
      files.report.replace('https://arxiv.org/abs/2005.11401v4', '<https://arxiv.org/pdf/2005.11401>'),
      files.report.replace(paper.title, `${paper.title.slice(0, 20)}\n  ${paper.title.slice(20)}`),
      files.report.replace('notes/search_basics.md', 'notes/search\\_basics.md'),
    ];
    for (const text of variants) assert.deepEqual(titles(text), [paper.title, repository.title, notes.title], text);
  });

  it('are identified by the numbers of the run where an item no longer names its source', () => {
    const order = [paper, repository, notes].map(({ title }) => sources.find((source) => source.title === title)!.id);
    assert.deepEqual(titles('## References\n\n- [2] That one.\n- [1] The other.\n- [9] Mine.\n', order), [
      repository.title,
      paper.title,
    ]);
    assert.deepEqual(titles('No list.', order), [paper.title, repository.title, notes.title]);
    assert.deepEqual(titles('No list.', ['S00000']), []);
  });
});

describe('a field of a bibliography', () => {
  it('holds no character that no one sees', () => {
    const written = bibtex([{ ...item(web), title: 'A\u0000 \u202epage\u2066', publisher: 'P\u001b[31m' }]);
    assert.doesNotMatch(written, /[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
    assert.match(written, /A page/);
  });
});
