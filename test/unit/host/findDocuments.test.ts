import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imitatedFolders, imitateEditor, ImitatedUri } from '../../support/imitatedEditor.ts';

const files = ['/a/api/README.md', '/b/web/README.md', '/c/web/README.md', '/a/api/research/2026-03-04-readme.md'];
const documents = [files[1]!].map((file) => ({ uri: ImitatedUri.file(file), getText: () => '# Web' }));
imitateEditor({
  Uri: ImitatedUri,
  window: {},
  workspace: {
    ...imitatedFolders(['/a/api', '/b/web', '/c/web']),
    textDocuments: documents,
    findFiles: async () => files.map((file) => ImitatedUri.file(file)),
    getConfiguration: () => ({ get: () => 'research' }),
  },
});
const { findDocuments } = await import('../../../src/host/documents/findDocuments.ts');

test('files with the same path in several folders are all offered, each with its folder, and what is open first', async () => {
  const found = await findDocuments('read');
  assert.deepEqual(
    found.map(({ id, name, place }) => [id, name, place]),
    [
      ['file:///b/web/README.md', 'README.md', 'web'],
      ['file:///a/api/README.md', 'README.md', 'api'],
      ['file:///c/web/README.md', 'README.md', 'web'],
      ['file:///a/api/research/2026-03-04-readme.md', '2026-03-04-readme.md', 'api/research'],
    ],
  );
  assert.deepEqual(
    (await findDocuments('api read')).map(({ place }) => place),
    ['api', 'api/research'],
  );
});
