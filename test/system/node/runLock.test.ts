import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isHeld } from '../../../src/files/runHeld.ts';
import { holdRun } from '../../../src/node/runLock.ts';
import { lockStaleMs, runFiles } from '../../../src/protocol/runFolder.ts';
import type { RunLock } from '../../../src/protocol/runRecord.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { removeFolder, root, temporaryFolder } from '../../support/paths.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder('lock');
  file = path.join(folder, runFiles.lock);
});
afterEach(() => removeFolder(folder));

const taken = (error: unknown) =>
  ResearchError.is(error) &&
  error.reason === 'badRequest' &&
  /in another window or terminal/.test(error.message) &&
  error.next !== '';

function leave(over: Partial<RunLock>, ageMs = 0): void {
  fs.writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      pid: process.pid,
      host: os.hostname(),
      token: 'other',
      at: '2026-01-01T00:00:00.000Z',
      ...over,
    }),
  );
  const touched = new Date(Date.now() - ageMs);
  fs.utimesSync(file, touched, touched);
}

/** The id of a process that has just ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid!;
}

describe('the lock of a run', () => {
  it('is held by one, and free again once that one is done', async () => {
    const lock = await holdRun(folder);
    assert.ok(isHeld(folder));
    await assert.rejects(holdRun(folder), taken);
    await lock.release();
    assert.ok(!isHeld(folder));
    await (await holdRun(folder)).release();
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('is taken from a process that is gone, at once', async () => {
    leave({ pid: await endedProcess() });
    assert.ok(!isHeld(folder));
    const lock = await holdRun(folder);
    await assert.rejects(holdRun(folder), taken);
    await lock.release();
  });

  it('of another machine counts as long as it is touched', async () => {
    leave({ host: 'elsewhere', pid: 1 });
    await assert.rejects(holdRun(folder), taken);
    leave({ host: 'elsewhere', pid: 1 }, lockStaleMs + 1_000);
    await (await holdRun(folder)).release();
  });

  it('that is damaged or foreign counts while it is young, and is nobody’s after that', async () => {
    for (const content of ['', '{"pid":', '[]']) {
      fs.writeFileSync(file, content);
      await assert.rejects(holdRun(folder), taken);
      const old = new Date(Date.now() - lockStaleMs - 1_000);
      fs.utimesSync(file, old, old);
      await (await holdRun(folder)).release();
    }
  });

  it('is judged alike by the editor, which may not import this', async () => {
    const gone = await endedProcess();
    const old = lockStaleMs + 1_000;
    const left: (() => void)[] = [
      () => undefined,
      () => leave({}),
      () => leave({}, old),
      () => leave({}, -old),
      () => leave({ pid: gone }),
      () => leave({ pid: gone, host: 'elsewhere' }),
      () => leave({ pid: gone, host: 'elsewhere' }, old),
      ...['', '{"pid":', '[]', 'null', '{"version":2}'].map((content) => () => fs.writeFileSync(file, content)),
    ];
    const said: boolean[] = [];
    for (const make of left) {
      fs.rmSync(file, { force: true });
      make();
      said.push(isHeld(folder));
    }
    assert.deepEqual(said, [false, true, false, false, false, true, false, true, true, true, true, true]);
  });

  it('is taken by one alone when many processes find the same dead one', async () => {
    leave({ pid: await endedProcess() });
    const script = `
      import { holdRun } from ${JSON.stringify(path.join(root, 'src/node/runLock.ts'))};
      process.stdin.once('data', async () => {
        try { await holdRun(${JSON.stringify(folder)}); process.stdout.write('held\\n'); } catch (error) { process.stdout.write(error.reason + '\\n'); }
        process.stdin.once('data', () => process.exit());
      });
      process.stdout.write('ready\\n');`;
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const line = (child: (typeof children)[number]) =>
      new Promise<string>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())));
    await Promise.all(children.map(line));
    const answers = children.map(line);
    for (const child of children) child.stdin.write('go\n');
    const said = await Promise.all(answers);
    for (const child of children) child.stdin.write('end\n');
    await Promise.all(children.map((child) => new Promise((resolve) => child.on('close', resolve))));
    assert.deepEqual(said.sort(), ['badRequest', 'badRequest', 'badRequest', 'badRequest', 'badRequest', 'held']);
  });

  it('leaves alone what somebody else has taken meanwhile', async () => {
    const lock = await holdRun(folder);
    leave({ token: 'newcomer' });
    await lock.release();
    assert.equal((JSON.parse(fs.readFileSync(file, 'utf8')) as RunLock).token, 'newcomer');
  });

  it('notifies its holder when it was taken over', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const lost = new Promise<void>(
      (resolve) =>
        void holdRun(folder, resolve).then(() => {
          leave({ token: 'newcomer' });
          t.mock.timers.tick(lockStaleMs);
        }),
    );
    await lost;
  });
});
