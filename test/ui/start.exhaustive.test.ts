import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { openBrowserPage } from '../support/editor.ts';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

const script = path.join(root, 'scripts', 'start.mjs');

describe('npm start', () => {
  const data = temporaryFolder('start');
  let command: ChildProcess | undefined;
  afterEach(() => command?.kill('SIGTERM'));
  after(() => {
    for (const { pid } of processesOf(data)) process.kill(pid, 'SIGKILL');
    removeFolder(data);
  });

  async function start(program: string, args: readonly string[]): Promise<{ ended: Promise<unknown>; address: URL }> {
    command = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CI: 'true' },
    });
    const ended = once(command, 'exit');
    return { ended, address: new URL(await lineStarting(command, 'Deep Research is ready: ')) };
  }
  const serve = () => start(process.execPath, [script, '--served', '--data', data]);

  it('serves the editor behind a token, with the extension installed, the README open and notifications shown', async () => {
    const { ended, address } = await serve();
    assert.equal(address.hostname, '127.0.0.1');
    assert.equal(address.searchParams.get('folder'), path.join(root, 'examples'));
    assert.equal((await fetch(address.origin)).status, 403, 'without the token');

    const { page, close } = await openBrowserPage(address.href);
    try {
      await page.activityBarIcon().waitFor();
      await page.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'references.bib' }).waitFor();
      await page.editorTab('README.md').waitFor();
      await page.runCommand('Deep Research: View Last Report');
      await page.page.locator('.notifications-toasts .notification-list-item', { hasText: /report/i }).waitFor();
      await page.runCommand('Deep Research: View Log');
      await page.page.locator('.part.panel .view-lines').first().waitFor();
    } finally {
      await close();
    }

    command?.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await assert.rejects(fetch(address.origin));
    assert.deepEqual(processesOf(data), []);
    const logs = fs.globSync(path.join(data, 'data/logs/*/exthost*/*/*.log'));
    assert.ok(
      logs.some((file) => fs.statSync(file).size > 0),
      'extensions write logs',
    );
  });

  it('begins again where the last start ended', async () => {
    const settings = path.join(data, 'data', 'User', 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': 'Default Light Modern' }));
    const port = fs.readFileSync(path.join(data, 'port'), 'utf8');
    const { ended, address } = await serve();
    assert.equal(address.port, port);
    assert.match(fs.readFileSync(settings, 'utf8'), /Light Modern/);
    command?.kill('SIGTERM');
    await ended;
  });

  it('leaves no process when the shell that npm started it in is ended, whatever Node runs it', async () => {
    // As on a fresh clone: the Node of the machine, which hands over to the project's.
    const node = otherNode() ?? process.execPath;
    const { ended, address } = await start('sh', ['-c', `"${node}" "${script}" --served --data "${data}"; exit 7`]);
    command?.kill('SIGTERM');
    await ended;
    for (const deadline = Date.now() + 20_000; processesOf(data).length > 0 && Date.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(processesOf(data), []);
    await assert.rejects(fetch(address.origin));
  });
});

/** A Node on the PATH that is too old to run the scripts by itself. */
function otherNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'node'))
    .find((node) => fs.existsSync(node) && Number(/^v(\d+)/.exec(execFileSync(node, ['-v']).toString())?.[1]) < 24);
}

/** The processes that name a data folder. Linux only; elsewhere none are seen. */
function processesOf(folder: string): { readonly pid: number; readonly line: string }[] {
  if (!fs.existsSync('/proc/self')) return [];
  return fs
    .readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(folder) ? [{ pid: Number(pid), line }] : [];
      } catch {
        return [];
      }
    });
}

async function lineStarting(child: ChildProcess, start: string): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    const line = text.split('\n').find((candidate) => candidate.startsWith(start));
    if (line !== undefined && text.endsWith('\n')) return line.slice(start.length);
  }
  throw new Error(`The command ended without the line "${start}…":\n${text}`);
}
