import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { openBrowserPage } from '../support/editor.ts';
import { root } from '../support/paths.ts';

describe('npm start', () => {
  let command: ChildProcess | undefined;
  after(() => command?.kill('SIGKILL'));

  it('serves the editor behind a token, with the extension on examples/, and leaves nothing when it is ended', async () => {
    command = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs'), '--served'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CI: 'true' },
    });
    const ended = once(command, 'exit');
    const address = new URL(await lineStarting(command, 'Deep Research is ready: '));
    assert.equal(address.hostname, '127.0.0.1');
    assert.equal((await fetch(address.origin)).status, 403, 'without the token');

    const { page, close } = await openBrowserPage(address.href);
    try {
      await page.activityBarIcon().waitFor();
      await page.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'references.bib' }).waitFor();
    } finally {
      await close();
    }

    command.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await assert.rejects(fetch(address.origin));
  });
});

async function lineStarting(child: ChildProcess, start: string): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    const line = text.split('\n').find((candidate) => candidate.startsWith(start));
    if (line !== undefined && text.endsWith('\n')) return line.slice(start.length);
  }
  throw new Error(`The command ended without the line "${start}…":\n${text}`);
}
