import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type ErrorReason, ResearchError } from '../../../../src/research/errors.ts';
import { PageClient, type PageClientOptions } from '../../../../src/sources/pages/pageClient.ts';
import { type PageServer, startPageServer } from '../../../support/pageServer.ts';
import { virtualClock } from '../../../support/virtualClock.ts';

let server: PageServer;
let other: PageServer;
before(async () => {
  server = await startPageServer();
  other = await startPageServer();
});
after(async () => {
  await server.close();
  await other.close();
});

const never = new AbortController().signal;
let serial = 0;
const path = (): string => `/${(serial += 1)}`;
const page = '<html><body><p>A page.</p></body></html>';

function session(options: Partial<PageClientOptions> = {}, allowed: readonly string[] = [server.place]) {
  return new PageClient({
    userAgent: 'deep-research-vscode/0.0.0-test',
    clock: virtualClock(),
    timeoutMs: 5_000,
    idleMs: 2_000,
    maxBytes: 100_000,
    ...options,
  }).session(allowed);
}
const fails = (reason: ErrorReason, pattern: RegExp) => (error: unknown) => {
  assert.ok(ResearchError.is(error, reason), `${reason} expected: ${String(error)}`);
  assert.match(error.message, pattern);
  return true;
};
const html = (response: ServerResponse, headers: Readonly<Record<string, string>> = {}): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/html', ...headers });
const to = (location: string) => server.on(path(), (_, response) => response.writeHead(302, { location }).end());

describe('a page', () => {
  it('is fetched with its type, once for all that ask, and kept', async () => {
    const url = server.on('/page', page);
    const pages = session();
    const got = await Promise.all(Array.from({ length: 7 }, () => pages.get(`${url}#part`, never)));
    assert.deepEqual(
      got.map(({ bytes }) => Buffer.from(bytes).toString()),
      Array.from({ length: 7 }, () => page),
    );
    assert.deepEqual([got[0]?.url, got[0]?.contentType], [url, 'text/html; charset=utf-8']);
    await pages.get(url, never);
    assert.equal(server.requests.filter((asked) => asked === '/page').length, 1);
  });

  it('is unpacked', async () => {
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const url = server.on(path(), (_, response) => {
        html(response, { 'content-encoding': encoding }).end(pack(page));
      });
      assert.equal(Buffer.from((await session().get(url, never)).bytes).toString(), page);
    }
  });

  it('is followed over five redirects and no more', async () => {
    let target = server.on(path(), page);
    for (let hop = 0; hop < 5; hop += 1) target = to(new URL(target).pathname);
    assert.equal(Buffer.from((await session().get(target, never)).bytes).toString(), page);
    await assert.rejects(session().get(to(target), never), fails('badAnswer', /redirects more than 5 times/));
    const own = path();
    const circle = server.on(own, (_, response) => response.writeHead(301, { location: own }).end());
    await assert.rejects(session().get(circle, never), fails('badAnswer', /redirects more than 5 times/));
  });

  it('never comes from a place that is refused, whoever redirects there', async () => {
    other.on('/secret', page);
    const refused = [
      `${other.url}/secret`,
      `http://localhost:${new URL(other.url).port}/secret`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      'http://0x7f000001/',
      '//127.0.0.1/',
      'file:///etc/passwd',
      'ftp://example.com/',
      'javascript:alert(1)',
      'data:text/html,hello',
      'https://user:secret@example.com/',
      'http://example.com:22/',
      'http://metadata.google.internal/',
    ];
    for (const location of refused)
      await assert.rejects(session().get(to(location), never), fails('badRequest', /is not opened/), location);
    await assert.rejects(session().get(to('http://[bad'), never), fails('badAnswer', /redirects to nowhere/));
    await assert.rejects(
      session().get(
        server.on(path(), (_, response) => response.writeHead(302).end()),
        never,
      ),
      fails('badAnswer', /redirects to nowhere/),
    );
    assert.deepEqual(other.requests, []);
  });

  it('is asked of the address that was checked, and a name that changes its answer is refused', async () => {
    const { port } = new URL(server.url);
    server.on('/named', page);
    let asked = 0;
    const resolve = async (): Promise<readonly string[]> => [(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.99'];
    const got = await session({ resolve }, [`wiki.example:${port}`]).get(`http://wiki.example:${port}/named`, never);
    assert.equal(Buffer.from(got.bytes).toString(), page, 'the name exists for this look-up alone');
    assert.equal(asked, 1);
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const rebinding = session({ resolve: async () => answers.shift() ?? ['127.0.0.1'], timeoutMs: 500 }, []);
    await assert.rejects(rebinding.get('http://rebinding.example:8080/', never));
    await assert.rejects(rebinding.get('http://rebinding.example:8080/', never), fails('badRequest', /not opened/));
  });

  it('that is giant, endless, slow, silent, packed too well or of a wrong type ends within its limits', async () => {
    const limits = { timeoutMs: 400, idleMs: 200 };
    const hostile: readonly (readonly [string, ErrorReason, RegExp, (response: ServerResponse) => void])[] = [
      [
        'announced as giant',
        'badAnswer',
        /larger/,
        (response) => html(response, { 'content-length': '99999999' }).write('x'),
      ],
      [
        'endless',
        'badAnswer',
        /larger/,
        (response) => {
          html(response);
          const timer = setInterval(() => response.write('x'.repeat(20_000)), 5);
          response.on('close', () => clearInterval(timer));
        },
      ],
      [
        'slow',
        'timeout',
        /whole page/,
        (response) => {
          html(response);
          const timer = setInterval(() => response.write('x'), 20);
          response.on('close', () => clearInterval(timer));
        },
      ],
      ['silent', 'timeout', /sent nothing/, () => undefined],
      ['silent in its body', 'timeout', /sent nothing/, (response) => html(response).write('<p>')],
      [
        'a gzip bomb',
        'badAnswer',
        /larger/,
        (response) => html(response, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
      ],
      [
        'a brotli bomb',
        'badAnswer',
        /larger/,
        (response) => html(response, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(20_000_000))),
      ],
      [
        'packed twice',
        'badAnswer',
        /encoding/,
        (response) => html(response, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(page))),
      ],
      [
        'not what it says',
        'badAnswer',
        /compression is damaged/,
        (response) => html(response, { 'content-encoding': 'gzip' }).end(page),
      ],
      [
        'cut in its compression',
        'badAnswer',
        /compression is damaged/,
        (response) => html(response, { 'content-encoding': 'gzip' }).end(gzipSync(page).subarray(0, 20)),
      ],
      [
        'cut',
        'network',
        /can't be reached/,
        (response) => (html(response, { 'content-length': '500' }).write('<p>'), response.destroy()),
      ],
      ['closed at once', 'network', /can't be reached/, (response) => response.destroy()],
      ['empty', 'badAnswer', /empty/, (response) => html(response).end()],
      ['without content', 'badAnswer', /empty/, (response) => response.writeHead(204).end()],
      [
        'a video',
        'badAnswer',
        /type video\/mp4/,
        (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('x'),
      ],
      [
        'an image',
        'badAnswer',
        /type image\/png/,
        (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
      ],
      [
        'a program',
        'badAnswer',
        /type application\/zip/,
        (response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('x'),
      ],
      [
        'a stream of events',
        'badAnswer',
        /event-stream/,
        (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('x'),
      ],
      [
        'of headers without end',
        'badAnswer',
        /HTTP/,
        (response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end('x'),
      ],
    ];
    for (const [name, reason, pattern, answer] of hostile) {
      const url = server.on(path(), (_, response) => answer(response));
      // What ends by its size or its form has the time that it needs.
      const given = reason === 'timeout' ? limits : {};
      await assert.rejects(session(given).get(url, never), fails(reason, pattern), name);
    }
  });

  it('that is closed says why, in words for a reader', async () => {
    const statuses: readonly (readonly [number, ErrorReason, RegExp])[] = [
      [401, 'auth', /wants a login/],
      [402, 'auth', /wants a payment/],
      [403, 'auth', /refuses programs/],
      [404, 'notFound', /no such page/],
      [410, 'notFound', /taken the page down/],
      [418, 'badAnswer', /does not give the page/],
      [429, 'rateLimit', /no more requests for 60 s/],
      [451, 'auth', /legal reasons/],
      [500, 'network', /does not give the page \(HTTP 500\)/],
      [503, 'network', /does not give the page/],
    ];
    for (const [status, reason, pattern] of statuses) {
      const url = server.on(path(), (_, response) => response.writeHead(status).end('<p>no</p>'));
      await assert.rejects(session().get(url, never), fails(reason, pattern));
    }
  });

  it('is asked for again after a short wait that the server names, and not after a long one', async () => {
    let asked = 0;
    const url = server.on(path(), (_, response) => {
      if ((asked += 1) === 1) response.writeHead(429, { 'retry-after': '2' }).end();
      else html(response).end(page);
    });
    assert.equal(Buffer.from((await session().get(url, never)).bytes).toString(), page);
    const long = server.on(path(), (_, response) => response.writeHead(503, { 'retry-after': '600' }).end());
    const pages = session();
    await assert.rejects(pages.get(long, never), fails('rateLimit', /600 s/));
    const before = server.requests.length;
    await assert.rejects(pages.get(url, never), fails('rateLimit', /no more requests/));
    assert.equal(server.requests.length, before, 'the host is left alone');
  });

  it('is not asked for again after a wait that the server names wrongly, and says a long one in days with its date', async () => {
    const limited = (after: string) =>
      server.on(path(), (_, response) => response.writeHead(429, { 'retry-after': after }).end());
    await assert.rejects(session().get(limited('-1'), never), fails('rateLimit', /for 60 s \(until/));
    await assert.rejects(
      session().get(limited('999999999'), never),
      fails('rateLimit', /for 7 days \(until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/),
    );
    await assert.rejects(session().get(limited('7200'), never), fails('rateLimit', /for 2 hours \(until/));
  });

  it('stops when nobody wants it any more', async () => {
    const url = server.on(path(), (_, response) => html(response).write('<p>'));
    const stop = new AbortController();
    const waiting = session().get(url, stop.signal);
    setTimeout(() => stop.abort(new Error('Stop')), 50);
    await assert.rejects(waiting, /Stop/);
    await assert.rejects(session().get(url, AbortSignal.abort(new Error('Stop'))), /Stop/);
  });

  it('must have an address', async () => {
    for (const text of ['', 'example', 'http://', '/path', `https://example.com/${'x'.repeat(5_000)}`])
      await assert.rejects(session().get(text, never), fails('badRequest', /is not an address/));
  });
});

describe('robots.txt', () => {
  /** A site at a name that resolves to the public internet for the guard, and to the test's own server for the proxy. */
  const behindProxy = (robots: (response: ServerResponse) => void, options: Partial<PageClientOptions> = {}) => {
    server.on('/robots.txt', (_, response) => robots(response));
    const proxyFetch: typeof globalThis.fetch = (input, init) =>
      fetch(String(input).replace('https://site.example', server.url), init);
    return session({ proxyFetch, resolve: async () => ['93.184.215.14'], ...options }, []);
  };

  it('is obeyed for the page, its redirects and other programs', async () => {
    server.on('/open', page);
    const rules =
      'User-agent: *\nDisallow: /closed\nAllow: /closed/open\n\nUser-agent: deep-research-vscode\nDisallow: /ours\n';
    const pages = behindProxy((response) => response.end(rules));
    await pages.get('https://site.example/open', never);
    await assert.rejects(pages.get('https://site.example/ours/x', never), fails('auth', /robots\.txt/));
    const all = behindProxy((response) => response.end('User-agent: *\nDisallow: /\n'));
    await assert.rejects(all.get('https://site.example/open', never), fails('auth', /robots\.txt/));
    assert.equal(server.requests.filter((asked) => asked === '/robots.txt').length, 2, 'read once a session');
  });

  it('is obeyed with stars, and read without the rules that would take seconds', async () => {
    server.on('/open/a.pdf', page);
    const hostile = `Disallow: /*${'a*'.repeat(90_000)}b`;
    const pages = behindProxy((response) =>
      response.end(`User-agent: *\nDisallow: /*.pdf$\n${hostile}\nDisallow: /closed\n`),
    );
    await assert.rejects(pages.get('https://site.example/open/a.pdf', never), fails('auth', /robots\.txt/));
    await assert.rejects(
      pages.get(`https://site.example/closed/${'a'.repeat(3_000)}`, never),
      fails('auth', /robots\.txt/),
    );
  });

  it('is for pages that are found, not for one that the user named, whose guard is the same', async () => {
    server.on('/ours/x', page);
    server.on('/leads-inside', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const pages = behindProxy((response) => response.end('User-agent: *\nDisallow: /\n'));
    const { url } = await pages.named.get('https://site.example/ours/x', never);
    assert.equal(url, 'https://site.example/ours/x');
    // Found later in the same program, it is closed all the same.
    await assert.rejects(pages.get('https://site.example/ours/x', never), fails('auth', /robots\.txt/));
    for (const address of ['http://127.0.0.1/', 'https://u:p@site.example/', 'https://site.example/leads-inside'])
      await assert.rejects(pages.named.get(address, never), fails('badRequest', /./));
  });

  it('that does not exist allows all, and one that fails for the server allows nothing', async () => {
    server.on('/open', page);
    for (const status of [404, 403, 410])
      await behindProxy((response) => response.writeHead(status).end()).get('https://site.example/open', never);
    await behindProxy((response) => response.end('x'.repeat(300_000))).get('https://site.example/open', never);
    await assert.rejects(
      behindProxy((response) => response.writeHead(500).end()).get('https://site.example/open', never),
      fails('auth', /robots\.txt/),
    );
  });
});

describe('behind a proxy', () => {
  it('literals and names are refused as ever, and names that resolve here to a private address', async () => {
    const sent: string[] = [];
    const proxyFetch: typeof globalThis.fetch = async (input) => {
      sent.push(String(input));
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    };
    const unresolved = { proxyFetch, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    await session(unresolved, []).get('https://only-the-proxy-knows.example/', never);
    assert.equal(sent.length, 2);
    for (const url of [
      'http://127.0.0.1/',
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://intranet/',
      'http://a.internal/',
    ])
      await assert.rejects(session(unresolved, []).get(url, never), fails('badRequest', /not opened/));
    await assert.rejects(
      session({ proxyFetch, resolve: async () => ['10.0.0.1'] }, []).get('https://inside.example/', never),
      fails('badRequest', /not opened/),
    );
    assert.equal(sent.length, 2);
  });
});
