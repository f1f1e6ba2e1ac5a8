import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readAllSettings, createCatalogue } from '../../../src/catalogue.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ToolResult } from '../../../src/research/tools.ts';
import { blogs } from '../../../src/sources/blogs/blogsSource.ts';
import { createBlogsTools } from '../../../src/sources/blogs/blogsTools.ts';
import { createTools, enabledSources } from '../../../src/sources/createTools.ts';
import { PageClient } from '../../../src/sources/pages/pageClient.ts';
import { type PageServer, startPageServer } from '../../support/pageServer.ts';
import { recording, recordingsOf } from '../../support/recordings.ts';
import { english, noSecrets, silentLog, sourceContext } from '../../support/sourceContext.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { itKeepsTheContract } from '../../support/serviceContract.ts';
import { noSession } from '../../support/trialSource.ts';
import { virtualClock } from '../../support/virtualClock.ts';

let service: ScriptedService;
let site: PageServer;
before(async () => {
  service = await startScriptedService();
});
after(() => service.close());
beforeEach(async () => {
  await site?.close();
  site = await startPageServer();
  service.requests.length = 0;
});
after(() => site.close());

const never = new AbortController().signal;
const saved = { key: () => Promise.resolve('zyte-key') };
const words = 'Retrieval grounds the answers of models in passages that were found before. '.repeat(10);
const feed = (...posts: readonly (readonly [string, string, string])[]) =>
  `<rss version="2.0"><channel><title>The Blog</title>${posts
    .map(
      ([title, link, text]) =>
        `<item><title>${title}</title><link>${link}</link><pubDate>Tue, 05 Aug 2025 09:00:00 GMT</pubDate><description>${text}</description></item>`,
    )
    .join('')}</channel></rss>`;

function tools(sites: readonly string[], secrets = noSecrets) {
  const context = sourceContext(blogs, service.url, {
    settings: { 'sources.blogs.sites': sites, 'network.allowPrivateHosts': [site.place] },
    secrets,
    pages: new PageClient({ userAgent: 'deep-research-vscode/0', clock: virtualClock(), idleMs: 2_000 }),
  });
  const [search, read] = createBlogsTools(context);
  return {
    search: (query: string): Promise<ToolResult> => search!.run({ query }, english, never),
    read: (url: string): Promise<ToolResult> => read!.run({ url }, english, never),
  };
}

describe('blogs without a key', () => {
  const rss = feed(
    ['Dense retrieval in practice', '/dense', 'How embeddings find passages.'],
    ['Our summer party', '/party', 'There was cake.'],
  );

  it('are searched by their feed, the fitting posts first', async () => {
    const url = site.on('/feed.xml', (_, response) =>
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss),
    );
    const { documents, note } = await tools([url]).search('dense retrieval');
    assert.deepEqual(documents, [
      {
        kind: 'blogs',
        title: 'Dense retrieval in practice',
        authors: [],
        date: '2025-08-05',
        url: `${site.url}/dense`,
        text: 'How embeddings find passages.',
        facts: ['The Blog'],
      },
    ]);
    assert.equal(note, '1 of 2 posts of one blog for: dense retrieval.');
    assert.match((await tools([url]).search('zebra')).note ?? '', /None of 2 posts/);
  });

  it('are found by the feed that their page names, or one at a usual place', async () => {
    site.on(
      '/blog',
      `<html><head><link rel="alternate" type="application/atom+xml" href="/named.xml"></head><body><p>${words}</p></body></html>`,
    );
    site.on('/named.xml', rss);
    assert.equal((await tools([`${site.url}/blog`]).search('retrieval')).documents.length, 1);
    site.on('/other', `<html><body><p>${words}</p></body></html>`);
    site.on('/other/atom.xml', rss);
    assert.equal((await tools([`${site.url}/other`]).search('retrieval')).documents.length, 1);
  });

  it('are read once a run, whatever is asked', async () => {
    const url = site.on('/feed.xml', rss);
    const own = tools([url]);
    await Promise.all(['retrieval', 'cake', 'embeddings'].map((query) => own.search(query)));
    assert.equal(site.requests.filter((path) => path === '/feed.xml').length, 1);
  });

  it('that fail are named, and the others are searched', async () => {
    const url = site.on('/feed.xml', rss);
    const dead = site.on('/dead', (_, response) => response.writeHead(500).end());
    const { documents, warnings } = await tools([dead, url]).search('retrieval');
    assert.equal(documents.length, 1);
    assert.match(warnings?.[0] ?? '', /was not searched/);
    await assert.rejects(tools([dead]).search('retrieval'), (error: unknown) => ResearchError.is(error, 'network'));
    const bare = site.on('/bare', `<html><body><p>${words}</p></body></html>`);
    await assert.rejects(
      tools([bare]).search('x'),
      (error: unknown) => ResearchError.is(error, 'notFound') && /no feed/.test(error.message),
    );
  });

  it('are read in full', async () => {
    const url = site.on(
      '/post',
      `<html><head><title>Post</title></head><body><article><p>${words}</p></article></body></html>`,
    );
    const { documents } = await tools([]).read(url);
    assert.deepEqual([documents[0]?.kind, documents[0]?.title], ['blogs', 'Post']);
  });
});

describe('blogs with Zyte', () => {
  const list = {
    body: {
      statusCode: 200,
      articleList: {
        articles: [
          {
            url: 'https://example.com/a',
            headline: 'Dense retrieval',
            datePublished: '2026-04-24T00:00:00Z',
            articleBody: 'About retrieval.',
            metadata: { probability: 0.9 },
          },
          { url: 'https://example.com/b', headline: 'Retrieval of no article', metadata: { probability: 0.1 } },
        ],
      },
    },
  };
  /** Without a feed, so that the service is asked; a text, which takes no process to read as a page does. */
  const bare = () =>
    site.on('/bare', (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(words));
  itKeepsTheContract({ service: () => service, call: () => tools([bare()], saved).search('retrieval'), good: list });

  it('are listed where there is no feed, with the key as the user name', async () => {
    service.answer = () => list;
    const page = site.on('/page', `<html><body><p>${words}</p></body></html>`);
    const { documents } = await tools([page], saved).search('retrieval');
    assert.deepEqual(
      documents.map(({ title, date }) => [title, date]),
      [['Dense retrieval', '2026-04-24']],
    );
    assert.equal(service.requests[0]?.headers.authorization, `Basic ${Buffer.from('zyte-key:').toString('base64')}`);
    assert.deepEqual(JSON.parse(service.requests[0].body), { url: page, articleList: true });
  });

  it('are read by it, and as a page when it does not know the article', async () => {
    service.answer = () => ({
      body: {
        statusCode: 200,
        article: {
          url: 'https://example.com/a',
          headline: 'A',
          articleBody: 'The whole text.',
          authors: [{ name: 'Ann' }],
          metadata: { probability: 0.9 },
        },
      },
    });
    const { documents } = await tools([], saved).read('https://example.com/a');
    assert.deepEqual([documents[0]?.text, documents[0]?.authors], ['The whole text.', ['Ann']]);
    service.answer = () => ({
      body: { statusCode: 200, article: { url: 'https://example.com/a', metadata: { probability: 0.06 } } },
    });
    const url = site.on(
      '/post',
      `<html><head><title>Post</title></head><body><article><p>${words}</p></article></body></html>`,
    );
    assert.equal((await tools([], saved).read(url)).documents[0]?.title, 'Post');
  });

  it(
    'the recorded answers are understood',
    { skip: recordingsOf('zyte').length > 0 ? false : 'the recorded answers are not here' },
    async () => {
      const expected: Readonly<Record<string, string>> = {
        400: 'badRequest',
        401: 'auth',
        403: 'auth',
        422: 'badRequest',
        429: 'rateLimit',
        451: 'auth',
        503: 'network',
        520: 'network',
        521: 'network',
      };
      // A list is asked for here.
      for (const name of recordingsOf('zyte').filter((file) => !/^article(?:-not-an-article)?\.http/.test(file))) {
        service.answer = () => recording('zyte', name);
        const status = /error-(\d+)/.exec(name)?.[1];
        const outcome = await tools([bare()], saved)
          .search('context')
          .catch((error: unknown) => error);
        if (status !== undefined)
          assert.ok(ResearchError.is(outcome, expected[status] as 'auth'), `${name}: ${String(outcome)}`);
        else if (name.startsWith('target-404')) assert.ok(ResearchError.is(outcome, 'notFound'), name);
        else assert.ok(!ResearchError.is(outcome), `${name}: ${String(outcome)}`);
        if (name.startsWith('article-list')) assert.ok((outcome as ToolResult).documents.length > 0);
      }
    },
  );
});

describe('blogs as a source', () => {
  it('are absent until sites are named, and send nothing to Zyte without its key', async () => {
    const settingsOf = (raw: Readonly<Record<string, unknown>>) =>
      readAllSettings(raw, createCatalogue({ providers: [], sources: [blogs] })).settings;
    const none = { settings: settingsOf({}), secrets: noSecrets, log: silentLog };
    const { tools, unavailable, absent } = await createTools({ ...none, client: noSession }, [blogs]);
    assert.deepEqual([tools, unavailable, absent.map(({ label }) => label)], [[], [], ['Blogs']]);
    const named = settingsOf({
      'sources.blogs.sites': ['example.com/blog', 'https://example.org/feed', 'not an address'],
    });
    assert.deepEqual(await enabledSources({ ...none, settings: named, hasWorkspace: false }, [blogs]), [
      { name: 'blogs', label: 'Blogs', hosts: ['example.com', 'example.org'] },
    ]);
    const withKey = await enabledSources({ ...none, settings: named, secrets: saved, hasWorkspace: false }, [blogs]);
    assert.deepEqual(withKey, [
      { name: 'blogs', label: 'Blogs', hosts: ['api.zyte.com', 'example.com', 'example.org'] },
    ]);
  });
});
