import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

describe('the browsers of the tests', { skip: process.platform === 'win32' }, () => {
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
  const install = (env: NodeJS.ProcessEnv = {}): readonly (string | undefined)[] => {
    const script = `import { installBrowsers } from '${pathToFileURL(path.join(root, 'scripts', 'bootstrap.mjs')).href}';
      console.log(JSON.stringify(installBrowsers({ folder: '${folder}', mayInstall: true })));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: folder, HOME: folder, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const found = JSON.parse(out) as Record<string, string>;
    return ['DEEP_RESEARCH_BROWSER', 'DEEP_RESEARCH_PAGE_BROWSER'].map((name) => path.basename(found[name] ?? ''));
  };

  it('are a whole one for the editor and the headless shell for pages, which one call installs', () => {
    aptGet('chromium', 'chromium-headless-shell');
    assert.deepEqual(install(), ['chromium', 'chromium-headless-shell']);
    assert.deepEqual(asked(), [
      '-qq update',
      '-qq install -y --no-install-recommends chromium chromium-headless-shell',
    ]);
    assert.deepEqual(install(), ['chromium', 'chromium-headless-shell']);
    assert.equal(asked().length, 2);
  });

  it('are one where the package manager has no headless shell, and it is asked for it once', () => {
    aptGet('chromium');
    assert.deepEqual(install(), ['chromium', 'chromium']);
    const before = asked().length;
    assert.deepEqual(install(), ['chromium', 'chromium']);
    assert.equal(asked().length, before);
  });

  it('are the headless shell alone where nothing else can be installed', () => {
    program('chromium-headless-shell');
    aptGet();
    assert.deepEqual(install(), ['chromium-headless-shell', 'chromium-headless-shell']);
    assert.equal(asked().at(-1), '-qq install -y --no-install-recommends chromium');
  });

  it('are the one that is named', () => {
    program('chromium-headless-shell');
    program('mine');
    assert.deepEqual(install({ CHROME_PATH: path.join(folder, 'mine') }), ['mine', 'mine']);
  });
});
