import assert from 'node:assert/strict';
import { chmod, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { remembered } from '../../../src/node/remembered.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

test('what is remembered is read from a file of this user alone', async () => {
  const folder = await temporaryFolder({});
  try {
    const memory = remembered(folder.path, '.tools.json', z.string());
    await memory.add({ a: '1' });
    assert.deepEqual(await memory.read(), { a: '1' });
    const file = join(folder.path, '.tools.json');
    await chmod(file, 0o666);
    assert.deepEqual(await memory.read(), {}, 'one that others may write');
    await chmod(file, 0o600);
    await rename(file, `${file}.other`);
    await symlink(`${file}.other`, file);
    assert.deepEqual(await memory.read(), {}, 'a link');
    await memory.add({ b: '2' });
    assert.deepEqual(await memory.read(), { b: '2' }, 'a link is replaced, not written through');
  } finally {
    await folder.remove();
  }
});
