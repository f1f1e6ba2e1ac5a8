import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { CitationWriter } from '../../../../src/research/evidence/citations.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { renderReport, type RenderInput } from '../../../../src/research/report/renderReport.ts';
import { reportFile } from '../../../../src/research/report/reportFile.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import { assertAllowed, hostileMarkdown, visibleText } from '../../../support/hostileMarkdown.ts';
import { rounds } from '../../../support/sampled.ts';

/** `FUZZ_SEED` and `FUZZ_RUNS` choose other inputs and more of them. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const runs = Number(process.env['FUZZ_RUNS'] ?? rounds(150));
const options = { seed, numRuns: runs };

const found: FoundDocument = {
  kind: 'arxiv',
  title: 'A paper',
  authors: ['Ada Lovelace'],
  date: '2020-05-22',
  url: 'https://arxiv.org/abs/2005.11401',
  text: 'Dense retrieval improves exact match from 34.5 to 44.5 points, as 42% of 9 teams say.',
};

function rendered(
  over: Partial<FoundDocument>,
  report: Partial<RenderInput> & { sectionTitle?: string; error?: string } = {},
) {
  const registry = new EvidenceRegistry();
  const paper = registry.add({ ...found, ...over }, '2026-01-02T00:00:00Z').source;
  const input: RenderInput = {
    raw: `# Title\n\nDense retrieval improves exact match [${paper.id}].\n\n## One\n\nMore of it [${paper.id}].\n`,
    isWhole: true,
    title: 'Planned',
    sections: [
      {
        id: 's1',
        title: report.sectionTitle ?? 'One',
        description: '',
        queries: [],
        status: 'completed',
        attempt: 1,
        sourceIds: [paper.id],
        gaps: [],
        searched: [],
      },
      {
        id: 's2',
        title: 'Two',
        description: '',
        queries: [],
        status: 'failed',
        attempt: 1,
        sourceIds: [],
        gaps: [],
        searched: [],
        error: report.error ?? 'It failed.',
      },
    ],
    language: 'en',
    evidence: {
      get: (id) => registry.get(id === 'S3f9a1' ? paper.id : id),
      byUrl: (url) => registry.byUrl(url),
      candidates: registry.all(),
    },
    given: '',
    verified: new Set(),
    account: () => ['By a test.'],
    ...report,
  };
  return { text: renderReport(input).markdown, title: renderReport(input).title, paper };
}

const isVouched = (href: string) => href === 'https://arxiv.org/abs/2005.11401';

function check(name: string, render: (hostile: string) => string, seen = true): void {
  it(`holds for ${name}`, () => {
    fc.assert(
      fc.property(hostileMarkdown, (hostile) => {
        const text = render(hostile);
        assertAllowed(text, isVouched);
        const visible = visibleText(text);
        if (seen)
          assert.ok(
            !/(?:https?:|\/\/|www\.)[^\s]*(?:evil[.．](?:com|example)|bit\.ly|xn--|пример)|(?:evil|bit)[.．](?:com|example|ly)[/?#:]|\b(?:(?:java|vb)script:\S|data:text)/i.test(
              visible.replace(/[\u202a-\u202e\u2066-\u2069]/g, ''),
            ),
            `an address is left in ${JSON.stringify(text)} of ${JSON.stringify(hostile)}`,
          );
        assert.ok(!/[\u202A-\u202E\u2066-\u2069\u0000\u00AD\u2028]/.test(text));
      }),
      options,
    );
  });
}

describe('a report of hostile text', () => {
  check('what a model writes', (hostile) => rendered({}, { raw: hostile }).text);
  check('the body of a section', (hostile) => rendered({}, { raw: `# T\n\nS.\n\n## One\n\n${hostile}\n` }).text);
  check(
    'a cell of a table',
    (hostile) =>
      rendered(
        {},
        {
          raw: `# T\n\n## One\n\n| ${hostile} | b |\n|---|---|\n| ${hostile.replace(/\n/g, ' ')} | ${hostile.replace(/[\n|]/g, ' ')} |\n`,
        },
      ).text,
  );
  check(
    'an item of a list',
    (hostile) => rendered({}, { raw: `# T\n\n## One\n\n- ${hostile}\n  - ${hostile}\n1. ${hostile}\n` }).text,
  );
  check(
    'a heading',
    (hostile) =>
      rendered({}, { raw: `# ${hostile}\n\n## ${hostile}\n\nText.\n\n### ${hostile.replace(/\n/g, ' ')}\n\nMore.\n` })
        .text,
  );
  check('the question as title', (hostile) => rendered({}, { raw: '', title: hostile }).text);
  check('the title of a section', (hostile) => rendered({}, { sectionTitle: hostile }).text);
  check('the title of a source', (hostile) => rendered({ title: hostile }).text);
  check('an author', (hostile) => rendered({ authors: [hostile, 'B', hostile] }).text);
  check('a date', (hostile) => rendered({ date: hostile }).text);
  check(
    'a file name',
    (hostile) => {
      const { url: _, ...rest } = found;
      return rendered({ ...rest, url: undefined, file: { path: hostile, firstLine: 1, lastLine: 2 } }).text;
    },
    false,
  );
  check('a url', (hostile) =>
    rendered({ url: `https://arxiv.org/abs/2005.11401#${hostile}` }).text.replaceAll(
      /https:\/\/arxiv\.org\/abs\/2005\.11401#\S*(?=\. Retrieved)/g,
      'URL',
    ),
  );
  check('an error', (hostile) => rendered({}, { error: hostile }).text);
  check('a line of the account', (hostile) => rendered({}, { account: () => [hostile, hostile] }).text);
  check('what was found', (hostile) => {
    const registry = rendered({});
    return rendered(
      {},
      {
        raw: '',
        sections: [
          {
            id: 's1',
            title: 'One',
            description: '',
            queries: [],
            status: 'completed',
            attempt: 1,
            sourceIds: [registry.paper.id],
            gaps: [],
            searched: [hostile],
            distilled: { content: hostile, findings: [] } as never,
          },
        ],
      },
    ).text;
  });

  it('is the same however it was cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(hostileMarkdown, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (parts, step) => {
        const text = parts.join('\n');
        const evidence = { get: () => undefined, byUrl: () => undefined, candidates: [] };
        const whole = new CitationWriter(evidence, '');
        const expected = whole.push(text) + whole.finish();
        const writer = new CitationWriter(evidence, '');
        let out = '';
        for (let at = 0; at < text.length; at += step) out += writer.push(text.slice(at, at + step));
        assert.equal(out + writer.finish(), expected);
        assert.deepEqual(writer.counts, whole.counts);
      }),
      { seed, numRuns: 2 * runs },
    );
  });

  it('has front matter that stays data', () => {
    fc.assert(
      fc.property(hostileMarkdown, hostileMarkdown, (title, question) => {
        const file = reportFile(
          {
            title,
            question,
            created: '2026-01-02T00:00:00Z',
            strategy: question,
            model: title,
            run: 'r',
            sources: 1,
            tokens: 1,
            cost: null,
          },
          '# T\n',
        );
        const [, yaml] = /^---\n([\s\S]*?)\n---\n\n# T\n$/.exec(file)!;
        const read = parse(yaml!) as Record<string, unknown>;
        assert.equal(String(read['title']).toWellFormed(), title.toWellFormed());
        assert.equal(String(read['question']).toWellFormed(), question.toWellFormed());
        assert.equal(yaml!.split('\n').length, 9);
      }),
      options,
    );
  });
});
