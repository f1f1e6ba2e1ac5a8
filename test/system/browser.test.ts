import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

describe('the browser of the tests', { skip: process.platform === 'win32' }, () => {
  let folder: string;
  beforeEach(() => (folder = temporaryFolder('browsers')));
  afterEach(() => removeFolder(folder));

  const program = (name: string, text = 'exit 0'): void =>
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  /** A package manager that has only these packages. */
  const aptGet = (...packages: readonly string[]): void =>
    program(
      'apt-get',
      `echo "$*" >> ${folder}/asked
       [ "$2" = install ] || exit 0
       shift 4
       for name; do case " ${packages.join(' ')} " in *" $name "*) ;; *) exit 100;; esac; done
       for name; do echo > "${folder}/$name"; done`,
    );
  const asked = (): string[] =>
    fs.existsSync(path.join(folder, 'asked'))
      ? fs.readFileSync(path.join(folder, 'asked'), 'utf8').trim().split('\n')
      : [];
  const install = (env: NodeJS.ProcessEnv = {}): string => {
    const script = `import { installBrowser } from '${pathToFileURL(path.join(root, 'scripts', 'bootstrap.mjs')).href}';
      console.log(await installBrowser({ folder: '${folder}', mayInstall: true }));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: folder, HOME: folder, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return path.basename(out.trim());
  };

  it('is the headless shell, which is installed beside a whole one too', () => {
    program('chromium');
    aptGet('chromium-headless-shell');
    assert.equal(install(), 'chromium-headless-shell');
    assert.deepEqual(asked(), ['-qq update', '-qq install -y --no-install-recommends chromium-headless-shell']);
    assert.equal(install(), 'chromium-headless-shell');
    assert.equal(asked().length, 2);
  });

  it('is a whole one where the package manager has no headless shell, which it is asked for once', () => {
    aptGet('chromium');
    assert.equal(install(), 'chromium');
    assert.equal(asked().at(-1), '-qq install -y --no-install-recommends chromium');
    const before = asked().length;
    assert.equal(install(), 'chromium');
    assert.equal(asked().length, before);
  });

  it('is the headless shell where nothing can be installed', () => {
    program('chromium-headless-shell');
    aptGet();
    assert.equal(install(), 'chromium-headless-shell');
    assert.deepEqual(asked(), []);
  });

  it('is the one that is named', () => {
    program('chromium-headless-shell');
    program('mine');
    assert.equal(install({ CHROME_PATH: path.join(folder, 'mine') }), 'mine');
  });
});
