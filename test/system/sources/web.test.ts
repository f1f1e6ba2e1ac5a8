import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { createCatalogue, readAllSettings } from '../../../src/catalogue.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ToolContext, ToolResult } from '../../../src/research/tools.ts';
import { createTools, enabledSources } from '../../../src/sources/createTools.ts';
import { PageClient } from '../../../src/sources/pages/pageClient.ts';
import type { ReaderTask } from '../../../src/sources/readers/readerProcess.ts';
import { createWebTools } from '../../../src/sources/web/webTools.ts';
import { searchWith } from '../../../src/sources/web/webProviders.ts';
import { web } from '../../../src/sources/web/webSource.ts';
import { type PageServer, startPageServer } from '../../support/pageServer.ts';
import { recording, recordingsOf } from '../../support/recordings.ts';
import { english, silentLog, sourceContext } from '../../support/sourceContext.ts';
import { type ScriptedService, type ServiceAnswer, startScriptedService } from '../../support/scriptedService.ts';
import { itKeepsTheContract } from '../../support/serviceContract.ts';
import { noSession } from '../../support/trialSource.ts';
import { virtualClock } from '../../support/virtualClock.ts';

let service: ScriptedService;
let site: PageServer;
before(async () => {
  service = await startScriptedService();
  site = await startPageServer();
});
after(async () => {
  await service.close();
  await site.close();
});

type Provider = 'tavily' | 'bocha' | 'searxng';
const never = new AbortController().signal;
const secrets = { key: (name: string) => Promise.resolve(name === 'searxng' ? undefined : 'secret-key') };
const pages = () => new PageClient({ userAgent: 'deep-research-vscode/0', clock: virtualClock(), idleMs: 2_000 });

function tools(provider: Provider, settings: Readonly<Record<string, unknown>> = {}) {
  const context = sourceContext(web, service.url, {
    settings: { 'network.allowPrivateHosts': [site.place], ...settings },
    secrets,
    pages: pages(),
  });
  const [search, page] = createWebTools(context, searchWith(provider, context));
  return {
    search: (args: Readonly<Record<string, unknown>>, called: ToolContext = english): Promise<ToolResult> =>
      search!.run(args, called, never),
    read: (url: string, called: ToolContext = english): Promise<ToolResult> => page!.run({ url }, called, never),
  };
}

const good: Readonly<Record<Provider, ServiceAnswer>> = {
  tavily: {
    body: {
      results: [
        {
          title: 'A <b>page</b> &amp; more',
          url: 'https://example.com/a',
          content: 'Its text.',
          score: 0.9,
          published_date: 'Tue, 05 Aug 2025 09:00:00 GMT',
        },
        { title: 'Same', url: 'https://example.com/a', content: 'Again.' },
        { title: '', url: 'https://example.org/b', content: '' },
        { title: 'Script', url: 'javascript:alert(1)', content: 'x' },
        { title: 7, url: null },
      ],
    },
  },
  bocha: {
    body: {
      code: 200,
      data: {
        webPages: {
          value: [
            {
              name: '标题',
              url: 'https://example.cn/a',
              snippet: '摘要',
              summary: '长摘要。',
              siteName: '例',
              datePublished: '2025-08-05T09:00:00+08:00',
              dateLastCrawled: '2025-08-06T00:00:00Z',
            },
            { name: null, url: 'https://example.cn/b', snippet: '文字' },
          ],
        },
      },
    },
  },
  searxng: {
    body: {
      results: [
        { title: 'A page', url: 'https://example.com/a', content: 'Its text.', publishedDate: '2025-08-05T00:00:00' },
      ],
      unresponsive_engines: [['brave', 'timeout']],
    },
  },
};

for (const provider of ['tavily', 'bocha', 'searxng'] as const)
  describe(`web search with ${provider}`, () => {
    itKeepsTheContract({
      service: () => service,
      call: () => tools(provider).search({ query: 'retrieval' }),
      good: good[provider],
    });

    it('gives each page once, as text, with its date', async () => {
      service.answer = () => good[provider];
      const { documents, note } = await tools(provider).search({ query: 'retrieval' });
      const [first] = documents;
      assert.equal(first?.kind, 'web');
      assert.equal(first?.date, '2025-08-05');
      assert.ok(documents.every(({ url, title, text }) => /^https/.test(url ?? '') && title !== '' && text !== ''));
      assert.equal(new Set(documents.map(({ url }) => url)).size, documents.length);
      assert.match(note ?? '', /pages for: retrieval/);
      if (provider === 'tavily') assert.deepEqual([first?.title, documents.length], ['A page & more', 2]);
      if (provider === 'bocha') assert.deepEqual([first?.text, first?.facts], ['长摘要。', ['例']]);
      if (provider === 'searxng') assert.match(note ?? '', /brave \(timeout\)/);
    });

    it('says when there is nothing', async () => {
      service.answer = () => ({
        body: provider === 'bocha' ? { code: 200, data: { webPages: { value: [] } } } : { results: [] },
      });
      const { documents, note } = await tools(provider).search({ query: 'zzqqxx' });
      assert.deepEqual(documents, []);
      assert.match(note ?? '', /nothing for: zzqqxx/);
    });

    it('asks for the kind, the time and the sites that are wanted', async () => {
      service.answer = () => good[provider];
      const limits = { 'sources.since': '2026-01-01', 'sources.exclude': ['spam.example'] };
      const from = service.requests.length;
      for (const kind of ['general', 'academic', 'code', 'news', 'patents'])
        await tools(provider, limits).search({ query: `subject ${kind}`, kind, page: 2 });
      const include = { ...limits, 'sources.include': ['https://own.example/docs'] };
      await tools(provider, include).search({ query: 'subject', kind: 'academic' });
      const sent = service.requests.slice(from).map(({ body, query, headers }) => ({
        text: body || query.toString(),
        authorization: headers.authorization,
      }));
      assert.ok(sent.every(({ text }) => text.includes('spam.example')));
      assert.ok(
        sent.every(({ authorization }) => authorization === (provider === 'searxng' ? undefined : 'Bearer secret-key')),
      );
      const [general, academic, code, news, patents, own] = sent.map(({ text }) => text);
      assert.ok(general !== undefined && !general.includes('arxiv.org') && own!.includes('own.example'));
      assert.doesNotMatch(own!, /arxiv\.org/);
      if (provider === 'searxng') {
        assert.match(academic!, /categories=science/);
        assert.match(code!, /categories=it&pageno=2/);
        assert.match(news!, /categories=news/);
        assert.match(news!, /time_range=year/);
      } else {
        assert.match(academic!, /arxiv\.org/);
        assert.match(code!, /stackoverflow\.com/);
        assert.match(news!, /2026-01-01/);
      }
      assert.match(patents!, /patents\.google\.com/);
    });
  });

describe('refusals of web search', () => {
  const refusals: readonly (readonly [Provider, string, ServiceAnswer, string, RegExp])[] = [
    [
      'tavily',
      'a bad key',
      { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key secret-key.' } } },
      'auth',
      /rejected the key/,
    ],
    [
      'tavily',
      'the plan',
      { status: 432, body: { detail: { error: 'exceeds your plan' } } },
      'quota',
      /no searches left/,
    ],
    ['tavily', 'pay as you go', { status: 433, body: { detail: { error: 'limit' } } }, 'quota', /no searches left/],
    [
      'bocha',
      'no money',
      { status: 403, body: { code: '403', message: 'You do not have enough money' } },
      'quota',
      /no searches left/,
    ],
    [
      'bocha',
      'a bad key',
      { status: 401, body: { code: '401', message: 'Invalid API KEY' } },
      'auth',
      /rejected the key/,
    ],
    [
      'searxng',
      'JSON that is not allowed',
      { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' },
      'auth',
      /refused this request/,
    ],
    [
      'searxng',
      'engines that are all down',
      {
        body: {
          results: [],
          unresponsive_engines: [
            ['google', 'Suspended'],
            ['bing', 'timeout'],
          ],
        },
      },
      'network',
      /google \(Suspended\), bing/,
    ],
  ];
  for (const [provider, about, answer, reason, pattern] of refusals)
    it(`${provider}: ${about}`, async () => {
      service.answer = () => answer;
      await assert.rejects(tools(provider).search({ query: 'anything' }), (error: unknown) => {
        assert.ok(ResearchError.is(error));
        assert.equal(error.reason, reason);
        assert.match(error.message, pattern);
        assert.doesNotMatch(error.message, /secret-key/);
        return error.next !== '';
      });
    });
});

describe(
  'recorded answers of web search',
  { skip: recordingsOf('tavily').length > 0 ? false : 'the recorded answers are not here' },
  () => {
    const failures: readonly (readonly [RegExp, string])[] = [
      [/error-400/, 'badRequest'],
      [/error-401/, 'auth'],
      [/error-403/, 'auth|quota'],
      [/error-429/, 'rateLimit'],
      [/error-43[23]/, 'quota'],
      [/error-500/, 'network'],
      [/all-engines-down/, 'network'],
    ];
    for (const provider of ['tavily', 'bocha', 'searxng'] as const)
      for (const name of recordingsOf(provider).filter((file) => !/extract/.test(file)))
        it(`${provider}/${name}`, async () => {
          service.answer = () => recording(provider, name);
          const expected = failures.find(([pattern]) => pattern.test(name))?.[1];
          const outcome = await tools(provider)
            .search({ query: 'anything', max_results: 20 })
            .catch((error: unknown) => error);
          if (expected !== undefined) {
            assert.ok(ResearchError.is(outcome), `${expected}, got ${JSON.stringify(outcome).slice(0, 300)}`);
            assert.match(outcome.reason, new RegExp(`^(?:${expected})$`));
            return;
          }
          assert.ok(!ResearchError.is(outcome), String(outcome));
          const { documents } = outcome as ToolResult;
          assert.equal(documents.length === 0, /empty/.test(name));
          for (const { title, text, url, date = '2000-01-01' } of documents) {
            assert.ok(title !== '' && text !== '' && URL.canParse(url ?? ''));
            assert.doesNotMatch(title + text, /<\/?(?:b|strong|span)\b|&(?:amp|quot|#\d+);/);
            assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
          }
        });
  },
);

describe('reading a page', () => {
  const words = 'Retrieval grounds the answers of models in passages that were found, with sources. '.repeat(12);

  it('gives its whole text, whose title and date the page says', async () => {
    const url = site.on(
      '/doc',
      `<html><head><title>Doc</title><meta name="date" content="2026-02-03"></head><body><h1>Doc</h1><p>${words}</p></body></html>`,
    );
    const { documents } = await tools('tavily').read(url);
    assert.deepEqual(
      documents.map(({ kind, title, date, url: own }) => ({ kind, title, date, url: own })),
      [{ kind: 'web', title: 'Doc', date: '2026-02-03', url }],
    );
    assert.ok(documents[0]!.text.includes(words.trim()));
  });

  it('may take a minute to read what the user named', async (test) => {
    const limits: number[] = [];
    const { fork } = childProcess;
    test.mock.method(childProcess, 'fork', (...given: Parameters<typeof fork>) => {
      const reader = fork(...given);
      const { send } = reader;
      reader.send = (task: ReaderTask, ...rest: never[]) => (
        limits.push(task.longestMs),
        send.call(reader, task, ...rest)
      );
      return reader;
    });
    syncBuiltinESMExports();
    const url = site.on('/long', `<html><body><p>${words}</p></body></html>`);
    for (const isNamed of [false, true]) await tools('tavily').read(url, { ...english, isNamed });
    test.mock.restoreAll();
    syncBuiltinESMExports();
    assert.deepEqual(limits, [20_000, 60_000]);
  });

  it('says why a page holds nothing', async () => {
    const cases = [
      ['<p>Please verify you are human.</p>', 'auth', /check for programs/],
      ['<p>Subscribe to continue reading.</p>', 'auth', /paid for/],
      ['<div id="app"></div><p>Please enable JavaScript to run this app.</p>', 'auth', /scripts/],
      ['<p>.</p>', 'badAnswer', /no text/],
      ['<p>Loading page…</p>', 'badAnswer', /only a few words/],
    ] as const;
    for (const [index, [body, reason, pattern]] of cases.entries()) {
      const url = site.on(`/barrier${index}`, `<html><head><title>x</title></head><body>${body}</body></html>`);
      await assert.rejects(
        tools('tavily').read(url),
        (error: unknown) => ResearchError.is(error, reason) && pattern.test(error.message),
      );
    }
  });

  it('reads a page of one sentence', async () => {
    const plain = site.on('/plain', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('The turbine reaches 41 percent.'),
    );
    for (const url of [site.on('/sentence', '<p>The turbine reaches 41 percent.</p>'), plain])
      assert.equal((await tools('tavily').read(url)).documents[0]?.text, 'The turbine reaches 41 percent.');
  });

  it('opens what a source of the run names, and no address that a page made up', async () => {
    const url = site.on('/known', `<html><body><p>${words}</p></body></html>`);
    const asked = site.requests.length;
    const namedAddress = (address: string) => (decodeURIComponent(address) === url ? url : undefined);
    await tools('tavily').read(url.replace('known', '%6b%6eown'), { ...english, namedAddress });
    for (const invented of [`${site.url}/leak?text=the+question`, 'https://evil.example/?q=secret'])
      await assert.rejects(
        tools('tavily').read(invented, { ...english, focus: `What does ${invented} say?`, namedAddress }),
        (error: unknown) => ResearchError.is(error, 'badRequest'),
      );
    assert.deepEqual(site.requests.slice(asked), ['/known']);
  });

  it('never opens an address of this machine', async () => {
    const url = site.on('/private', `<p>${words}</p>`);
    const context = { 'network.allowPrivateHosts': [] };
    await assert.rejects(
      tools('tavily', context).read(url),
      (error: unknown) => ResearchError.is(error, 'badRequest') && /not opened/.test(error.message),
    );
  });
});

describe('the web as a source', () => {
  const catalogue = createCatalogue({ providers: [], sources: [web] });
  const create = async (raw: Readonly<Record<string, unknown>>, keys: readonly string[] = []) => {
    const { settings } = readAllSettings(raw, catalogue);
    const saved = { key: (name: string) => Promise.resolve(keys.includes(name) ? 'k' : undefined) };
    const options = { settings, secrets: saved, log: silentLog };
    const [enabled] = await enabledSources({ ...options, hasWorkspace: false }, [web]);
    return { ...(await createTools({ ...options, client: noSession }, [web])), hosts: enabled?.hosts };
  };

  it('reads pages without a search, silently until something is set up, and says how when it is asked for', async () => {
    const { tools, unavailable, absent, hosts } = await create({});
    assert.deepEqual([tools.map(({ name }) => name), unavailable, hosts], [['read_page'], [], undefined]);
    assert.match(absent[0]?.why ?? '', /Save a key for Tavily or Bocha .* or set endpoints\.searxng/);
    const named = await create({ 'sources.enabled': ['web'] });
    assert.match(named.unavailable[0]?.why ?? '', /Save a key for Tavily or Bocha .* or set endpoints\.searxng/);
    const wanted = await create({ 'sources.web.provider': 'bocha' }, ['tavily']);
    assert.match(wanted.unavailable[0]?.why ?? '', /sources\.web\.provider is bocha/);
  });

  it('takes the first that is set up, and sends queries to no other', async () => {
    const hosts = async (raw: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
      (await create(raw, keys)).hosts;
    assert.deepEqual(await hosts({}, ['tavily', 'bocha']), ['api.tavily.com']);
    assert.deepEqual(await hosts({}, ['bocha']), ['api.bocha.cn']);
    assert.deepEqual(await hosts({ 'endpoints.searxng': 'http://127.0.0.1:8888' }, []), ['127.0.0.1:8888']);
    assert.deepEqual(
      await hosts({ 'sources.web.provider': 'searxng', 'endpoints.searxng': 'http://127.0.0.1:8888' }, ['tavily']),
      ['127.0.0.1:8888'],
    );
    assert.deepEqual(
      (await create({}, ['tavily'])).tools.map(({ name }) => name),
      ['web_search', 'read_page'],
    );
  });

  it('opens the pages of which only the search result is known', () => {
    const source = {
      id: 'S1',
      identity: 'url:x',
      title: 't',
      authors: [],
      retrievedAt: '',
      facts: [],
      alreadyCited: false,
    };
    const found = [
      { ...source, kind: 'web', url: 'https://example.com/a', text: 'short' },
      { ...source, kind: 'web', url: 'https://example.com/b', text: 'long '.repeat(1_000) },
      { ...source, kind: 'arxiv', url: 'https://example.com/c', text: 'short' },
    ];
    assert.deepEqual(web.open?.(found, undefined), [{ name: 'read_page', args: { url: 'https://example.com/a' } }]);
  });
});
