import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ToolResult } from '../../../src/research/tools.ts';
import { huggingface } from '../../../src/sources/huggingface/huggingfaceSource.ts';
import { createHuggingfaceTools } from '../../../src/sources/huggingface/huggingfaceTools.ts';
import { recording, recordingsOf } from '../../support/recordings.ts';
import { startScriptedService, type ScriptedService, type ServiceAnswer } from '../../support/scriptedService.ts';
import { itKeepsTheContract } from '../../support/serviceContract.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';

let service: ScriptedService;
before(async () => {
  service = await startScriptedService();
});
after(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});

function call(
  name: string,
  args: Record<string, unknown>,
  options: Parameters<typeof sourceContext>[2] = {},
): Promise<ToolResult> {
  const tool = createHuggingfaceTools(sourceContext(huggingface, service.url, options)).find(
    (one) => one.name === name,
  );
  assert.ok(tool);
  return tool.run(args, english, new AbortController().signal);
}
const papers = (args: Record<string, unknown> = { query: 'speculative decoding' }) =>
  call('get_huggingface_papers', args);
const posts = (args: Record<string, unknown> = {}) => call('get_huggingface_blog_posts', args);
const models = (args: Record<string, unknown> = { query: 'mistral' }) => call('search_huggingface_models', args);
const always = (answer: ServiceAnswer): void => {
  service.answer = () => answer;
};

const paper = (id: string, more: object = {}) => ({
  paper: {
    id,
    title: `Paper\n ${id}`,
    summary: `What ${id} shows.`,
    authors: [{ name: 'Ann Author' }, { name: '' }],
    publishedAt: '2026-07-28T00:00:00.000Z',
    upvotes: 12,
    githubRepo: 'https://github.com/o/n',
    githubStars: 7,
    ...more,
  },
  numComments: 2,
});
const feed = (...items: readonly string[]): string =>
  `<rss version="2.0"><channel><title>Blog</title>${items.join('')}</channel></rss>`;
const item = (title: string, path: string, date = 'Wed, 01 Jul 2026 00:00:00 GMT'): string =>
  `<item><title>${title}</title><pubDate>${date}</pubDate><link>https://huggingface.co/blog/${path}</link></item>`;
const model = {
  id: 'acme/Small-7B',
  likes: 5,
  downloads: 1200,
  tags: ['license:apache-2.0', 'base_model:acme/Base-7B', 'base_model:quantized:acme/Base-7B', 'arxiv:2607.00001'],
  pipeline_tag: 'text-generation',
  createdAt: '2026-06-13T06:42:57.000Z',
};

describe('get_huggingface_papers', () => {
  it('finds papers by keywords, as the same source as on arXiv', async () => {
    always({ body: [paper('2607.23193'), paper('2607.00002', { upvotes: undefined })] });
    const { documents, note } = await papers({ query: 'the latest papers on speculative decoding' });
    const [request] = service.requests;
    assert.equal(request?.path, '/api/papers/search');
    assert.equal(request?.query.get('q'), 'the on speculative decoding');
    assert.deepEqual(documents[0], {
      kind: 'huggingface',
      title: 'Paper 2607.23193',
      authors: ['Ann Author'],
      date: '2026-07-28',
      url: 'https://huggingface.co/papers/2607.23193',
      ids: { arxiv: '2607.23193' },
      text: 'What 2607.23193 shows.',
      facts: ['12 upvotes on Hugging Face', 'code: https://github.com/o/n (7 stars)', '2 comments'],
    });
    assert.match(note ?? '', /^2 of 2 papers for:/);
  });

  it('pages through what the search gave, without another request', async () => {
    always({ body: Array.from({ length: 25 }, (_, n) => paper(`2607.${10_000 + n}`)) });
    const context = sourceContext(huggingface, service.url);
    const [tool] = createHuggingfaceTools(context);
    const page = (n: number) => tool!.run({ query: 'rag', max_results: 10, page: n }, english, AbortSignal.any([]));
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    assert.deepEqual(
      [first, second, third].map(({ documents }) => documents.length),
      [10, 10, 5],
    );
    assert.equal(service.requests.length, 1);
    assert.match(second.note ?? '', /More with page 3/);
    assert.doesNotMatch(third.note ?? '', /More with/);
  });

  it('gives the papers of a day without a query', async () => {
    always({ body: [paper('2607.23193')] });
    await papers({ date: '2026-07-28', sort: 'newest', max_results: 5, page: 2 });
    assert.equal(service.requests[0]?.path, '/api/daily_papers');
    assert.deepEqual(Object.fromEntries(service.requests[0]?.query ?? []), {
      date: '2026-07-28',
      sort: 'publishedAt',
      limit: '5',
      p: '1',
    });
  });

  it('says so when there is none, and sends no query that is too short', async () => {
    always({ body: [] });
    assert.match((await papers()).note ?? '', /no papers for: speculative decoding/);
    await assert.rejects(papers({ query: '知识' }), (error) => ResearchError.is(error, 'badRequest'));
    assert.equal(service.requests.length, 1);
  });

  it('goes on without a key that is refused, and says so once', async () => {
    service.answer = ({ headers }) =>
      headers.authorization === undefined
        ? { body: [paper('2607.23193')] }
        : { status: 401, body: { error: 'Invalid username or password.' } };
    const secrets = { key: () => Promise.resolve('hf_secret') };
    const { documents, warnings } = await call('get_huggingface_papers', { query: 'rag' }, { secrets });
    assert.equal(documents.length, 1);
    assert.match(warnings?.[0] ?? '', /rejected the saved key/);
  });

  it('waits as long as the headers of a limit say', async () => {
    always({ status: 429, headers: { ratelimit: '"api";r=0;t=55' }, body: { error: 'Too many' } });
    await assert.rejects(papers(), (error) => ResearchError.is(error, 'rateLimit') && error.retryAfterMs === 55_000);
    assert.equal(service.requests.length, 1);
  });

  itKeepsTheContract({ service: () => service, call: () => papers(), good: { body: [paper('2607.23193')] } });
});

describe('get_huggingface_blog_posts', () => {
  it('finds articles by the words of their titles, the newest first', async () => {
    always({
      body: feed(
        item('Speculative decoding for whisper', 'whisper'),
        item('Gemma &amp; friends', 'acme/gemma'),
        item('Faster decoding', 'faster', 'Wed, 01 Jul 2020 00:00:00 GMT'),
      ),
    });
    const { documents } = await posts({ query: 'speculative decoding' });
    assert.deepEqual(
      documents.map(({ title }) => title),
      ['Speculative decoding for whisper', 'Faster decoding'],
    );
    const all = (await posts({ since: '2021-01-01' })).documents;
    assert.deepEqual(
      all.map(({ url, date }) => [url, date]),
      [
        ['https://huggingface.co/blog/whisper', '2026-07-01'],
        ['https://huggingface.co/blog/acme/gemma', '2026-07-01'],
      ],
    );
    assert.equal(all[1]?.title, 'Gemma & friends');
    assert.match((await posts({ query: 'zeppelin' })).note ?? '', /^None of the 3 latest articles/);
  });

  for (const body of [
    '',
    '<html></html>',
    feed(item('a', 'b')).slice(0, -20),
    '{}',
    `<!DOCTYPE r [<!ENTITY x "y">]>${feed()}`,
  ]) {
    it(`takes no answer for a feed that is none: ${body.slice(0, 20)}`, async () => {
      always({ body });
      await assert.rejects(posts(), (error) => ResearchError.is(error, 'badAnswer'));
    });
  }
});

describe('read_huggingface_blog_post', () => {
  it('reads the article of a page', async () => {
    always({
      headers: { 'content-type': 'text/html' },
      body: `<html><head><title>Faster decoding</title></head><body><nav>Menu</nav><article><h1>Faster decoding</h1>
        <p>${'It takes half the time. '.repeat(30)}</p></article></body></html>`,
    });
    const { documents } = await call('read_huggingface_blog_post', { url: 'https://huggingface.co/blog/acme/faster' });
    assert.equal(service.requests[0]?.path, '/blog/acme/faster');
    assert.equal(documents[0]?.url, 'https://huggingface.co/blog/acme/faster');
    assert.match(documents[0]?.text ?? '', /It takes half the time/);
    assert.deepEqual(documents[0]?.authors, ['acme']);
  });

  it('rejects a page without one, and an address elsewhere', async () => {
    always({ headers: { 'content-type': 'text/html' }, body: '<html><body>Nothing.</body></html>' });
    await assert.rejects(call('read_huggingface_blog_post', { url: 'faster' }), (error) =>
      ResearchError.is(error, 'badAnswer'),
    );
    service.requests.length = 0;
    for (const url of ['https://example.org/blog/x', '../../api/models', 'a/b/c'])
      await assert.rejects(call('read_huggingface_blog_post', { url }), (error) =>
        ResearchError.is(error, 'badRequest'),
      );
    assert.equal(service.requests.length, 0);
  });
});

describe('models', () => {
  it('are found by name, with what is known of them', async () => {
    always({ body: [model] });
    const { documents } = await models({ query: 'small', task: 'Text Generation', sort: 'trending' });
    assert.equal(service.requests[0]?.query.get('filter'), 'text-generation');
    assert.equal(service.requests[0]?.query.get('sort'), 'trendingScore');
    assert.deepEqual(documents[0]?.facts, [
      'task text-generation',
      '1200 downloads in 30 days',
      '5 likes',
      'licence apache-2.0',
      'based on acme/Base-7B',
      'papers arXiv:2607.00001',
    ]);
    assert.equal(documents[0]?.ids, undefined);
  });

  it('are asked for by one word when no name has all of them', async () => {
    service.answer = ({ query }) => ({ body: query.get('search') === 'mistral' ? [model] : [] });
    assert.equal((await models({ query: 'mistral long context' })).documents.length, 1);
    assert.equal(service.requests.length, 2);
  });

  it('are opened with their model card', async () => {
    service.answer = ({ path }) =>
      path === '/api/models/acme/Small-7B'
        ? { body: model }
        : { body: '---\nlicense: mit\n---\n# Small\n\n<img src="x">![logo](https://x/y.png)\nIt is small.\n' };
    const { documents } = await call('get_huggingface_model', { id: 'https://huggingface.co/acme/Small-7B' });
    assert.equal(documents[0]?.text, '# Small\n\nIt is small.');
  });

  it('are told apart from what is no model', async () => {
    await assert.rejects(call('get_huggingface_model', { id: '../../etc/passwd' }), (error) =>
      ResearchError.is(error, 'badRequest'),
    );
    assert.equal(service.requests.length, 0);
  });

  itKeepsTheContract({ service: () => service, call: () => models(), good: { body: [model] } });
});

describe('recorded answers of Hugging Face', { skip: recordingsOf('huggingface').length === 0 }, () => {
  for (const name of recordingsOf('huggingface').filter((file) => /^(daily-papers|papers-search)/.test(file))) {
    it(`${name} gives its papers`, async () => {
      always(recording('huggingface', name));
      const { documents } = await papers({ query: 'anything', max_results: 50 });
      const all = JSON.parse(recording('huggingface', name).body) as { paper: { id: string } }[];
      assert.deepEqual(
        documents.map(({ ids }) => ids?.arxiv),
        all.slice(0, 50).map((one) => one.paper.id),
      );
      for (const { title, text, date, authors } of documents) {
        assert.ok(title !== '' && text.length > 100 && !/\n/.test(title + text));
        assert.match(date ?? '', /^\d{4}-\d\d-\d\d$/);
        assert.ok(authors.length > 0);
      }
    });
  }
  for (const [name, count] of [
    ['blog-feed-3.xml', 3],
    ['blog-feed-31.xml', 30],
  ] as const) {
    it(`${name} gives its articles`, async () => {
      always(recording('huggingface', name));
      assert.equal((await posts({ max_results: 30 })).documents.length, count);
    });
  }
  for (const name of ['models-expanded-6.json', 'models-trending-15.json']) {
    it(`${name} gives its models`, async () => {
      always(recording('huggingface', name));
      const { documents } = await models({ query: 'x', max_results: 30 });
      assert.equal(documents.length, (JSON.parse(recording('huggingface', name).body) as unknown[]).length);
    });
  }
  for (const [name, reason] of [
    ['error-429.http.json', 'rateLimit'],
    ['error-404-paper.http.json', 'notFound'],
    ['error-401.http.json', 'auth'],
    ['error-400-bad-date.http.json', 'badRequest'],
  ] as const) {
    it(`${name} is a failure: ${reason}`, async () => {
      always(recording('huggingface', name));
      await assert.rejects(papers(), (error) => ResearchError.is(error, reason));
    });
  }
});
