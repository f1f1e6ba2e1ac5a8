import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { pathSink, workspaceSink } from '../../../src/node/reportSink.ts';

const reportOf = (run: string, text: string) => `---\ntitle: x\nrun: ${run}\n---\n\n# ${text}\n`;
const run = '20260101-000000-abcdef';

for (const [name, sinkOf] of Object.entries({
  path: (folder: string) => pathSink(join(folder, 'research')),
  workspace: (folder: string) => workspaceSink(folder, 'research'),
}))
  it(`a run that was killed between saving its report and recording it saves it once (${name})`, async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'sink-'));
    test.after(() => rmSync(folder, { recursive: true }));
    const research = join(folder, 'research');
    for (const text of ['first', 'again']) {
      const sink = sinkOf(folder);
      const path = await sink.save('x.md', reportOf(run, text));
      assert.equal(path, join(research, 'x.md'));
      await sink.saveBeside!(path, '.evidence.md', 'evidence');
    }
    assert.deepEqual(readdirSync(research).sort(), ['x.evidence.md', 'x.md']);
    assert.match(readFileSync(join(research, 'x.md'), 'utf8'), /again/);
    // Reports of other runs, and files of the user, stay.
    const other = await sinkOf(folder).save('x.md', reportOf('20260101-000000-000000', 'other'));
    assert.equal(other, join(research, 'x-2.md'));
    for (const file of ['y.md', 'z.md']) writeFileSync(join(research, file), '# Mine');
    mkdirSync(join(research, 'folder.md'));
    for (const file of ['y', 'z', 'folder'])
      assert.equal(await sinkOf(folder).save(`${file}.md`, reportOf(run, 'new')), join(research, `${file}-2.md`));
    assert.equal(readFileSync(join(research, 'y.md'), 'utf8'), '# Mine');
  });
