import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isSameFolder } from '../../../src/files/sameFolder.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

test('a folder is the same by a link, and by a drive in another case', (context) => {
  const place = temporaryFolder('same-folder');
  context.after(() => removeFolder(place));
  const [own, link, other] = ['own', 'link', 'other'].map((name) => path.join(place, name)) as [string, string, string];
  fs.mkdirSync(own);
  fs.mkdirSync(other);
  fs.symlinkSync(own, link, 'dir');
  assert.deepEqual(
    [isSameFolder(own, link), isSameFolder(link, other), isSameFolder(own, undefined)],
    [true, false, false],
  );
  assert.ok(isSameFolder(undefined, undefined), 'none is open, and none was');
  assert.ok(isSameFolder('C:\\no\\such', 'c:\\no\\such'));
  assert.ok(!isSameFolder('C:\\no\\such', 'C:\\no\\other'));
});
