import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createPoliteClient, userAgentOf } from '../../../../src/sources/http/politeClient.ts';
import type { PoliteClientOptions } from '../../../../src/sources/http/politeSession.ts';
import type { PoliteRequest } from '../../../../src/sources/http/httpSession.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { arxiv as arxivSource } from '../../../../src/sources/arxiv/arxivSource.ts';
import { github as githubSource } from '../../../../src/sources/github/githubSource.ts';
import { httpServiceOf, servicesOf } from '../../../../src/sources/source.ts';
import { startSourceServer, type ScriptedAnswer, type SourceServer } from '../../../support/sourceServer.ts';
import { virtualClock, type VirtualClock } from '../../../support/virtualClock.ts';

let server: SourceServer;
let clock: VirtualClock;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());
beforeEach(() => {
  clock = virtualClock();
});

const github = httpServiceOf(servicesOf(githubSource)[0]!);
const arxiv = httpServiceOf(servicesOf(arxivSource)[0]!);
const never = new AbortController().signal;
let serial = 0;
const path = (): string => `/${(serial += 1)}`;

/** Scripts answers for one path of the GitHub side and gives its URL. */
function scripted(...answers: readonly Omit<ScriptedAnswer, 'when'>[]): string {
  const own = path();
  server.script(
    'github',
    ...answers.map((answer) => ({ ...answer, when: (request: { readonly path: string }) => request.path === own })),
  );
  return server.githubUrl + own;
}
function requestsTo(url: string): SourceServer['requests'] {
  return server.requests.filter((request) => request.path === new URL(url).pathname);
}
function client(options: Partial<PoliteClientOptions> = {}) {
  return createPoliteClient({
    userAgent: userAgentOf('1.2.3', 'https://example.org/repo'),
    clock,
    random: () => 0,
    ...options,
  });
}
function ask(url: string, more: Partial<PoliteRequest> = {}): PoliteRequest {
  return { url, accept: 'application/json', freshMs: 0, ...more };
}
function fails(reason: ErrorReason, pattern?: RegExp) {
  return (error: unknown) => {
    assert.ok(
      ResearchError.is(error, reason),
      `expected ${reason}, got ${String(error)} ${ResearchError.is(error) ? error.reason : ''}`,
    );
    if (pattern) assert.match(error.message, pattern);
    return true;
  };
}

describe('polite client: what it sends', () => {
  it('says who it is and what it accepts', async () => {
    const url = scripted({ status: 200, body: {} });
    await client()
      .session(github)
      .get(ask(url, { token: 'secret-token', headers: { 'x-extra': '1' } }), never);
    const [request] = requestsTo(url);
    assert.equal(request?.headers['user-agent'], 'deep-research-vscode/1.2.3 (+https://example.org/repo)');
    assert.equal(request?.headers['accept'], 'application/json');
    assert.equal(request?.headers['authorization'], 'Bearer secret-token');
    assert.equal(request?.headers['x-extra'], '1');
  });

  it('posts a body as JSON with basic authentication, and keeps the answers to two bodies apart', async () => {
    const url = scripted({ status: 200, body: 'first' }, { status: 200, body: 'second' });
    const session = client().session(github);
    const post = async (body: string) =>
      (await session.get(ask(url, { body, token: 'key', scheme: 'Basic', freshMs: 60_000 }), never)).text;
    assert.deepEqual(
      [await post('{"a":1}'), await post('{"a":2}'), await post('{"a":1}')],
      ['first', 'second', 'first'],
    );
    const [request] = requestsTo(url);
    assert.equal(request?.method, 'POST');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers['authorization'], 'Basic a2V5Og==');
  });

  it('follows a redirect within the origin', async () => {
    const target = path();
    server.script('github', { when: (request) => request.path === target, status: 200, body: 'moved here' });
    const url = scripted({ status: 301, headers: { location: target }, body: '' });
    const answer = await client()
      .session(github)
      .get(ask(url, { token: 'secret-token' }), never);
    assert.equal(answer.text, 'moved here');
  });

  it('does not follow a redirect to another host or port, with credentials, to a file or in circles', async () => {
    const user = new URL(server.githubUrl);
    user.username = 'me';
    for (const location of [
      server.arxivUrl,
      user.href,
      'http://127.0.0.2:9/',
      'http://169.254.169.254/',
      '//evil.example/x',
      'https://evil.example/',
      'file:///etc/passwd',
      'http://[bad',
    ]) {
      const url = scripted({ status: 302, headers: { location }, body: '' });
      await assert.rejects(client().session(github).get(ask(url), never), fails('badAnswer', /redirects/));
    }
    const own = path();
    server.script('github', {
      when: (request) => request.path === own,
      times: 10,
      status: 302,
      headers: { location: own },
      body: '',
    });
    await assert.rejects(
      client()
        .session(github)
        .get(ask(server.githubUrl + own), never),
      fails('badAnswer'),
    );
  });
});

describe('polite client: failures', () => {
  it('tries a server error again and gives the answer that follows', async () => {
    const url = scripted({ status: 500, body: 'x' }, { status: 502, body: '<html>' }, { status: 200, body: 'fine' });
    const answer = await client().session(github).get(ask(url), never);
    assert.equal(answer.text, 'fine');
    assert.deepEqual(clock.sleeps, [1_000, 2_000]);
  });

  it('spreads its retries, so that many clients do not come back at the same time', async () => {
    const url = scripted({ status: 500, body: 'x', times: 2 }, { status: 200, body: 'fine' });
    await client({ random: () => 1 })
      .session(github)
      .get(ask(url), never);
    assert.deepEqual(clock.sleeps, [1_250, 2_500]);
  });

  it('gives up after three attempts and says which service is not available', async () => {
    const url = scripted({ status: 503, body: 'x', times: 9 });
    await assert.rejects(
      client().session(github).get(ask(url), never),
      fails('network', /GitHub is not available.*503/),
    );
    assert.equal(requestsTo(url).length, 3);
  });

  it('tries again when the connection is cut before or in the middle of an answer', async () => {
    const url = scripted({ fault: 'close' }, { fault: 'truncate', body: 'half' }, { status: 200, body: 'whole' });
    assert.equal((await client().session(github).get(ask(url), never)).text, 'whole');
  });

  it('gives 4xx answers to the caller at once', async () => {
    const url = scripted({ status: 422, body: { message: 'Validation Failed' } });
    assert.equal((await client().session(github).get(ask(url), never)).status, 422);
    assert.equal(requestsTo(url).length, 1);
  });

  it('ends a request that hangs, before and in the middle of the answer, and does not ask a silent host a third time', async () => {
    const session = client({ timeoutMs: 60 }).session(github);
    const url = scripted({ fault: 'hang' }, { fault: 'hangInBody', body: 'something' });
    await assert.rejects(session.get(ask(url), never), fails('timeout', /did not answer/));
    assert.equal(requestsTo(url).length, 2);
    await assert.rejects(
      session.get(ask(server.githubUrl + path()), never),
      fails('timeout', /not asked again in this run/),
    );
  });

  it('does not read a body over the limit, with or without a declared length', async () => {
    const url = scripted({ status: 200, body: 'x'.repeat(5_000) });
    await assert.rejects(
      client({ maxBytes: 1_000 }).session(github).get(ask(url), never),
      fails('badAnswer', /larger than/),
    );
    const chunked = createServer((_, response) => {
      const more = (): void => void response.write('y'.repeat(1_000), () => setImmediate(more));
      more();
    });
    await new Promise<void>((resolve) => chunked.listen(0, '127.0.0.1', resolve));
    const endless = `http://127.0.0.1:${(chunked.address() as AddressInfo).port}/`;
    await assert.rejects(
      client({ maxBytes: 20_000 }).session(github).get(ask(endless), never),
      fails('badAnswer', /larger than/),
    );
    chunked.closeAllConnections();
    chunked.close();
  });

  it('holds a host that refuses the connection for down for the rest of the run, and tries it again in the next', async () => {
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`;
    await new Promise((resolve) => dead.close(resolve));
    let calls = 0;
    const counting: typeof fetch = (...args) => {
      calls += 1;
      return fetch(...args);
    };
    const polite = client({ fetch: counting });
    const session = polite.session(github);
    await assert.rejects(session.get(ask(url), never), fails('network', /can't be reached.*ECONNREFUSED/));
    await assert.rejects(session.get(ask(`${url}other`), never), fails('network', /not asked again in this run/));
    assert.equal(calls, 1);
    assert.deepEqual(clock.sleeps, []);
    await assert.rejects(polite.session(github).get(ask(url), never), fails('network'));
    assert.equal(calls, 2);
    // It was the network of this machine, and that is back.
    polite.reconnected();
    await assert.rejects(session.get(ask(url), never), fails('network', /can't be reached.*ECONNREFUSED/));
    assert.equal(calls, 3);
  });

  it('takes a port that fetch blocks for down at once', async () => {
    const session = client().session(github);
    await assert.rejects(
      session.get(ask('http://127.0.0.1:1/'), never),
      fails('network', /can't be reached.*a port that fetch blocks/),
    );
    await assert.rejects(session.get(ask('http://127.0.0.1:1/x'), never), fails('network', /not asked again/));
    assert.deepEqual(clock.sleeps, []);
  });

  it('blames a service for its own failures only, though another one is behind the same origin', async () => {
    const polite = client();
    const dead = client({ fetch: () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })) });
    const [down, other] = [dead.session(github), dead.session(arxiv)];
    await assert.rejects(down.get(ask('http://127.0.0.1:9999/a'), never), fails('network', /^GitHub can't be reached/));
    await assert.rejects(other.get(ask('http://127.0.0.1:9999/b'), never), fails('network', /^arXiv can't be reached/));
    const limited = scripted({ status: 429, headers: { 'retry-after': '90' }, body: '' });
    const fine = scripted({ status: 200, body: 'ok' });
    await assert.rejects(polite.session(github).get(ask(limited), never), fails('rateLimit', /^GitHub/));
    assert.equal((await polite.session(arxiv).get(ask(fine), never)).text, 'ok');
  });

  it('lets those who queue for a host fail at once when it turns out to be down', async () => {
    const stopped = virtualClock({ stopped: true });
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    });
    const session = client({ clock: stopped, fetch: () => Promise.reject(refused) }).session(arxiv);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((n) => session.get(ask(`https://export.arxiv.org/${n}`), never)),
    );
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && ResearchError.is(outcome.reason, 'network')),
      [true, true, true],
    );
  });

  it('never shows the key in a message', async () => {
    const url = scripted(
      { status: 503, body: 'secret-token', times: 3 },
      { status: 429, body: 'secret-token', headers: { 'retry-after': '100' } },
    );
    const session = client().session(github);
    for (const reason of ['network', 'rateLimit'] as const) {
      await assert.rejects(session.get(ask(url, { token: 'secret-token' }), never), (error: unknown) => {
        assert.ok(ResearchError.is(error, reason));
        assert.doesNotMatch(`${error.message} ${error.next} ${error.stack}`, /secret-token/);
        return true;
      });
    }
  });
});

describe('polite client: limits', () => {
  it('waits as long as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(clock.now().getTime() + 7_000).toUTCString();
    const url = scripted(
      { status: 429, headers: { 'retry-after': '3' }, body: 'Rate exceeded.' },
      { status: 429, headers: { 'retry-after': date, date: clock.now().toUTCString() }, body: '' },
      { status: 200, body: 'ok' },
    );
    assert.equal((await client().session(github).get(ask(url), never)).text, 'ok');
    assert.deepEqual(clock.sleeps, [3_000, 7_000]);
  });

  it('does not wait longer than 20 s: says until when, and does not ask again before', async () => {
    const url = scripted({ status: 429, headers: { 'retry-after': '90' }, body: '' }, { status: 200, body: 'ok' });
    const session = client().session(github);
    await assert.rejects(session.get(ask(url), never), fails('rateLimit', /90 s \(until 06:01:30 UTC\)/));
    await assert.rejects(
      session.get(ask(url), never),
      (error: unknown) => ResearchError.is(error, 'rateLimit') && error.retryAfterMs === 90_000,
    );
    assert.equal(requestsTo(url).length, 1);
    clock.advance(75_000);
    assert.equal((await session.get(ask(url), never)).text, 'ok');
    assert.deepEqual(clock.sleeps, [15_000]);
  });

  it("reads GitHub's primary limit (remaining 0) and waits for its reset by the host's own clock", async () => {
    const reset = Date.parse('2030-01-01T00:00:10Z') / 1_000;
    const url = scripted(
      {
        status: 403,
        headers: {
          date: 'Tue, 01 Jan 2030 00:00:00 GMT',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(reset),
        },
        body: { message: 'API rate limit exceeded for 192.0.2.1.' },
      },
      { status: 200, body: 'ok' },
    );
    assert.equal((await client().session(github).get(ask(url), never)).text, 'ok');
    assert.deepEqual(clock.sleeps, [10_500]);
  });

  it('takes a secondary limit without a time for a minute, and leaves a plain 403 to the caller', async () => {
    const limited = scripted({
      status: 403,
      headers: { 'x-ratelimit-remaining': '4000' },
      body: { message: 'You have exceeded a secondary rate limit' },
    });
    await assert.rejects(client().session(github).get(ask(limited), never), fails('rateLimit', /60 s/));
    const refused = scripted({
      status: 403,
      headers: { 'x-ratelimit-remaining': '4000' },
      body: { message: 'Resource not accessible' },
    });
    assert.equal((await client().session(github).get(ask(refused), never)).status, 403);
  });

  it('keeps the quotas of a host apart, and stops before a used-up one is overdrawn', async () => {
    const reset = String(clock.now().getTime() / 1_000 + 50);
    const last = scripted({
      status: 200,
      body: 'last',
      headers: { date: clock.now().toUTCString(), 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
    });
    const other = scripted({ status: 200, body: 'other' });
    const session = client().session(github);
    assert.equal((await session.get(ask(last, { bucket: 'search' }), never)).text, 'last');
    const next = scripted({ status: 200, body: 'unseen' });
    await assert.rejects(session.get(ask(next, { bucket: 'search' }), never), fails('rateLimit'));
    assert.equal(requestsTo(next).length, 0);
    assert.equal((await session.get(ask(other, { bucket: 'core' }), never)).text, 'other');
  });

  it('sends arXiv one request each 3 s on one connection', async () => {
    const starts: number[] = [];
    let open = 0;
    let most = 0;
    const slow: typeof fetch = async () => {
      starts.push(clock.monotonic());
      most = Math.max(most, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return new Response('<feed/>');
    };
    const session = client({ fetch: slow }).session(arxiv);
    await Promise.all(
      [
        'https://export.arxiv.org/a',
        'https://export.arxiv.org/b',
        'http://export.arxiv.org/c',
        'https://arxiv.org/d',
      ].map((url) => session.get(ask(url), never)),
    );
    assert.deepEqual(starts, [0, 3_000, 6_000, 9_000]);
    assert.equal(most, 1);
  });

  it('backs off 5 s and then 10 s when arXiv names no time', async () => {
    let calls = 0;
    const session = client({
      fetch: () => Promise.resolve(new Response('Rate exceeded.', { status: (calls += 1) < 3 ? 429 : 200 })),
    }).session(arxiv);
    await session.get(ask('https://export.arxiv.org/api/query'), never);
    assert.deepEqual(clock.sleeps, [5_000, 10_000]);
  });

  it('does not pace an endpoint that the user set', async () => {
    const session = client().session(github);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => session.get(ask(scripted({ status: 200, body: 'ok' })), never)));
    assert.deepEqual(clock.sleeps, []);
  });

  it('tries again what the caller finds broken, and never remembers it', async () => {
    const url = scripted({ status: 200, body: '<html>' }, { status: 200, body: '<feed/>' });
    const check: PoliteRequest['check'] = (answer) =>
      answer.text.includes('<feed') ? undefined : { verdict: 'broken', why: 'No feed.' };
    const session = client().session(github);
    assert.equal((await session.get(ask(url, { check, freshMs: 1_000_000 }), never)).text, '<feed/>');
    const bad = scripted({ status: 200, body: '<html>', times: 3 });
    await assert.rejects(session.get(ask(bad, { check, freshMs: 1_000_000 }), never), fails('badAnswer', /No feed/));
  });
});

describe('polite client: sharing', () => {
  it('sends identical requests once, and different keys apart', async () => {
    const url = scripted({ status: 200, body: 'one', times: 9 });
    const session = client().session(github);
    const answers = await Promise.all([
      session.get(ask(url), never),
      session.get(ask(url), never),
      session.get(ask(url, { token: 't' }), never),
    ]);
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['one', 'one', 'one'],
    );
    assert.equal(requestsTo(url).length, 2);
  });

  it('lets one caller leave without taking the answer from the others', async () => {
    let release = (): void => undefined;
    const url = scripted({ status: 200, body: 'late', until: new Promise<void>((resolve) => (release = resolve)) });
    const session = client().session(github);
    const leaving = new AbortController();
    const first = session.get(ask(url), leaving.signal);
    const second = session.get(ask(url), never);
    leaving.abort(new Error('left'));
    await assert.rejects(first, /left/);
    release();
    assert.equal((await second).text, 'late');
  });

  it('calls the request off when everyone has left, and sends a new one for the next', async () => {
    const url = scripted({ fault: 'hang' }, { status: 200, body: 'new' });
    const session = client().session(github);
    const leaving = new AbortController();
    const both = [session.get(ask(url), leaving.signal), session.get(ask(url), leaving.signal)];
    while (requestsTo(url).length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort(new Error('left'));
    for (const one of both) await assert.rejects(one, /left/);
    assert.equal((await session.get(ask(url), never)).text, 'new');
    assert.equal(await requestsTo(url)[0]?.closed, true);
  });

  it('notices an abort at once while it waits for a retry, for a quota and in the queue', async () => {
    const stopped = virtualClock({ stopped: true });
    const session = client({ clock: stopped }).session(github);
    const retrying = scripted({ status: 503, body: '', headers: { 'retry-after': '10' } });
    const leaving = new AbortController();
    const waits = [session.get(ask(retrying), leaving.signal)];
    while (stopped.sleeps.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const queued = client({ clock: stopped, fetch: () => new Promise(() => undefined) }).session(arxiv);
    waits.push(
      queued.get(ask('https://export.arxiv.org/1'), leaving.signal),
      queued.get(ask('https://export.arxiv.org/2'), leaving.signal),
    );
    leaving.abort(new Error('stop'));
    for (const wait of waits) await assert.rejects(wait, /stop/);
    await assert.rejects(session.get(ask(retrying), leaving.signal), /stop/);
  });
});

describe('polite client: memory', () => {
  it('answers from memory while fresh, then asks whether anything changed', async () => {
    const url = scripted(
      { status: 200, body: 'content', headers: { etag: '"v1"' } },
      { status: 304, body: '' },
      { status: 200, body: 'changed', headers: { etag: '"v2"' } },
    );
    const polite = client();
    const request = ask(url, { freshMs: 60_000 });
    assert.equal((await polite.session(github).get(request, never)).fromCache, false);
    const remembered = await polite.session(github).get(request, never);
    assert.deepEqual([remembered.text, remembered.fromCache, requestsTo(url).length], ['content', true, 1]);
    clock.advance(61_000);
    const unchanged = await polite.session(github).get(request, never);
    assert.deepEqual([unchanged.text, unchanged.fromCache], ['content', true]);
    assert.equal(requestsTo(url)[1]?.headers['if-none-match'], '"v1"');
    clock.advance(61_000);
    assert.equal((await polite.session(github).get(request, never)).text, 'changed');
    const before = requestsTo(url).length;
    await polite.session(github).get({ ...request, again: true }, never);
    assert.equal(requestsTo(url).length, before + 1);
  });

  it('forgets the least recently used answers when memory is full', async () => {
    const polite = client({ cacheSize: 20_000 });
    const session = polite.session(github);
    const urls = Array.from({ length: 8 }, () => scripted({ status: 200, body: 'z'.repeat(3_000), times: 9 }));
    for (const url of urls) await session.get(ask(url, { freshMs: 60_000 }), never);
    await session.get(ask(urls[7]!, { freshMs: 60_000 }), never);
    await session.get(ask(urls[0]!, { freshMs: 60_000 }), never);
    assert.deepEqual([requestsTo(urls[7]!).length, requestsTo(urls[0]!).length], [1, 2]);
  });
});
