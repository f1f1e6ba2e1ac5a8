import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evidenceOfRun } from '../../../../src/files/evidence.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { withOpenedPages } from '../../../../src/research/run/parentSources.ts';
import type { ToolContext } from '../../../../src/research/tools.ts';
import { scriptedTool } from '../../../support/scriptedParts.ts';

const page = (name: string, text: string) => ({ kind: 'web', title: name, authors: [], url: urlOf(name), text });
const urlOf = (name: string) => `https://example.org/${name}`;
const context: ToolContext = { focus: 'anything', language: 'en' };

describe('a page in a follow-up', () => {
  const registry = new EvidenceRegistry();
  const [read, found] = [page('read', 'All of the page.'), page('found', 'A snippet.')].map(
    (document) => registry.add(document, '2026-01-01T00:00:00Z').source.id,
  );
  const finished = { run: 'r', seq: 1, at: '2026-01-01T00:00:00Z', type: 'tool/finished', call: 'c', ms: 1 };
  const events = [
    { ...finished, name: 'read_page', sources: [read] },
    { ...finished, name: 'search', sources: [read, found] },
  ];
  const { calls } = evidenceOfRun(events.map((event) => JSON.stringify(event)).join('\n'));
  const asked: unknown[] = [];
  const reader = {
    ...scriptedTool(() => ({ documents: [] })),
    ...{ name: 'read_page', kind: 'read' as const, opensPages: true },
    run: (args: Readonly<Record<string, unknown>>) => {
      asked.push(args['url']);
      return Promise.resolve({ documents: [page('new', 'Fetched.')] });
    },
  };
  const open = (name: string, more: Partial<ToolContext> = {}, tool = reader) =>
    withOpenedPages(tool, { calls }, registry).run(
      { url: urlOf(name) },
      { ...context, ...more },
      new AbortController().signal,
    );

  it('is not asked for again when its run has opened it', async () => {
    const { documents } = await open('read');
    assert.deepEqual([documents[0]!.text, asked], ['All of the page.', []]);
  });

  it('is asked for when its run has only found it, when it is new, and when the user names it', async () => {
    await open('found');
    await open('other');
    await open('read', { isNamed: true });
    assert.deepEqual(asked, ['found', 'other', 'read'].map(urlOf));
  });

  it('is asked for by another tool than the one that opened it', async () => {
    asked.length = 0;
    await open('read', {}, { ...reader, name: 'render_page' });
    assert.deepEqual(asked, [urlOf('read')]);
  });
});
