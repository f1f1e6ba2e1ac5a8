import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { commandLineRunFolders } from '../../../src/files/dataFolder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

describe('the folders of the command line’s runs', { skip: process.platform !== 'linux' }, () => {
  const before = process.env['XDG_DATA_HOME'];
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
    process.env['XDG_DATA_HOME'] = folder.path;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = before;
    await folder.remove();
  });

  it('are never below the current folder, whatever the environment says', () => {
    const home = process.env['HOME'];
    try {
      for (const place of ['', 'here', './here']) {
        process.env['HOME'] = process.env['XDG_DATA_HOME'] = place;
        const [runs] = commandLineRunFolders();
        assert.ok(path.isAbsolute(runs!) && !runs!.startsWith(process.cwd()), runs);
      }
    } finally {
      if (home === undefined) delete process.env['HOME'];
      else process.env['HOME'] = home;
    }
  });

  it('are its own and those of the ten batches that were changed last', () => {
    const runs = path.join(folder.path, 'deep-research', 'runs');
    assert.deepEqual(commandLineRunFolders(), [runs]);
    for (let number = 0; number < 12; number += 1) {
      const batch = path.join(runs, 'batches', `batch-${number}`);
      fs.mkdirSync(batch, { recursive: true });
      fs.utimesSync(batch, number, number);
    }
    fs.writeFileSync(path.join(runs, 'batches', 'a-file'), '');
    fs.symlinkSync(folder.path, path.join(runs, 'batches', 'a-link'));
    const names = commandLineRunFolders().map((one) => path.basename(one));
    assert.deepEqual(names, ['runs', ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `batch-${number}`)]);
  });
});
