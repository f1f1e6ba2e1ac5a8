import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { PageClient } from '../../../../src/sources/pages/pageClient.ts';
import { type PageHandler, type PageServer, startPageServer } from '../../../support/pageServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';
import { virtualClock } from '../../../support/virtualClock.ts';

const never = new AbortController().signal;
const first = '2026-08-20T06:00:00Z';
let server: PageServer;
let folder: TemporaryFolder;
before(async () => {
  server = await startPageServer();
});
after(() => server.close());
beforeEach(async (test) => {
  folder = await temporaryFolder();
  (test as { after?: (end: () => Promise<void>) => void }).after?.(() => folder.remove());
});

/** The pages of a window: the same folder, nothing else in common. The site has a public name. */
function window(start = first, allowed: readonly string[] = []) {
  return new PageClient({
    userAgent: 'deep-research-vscode/0',
    clock: virtualClock({ start }),
    storage: folder.path,
    resolve: async () => ['93.184.215.14'],
    proxyFetch: (input, init) => fetch(String(input).replace('https://site.example', server.url), init),
  }).session(allowed);
}
let serial = 0;
function site(handler: PageHandler): { readonly url: string; readonly asked: () => number } {
  const own = `/stored/${(serial += 1)}`;
  server.on(own, handler);
  return {
    url: `https://site.example${own}`,
    asked: () => server.requests.filter((one) => one.startsWith(own)).length,
  };
}
const says =
  (text: string, headers: Readonly<Record<string, string>> = {}): PageHandler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text);
const textOf = async (pages: ReturnType<typeof window>, url: string) =>
  Buffer.from((await pages.get(url, never)).bytes).toString();

describe('pages on disk', () => {
  it('are shared by windows for a day, byte for byte, and private to the user', async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x80, 0x0a]);
    const { url, asked } = site((_, response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes),
    );
    await window().get(url, never);
    const again = await window('2026-08-21T05:00:00Z').get(url, never);
    assert.deepEqual([Buffer.from(again.bytes), again.contentType, asked()], [bytes, 'application/pdf', 1]);
    if (process.platform !== 'win32') assert.equal(fs.statSync(folder.path).mode & 0o077, 0);
    for (const name of fs.readdirSync(folder.path)) {
      assert.match(name, /^[0-9a-f]{40}$/);
      if (process.platform !== 'win32') assert.equal(fs.statSync(path.join(folder.path, name)).mode & 0o777, 0o600);
    }
  });

  it('are not taken from the disk for an answer "not modified" to what was not asked', async () => {
    const to = { place: '' };
    const { url } = site((_, response) => response.writeHead(302, { location: to.place }).end());
    to.place = site(says('What it said.', { etag: '"v1"' })).url;
    await window().get(url, never);
    to.place = site((_, response) => response.writeHead(304).end()).url;
    await assert.rejects(window('2026-08-22T06:00:00Z').get(url, never));
  });

  it('are not kept where a redirect led to an address with a key', async () => {
    const signed = site(says('Signed page.'));
    const { url, asked } = site((_, response) =>
      response.writeHead(302, { location: `${signed.url}?X-Amz-Signature=abc123&token=s3cret` }).end(),
    );
    for (let time = 1; time <= 2; time += 1) await window().get(url, never);
    assert.deepEqual([asked(), fs.readdirSync(folder.path)], [2, []]);
  });

  it('are asked for again after their day, and not sent again where nothing changed', async () => {
    const { url, asked } = site((request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else says('One page of text.', { etag: '"v1"' })(request, response);
    });
    await window().get(url, never);
    assert.equal(await textOf(window('2026-08-21T07:00:00Z'), url), 'One page of text.');
    assert.equal(asked(), 2);
    await window('2026-08-22T06:00:00Z').get(url, never);
    assert.equal(asked(), 2, 'an unchanged page is fresh again');
  });

  it('keep where redirects led', async () => {
    const { url } = site(says('The new page.'));
    const moved = site((_, response) => response.writeHead(302, { location: url }).end());
    await window().get(moved.url, never);
    const { url: last } = await window('2026-08-20T06:30:00Z').get(moved.url, never);
    assert.deepEqual([last, moved.asked()], [url, 1]);
  });

  it('are those of an hour for who names a page', async () => {
    const { url, asked } = site(says('News.'));
    await window().named.get(url, never);
    await window('2026-08-20T06:30:00Z').named.get(url, never);
    assert.equal(asked(), 1);
    await window('2026-08-20T07:30:00Z').named.get(url, never);
    assert.equal(asked(), 2);
  });

  it('are never those that are not to be stored, of a reader, of a key or of a private host', async () => {
    for (const cache of ['no-store', 'private, max-age=60', 'No-Store']) {
      const { url, asked } = site(says('Secret text.', { 'cache-control': cache }));
      await window().get(url, never);
      await window().get(url, never);
      assert.equal(asked(), 2, cache);
    }
    const { url } = site(says('Secret text.'));
    await window().get(`${url}?X-Amz-Signature=1`, never);
    await window(first, ['site.example:443']).get(url, never);
    const isStored = fs
      .readdirSync(folder.path)
      .some((name) => fs.readFileSync(path.join(folder.path, name), 'utf8').includes('Secret text.'));
    assert.equal(isStored, false);
  });

  it('that are damaged are fetched again, and a folder that can not be written is no failure', async () => {
    const { url, asked } = site(says('Text.'));
    await window().get(url, never);
    for (const name of fs.readdirSync(folder.path)) fs.writeFileSync(path.join(folder.path, name), '{"version":1,');
    assert.equal(await textOf(window(), url), 'Text.');
    assert.equal(asked(), 2);
    await folder.remove();
    fs.writeFileSync(folder.path, 'a file in its place');
    assert.equal(await textOf(window(), url), 'Text.');
  });
});
