import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutputFormat, ReportInput, ReviewedSection } from '../../../../src/research/analyst/analyst.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { textsOf } from '../../../../src/research/analyst/extractive/texts.ts';
import { CitationWriter } from '../../../../src/research/evidence/citations.ts';
import { outlineReport } from '../../../../src/research/report/outlineReport.ts';
import { scopeOf, sourceOf } from './samples.ts';

const analyst = new ExtractiveAnalyst();
const facts = [
  'Dense retrieval encodes queries and passages as vectors and compares them by cosine.',
  'Sparse retrieval ranks documents by the rare words that they share with the query.',
  'A reranker reads the query and one candidate together and predicts how relevant it is.',
  'Query rewriting turns a follow-up question into a query that stands alone.',
  'Chunks at headings keep sentences whole, which windows of a fixed size do not.',
  'Recall counts the questions whose passage stands among the first results.',
  'Faithfulness is the share of statements that the retrieved passages support.',
  'Stale indexes answer from documents that were changed long ago.',
  'Models overlook passages that stand in the middle of a long context.',
  'Access rights have to be applied before the passages are ranked.',
  'Caching embeddings under a hash of the text saves most of the work.',
  'Summaries of clusters answer questions about a whole collection.',
];
const sources = facts.map((text, index) => sourceOf({ text, title: `Note ${index}` }, index));

function sectionOf(
  id: string,
  title: string,
  picked: readonly number[],
  status: ReviewedSection['status'] = 'completed',
): ReviewedSection {
  const findings = picked.map((index) => ({ claim: facts[index]!, quote: facts[index]!, source: sources[index]!.id }));
  return { id, title, description: '', status, content: '', findings, sourceIds: findings.map(({ source }) => source) };
}

const sections = [
  sectionOf('s1', 'What retrieval is', [0, 1, 2, 3, 4, 5]),
  sectionOf('s2', 'Evaluation and results', [5, 6, 0, 7, 8]),
  sectionOf('s3', 'Limits and open problems', [7, 8, 9, 10, 11, 1]),
];

async function write(
  given: Partial<ReportInput> & { readonly language?: string; readonly outputFormat?: OutputFormat } = {},
): Promise<string> {
  const input: ReportInput = {
    question: 'What is retrieval?',
    clarifiedQuestion: 'What is retrieval?',
    assumptions: [],
    title: 'Retrieval',
    objective: '',
    analysis: {
      queryType: 'general',
      outputFormat: given.outputFormat ?? 'prose',
      needsDiscovery: false,
      discoveryTarget: '',
      reasoning: '',
    },
    discovered: [],
    sections,
    contradictions: [],
    sources,
    ...given,
  };
  let report = '';
  for await (const piece of analyst.writeReport(input, scopeOf({ language: given.language ?? 'en' }))) report += piece;
  return report;
}

const quotes = (report: string): string[] => [...report.matchAll(/\[(S[0-9a-f]{5,})\]/g)].map(([, id]) => id!);

test('title, digest line, summary, sections in order, conclusion', async () => {
  const report = await write();
  assert.deepEqual(report.match(/^#{1,2} .*$/gm), [
    '# Retrieval',
    '## What retrieval is',
    '## Evaluation and results',
    '## Limits and open problems',
    '## Conclusion and outlook',
  ]);
  assert.match(
    report,
    /^# Retrieval\n\nThis is a digest made without a language model: .* word for word from \w+ sources/,
  );
  const { summary, conclusion, before, after } = outlineReport(report, sections);
  assert.ok(quotes(summary).length >= 3);
  assert.equal(quotes(conclusion ?? '').length, 0);
  assert.deepEqual([...before, ...after], []);
});

test('a sentence stands in the report once', async () => {
  const report = await write();
  for (const fact of facts) assert.ok(report.split(fact).length <= 2, fact);
});

test('every sentence but those of the fixed texts is a quote with its source', async () => {
  const report = await write();
  const texts = textsOf('en');
  const bare = facts.reduce((rest, fact) => rest.replaceAll(fact, ''), report).replace(/\[S[0-9a-f]+\]/g, '');
  const fixed = [texts.found, texts.outlook, texts.allFound].reduce((rest, text) => rest.replace(text, ''), bare);
  for (const line of fixed.split('\n').map((text) => text.replace(/^- /, '').trim())) {
    assert.ok(
      line === '' || line.startsWith('#') || line.startsWith('This is a digest') || /^[\w ]+: \w+ sources?$/.test(line),
      line,
    );
  }
});

test('the summary is 100 to 200 words when there is enough', async () => {
  const long = sections.map((section) => ({ ...section, findings: [...section.findings] }));
  const summary =
    outlineReport(await write({ sections: long }), sections)
      .summary.replace(/\[S\w+\]/g, '')
      .split('\n\n')[1] ?? '';
  const words = summary.trim().split(/\s+/).length;
  assert.ok(words >= 30 && words <= 200, String(words));
});

test('a section that failed or has nothing is a heading alone, and the conclusion says so', async () => {
  const report = await write({
    sections: [sections[0]!, sectionOf('s2', 'Costs', [], 'failed'), sectionOf('s3', 'History', [])],
  });
  assert.match(report, /## Costs\n\n## History\n\n## Conclusion/);
  assert.match(report, /Nothing was found on: Costs; History\./);
});

test('with nothing at all it claims nothing', async () => {
  const report = await write({ sections: [sectionOf('s1', 'History', [])], sources: [] });
  assert.deepEqual(quotes(report), []);
  assert.doesNotMatch(report, /word for word/);
});

test('a table question gets tables, in rows by source', async () => {
  const report = await write({ outputFormat: 'table' });
  assert.match(report, /\| Source \| What it says \|\n\|---\|---\|\n\| Note \d+ \| .* \[Sa000\w\] \|/);
});

for (const language of ['en', 'zh', 'ja', 'ko', 'ar', 'ru', 'de', 'fr', 'es']) {
  test(`the citation checks leave the report in ${language} as it is`, async () => {
    const report = await write({ language });
    const texts = textsOf(language);
    assert.ok(report.includes(`## ${texts.conclusion}`));
    const byId = new Map(sources.map((source) => [source.id, source]));
    const writer = new CitationWriter(
      { get: (id) => byId.get(id), byUrl: () => undefined, candidates: sources },
      sections.map(({ title }) => title).join('\n'),
    );
    const shown = writer.push(report) + writer.finish();
    assert.equal(writer.counts.dropped, 0);
    assert.equal(writer.counts.verified, writer.counts.cited);
    assert.ok(shown.includes(texts.outlook));
    assert.equal(shown.replace(/ ?\[\d+\]/g, '').trim(), report.replace(/ ?\[S[0-9a-f]+\]/g, '').trim());
  });
}

test('all languages have all texts, and counts in words', () => {
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
      : typeof value;
  const { whatTheyAre: _, ...english } = textsOf('en');
  for (const language of ['zh', 'ja', 'ko', 'ar', 'ru', 'de', 'fr', 'es']) {
    assert.notEqual(textsOf(language), textsOf('en'));
    assert.deepEqual(shape(textsOf(language)), shape(english), language);
    assert.doesNotMatch(JSON.stringify(textsOf(language)), /\d/, `${language}: figures belong to the sources`);
  }
  assert.equal(textsOf('xx'), textsOf('en'));
  assert.equal(textsOf('zh-CN'), textsOf('zh'));
});

test('the writer may be left early', async () => {
  const input: ReportInput = {
    question: 'x',
    clarifiedQuestion: 'x',
    assumptions: [],
    title: 'x',
    objective: '',
    analysis: {
      queryType: 'general',
      outputFormat: 'prose',
      needsDiscovery: false,
      discoveryTarget: '',
      reasoning: '',
    },
    discovered: [],
    sections,
    contradictions: [],
    sources,
  };
  for await (const piece of analyst.writeReport(input, scopeOf())) {
    assert.equal(piece, '# x\n\n');
    break;
  }
});
