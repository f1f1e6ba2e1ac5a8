import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorkspace } from '../../../../src/node/workspace.ts';
import { topicOf } from '../../../../src/sources/workspace/topics.ts';
import { readAllSettings } from '../../../../src/catalogue.ts';
import { readWorkspaceFacts } from '../../../../src/sources/workspaceFacts.ts';
import { examples } from '../../../support/keylessResearch.ts';

test('the title of a document is a topic', () => {
  assert.equal(
    topicOf('notes/a.md', '# Query *rewriting* and [expansion](x.md)\n\nText.'),
    'Query rewriting and expansion',
  );
  assert.equal(topicOf('notes/b.md', '# 检索增强生成'), '检索增强生成');
});

test('housekeeping, generic titles, code and untitled files are none', () => {
  for (const [path, text] of [
    ['CHANGELOG.md', '# Changelog of things'],
    ['meetings/x.md', '# Sync of the team'],
    ['a.md', '# Notes'],
    ['a.md', 'No title'],
    ['a.ts', '# Not Markdown'],
    ['a.md', `# ${'long '.repeat(40)}`],
  ] as const) {
    assert.equal(topicOf(path, text), undefined, path);
  }
});

test('the sample workspace is about what its longest notes are about', async () => {
  const { topics } = await readWorkspaceFacts(
    openWorkspace(examples, { exclude: [], reportFolder: 'research' }),
    readAllSettings({}).settings,
    new AbortController().signal,
  );
  assert.ok(topics!.slice(0, 5).some((topic) => /retrieval/i.test(topic)));
  assert.ok(!topics!.some((topic) => /sync|changelog/i.test(topic)));
});
