import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { editor, openFolders, Uri } from '../../support/imitatedEditor.ts';

const { findDocuments } = await import('../../../src/host/documents/findDocuments.ts');

const { findFiles, getConfiguration } = editor.workspace;
after(() => Object.assign(editor.workspace, { findFiles, getConfiguration, textDocuments: [] }));
const files = ['/a/api/README.md', '/b/web/README.md', '/c/web/README.md', '/a/api/research/2026-03-04-readme.md'];

test('files with the same path in several folders are all offered, each with its folder, and what is open first', async () => {
  openFolders(['/a/api', '/b/web', '/c/web']);
  Object.assign(editor.workspace, {
    textDocuments: [{ uri: Uri.file(files[1]!), getText: () => '# Web' }],
    findFiles: async () => files.map((file) => Uri.file(file)),
    getConfiguration: () => ({ get: () => 'research' }),
  });
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
