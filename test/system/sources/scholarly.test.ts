import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ToolResult } from '../../../src/research/tools.ts';
import { abstractOf } from '../../../src/sources/scholarly/openAlex.ts';
import { plainMarkup } from '../../../src/sources/scholarly/paperRecord.ts';
import { scholarly } from '../../../src/sources/scholarly/scholarlySource.ts';
import { createScholarlyTools } from '../../../src/sources/scholarly/scholarlyTools.ts';
import { editionEndpoint, editionOf } from '../../../src/sources/scholarly/wikipediaHost.ts';
import { recording, recordingsOf } from '../../support/recordings.ts';
import { startScriptedService, type ScriptedService, type ServiceAnswer } from '../../support/scriptedService.ts';
import { itKeepsTheContract } from '../../support/serviceContract.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';

const names = ['semanticscholar', 'openalex', 'crossref', 'wikipedia'] as const;
type Name = (typeof names)[number];
const services = {} as Record<Name, ScriptedService>;
before(async () => {
  for (const name of names) services[name] = await startScriptedService();
});
after(() => Promise.all(names.map((name) => services[name].close())));
const nothing: ServiceAnswer = { status: 404, body: 'Resource not found.' };
beforeEach(() => {
  for (const name of names) {
    services[name].requests.length = 0;
    services[name].answer = () => nothing;
  }
  services.crossref.answer = () => ({ body: crossrefPage([]) });
});

function toolsOf(options: Parameters<typeof sourceContext>[2] = {}) {
  const settings = Object.fromEntries(names.map((name) => [`endpoints.${name}`, services[name].url]));
  return createScholarlyTools(
    sourceContext(scholarly, '', { ...options, settings: { ...settings, ...options.settings } }),
  );
}
function call(name: string, args: Record<string, unknown>, language = 'en', tools = toolsOf()): Promise<ToolResult> {
  const tool = tools.find((one) => one.name === name);
  assert.ok(tool);
  return tool.run(args, { ...english, language }, new AbortController().signal);
}
const asked = (): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, services[name].requests.length])) as Record<Name, number>;

const s2 = (n: number, more: object = {}) => ({
  paperId: n.toString(16).padStart(40, '0'),
  title: `A study of subject number ${n}`,
  abstract: `What study ${n} shows.`,
  authors: [{ name: 'Ann Author' }],
  externalIds: { DOI: `10.1000/s${n}`, PubMed: String(n) },
  citationCount: n,
  publicationDate: '2024-03-05',
  openAccessPdf: { url: '' },
  ...more,
});
const s2Page = (...papers: readonly object[]) => ({ total: papers.length, offset: 0, data: papers });
const work = (n: number, more: object = {}) => ({
  id: `https://openalex.org/W${n}000`,
  doi: `https://doi.org/10.1000/S${n}`,
  title: `A study of subject number ${n}`,
  publication_date: '2024-03-06',
  authorships: [{ author: { display_name: 'Ann Author' } }],
  cited_by_count: n + 5,
  is_retracted: false,
  abstract_inverted_index: { study: [1, 4], The: [0], of: [2], this: [3] },
  ...more,
});
const works = (...results: readonly object[]) => ({ meta: { count: results.length }, results });
const crossrefPage = (items: readonly object[]) => ({ message: { 'total-results': items.length, items } });
const notice = (doi: string, type = 'retraction') => ({
  DOI: '10.1000/notice',
  'update-to': [{ DOI: doi, type, updated: { 'date-parts': [[2025, 4, 2]] } }],
});
const wiki = (...pages: readonly object[]) => ({ batchcomplete: true, query: { pages } });
const article = (title: string, more: object = {}) => ({
  ns: 0,
  title,
  index: 1,
  extract: `${title} is a thing.`,
  ...more,
});

describe('search_papers', () => {
  it('asks one service where it has enough, and checks for retractions in one request', async () => {
    services.semanticscholar.answer = () => ({ body: s2Page(s2(1), s2(2), s2(3)) });
    services.crossref.answer = () => ({ body: crossrefPage([notice('10.1000/S2')]) });
    const { documents, note } = await call('search_papers', { query: 'the "latest" studies on well-known subjects' });
    assert.deepEqual(asked(), { semanticscholar: 1, openalex: 0, crossref: 1, wikipedia: 0 });
    assert.equal(services.semanticscholar.requests[0]?.query.get('query'), 'studies well known subjects');
    assert.equal(
      services.crossref.requests[0]?.query.get('filter'),
      'updates:10.1000/s1,updates:10.1000/s2,updates:10.1000/s3',
    );
    const [first, second] = documents;
    assert.deepEqual(first, {
      kind: 'scholarly',
      title: 'A study of subject number 1',
      authors: ['Ann Author'],
      date: '2024-03-05',
      url: 'https://doi.org/10.1000/s1',
      ids: {
        doi: '10.1000/s1',
        pages: [`https://www.semanticscholar.org/paper/${'1'.padStart(40, '0')}`, 'https://pubmed.ncbi.nlm.nih.gov/1/'],
      },
      text: 'What study 1 shows.',
      facts: ['cited 1 times'],
    });
    assert.equal(second?.standing, 'retracted');
    assert.equal(
      second?.facts?.[0],
      'RETRACTED by its publisher: do not rely on it (retraction of 2025-04-02: 10.1000/notice)',
    );
    assert.match(note ?? '', /^3 of 3 papers for: studies well-known subjects \(Semantic Scholar\)\.$/);
  });

  it('asks the next service when one refuses, and asks that one last from then on', async () => {
    services.semanticscholar.answer = () => ({ status: 429, body: { message: 'Too Many Requests.', code: '429' } });
    services.openalex.answer = () => ({ body: works(work(1), work(2), work(3, { is_retracted: true })) });
    const tools = toolsOf();
    const { documents, note } = await call('search_papers', { query: 'subject number' }, 'en', tools);
    assert.deepEqual(
      documents.map(({ standing }) => standing),
      [undefined, undefined, 'retracted'],
    );
    assert.equal(documents[0]?.text, 'The study of this study');
    assert.match(note ?? '', /\(OpenAlex\)\. Semantic Scholar accepts no more requests/);
    const before = asked().semanticscholar;
    await call('search_papers', { query: 'another subject' }, 'en', tools);
    assert.equal(asked().semanticscholar, before);
  });

  it('puts the same paper of two services together', async () => {
    services.semanticscholar.answer = () => ({ body: s2Page(s2(1, { abstract: null, tldr: { text: 'A gist.' } })) });
    services.openalex.answer = () => ({ body: works(work(1), work(2)) });
    const { documents } = await call('search_papers', { query: 'subject number' });
    assert.equal(documents.length, 2);
    assert.equal(documents[0]?.text, 'The study of this study');
    assert.deepEqual(documents[0]?.facts, ['cited 6 times']);
    assert.ok(documents[0]?.ids?.pages?.includes('https://openalex.org/W1000'));
  });

  it('sorts, restricts by date and pages on the service', async () => {
    services.openalex.answer = () => ({ body: { ...works(work(1), work(2), work(3)), meta: { count: 40 } } });
    const { note } = await call('search_papers', {
      query: 'x-ray',
      sort: 'citations',
      since: '2024-01-01',
      page: 2,
      max_results: 3,
    });
    const query = services.openalex.requests[0]?.query;
    assert.deepEqual(
      [query?.get('sort'), query?.get('filter'), query?.get('page'), query?.get('per_page')],
      ['cited_by_count:desc', 'from_publication_date:2024-01-01', '2', '3'],
    );
    assert.match(note ?? '', /More with page 3/);
    assert.equal(asked().semanticscholar, 0);
  });

  it('searches with fewer words when nothing has all, and says when there is nothing', async () => {
    services.semanticscholar.answer = ({ query }) => ({
      body: query.get('query')?.split(' ').length === 3 ? s2Page(s2(1), s2(2), s2(3)) : { total: 0, offset: 0 },
    });
    services.openalex.answer = () => ({ body: works() });
    const found = await call('search_papers', { query: 'antimicrobial peptides frog skin secretions' });
    assert.match(found.note ?? '', /searched with fewer/);
    services.semanticscholar.answer = () => ({ body: { total: 0, offset: 0 } });
    assert.match(
      (await call('search_papers', { query: 'zeppelin xylophone' })).note ?? '',
      /^No paper for: zeppelin xylophone/,
    );
  });

  it('says that retractions could not be checked, and gives the papers', async () => {
    services.semanticscholar.answer = () => ({ body: s2Page(s2(1), s2(2), s2(3)) });
    services.crossref.answer = () => ({ status: 500, body: 'Internal' });
    const { documents, note } = await call('search_papers', { query: 'subject number' });
    assert.equal(documents.length, 3);
    assert.match(note ?? '', /retracted could not be checked/);
  });

  it('searches in English for what a question in another script names', async () => {
    services.wikipedia.answer = () => ({
      body: wiki(article('知识图谱', { langlinks: [{ lang: 'en', title: 'Knowledge graph (database)' }] })),
    });
    services.semanticscholar.answer = () => ({ body: s2Page(s2(1), s2(2), s2(3)) });
    const { note, english: name } = await call('search_papers', { query: 'RAG 知识图谱' }, 'zh');
    assert.equal(services.semanticscholar.requests[0]?.query.get('query'), 'Knowledge graph RAG');
    assert.equal(name, 'Knowledge graph');
    assert.match(note ?? '', /Searched in English, as Wikipedia calls it: Knowledge graph\./);
  });

  it('rejects when no service answers, with what the first one said', async () => {
    for (const name of names) services[name].answer = () => ({ status: 503, body: 'Down' });
    await assert.rejects(call('search_papers', { query: 'subject' }), (error) => ResearchError.is(error, 'network'));
  });
});

describe('get_paper', () => {
  it('knows a paper by any of its ids, and merges what the services say', async () => {
    services.openalex.answer = () => ({ body: work(1, { abstract_inverted_index: null }) });
    services.crossref.answer = () => ({
      body: {
        message: {
          DOI: '10.1000/s1',
          title: ['A study of <i>subject</i> number 1'],
          author: [{ given: 'Ann', family: 'Author' }],
          issued: { 'date-parts': [[null]] },
          'container-title': ['Journal of Studies'],
          abstract: '<jats:title>Abstract</jats:title><jats:p>One &amp; two.</jats:p><jats:p>Three.</jats:p>',
          'is-referenced-by-count': 3,
          'updated-by': [{ DOI: '10.1000/n', type: 'expression_of_concern' }],
        },
      },
    });
    for (const id of ['10.1000/S1', 'doi:10.1000/s1', 'https://dl.acm.org/doi/10.1000/s1']) {
      const { documents } = await call('get_paper', { id });
      assert.equal(documents[0]?.text, 'One & two.\n\nThree.');
      assert.equal(documents[0]?.standing, 'doubted');
      assert.deepEqual(documents[0]?.facts?.slice(1), ['cited 6 times', 'published in Journal of Studies']);
    }
    assert.equal(services.openalex.requests[0]?.path, '/works/doi%3A10.1000/s1');
    assert.equal(asked().semanticscholar, 0);
  });

  it('asks the services that know an id, and says which ids are unknown', async () => {
    services.semanticscholar.answer = ({ path }) =>
      path.includes('ARXIV') ? { body: s2(4, { externalIds: { ArXiv: '1706.03762' } }) } : nothing;
    const { documents, note } = await call('get_paper', { ids: ['arXiv:1706.03762v5', 'PMID:99', 'nonsense'] });
    assert.equal(documents[0]?.url, 'https://arxiv.org/abs/1706.03762');
    assert.match(note ?? '', /Not found: pmid:99\. Not ids of papers: "nonsense"\./);
    assert.deepEqual(services.openalex.requests.map(({ path }) => path).sort(), [
      '/works/doi%3A10.48550/arXiv.1706.03762',
      '/works/pmid%3A99',
    ]);
  });

  it('rejects what is no id, and what no service knows', async () => {
    await assert.rejects(call('get_paper', { id: 'Attention Is All You Need' }), (error) =>
      ResearchError.is(error, 'badRequest'),
    );
    await assert.rejects(call('get_paper', { id: '10.1000/unknown' }), (error) =>
      ResearchError.is(error, 'notFound', 'badAnswer'),
    );
  });
});

describe('Wikipedia', () => {
  it('is searched in one request for the introductions, without pages that tell meanings apart', async () => {
    services.wikipedia.answer = () => ({
      body: wiki(
        article('Second', { index: 2, revisions: [{ timestamp: '2026-01-02T03:04:05Z' }] }),
        article('Mercury', { index: 1, pageprops: { disambiguation: '' } }),
        article('Talk', { ns: 1 }),
        article('First (thing)', { index: 1, fullurl: 'javascript:alert(1)' }),
      ),
    });
    const { documents } = await call('search_wikipedia', { query: 'what a first thing' });
    assert.deepEqual(
      documents.map(({ title, url, date }) => [title, url, date]),
      [
        ['First (thing)', 'https://en.wikipedia.org/wiki/First_(thing)', undefined],
        ['Second', 'https://en.wikipedia.org/wiki/Second', '2026-01-02'],
      ],
    );
    assert.equal(services.wikipedia.requests.length, 1);
    assert.equal(services.wikipedia.requests[0]?.query.get('exintro'), '1');
  });

  it('gives an article with its sections, without references', async () => {
    services.wikipedia.answer = () => ({
      body: wiki(
        article('Thing', {
          extract:
            'Intro.\n\n\n== History ==\nOld.\n=== Early ===\nOlder.\n== References ==\nx\n=== Books ===\ny\n== Uses ==\nMany.',
        }),
      ),
    });
    const { documents } = await call('get_wikipedia_article', {
      title: 'https://en.m.wikipedia.org/wiki/Thing#History',
    });
    assert.equal(services.wikipedia.requests[0]?.query.get('titles'), 'Thing');
    assert.equal(documents[0]?.text, 'Intro.\n\n## History\n\nOld.\n\n### Early\n\nOlder.\n\n## Uses\n\nMany.');
  });

  it('is asked in the language of the question at the public address alone', () => {
    assert.equal(editionEndpoint('https://en.wikipedia.org', editionOf('zh-CN')), 'https://zh.wikipedia.org');
    assert.equal(editionEndpoint('https://en.wikipedia.org', editionOf('tlh')), 'https://en.wikipedia.org');
    assert.equal(editionEndpoint('http://127.0.0.1:1', 'zh'), 'http://127.0.0.1:1');
  });

  it('rejects an article that is missing, and an error in an answer', async () => {
    services.wikipedia.answer = () => ({ body: wiki({ ns: 0, title: 'X', missing: true }) });
    await assert.rejects(call('get_wikipedia_article', { title: 'X' }), (error) => ResearchError.is(error, 'notFound'));
    services.wikipedia.answer = () => ({
      body: { error: { code: 'missingparam', info: 'The parameter must be set.' } },
    });
    await assert.rejects(call('search_wikipedia', { query: 'X' }), (error) => ResearchError.is(error, 'badRequest'));
  });

  itKeepsTheContract({
    service: () => services.wikipedia,
    call: () => call('search_wikipedia', { query: 'thing' }),
    good: { body: wiki(article('Thing')) },
  });
});

describe('OpenAlex alone', () => {
  itKeepsTheContract({
    service: () => services.openalex,
    call: () => {
      services.crossref.answer = () => nothing;
      return call('search_papers', { query: 'thing', sort: 'citations', max_results: 1 });
    },
    good: { body: works(work(1), work(2), work(3)) },
  });
});

describe('Semantic Scholar alone', () => {
  itKeepsTheContract({
    service: () => services.semanticscholar,
    call: () => call('get_paper', { id: '1'.padStart(40, '0') }),
    good: { body: s2(1) },
  });
});

describe('Crossref alone', () => {
  itKeepsTheContract({
    service: () => services.crossref,
    call: () => call('get_paper', { id: '10.1000/s1' }),
    good: { body: { message: { DOI: '10.1000/s1', title: ['A study'], abstract: 'Text.' } } },
  });
});

describe('texts of services', () => {
  it('are put together from the places of their words, within limits', () => {
    assert.equal(abstractOf({ b: [1], a: [0, 2] }), 'a b a');
    assert.equal(abstractOf({ a: [0], b: 'x', c: [-1, 1e9, 0.5, null] }), 'a');
    assert.equal(abstractOf({}), '');
    assert.equal(plainMarkup('<jats:p>a &lt; b &#8211; c &#0; &#x110000;</jats:p>'), 'a < b – c');
    assert.ok(plainMarkup('<'.repeat(1_000_000)).length <= 100_000);
  });
});

describe('recorded answers of the scholarly services', { skip: recordingsOf('openalex').length === 0 }, () => {
  const failures: readonly (readonly [Name, string, string])[] = [
    ['semanticscholar', 'error-429.http.json', 'rateLimit'],
    ['semanticscholar', 'error-403.http.json', 'auth'],
    ['semanticscholar', 'error-404.http.json', 'notFound'],
    ['semanticscholar', 'error-400.http.json', 'badRequest'],
    ['openalex', 'error-429-budget.http.json', 'rateLimit'],
    ['openalex', 'error-403-invalid-param.http.json', 'auth'],
    ['openalex', 'error-404.http.json', 'notFound'],
    ['crossref', 'error-429.http.json', 'rateLimit'],
    ['crossref', 'error-400-validation.http.json', 'badRequest'],
    ['crossref', 'error-404-plain-text.http.json', 'notFound'],
    ['wikipedia', 'error-429.http.json', 'rateLimit'],
    ['wikipedia', 'error-403-user-agent.http.json', 'auth'],
    ['wikipedia', 'error-200-api-error.http.json', 'badRequest'],
  ];
  for (const [name, file, reason] of failures) {
    it(`${name} ${file} is a failure: ${reason}`, async () => {
      // The others have nothing, which counts less than what this one says.
      for (const other of names) services[other].answer = () => nothing;
      services[name].answer = () => recording(name, file);
      const asking =
        name === 'wikipedia'
          ? call('search_wikipedia', { query: 'thing' })
          : call('get_paper', { id: name === 'semanticscholar' ? '1'.padStart(40, '0') : '10.1000/s1' });
      await assert.rejects(asking, (error) => ResearchError.is(error, reason as 'auth'));
    });
  }
  for (const [name, file, count] of [
    ['semanticscholar', 'search-attention-5.http.json', 5],
    ['semanticscholar', 'search-minimal-3.json', 3],
    ['openalex', 'works-search-4.http.json', 4],
    ['openalex', 'works-search-full-3.json', 3],
    ['crossref', 'works-query-3.json', 3],
  ] as const) {
    it(`${name} ${file} gives its papers`, async () => {
      for (const other of names) services[other].answer = () => ({ status: 503, body: '' });
      services[name].answer = ({ query }) =>
        query.get('filter')?.startsWith('updates:') ? { body: crossrefPage([]) } : recording(name, file);
      const { documents } = await call('search_papers', { query: 'attention mechanism', max_results: 50 });
      assert.equal(documents.length, count);
      for (const { title, url, text, date } of documents) {
        assert.ok(title !== '' && text !== '' && url !== undefined && URL.canParse(url));
        assert.doesNotMatch(title + text, /<|&(?:amp|lt|gt);|\u0000/);
        assert.match(date ?? '2000', /^\d{4}(?:-\d\d){0,2}$/);
      }
      // Some works have no abstract.
      if (name === 'openalex') assert.ok(documents.some(({ text }) => text.length > 200));
    });
  }
  it('semanticscholar search-empty.http.json has no papers', async () => {
    services.semanticscholar.answer = () => recording('semanticscholar', 'search-empty.http.json');
    services.openalex.answer = () => ({ body: works() });
    assert.deepEqual((await call('search_papers', { query: 'x' })).documents, []);
  });
  it('wikipedia action-extracts-plain.json gives its article', async () => {
    services.wikipedia.answer = () => recording('wikipedia', 'action-extracts-plain.json');
    const { documents } = await call('get_wikipedia_article', { title: 'Python (programming language)' });
    assert.equal(documents[0]?.title, 'Python (programming language)');
    assert.ok((documents[0]?.text.length ?? 0) > 500);
  });
  it('wikipedia action-page-missing.json is a missing article', async () => {
    services.wikipedia.answer = () => recording('wikipedia', 'action-page-missing.json');
    await assert.rejects(call('get_wikipedia_article', { title: 'X' }), (error) => ResearchError.is(error, 'notFound'));
  });
});
