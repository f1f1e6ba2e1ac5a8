import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { readRunSources } from '../../../src/host/reports/runSources.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { notes, paper, savedFiles } from '../../support/savedRun.ts';

it('the sources of a run are those that it found, and those that an accepted version has brought', async (test) => {
  const runsFolder = temporaryFolder('run-sources');
  test.after(() => removeFolder(runsFolder));
  const { record, sources, events } = savedFiles([paper, notes], { others: [] });
  fs.mkdirSync(path.join(runsFolder, record.run));
  fs.writeFileSync(path.join(runsFolder, record.run, 'sources.json'), sources);
  const found = await readRunSources(runsFolder, record.run, events);
  assert.deepEqual(
    [...found.sources.values()].map(({ kind, title, date, url, file }) => [kind, title, date, url ?? file]),
    [paper, notes].map(({ kind, title, date, url, file }) => [kind, title, date, url ?? file]).toReversed(),
  );
});
