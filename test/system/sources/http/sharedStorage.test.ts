import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../../src/node/clock.ts';
import { createPoliteClient } from '../../../../src/sources/http/politeClient.ts';
import type { PoliteRequest } from '../../../../src/sources/http/httpSession.ts';
import { SharedGate } from '../../../../src/sources/http/sharedGate.ts';
import { root } from '../../../support/paths.ts';
import { startSourceServer, type ScriptedAnswer, type SourceServer } from '../../../support/sourceServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';
import { virtualClock } from '../../../support/virtualClock.ts';

const never = new AbortController().signal;
const dayMs = 24 * 60 * 60 * 1_000;
let server: SourceServer;
let folder: TemporaryFolder;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());
beforeEach(async (test) => {
  folder = await temporaryFolder();
  (test as { after?: (end: () => Promise<void>) => void }).after?.(() => folder.remove());
});

let serial = 0;
function scripted(...answers: readonly Omit<ScriptedAnswer, 'when'>[]): string {
  serial += 1;
  const own = `/stored/${serial}`;
  server.script(
    'github',
    ...answers.map((answer) => ({ ...answer, when: (request: { path: string }) => request.path === own })),
  );
  return server.githubUrl + own;
}
const requestsTo = (url: string) => server.requests.filter((request) => request.path === new URL(url).pathname);
/** A client as another window has it: the same folder, nothing else in common. */
function window(start?: string) {
  const clock = virtualClock(start === undefined ? {} : { start });
  const client = createPoliteClient({ userAgent: 'test', clock, random: () => 0, storage: folder.path });
  const session = client.session({ name: 'github', label: 'GitHub', publicHosts: [] });
  const get = (url: string, more: Partial<PoliteRequest> = {}) =>
    session.get({ url, accept: 'application/json', freshMs: dayMs, ...more }, never);
  return { client, clock, get };
}
const storedText = () =>
  fs
    .readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder.path, name)).isFile())
    .map((name) => `${name} ${fs.readFileSync(path.join(folder.path, name), 'utf8')}`)
    .join('\n');

describe('answers on disk', () => {
  it('are shared by windows for their day, and private to the user', async () => {
    const url = scripted({ status: 200, body: { n: 1 } }, { status: 200, body: { n: 2 } });
    assert.equal((await window().get(url)).text, '{"n":1}');
    const again = await window().get(url);
    assert.deepEqual([again.text, again.fromCache, requestsTo(url).length], ['{"n":1}', true, 1]);
    if (process.platform !== 'win32') {
      const answers = path.join(folder.path, 'answers');
      assert.equal(fs.statSync(answers).mode & 0o777, 0o700);
      for (const name of fs.readdirSync(answers))
        assert.equal(fs.statSync(path.join(answers, name)).mode & 0o777, 0o600);
    }
  });

  for (const [name, header, condition] of [
    ['an ETag', { etag: '"v1"' }, ['if-none-match', '"v1"']],
    [
      'a date',
      { 'last-modified': 'Wed, 19 Aug 2026 06:00:00 GMT' },
      ['if-modified-since', 'Wed, 19 Aug 2026 06:00:00 GMT'],
    ],
  ] as const)
    it(`are revalidated by ${name} after their day`, async () => {
      const url = scripted({ status: 200, body: { n: 1 }, headers: { ...header } }, { status: 304 });
      await window('2026-08-20T06:00:00Z').get(url);
      const later = await window('2026-08-21T07:00:00Z').get(url);
      assert.deepEqual([later.text, later.fromCache], ['{"n":1}', true]);
      assert.equal(requestsTo(url)[1]?.headers[condition[0]], condition[1]);
      await window('2026-08-21T08:00:00Z').get(url);
      assert.equal(requestsTo(url).length, 2, 'a revalidated answer is fresh again');
    });

  it('are not used after a week', async () => {
    const url = scripted({ status: 200, body: { n: 1 }, headers: { etag: '"v1"' } }, { status: 200, body: { n: 2 } });
    await window('2026-08-20T06:00:00Z').get(url);
    assert.equal((await window('2026-08-28T06:00:00Z').get(url)).text, '{"n":2}');
    assert.equal(requestsTo(url)[1]?.headers['if-none-match'], undefined);
  });

  it('are never those to a key, and hold none', async () => {
    const secret = 'tvly-secret-4711';
    const answer = { status: 200, body: { mine: 'private text' } } as const;
    const withToken = scripted(answer, answer);
    await window().get(withToken, { token: secret });
    await window().get(withToken, { token: 'another' });
    assert.equal(requestsTo(withToken).length, 2);
    const withHeader = scripted(answer, answer);
    const { get } = window();
    await get(withHeader, { headers: { 'x-api-key': secret } });
    await get(withHeader, { headers: { 'x-api-key': 'another' } });
    assert.equal(requestsTo(withHeader).length, 2, 'nor is one in memory used for another key');
    await window().get(`${scripted(answer)}?api_key=${secret}`);
    assert.doesNotMatch(storedText(), /secret-4711|private text/);
  });

  it('are never those that are not to be stored', async () => {
    const answer = { status: 200, body: { n: 'not on disk' }, headers: { 'cache-control': 'no-store' } } as const;
    const url = scripted(answer, answer);
    await window().get(url);
    await window().get(url);
    assert.equal(requestsTo(url).length, 2);
    assert.doesNotMatch(storedText(), /not on disk/);
  });

  it('that are damaged, links or of another form are fetched again', async () => {
    const url = scripted(
      { status: 200, body: { n: 1 } },
      { status: 200, body: { n: 2 } },
      { status: 200, body: { n: 3 } },
    );
    await window().get(url);
    const answers = path.join(folder.path, 'answers');
    const file = path.join(answers, fs.readdirSync(answers)[0]!);
    fs.writeFileSync(file, '{"version":1,"at":');
    assert.equal((await window().get(url)).text, '{"n":2}');
    fs.rmSync(file);
    fs.symlinkSync('/etc/hostname', file);
    assert.equal((await window().get(url)).text, '{"n":3}');
  });

  it('are neither stored nor read where others may write, nor below a link', async () => {
    const url = scripted(
      { status: 200, body: { n: 1 } },
      { status: 200, body: { n: 2 } },
      { status: 200, body: { n: 3 } },
      { status: 200, body: { n: 4 } },
    );
    await window().get(url);
    const answers = path.join(folder.path, 'answers');
    fs.chmodSync(answers, 0o777);
    assert.equal((await window().get(url)).text, '{"n":2}');
    assert.equal((await window().get(url)).text, '{"n":3}');
    fs.chmodSync(answers, 0o700);
    fs.renameSync(answers, path.join(folder.path, 'elsewhere'));
    fs.symlinkSync(path.join(folder.path, 'elsewhere'), answers);
    assert.equal((await window().get(url)).text, '{"n":4}');
  });

  it('stay within their bounds', async () => {
    const answers = path.join(folder.path, 'answers');
    fs.mkdirSync(answers, { recursive: true });
    for (let index = 0; index < 30; index += 1) {
      const file = path.join(answers, index.toString(16).padStart(40, '0'));
      fs.writeFileSync(file, Buffer.alloc(3_000_000));
      fs.utimesSync(file, 1_000 + index, 1_000 + index);
    }
    await window().get(scripted({ status: 200, body: {} }));
    const sizes = fs.readdirSync(answers).map((name) => fs.statSync(path.join(answers, name)).size);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 50_000_000);
  });

  it('do without a disk', async () => {
    const file = path.join(folder.path, 'no-folder');
    fs.writeFileSync(file, '');
    const client = createPoliteClient({ userAgent: 'test', clock: virtualClock(), storage: file });
    const session = client.session({ name: 'github', label: 'GitHub', publicHosts: [] });
    const url = scripted({ status: 200, body: { n: 1 } });
    assert.equal((await session.get({ url, accept: '*/*', freshMs: dayMs }, never)).text, '{"n":1}');
  });
});

describe('a quota', () => {
  it('that one window has used up is known to the others', async () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '10',
      'x-ratelimit-reset': String(Date.now() / 1_000 + 3_600),
    };
    const url = scripted({ status: 200, body: {}, headers });
    const first = window();
    await first.get(url, { freshMs: 0 });
    assert.deepEqual([first.client.quota('github')?.remaining, first.client.quota('github')?.limit], [0, 10]);
    const isBlocked = () =>
      fs.readdirSync(folder.path, { recursive: true }).some((name) => String(name).endsWith('.block'));
    while (!isBlocked()) await soon();
    await assert.rejects(window().get(url, { freshMs: 0 }), /accepts no more requests/);
    assert.equal(requestsTo(url).length, 1);
  });
});

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** The times at which a process starts its requests. */
function worker(
  count: number,
  intervalMs: number,
  mode = '',
): { readonly pid: number; readonly starts: Promise<number[]>; readonly first: Promise<void> } {
  const script = path.join(root, 'test/support/gateWorker.mjs');
  const child = spawn(process.execPath, [script, folder.path, String(count), String(intervalMs), mode]);
  let text = '';
  let seen: () => void;
  const first = new Promise<void>((resolve) => (seen = resolve));
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    seen();
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const starts = new Promise<number[]>((resolve) =>
    child.on('close', () => resolve(text.trim().split('\n').filter(Boolean).map(Number))),
  );
  return { pid: child.pid!, starts, first };
}

describe('a quota that was used up by a clock which was ahead', () => {
  it('is not waited for when the clock is right again, nor for longer than was asked', async () => {
    const gate = new SharedGate(folder.path, systemClock);
    await gate.block('service', 60_000);
    const left = await gate.blockedMs('service');
    assert.ok(left > 0 && left <= 60_000, String(left));
    const file = path.join(
      folder.path,
      fs.readdirSync(folder.path).find((name) => name.endsWith('.block'))!,
    );
    fs.writeFileSync(file, `${Date.now() + 365 * dayMs} 60000`);
    assert.equal(await gate.blockedMs('service'), 0);
  });
});

describe('turns at a public service', () => {
  it('are kept by three processes at once', async () => {
    const before = Date.now();
    const all = await Promise.all([1, 2, 3].map(() => worker(3, 150).starts));
    const starts = all.flat().sort((a, b) => a - b);
    assert.equal(starts.length, 9);
    // A process may start late, never early; timers are exact to some milliseconds.
    for (const [index, start] of starts.entries()) assert.ok(start - before >= index * 150 - 15, starts.join());
  });

  it('of a process that was killed are free', async () => {
    const dead = worker(1, 0, 'hold');
    await dead.first;
    process.kill(dead.pid, 'SIGKILL');
    await dead.starts;
    const clock = virtualClock();
    const pacing = { concurrency: 1, intervalMs: 0, backoffMs: 0 };
    (await new SharedGate(folder.path, clock).enter('service', pacing, never))();
    assert.ok(clock.monotonic() < 1_000);
  });

  it('are not waited for without an end, and not at all after Stop', async () => {
    const clock = virtualClock();
    const pacing = { concurrency: 1, intervalMs: 0, backoffMs: 0 };
    const gate = new SharedGate(folder.path, clock);
    const release = await gate.enter('service', pacing, never);
    const before = clock.monotonic();
    await gate.enter('service', pacing, never);
    assert.ok(clock.monotonic() - before <= 16_000);
    const stop = new AbortController();
    const waiting = new SharedGate(folder.path, systemClock).enter('service', pacing, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 50);
    await assert.rejects(waiting, /stopped/);
    release();
  });

  it('are taken at once where a clock was wrong', async () => {
    const clock = virtualClock();
    const gate = new SharedGate(folder.path, clock);
    const pacing = { concurrency: 1, intervalMs: 50, backoffMs: 0 };
    (await gate.enter('service', pacing, never))();
    const next = fs.readdirSync(folder.path).find((name) => name.endsWith('.next'))!;
    fs.writeFileSync(path.join(folder.path, next), String(clock.now().getTime() + 1e9));
    (await gate.enter('service', pacing, never))();
    assert.ok(clock.monotonic() < 1_000);
  });
});
