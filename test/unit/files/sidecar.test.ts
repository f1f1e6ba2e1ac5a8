import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { sidecarOf } from '../../../src/files/sidecar.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

it('a link in place of the evidence of a report is not taken for it', async (test) => {
  const folder = temporaryFolder('sidecar');
  test.after(() => removeFolder(folder));
  const elsewhere = path.join(folder, 'mine.md');
  fs.writeFileSync(elsewhere, 'evidenceOf');
  fs.symlinkSync(elsewhere, path.join(folder, 'report.evidence.md'));
  assert.equal(await sidecarOf(path.join(folder, 'report.md'), undefined), undefined);
  fs.writeFileSync(path.join(folder, 'report.evidence-2.md'), '# Report\n');
  const found = await sidecarOf(path.join(folder, 'report.md'), undefined);
  assert.equal(path.basename(found?.file ?? ''), 'report.evidence-2.md');
});
