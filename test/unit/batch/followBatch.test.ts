import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { followBatch } from '../../../src/batch/followBatch.ts';
import type { SharedQueue } from '../../../src/batch/postgres/sharedQueue.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

describe('the reports of a batch that workers research', () => {
  const out = temporaryFolder('followed');
  after(() => removeFolder(out));

  /** @param files Of the run, by their endings; "" is the report. */
  const follow = (id: string, files: Readonly<Record<string, string>>) => {
    const queue = {
      changed: async () => 'now',
      states: async function* () {
        yield { id, status: 'reported', run: 'run' };
      },
      counts: async () => ({ by: { running: 0 }, refused: undefined }),
      report: async () => new Map(Object.entries(files)),
      versions: async () => [],
    } as unknown as SharedQueue;
    const names = new Map([[id, `${id}.md`]]);
    return followBatch(
      queue,
      out,
      names,
      () => undefined,
      () => undefined,
      new AbortController().signal,
    );
  };

  it('are saved with what belongs to them', async () => {
    await follow('whole', { '': '# Report', '.evidence.md': '# Evidence' });
    assert.equal(fs.readFileSync(path.join(out, 'whole.md'), 'utf8'), '# Report');
    assert.equal(fs.readFileSync(path.join(out, 'whole.evidence.md'), 'utf8'), '# Evidence');
  });

  it('have no empty file for a run that saved none', async () => {
    await follow('none', {});
    assert.ok(!fs.existsSync(path.join(out, 'none.md')));
  });

  it('are not taken for saved where something else has their name', async () => {
    fs.mkdirSync(path.join(out, 'folder.md'));
    await assert.rejects(follow('folder', { '': '# Report' }), { reason: 'storage' });
  });
});
