import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { batchSink } from '../../../src/batch/batchSink.ts';

const reportOf = (run: string, text: string) => `---\ntitle: x\nrun: ${run}\n---\n\n# ${text}\n`;

it('the report of a run that was killed right after it was saved is saved once, and no other one is replaced', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'sink-'));
  test.after(() => rmSync(folder, { recursive: true }));
  for (const text of ['first', 'again']) {
    const sink = batchSink(folder, 'a.md', undefined);
    const path = await sink.save('x.md', reportOf('20260101-000000-abcdef', text));
    await sink.saveBeside!(path!, '.evidence.md', text);
  }
  assert.deepEqual(readdirSync(folder).sort(), ['a.evidence.md', 'a.md']);
  assert.match(readFileSync(join(folder, 'a.md'), 'utf8'), /again/);
  // Resumed after the report was recorded, and before its evidence was.
  await batchSink(folder, 'a.md', undefined).saveBeside!(join(folder, 'a.md'), '.evidence.md', 'once more');
  assert.equal(readFileSync(join(folder, 'a.evidence.md'), 'utf8'), 'once more');
  await batchSink(folder, 'a.md', undefined).save('x.md', reportOf('20260101-000000-000000', 'other'));
  assert.deepEqual(readdirSync(folder).sort(), ['a-2.md', 'a.evidence.md', 'a.md']);
  assert.match(readFileSync(join(folder, 'a.md'), 'utf8'), /again/);
});
