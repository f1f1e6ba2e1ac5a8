import type { RunRecord } from '../../src/protocol/runRecord.ts';
import { EvidenceRegistry } from '../../src/research/evidence/registry.ts';
import type { FoundDocument } from '../../src/research/ports.ts';
import { writeInlines } from '../../src/markdown/writeInlines.ts';
import { reference } from '../../src/research/report/reference.ts';
import { reportFile } from '../../src/research/report/reportFile.ts';

/** A finished run as it is saved in its folder. */

export const savedRunId = '20260304-100000-abcdef';

export const paper: FoundDocument = {
  kind: 'arxiv',
  title: 'Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks',
  authors: ['Patrick Lewis', 'Ethan Perez', 'Vincent van Gogh', 'Aleksandra Piktus'],
  date: '2020-05-22',
  url: 'https://arxiv.org/abs/2005.11401v4',
  ids: { arxiv: '2005.11401' },
  text: 'Models with a memory. They retrieve.',
  facts: ['cs.CL', 'published in Advances in Neural Information Processing Systems 33'],
};
export const repository: FoundDocument = {
  kind: 'github',
  title: 'langchain-ai/langgraphjs',
  authors: ['langchain-ai'],
  date: '2026-02-01',
  url: 'https://github.com/langchain-ai/langgraphjs',
  ids: { repo: 'langchain-ai/langgraphjs' },
  text: 'Agents as graphs.',
  facts: ['2000 stars'],
};
export const notes: FoundDocument = {
  kind: 'workspace',
  title: 'Notes on search',
  authors: [],
  date: '2026-01-01',
  text: 'BM25 is a baseline.',
  file: { path: 'notes/search_basics.md', firstLine: 3, lastLine: 9 },
};
const uncited: FoundDocument = {
  kind: 'web',
  title: 'Never cited',
  authors: [],
  url: 'https://example.org/never',
  text: 'Nobody cites this.',
};

export function savedRecord(over: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    run: savedRunId,
    question: 'How does retrieval work?',
    created: '2026-03-04T10:00:00.000Z',
    strategy: 'sections',
    provider: 'openai-compatible',
    model: 'imitation-1',
    status: 'finished',
    settings: { 'report.language': 'auto' },
    program: '0.1.0',
    title: 'How retrieval works',
    ...over,
  };
}

export interface SavedFiles {
  readonly record: RunRecord;
  readonly report: string;
  readonly sources: string;
  readonly events: string;
}

/** The files of a run whose report cites `cited` as 1, 2, …; `body` may use the markers. */
export function savedFiles(
  cited: readonly FoundDocument[],
  {
    body,
    record: over,
    others = [uncited],
  }: { body?: string; record?: Partial<RunRecord>; others?: readonly FoundDocument[] } = {},
): SavedFiles {
  const registry = new EvidenceRegistry();
  // What was cited first need not have arrived first.
  for (const document of [...others, ...[...cited].reverse()]) registry.add(document, '2026-03-04T10:00:01.000Z');
  const sources = cited.map((document) => registry.add(document, '2026-03-04T10:00:01.000Z').source);
  const record = savedRecord(over);
  const lines = sources.map(
    (source, index) => `- ${writeInlines(reference(index + 1, source, { retrieved: 'Retrieved' }))}`,
  );
  const text = body ?? `A summary. ${sources.map((_, index) => `[${index + 1}]`).join(' ')}`;
  const markdown = `# ${record.title}\n\n${text}\n\n## References\n\n${lines.join('\n')}\n\n## How this report was made\n\n- By a test.\n`;
  const front = {
    title: record.title!,
    question: record.question,
    created: record.created,
    strategy: record.strategy,
    model: record.model ?? 'none',
    run: record.run,
    sources: cited.length,
    tokens: 1,
    cost: null,
  };
  const event = {
    type: 'report/delta',
    run: record.run,
    seq: 7,
    at: record.created,
    offset: 0,
    text: markdown,
    citations: sources.map(({ id }) => id),
  };
  return {
    record,
    report: reportFile(front, markdown),
    sources: registry.toJson(),
    events: `${JSON.stringify(event)}\n`,
  };
}
