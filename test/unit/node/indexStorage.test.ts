import assert from 'node:assert/strict';
import { chmod, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { indexStorage } from '../../../src/node/indexStorage.ts';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { WorkspaceIndex } from '../../../src/sources/workspace/workspaceIndex.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function made(files: Readonly<Record<string, string>>): Promise<TemporaryFolder> {
  const folder = await temporaryFolder(files);
  folders.push(folder);
  return folder;
}

/** The paths that a new process finds for a word, and the files that it read for that. */
async function ask(folder: string, storage: string, word: string, version = '1') {
  const index = indexStorage(storage, folder, version);
  const port = openWorkspace(folder, { exclude: [], reportFolder: 'research', listingMs: 0, index });
  const reads: string[] = [];
  const counted = { ...port, read: (path: string, signal: AbortSignal) => (reads.push(path), port.read(path, signal)) };
  const options = { limit: 8, leastShare: 0, language: 'en', within: () => true };
  const { found } = await new WorkspaceIndex().search(counted, word, options, never);
  return { found: found.map(({ file }) => file.path).toSorted(), reads: reads.length };
}

describe('the index of a folder', () => {
  it('is stored privately, and the next question reads nothing but what it quotes', async () => {
    const folder = await made({ 'a.md': 'apple\n', 'b.md': 'banana\n', 'c.md': 'cherry\n' });
    const storage = join((await made({})).path, 'index');
    assert.deepEqual(await ask(folder.path, storage, 'apple'), { found: ['a.md'], reads: 4 });
    assert.deepEqual(await ask(folder.path, storage, 'banana'), { found: ['b.md'], reads: 1 });
    const [name] = await readdir(storage);
    assert.equal((await stat(storage)).mode & 0o777, 0o700);
    assert.equal((await stat(join(storage, name!))).mode & 0o777, 0o600);
  });

  it('is neither stored nor read where others may write, nor below a link', async () => {
    const folder = await made({ 'a.md': 'apple\n', 'b.md': 'banana\n' });
    const storage = join((await made({})).path, 'index');
    await ask(folder.path, storage, 'apple');
    assert.equal((await ask(folder.path, storage, 'apple')).reads, 1);
    await chmod(storage, 0o777);
    assert.equal((await ask(folder.path, storage, 'apple')).reads, 3);
    await chmod(storage, 0o700);
    await rename(storage, `${storage}2`);
    await symlink(`${storage}2`, storage);
    assert.equal((await ask(folder.path, storage, 'apple')).reads, 3);
  });

  it('is stored without the drafts of processes that ended while they wrote', async () => {
    const folder = await made({ 'a.md': 'apple\n' });
    const storage = await made({ 'old.index.0a1b2c3d.tmp': 'half', 'new.index.0a1b2c3d.tmp': 'half' });
    await chmod(storage.path, 0o700);
    const hoursAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(storage.path, 'old.index.0a1b2c3d.tmp'), hoursAgo, hoursAgo);
    await ask(folder.path, storage.path, 'apple');
    const names = await readdir(storage.path);
    assert.equal(names.length, 2, names.join());
    assert.ok(names.includes('new.index.0a1b2c3d.tmp'));
  });

  it('takes in what was changed, added and removed since', async () => {
    const folder = await made({ 'a.md': 'apple\n', 'b.md': 'banana\n' });
    const storage = (await made({})).path;
    await ask(folder.path, storage, 'apple');
    await folder.write({ 'a.md': 'cherry\n', 'c.md': 'apple\n' });
    await utimes(join(folder.path, 'a.md'), new Date(), new Date(Date.now() + 5_000));
    assert.deepEqual(await ask(folder.path, storage, 'apple'), { found: ['c.md'], reads: 3 });
    assert.deepEqual((await ask(folder.path, storage, 'cherry')).found, ['a.md']);
  });

  it('is built again without a word when it is damaged, cut off, empty or of another version', async () => {
    const folder = await made({ 'a.md': 'apple\n', 'b.md': 'banana\n' });
    const storage = (await made({})).path;
    await ask(folder.path, storage, 'apple');
    const file = join(storage, (await readdir(storage))[0]!);
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length - 3]! ^= 0xff;
    for (const damaged of [
      flipped,
      whole.subarray(0, 50),
      Buffer.alloc(0),
      Buffer.from('no index at all, but a text of some length'),
    ]) {
      await writeFile(file, damaged);
      assert.deepEqual(await ask(folder.path, storage, 'apple'), { found: ['a.md'], reads: 3 });
    }
    assert.deepEqual(await ask(folder.path, storage, 'apple', '2'), { found: ['a.md'], reads: 3 });
  });

  it('is not missed where it can not be stored', async () => {
    const folder = await made({ 'a.md': 'apple\n', file: 'x' });
    assert.deepEqual((await ask(folder.path, join(folder.path, 'file', 'index'), 'apple')).found, ['a.md']);
  });

  it('finds the same after it was stored', async () => {
    const text = (n: number) => `# Part ${n}\n\nThe limit of part ${n} is ${n * 7}, since March 3, 2025.\n`;
    const folder = await made(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}.md`, text(n)])));
    const storage = (await made({})).path;
    for (const question of ['What is the limit of part 12?', 'limit since 2025-03-03', 'limt of prt 3']) {
      const built = await ask(folder.path, (await made({})).path, question);
      await ask(folder.path, storage, question);
      assert.deepEqual((await ask(folder.path, storage, question)).found, built.found, question);
    }
  });
});
