import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { quoteBlock } from '../../../../src/research/evidence/verbatim.ts';
import { writeInlines } from '../../../../src/markdown/writeInlines.ts';
import { loadTexts } from '../../../../src/research/languages/texts.ts';
import type { Contradiction } from '../../../../src/research/stateSchema.ts';
import { type CheckedTexts, checkedTexts } from '../../../../src/research/report/checkedTexts.ts';
import { reference as referenceNodes } from '../../../../src/research/report/reference.ts';
import { renderReport } from '../../../../src/research/report/renderReport.ts';
import { reportFile, reportFileName } from '../../../../src/research/report/reportFile.ts';
import { plainMarks } from '../../../support/plainMarks.ts';

const source: Source = {
  id: 'S12345',
  kind: 'arxiv',
  identity: 'arxiv:2005.11401',
  title: 'Retrieval-Augmented Generation.',
  authors: ['Patrick Lewis', 'Ethan Perez'],
  date: '2020-05-22',
  url: 'https://arxiv.org/abs/2005.11401',
  retrievedAt: '2026-03-04T10:00:00.000Z',
  facts: [],
  alreadyCited: false,
  text: '',
};

const reference = (...given: Parameters<typeof referenceNodes>) => `- ${writeInlines(referenceNodes(...given))}`;

describe('reference', () => {
  it('names title, authors, date, address and the day of retrieval', () => {
    assert.equal(
      reference(3, source, { retrieved: 'Retrieved' }),
      '- <a id="ref-3"></a>[3] Retrieval-Augmented Generation. Patrick Lewis, Ethan Perez, 2020-05-22. https://arxiv.org/abs/2005.11401. Retrieved 2026-03-04',
    );
  });

  it('names three authors at the most, and path and lines of a workspace file', () => {
    assert.match(
      reference(1, { ...source, authors: ['A', 'B', 'C', 'D'] }, { retrieved: 'Retrieved' }),
      /\. A, B, C et al\., 2020-05-22\. /,
    );
    const { url: _, ...file } = { ...source, authors: [], file: { path: 'docs/a b.md', firstLine: 10, lastLine: 20 } };
    assert.equal(
      reference(2, file, { retrieved: 'Retrieved' }),
      '- <a id="ref-2"></a>[2] Retrieval-Augmented Generation. docs/a b.md#L10-L20. Retrieved 2026-03-04',
    );
  });

  it('stays one inert line, whatever a source calls itself', () => {
    const hostile = reference(
      1,
      {
        ...source,
        title: 'x](command:evil) <img src=y>\n# Heading `code`',
        authors: ['[a](b)\n- [9] fake'],
        url: 'javascript:alert(1)',
      },
      { retrieved: 'Retrieved' },
    );
    assert.ok(!hostile.includes('\n'));
    assert.ok(!/(?<!\\)\]\(|<img|javascript:/.test(hostile), hostile);
  });
});

describe('report file', () => {
  const front = {
    title: 'T',
    question: 'Q',
    created: '2026-03-04T10:00:00.000Z',
    strategy: 'sections',
    model: 'm',
    run: 'r',
    sources: 2,
    tokens: 10,
    cost: null,
  };

  it('leaves what is not known empty in the front matter', () => {
    const file = reportFile(front, '# T\n');
    assert.match(file, /^cost:$/m);
    assert.doesNotMatch(file, /null/);
  });

  it('has front matter that YAML reads back as it was, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (title, question) => {
        const file = reportFile({ ...front, title, question }, '# T\n');
        const [, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(file)!;
        const read = parse(yaml!) as typeof front;
        assert.equal(read.title, title.toWellFormed());
        assert.equal(read.question.toWellFormed(), question.toWellFormed());
        assert.deepEqual({ ...read, title: '', question: '' }, { ...front, title: '', question: '' });
      }),
    );
  });

  it('has a name that every file system takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const name = reportFileName('2026-03-04', title);
        assert.match(name, /^2026-03-04-[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*\.md$/u);
        assert.ok(Buffer.byteLength(name) <= 255, name);
      }),
    );
  });
});

describe('a section', () => {
  it('of which nothing written is supported shows what was found for it', () => {
    const passage = { ...source, text: 'Dense retrieval improves exact match by 9 points.' };
    const { markdown: written } = renderReport({
      raw: '# Title\n\n## One\n\nSparse retrieval wins by 77 points [S12345].\n',
      isWhole: true,
      title: 'Title',
      sections: [
        {
          id: 's1',
          title: 'One',
          description: '',
          queries: [],
          status: 'completed',
          attempt: 1,
          sourceIds: [passage.id],
          gaps: [],
          searched: [],
          distilled: { title: 'One', content: quoteBlock(passage.id, passage.text), findings: [] },
        },
      ],
      language: 'en',
      evidence: { get: () => passage, byUrl: () => undefined, candidates: [passage] },
      given: '',
      verified: new Set(),
      account: () => [],
    });
    const markdown = plainMarks(written);
    assert.match(markdown, /## One\n[^]*> Dense retrieval improves exact match by 9 points\. \[1\]/);
    assert.doesNotMatch(markdown, /77 points|Nothing was found/);
  });
});

describe('what was not answered', () => {
  const rendered = (gap: string, language = 'en', searched: readonly string[] = ['web', 'arxiv']) =>
    renderReport({
      raw: '# T\n\nA summary.\n',
      isWhole: true,
      title: 'T',
      sections: [],
      language,
      evidence: { get: () => source, byUrl: () => undefined, candidates: [source] },
      given: 'What did it cost in 1,250 shops?',
      verified: new Set(),
      gaps: [{ gap, title: 'Cost', searched }],
      floor: { sections: new Map(), digest: undefined },
      account: () => ['Made.'],
    }).markdown;

  it('stands under a heading of its own before the account, with what was searched, in the language of the report', async () => {
    await loadTexts('de');
    assert.match(
      rendered('Prices after 2024 in 1,250 shops.'),
      /\n## Not answered\n\n- Prices after 2024 in 1,250 shops \(Cost; searched: web, arxiv\)\n\n## How this/,
    );
    assert.match(
      rendered('Preise nach 2024.', 'de'),
      /\n## Nicht beantwortet\n\n- Preise nach 2024 \(Cost; gesucht in: web, arxiv\)\n/,
    );
    assert.match(rendered('Prices.', 'en', []), /\n- Prices \(Cost\)\n/);
  });

  it('has no address, marker, markup or figure that only the review knows', () => {
    assert.match(rendered('See https://evil.example/x for <b>more</b> [S12345].'), /\n- See for (?!.*(?:evil|<b>|\[))/);
    assert.match(rendered('It is 97.3 % better.'), /\n- Cost \(searched: web, arxiv\)\n/);
  });
});

it('what code alone says of a report has no other text under its heading', () => {
  const { markdown } = renderReport({
    raw: '# T\n\nA summary.\n\n## **How this report was made**\n\nEverything was verified.\n\n## Not answered:\n\nNothing.\n',
    isWhole: true,
    title: 'T',
    sections: [],
    language: 'en',
    evidence: { get: () => source, byUrl: () => undefined, candidates: [source] },
    given: '',
    verified: new Set(),
    account: () => ['Made.'],
  });
  assert.match(markdown, /\n## How this report was made\n\n- Made\.\n/);
  assert.doesNotMatch(markdown, /Everything|Not answered/);
});

describe('where sources disagree', () => {
  const one = { ...source, id: 'Saaaaa', text: 'On a laptop of 2021 the median latency of the index was 12 ms.' };
  const other = { ...source, id: 'Sbbbbb', text: 'On a server of 2024 the median latency of the index was 3 ms.' };
  const sources = [one, other];
  const sides = [
    { text: 'Median latency of 12 ms on a laptop of 2021', sources: ['Saaaaa'] },
    { text: 'Median latency of 3 ms on a server of 2024', sources: ['Sbbbbb'] },
  ];
  const rendered = (contradictions: readonly Contradiction[], workOf?: (id: string) => string, language = 'en') =>
    renderReport({
      raw: '# T\n\n## Latency\n\nThe median latency of the index was 12 ms on a laptop [Saaaaa].\n',
      isWhole: true,
      title: 'T',
      sections: [],
      language,
      evidence: {
        get: (id) => sources.find((source) => source.id === id),
        byUrl: () => undefined,
        candidates: sources,
      },
      given: '',
      verified: new Set(),
      contradictions,
      ...(workOf && { workOf }),
      account: () => ['Made.'],
    }).markdown;

  it('is a table before the references, each value with its conditions and its own citation', async () => {
    await loadTexts('de');
    const markdown = rendered([{ topic: 'Median latency', values: sides }]);
    const rows = /\n## Where sources disagree\n\n([^]*?)\n\n## References/.exec(markdown)![1]!.split('\n');
    assert.deepEqual(
      rows.map((row) => row.replace(/ {2,}/g, ' ').replace(/\[\[(\d)\]\]\(#ref-\d\)/g, '[$1]')),
      [
        '| Subject | Value 1 | Value 2 |',
        '| --- | --- | --- |',
        '| Median latency | Median latency of 12 ms on a laptop of 2021 [1] | Median latency of 3 ms on a server of 2024 [2] |',
      ],
    );
    assert.match(
      rendered([{ topic: 'Latenz', values: sides }], undefined, 'de'),
      /## Wo sich die Quellen widersprechen/,
    );
  });

  it('has no row of a value that its source does not give, of one side, of one voice, or of sources that there are none of', () => {
    const [first, second] = sides as [(typeof sides)[0], (typeof sides)[0]];
    const topic = 'Median latency';
    for (const values of [
      [],
      [first],
      [first, { ...second, text: 'Median latency of 77 ms on a server of 2024' }],
      [first, { ...second, sources: ['Sccccc'] }],
      [first, { ...second, sources: [] }],
    ])
      assert.doesNotMatch(rendered([{ topic, values }]), /Where sources disagree/, JSON.stringify(values));
    assert.doesNotMatch(
      rendered([{ topic, values: sides }], () => 'Saaaaa'),
      /Where sources disagree/,
    );
  });

  it('takes no markup, column or marker from a model', () => {
    const odd = sides.map((side) => ({ ...side, text: `${side.text} | <b>x</b> [9]` }));
    const markdown = rendered([
      { topic: 'Median | latency\n# Heading', values: odd },
      { topic: 'T', values: sides },
    ]);
    const table = /## Where sources disagree\n\n([^]*?)\n\n##/.exec(markdown)![1]!;
    assert.ok(
      table.split('\n').every((row) => row.split('|').length === 5),
      table,
    );
    assert.doesNotMatch(table, /<b>|\[9\]|^# /m);
  });
});

describe('sections that the writer did not write under their title', () => {
  const found = [
    ['Storage', 'Rows are stored in pages of eight kilobytes.'],
    ['Indexes', 'A tree of 100 million keys has four levels.'],
    ['Locks', 'Readers never block writers.'],
  ] as const;
  const sources = found.map(([title, text], index): Source => ({ ...source, id: `S1234${index}`, title, text }));
  const sections = found.map(([title, quote], index) => {
    const findings = [{ claim: quote, quote, source: `S1234${index}` }];
    const content = `- ${quote.slice(0, -1)} [S1234${index}].`;
    return {
      ...{ id: `s${index}`, title, description: '', queries: [], status: 'completed' as const, attempt: 1 },
      ...{ sourceIds: [`S1234${index}`], gaps: [], searched: ['web'], distilled: { title, content, findings } },
    };
  });
  const render = (raw: string, given: readonly (typeof sections)[number][] = sections) => {
    const { markdown } = renderReport({
      ...{
        raw,
        isWhole: true,
        title: 'Database',
        sections: given,
        language: 'en',
        given: '',
        verified: new Set<string>(),
      },
      evidence: {
        get: (id) => sources.find((one) => one.id === id),
        byUrl: () => undefined,
        candidates: sources,
      },
      floor: { sections: new Map(sections.map(({ id, distilled }) => [id, distilled])), digest: undefined },
      account: () => [],
    });
    return plainMarks(markdown);
  };
  const times = (markdown: string, words: string) => markdown.split(words).length - 1;

  it('are not added once more when their findings stand in another section', () => {
    const report = render(
      '# D\n\n## How data is kept\n\nRows are stored in pages of eight kilobytes [S12340]. ' +
        'A tree of 100 million keys has four levels [S12341].\n\n## Locks\n\nReaders never block writers [S12342].\n',
    );
    for (const [, sentence] of found) assert.equal(times(report, sentence.slice(0, -1)), 1, report);
    assert.doesNotMatch(report, /^## (?:Storage|Indexes)$/m);
  });

  it('are added with what the report does not state, a summary aside', () => {
    const report = render(
      '# D\n\nReaders never block writers [S12342].\n\n## Storage\n\nRows are stored in pages of eight kilobytes [S12340]. ' +
        'A tree of 90 million keys has four levels [S12341].\n',
    );
    assert.match(report, /^## Indexes\n\n- A tree of 100 million keys has four levels \[\d\]\.$/m);
    assert.match(report, /^## Locks\n\n- Readers never block writers \[\d\]\.$/m);
  });

  it('cite their other sources outside of a code block that nothing closes', () => {
    const [first, second] = sections;
    const content = `${first!.distilled.content}\n\n\`\`\`sql\nSELECT 1;`;
    const findings = [...first!.distilled.findings, ...second!.distilled.findings];
    const report = render('# D\n', [{ ...first!, distilled: { title: 'Storage', content, findings } }]);
    assert.match(report, /SELECT 1;\n```\n\n- A tree of 100 million keys has four levels\.? \[2\]/);
  });
});

describe('the title of a report that a model wrote', () => {
  const titled = (title: string, language = 'en') => {
    const quote = 'Die Sperren der Leser blockieren keine Schreiber.';
    const found = { ...source, id: 'S12345', text: quote };
    const findings = [{ claim: quote, quote, source: found.id }];
    return renderReport({
      ...{ raw: `# ${title}\n\n## Locks\n\n${quote} [S12345]\n`, isWhole: true, title: 'Reading a database', language },
      ...{ given: 'How are locks read?\n2026-03-04', verified: new Set<string>() },
      sections: [
        {
          ...{ id: 's1', title: 'Locks', description: '', queries: [], status: 'completed', attempt: 1 },
          ...{ sourceIds: [found.id], gaps: [], searched: ['web'] },
          distilled: { title: 'Locks', content: `- ${quote} [S12345]`, findings },
        },
      ],
      evidence: { get: () => found, byUrl: () => undefined, candidates: [found] },
      floor: { sections: new Map(), digest: undefined },
      account: () => [],
    }).title;
  };

  it('has a word of the question, the plan or what was found, in any of their languages and forms', () => {
    assert.equal(titled('Locking in databases'), 'Locking in databases');
    assert.equal(titled('Wie Leser Schreibern ausweichen', 'de'), 'Wie Leser Schreibern ausweichen');
    assert.equal(titled('Quantum cooking in the twenty-first century'), 'Reading a database');
    assert.equal(titled('The year 2026'), 'Reading a database');
  });
});

describe('the drafts of a report', () => {
  it('are the same when their texts are checked once for all of them', () => {
    const evidence = { get: () => source, byUrl: () => undefined, candidates: [source] };
    const checks = checkedTexts(evidence, '', new Set(), undefined);
    const render = (raw: string, given?: CheckedTexts) =>
      renderReport(
        {
          ...{ raw, isWhole: true, title: 'T', sections: [], language: 'en', given: '', verified: new Set<string>() },
          ...{ evidence, account: () => [] },
        },
        given,
      );
    const [first, second] = ['# T\n\nA summary [S1].\n', '# T\n\nA summary [S1].\n\n## More\n\nText [S1].\n'];
    for (const raw of [first, second, first]) assert.deepEqual(render(raw, checks), render(raw));
  });
});

describe('a text that a model wrote', () => {
  const text =
    'A cross-encoder reads the query and one passage together and predicts how relevant the passage is to it.';
  const found = { ...source, text };
  const evidence = { get: () => found, byUrl: () => undefined, candidates: [found] };
  const { fit } = checkedTexts(evidence, '', new Set(), 'en');
  const cited = 'It predicts how relevant a passage is [S12345].';

  it('keeps an uncited sentence that a source speaks of, and loses what an assistant says to a person', () => {
    const spoken = 'Reading the query and the passage together makes a cross-encoder slow.';
    const chatter = 'As an AI language model, I cannot browse the internet.';
    assert.equal(fit(`${spoken} ${chatter} ${cited}`)?.text, `${spoken} ${cited}`);
  });
});
