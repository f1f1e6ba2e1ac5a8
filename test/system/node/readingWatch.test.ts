import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readStopped, ReadingWatch } from '../../../src/node/readingWatch.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function watching(earlier = ''): Promise<{ file: string; watch: ReadingWatch }> {
  const folder = await temporaryFolder();
  folders.push(folder);
  const file = join(folder.path, 'stopped.ndjson');
  if (earlier !== '') await writeFile(file, earlier);
  const watch = new ReadingWatch(undefined);
  watch.watch(file);
  return { file, watch };
}

/** Holds the event loop, as a parser does, until something is there. */
function holdUntil(isThere: () => boolean): void {
  for (const end = performance.now() + 20_000; !isThere() && performance.now() < end;);
}

async function turnsUntil(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !isSo() && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const line = (kind: string, name: string): string => `${JSON.stringify({ kind, name })}\n`;

test('what holds the event loop is noted while it does, after what was noted before, and not any more afterwards', async () => {
  const before = line('file', 'a.md');
  const { file, watch } = await watching(before);
  await turnsUntil(() => false || statSync(file).size > 0);
  await new Promise((resolve) => setTimeout(resolve, 400));
  watch.during({ kind: 'file', name: 'b.md' }, () => holdUntil(() => statSync(file).size > before.length));
  assert.equal(readFileSync(file, 'utf8'), before + line('file', 'b.md'));
  await turnsUntil(() => statSync(file).size === before.length);
  assert.equal(readFileSync(file, 'utf8'), before);
  await watch.close();
});

test('a call is noted when something in it holds the event loop later', async () => {
  const { file, watch } = await watching();
  await watch.call({ kind: 'call', name: 'search: x' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    holdUntil(() => existsSync(file));
  });
  assert.equal(readFileSync(file, 'utf8'), line('call', 'search: x'));
  await watch.close();
});

test('what is not a note in a run folder is ignored, and a long list of them is cut', async () => {
  const { file, watch } = await watching();
  await watch.close();
  await writeFile(
    file,
    `${line('file', 'a.md')}{"kind":"key","name":"x"}\nnot JSON\n${line('source', 'x'.repeat(400))}`,
  );
  assert.deepEqual(await readStopped(file), [{ kind: 'file', name: 'a.md' }]);
  await writeFile(file, line('file', 'a.md').repeat(5_000));
  assert.equal((await readStopped(file)).length, 100);
  assert.deepEqual(await readStopped(`${file}.none`), []);
});
