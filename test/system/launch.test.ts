import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

/** Makes a Node claim to be of version 20. */
const oldNode = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`;

describe('the command, installed from npm', () => {
  const folder = temporaryFolder('installed');
  const command = path.join(folder, 'dist', 'cli.js');
  before(() => {
    for (const part of ['package.json', 'dist/cli.js', 'dist/engine'])
      fs.cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  });
  after(() => removeFolder(folder));

  it('needs nothing but its own files', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const { status, stdout } = spawnSync(process.execPath, [command, '--version'], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, `${version}\n`]);
  });

  it('names the packages that a queue needs, which are not installed with it', () => {
    const args = ['schedule', '--list', '--queue', 'postgres://user@127.0.0.1:1/none'];
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 2, stderr);
    assert.match(stderr, /A queue needs the package pg, which could not be loaded\./);
    assert.match(stderr, /npm install pg@8 pg-boss@12/);
  });

  it('says which Node it needs when the running one is too old, and package.json says the same', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', oldNode, command, '--version'], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    const [, needed] = /^deep-research needs Node (\d+) or newer; this is Node 20\.19\.0\. Install /.exec(stderr) ?? [];
    const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    assert.equal(engines.node, `>=${needed}`);
  });
});
