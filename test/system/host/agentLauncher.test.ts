import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { writeLauncher, writeSettings } from '../../../src/host/agents/launcher.ts';
import { launcherPath } from '../../../src/host/agents/launcherPath.ts';
import { root } from '../../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

describe('the script that agents start', () => {
  let folder: TemporaryFolder;
  const place = (...parts: string[]) => path.join(folder.path, ...parts);
  const version = (JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;

  /** An installed version, which says which one it is when it has no version of ours. */
  function install(name: string, says?: string): string {
    const extension = place('extensions', `deep-research.deep-research-${name}`);
    fs.mkdirSync(path.join(extension, 'dist'), { recursive: true });
    const target = path.join(extension, 'dist', 'cli.js');
    if (says === undefined) fs.symlinkSync(path.join(root, 'dist', 'cli.js'), target);
    else fs.writeFileSync(target, `console.log(${JSON.stringify(says)});`);
    return extension;
  }
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [launcherPath(place('storage')), ...args], { encoding: 'utf8' });

  before(async () => {
    folder = await temporaryFolder({ 'notes/a.md': '# Tides\n\nThe moon pulls the sea twice a day.\n' });
  });
  after(() => folder.remove());

  it('runs the version that wrote it, then the newest that an update left, and says when there is none', () => {
    const extension = install('0.1.0');
    writeLauncher(place('storage'), extension, {});
    assert.equal(start('--version').stdout, `${version}\n`);
    install('0.9.0', 'older');
    install('0.10.0', 'newest');
    fs.mkdirSync(place('extensions', 'other.extension-9.0.0', 'dist'), { recursive: true });
    assert.equal(start('--version').stdout, `${version}\n`);
    fs.rmSync(extension, { recursive: true });
    assert.equal(start('--version').stdout, 'newest\n');
    fs.rmSync(place('extensions'), { recursive: true });
    const { status, stderr } = start('--version');
    assert.equal(status, 1);
    assert.match(stderr, /not installed any more/);
  });

  it('serves a client with the settings of the user, and reads none of the editor’s models', async () => {
    const settings = { 'deepResearch.model.provider': 'vscode', 'deepResearch.model.name': 'copilot/x' };
    writeLauncher(place('storage'), install('0.1.0'), { ...settings, 'deepResearch.sources.enabled': ['workspace'] });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcherPath(place('storage')), 'mcp', '--workspace', place('notes')],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    try {
      assert.equal(client.getServerVersion()?.version, version);
      const found = await client.callTool({ name: 'search_workspace', arguments: { query: 'moon' } });
      assert.match(JSON.stringify(found.content), /twice a day/);
      await client.callTool({ name: 'start_research', arguments: { question: 'What pulls the sea?' } });
      const runs = fs.readdirSync(place('storage', 'runs')).filter((name) => /^\d{8}-/.test(name));
      assert.equal(runs.length, 1, 'a run of the editor');
    } finally {
      await client.close();
    }
  });

  it('has its settings where nobody else reads them', () => {
    const file = place('private', 'settings.json');
    writeSettings(file, { 'deepResearch.depth': 'quick' });
    assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), { 'deepResearch.depth': 'quick' });
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o077, 0);
  });
});
