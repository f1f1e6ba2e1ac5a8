import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { attachedBefore } from '../../../src/host/documents/attachedBefore.ts';
import type { SourceView } from '../../../src/protocol/runView.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

const source = (file: string | undefined, over: Partial<SourceView> = {}): SourceView => ({
  ...{ id: `S${file ?? 'x'}`, kind: 'attached', title: file ?? 'pasted' },
  ...(file === undefined ? {} : { file: { path: file, firstLine: 1, lastLine: 3 } }),
  ...over,
});

test('a rerun takes the whole files of the open folder again, and names what is left out', async () => {
  const place = temporaryFolder('attachedBefore');
  try {
    const folder = path.join(place, 'open');
    fs.mkdirSync(path.join(folder, 'docs'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'docs', 'a.md'), 'Text.');
    fs.writeFileSync(path.join(place, 'outside.md'), 'Text.');
    fs.symlinkSync(path.join(place, 'outside.md'), path.join(folder, 'link.md'));
    const found = await attachedBefore(
      [
        source('docs/a.md'),
        source('docs/a.md', { title: 'docs/a.md (1-3)' }),
        source('docs'),
        source('gone.md'),
        source('link.md'),
        source('../outside.md'),
        source(path.join(place, 'outside.md')),
        source(undefined, { url: 'https://example.com/page', title: 'A page' }),
        source('docs/a.md', { kind: 'workspace' }),
      ],
      folder,
      folder,
    );
    assert.deepEqual(found.attached, [{ path: path.join(folder, 'docs', 'a.md') }]);
    assert.deepEqual(found.leftOut, [
      'docs/a.md (1-3)',
      'docs',
      'gone.md',
      'link.md',
      '../outside.md',
      path.join(place, 'outside.md'),
      'A page',
    ]);
    const leftOut = { attached: [], leftOut: ['docs/a.md'] };
    assert.deepEqual(await attachedBefore([source('docs/a.md')], folder, undefined), leftOut, 'Restricted Mode');
    fs.cpSync(folder, path.join(place, 'other'), { recursive: true });
    for (const workspace of [path.join(place, 'other'), path.join(place, 'gone'), undefined])
      assert.deepEqual(await attachedBefore([source('docs/a.md')], workspace, folder), leftOut, 'of another folder');
    fs.symlinkSync(folder, path.join(place, 'linked'));
    const linked = await attachedBefore([source('docs/a.md')], path.join(place, 'linked'), folder);
    assert.deepEqual(linked, { attached: [{ path: path.join(folder, 'docs', 'a.md') }], leftOut: [] });
  } finally {
    removeFolder(place);
  }
});
