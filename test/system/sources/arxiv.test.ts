import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResearchError, type ErrorReason } from '../../../src/research/errors.ts';
import { arxiv } from '../../../src/sources/arxiv/arxivSource.ts';
import { createArxivTools } from '../../../src/sources/arxiv/arxivTools.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';
import { samplePdf } from '../../support/samplePdf.ts';
import { startSourceServer, type ScriptedAnswer, type SourceServer } from '../../support/sourceServer.ts';

let server: SourceServer;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());

const never = new AbortController().signal;

function tools(options: Parameters<typeof sourceContext>[2] = {}) {
  const [search, get, read] = createArxivTools(sourceContext(arxiv, server.arxivUrl, options));
  assert.ok(search && get && read);
  return {
    read: (id: string) => read.run({ id }, english, never),
    search: (args: Record<string, unknown>, language = 'en') => search.run(args, { ...english, language }, never),
    get: (args: Record<string, unknown>) => get.run(args, english, never),
  };
}
/** What was asked since. */
function mark(): () => readonly URLSearchParams[] {
  const from = server.requests.length;
  return () => server.requests.slice(from).map(({ query }) => query);
}
function fails(reason: ErrorReason, pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
    assert.match(error.message, pattern);
    return true;
  };
}
function answer(body: string, more: Partial<ScriptedAnswer> = {}): void {
  server.script('arxiv', { status: 200, headers: { 'content-type': 'application/atom+xml' }, body, ...more });
}
const feedOf = (inner: string, total = 1): string =>
  `<?xml version='1.0' encoding='UTF-8'?><feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom"><title>t</title><opensearch:totalResults>${total}</opensearch:totalResults>${inner}</feed>`;
const entry = (id: string, title: string, more = ''): string =>
  `<entry><id>http://arxiv.org/abs/${id}</id><title>${title}</title><published>2024-01-02T00:00:00Z</published><updated>2024-01-02T00:00:00Z</updated><summary>About ${title}.</summary><author><name>A. Author</name></author>${more}</entry>`;

describe('search_arxiv_papers', () => {
  it('gives papers with title, authors, date, abstract, link and facts', async () => {
    const { documents, note } = await tools().search({
      query: 'corrective retrieval augmented generation reproduction',
    });
    const [paper] = documents;
    assert.equal(
      paper?.title,
      'Open-Source Reproduction and Explainability Analysis of Corrective Retrieval Augmented Generation',
    );
    assert.equal(paper?.kind, 'arxiv');
    assert.equal(paper?.url, 'https://arxiv.org/abs/2603.16169v1');
    assert.equal(paper?.ids?.arxiv, '2603.16169');
    assert.match(paper?.date ?? '', /^2026-03-\d\d$/);
    assert.ok(paper && paper.text.length > 500 && !/\s{2}/.test(paper.text));
    assert.deepEqual(paper?.facts, ['cs.IR']);
    assert.equal(paper?.authors.length, 1);
    assert.match(note ?? '', /^1 of 1 papers for all:/);
  });

  it('asks for fewer terms when nothing has all of them, in one more request, and says so', async () => {
    const asked = mark();
    const { documents, note } = await tools().search({ query: 'retrieval hallucination zeppelin' });
    assert.equal(asked().length, 2);
    assert.ok(documents.length > 0);
    assert.match(note ?? '', /No paper has all the terms/);
  });

  it('says what it searched for when there is nothing', async () => {
    const { documents, note } = await tools().search({ query: 'xylophone zeppelin' });
    assert.deepEqual(documents, []);
    assert.match(note ?? '', /no paper for .*zeppelin.*Try fewer/);
  });

  it('sorts and restricts by date on the service', async () => {
    const asked = mark();
    const { documents } = await tools().search({
      query: 'ti:retrieval',
      sort: 'newest',
      since: '2026-05-01',
      max_results: 3,
    });
    assert.match(asked()[0]?.get('search_query') ?? '', /^\(ti:retrieval\) AND submittedDate:\[202605010000 TO /);
    assert.equal(asked()[0]?.get('sortBy'), 'submittedDate');
    assert.ok(documents.length > 0);
    assert.ok(documents.every(({ date }) => date !== undefined && date >= '2026-05-01'));
  });

  it('keeps to the later of two dates', async () => {
    const asked = mark();
    await tools({ settings: { 'sources.since': '2026-06-15' } }).search({ query: 'ti:retrieval', since: '2020-01-01' });
    assert.match(asked()[0]?.get('search_query') ?? '', /submittedDate:\[202606150000/);
  });

  it('takes arguments as a model sends them', async () => {
    const asked = mark();
    await tools().search({ query: 'ti:quantization', max_results: '500', sort: 'NEWEST', since: null });
    assert.deepEqual([asked()[0]?.get('max_results'), asked()[0]?.get('sortBy')], ['50', 'submittedDate']);
    await assert.rejects(tools().search({ query: 'x', since: 'yesterday' }), fails('badRequest', /"since"/));
    await assert.rejects(tools().search({}), fails('badRequest', /"query"/));
  });

  it('looks a paper up when the query is its id', async () => {
    const asked = mark();
    const { documents } = await tools().search({ query: 'https://arxiv.org/pdf/2604.05012' });
    assert.equal(asked()[0]?.get('id_list'), '2604.05012');
    assert.equal(documents[0]?.ids?.arxiv, '2604.05012');
  });

  it('asks for English when a question has nothing else, and tells what it left out of a mixed one', async () => {
    await assert.rejects(tools().search({ query: '量子计算' }, 'zh'), fails('badRequest', /English/));
    const { note } = await tools().search({ query: '检索增强 RAG 方法' }, 'zh');
    assert.match(note ?? '', /left out 检索增强/);
  });

  it('marks what the workspace cites', async () => {
    const { documents, note } = await tools({ facts: { arxivIds: ['2604.05012'] } }).search({ query: '"KV cache"' });
    assert.deepEqual(
      documents.filter(({ alreadyCited }) => alreadyCited).map(({ ids }) => ids?.arxiv),
      ['2604.05012'],
    );
    assert.match(note ?? '', /already cites/);
  });

  it('marks withdrawn papers', async () => {
    const { documents } = await tools().search({ query: '"Self-Attentive Neural Collaborative Filtering"' });
    assert.match(documents[0]?.facts?.[0] ?? '', /^withdrawn/);
    answer(
      feedOf(
        entry('2401.00001v2', 'T', '<arxiv:comment>16 pages</arxiv:comment>').replace(
          'About T.',
          'The withdrawal of troops is studied.',
        ),
      ),
    );
    const other = await tools().search({ query: 'troops' });
    assert.ok(!other.documents[0]?.facts?.some((fact) => fact.startsWith('withdrawn')));
  });

  it('keeps one document of several versions, the newest', async () => {
    answer(feedOf(entry('2401.00001v1', 'Old') + entry('2401.00002v1', 'Other') + entry('2401.00001v3', 'New'), 3));
    const { documents } = await tools().search({ query: 'versions' });
    assert.deepEqual(
      documents.map(({ title }) => title),
      ['New', 'Other'],
    );
  });

  it('reads the layout of before 2026, entities and numeric titles', async () => {
    answer(`<?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><title type="html">ArXiv Query</title>
      <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
      <entry><id>http://arxiv.org/abs/hep-th/9901001v2</id><published>1999-01-01T00:00:00Z</published><updated>1999-02-01T00:00:00Z</updated>
      <title>0</title><summary>  Wrapped
      &lt;text&gt; of Erd&#337;s &amp; co.
      </summary><author><name>N. N.</name><arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">U</arxiv:affiliation></author>
      <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">Phys. Lett. 1</arxiv:journal_ref><arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/1</arxiv:doi>
      <arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="hep-th" scheme="x"/></entry></feed>`);
    const { documents } = await tools().search({ query: 'legacy' });
    assert.deepEqual(documents, [
      {
        kind: 'arxiv',
        title: '0',
        authors: ['N. N.'],
        date: '1999-01-01',
        url: 'https://arxiv.org/abs/hep-th/9901001v2',
        ids: { arxiv: 'hep-th/9901001', doi: '10.1000/1' },
        text: 'Wrapped <text> of Erdős & co.',
        facts: ['hep-th', 'updated 1999-02-01', 'published in Phys. Lett. 1'],
      },
    ]);
  });

  it('reads a big feed full of entities, and refuses one that defines its own', async () => {
    answer(
      feedOf(
        Array.from({ length: 50 }, (_, n) =>
          entry(`2401.${String(n).padStart(5, '0')}v1`, 'A &amp; B &lt; C '.repeat(60)),
        ).join(''),
        50,
      ),
    );
    assert.equal((await tools().search({ query: 'entities' })).documents.length, 50);
    answer(
      `<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa">]><feed xmlns="http://www.w3.org/2005/Atom"><title>&a;</title></feed>`,
      { times: 3 },
    );
    await assert.rejects(tools().search({ query: 'bomb' }), fails('badAnswer', /another kind/));
  });

  it('asks again when the page is empty although there are results', async () => {
    answer(feedOf('', 12));
    const found = await tools().search({ query: '"KV cache" quantization' });
    assert.ok(found.documents.length >= 0);
    answer(feedOf('', 12), { times: 2 });
    await assert.rejects(tools().search({ query: 'empty page' }), fails('badAnswer', /12 papers but sent none/));
  });
});

describe('search_arxiv_papers when arXiv fails', () => {
  it('never takes a failure for an empty result', async () => {
    const cases: readonly (readonly [ScriptedAnswer, ErrorReason, RegExp])[] = [
      [{ status: 429, body: 'Rate exceeded.', times: 3 }, 'rateLimit', /arXiv accepts no more requests/],
      [{ status: 200, body: 'Rate exceeded.', times: 3 }, 'rateLimit', /arXiv accepts no more requests/],
      [
        { status: 406, body: '<html><h1>406 Not Acceptable</h1></html>', times: 3 },
        'rateLimit',
        /arXiv accepts no more requests/,
      ],
      [{ status: 503, body: '<html>busy</html>', times: 3 }, 'network', /not available.*503/],
      [{ status: 200, body: '<!DOCTYPE html><html><body>down</body></html>', times: 3 }, 'badAnswer', /web page/],
      [{ status: 200, body: '', times: 3 }, 'badAnswer', /nothing at all/],
      [{ status: 200, body: feedOf(entry('2401.00001v1', 'x')).slice(0, -20), times: 3 }, 'badAnswer', /incomplete/],
      [{ status: 200, body: feedOf('') + feedOf(''), times: 3 }, 'badAnswer', /damaged/],
      [{ status: 200, body: '<?xml version="1.0"?><rss></rss>', times: 3 }, 'badAnswer', /another kind/],
      [
        {
          status: 200,
          body: feedOf(
            '<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect query</summary></entry>',
          ),
        },
        'badRequest',
        /incorrect query/,
      ],
      [
        {
          status: 400,
          body: feedOf(
            '<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>bad start</summary></entry>',
          ),
        },
        'badRequest',
        /bad start/,
      ],
      [{ status: 403, body: '<html>no</html>' }, 'auth', /403/],
    ];
    for (const [index, [script, reason, pattern]] of cases.entries()) {
      server.script('arxiv', script);
      await assert.rejects(
        tools().search({ query: `failure${index}` }),
        fails(reason, pattern),
        JSON.stringify(script),
      );
    }
  });

  it('gives the answer that follows a passing failure', async () => {
    server.script(
      'arxiv',
      { status: 429, headers: { 'retry-after': '3' }, body: 'Rate exceeded.' },
      { status: 200, body: '<html>busy</html>' },
    );
    const { documents } = await tools().search({ query: '"speculative prefill"' });
    assert.ok(documents.length > 0);
  });

  it('stops at once when aborted', async () => {
    server.script('arxiv', { fault: 'hang' });
    const [search] = createArxivTools(sourceContext(arxiv, server.arxivUrl));
    const stop = new AbortController();
    const running = search!.run({ query: 'hang' }, english, stop.signal);
    const last = server.requests.length;
    while (server.requests.length === last) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
    assert.equal(await server.requests.at(-1)?.closed, true);
  });
});

describe('get_arxiv_paper', () => {
  it('gets several papers in one request, in the order asked, and names the missing', async () => {
    const asked = mark();
    const { documents, note } = await tools().get({
      ids: [
        'astro-ph/0601001',
        'arXiv:2104.12255v1',
        'https://arxiv.org/abs/2604.05012',
        '2604.05012v1',
        '0000.0000',
        'nonsense',
      ],
    });
    assert.equal(asked().length, 1);
    assert.equal(asked()[0]?.get('id_list'), 'astro-ph/0601001,2104.12255v1,2604.05012,0000.0000');
    assert.deepEqual(
      documents.map(({ ids }) => ids?.arxiv),
      ['astro-ph/0601001', '2104.12255', '2604.05012'],
    );
    assert.equal(documents[1]?.title, '0');
    assert.match(note ?? '', /no paper 0000\.0000\. Not arXiv ids: "nonsense"/);
  });

  it('takes one id, or several in one text', async () => {
    assert.equal((await tools().get({ id: '2604.05012' })).documents.length, 1);
    assert.equal((await tools().get({ id: '2604.05012, 2604.19769' })).documents.length, 2);
    assert.equal((await tools().get({ ids: '2604.05012' })).documents.length, 1);
  });

  it('says what is wrong with an id that is none or unknown', async () => {
    await assert.rejects(tools().get({ id: 'not-an-id' }), fails('badRequest', /"not-an-id" is not an arXiv id/));
    await assert.rejects(tools().get({}), fails('badRequest', /No arXiv id/));
    await assert.rejects(tools().get({ id: '0000.00000' }), fails('notFound', /0000\.00000/));
  });

  it('works behind a prefix', async () => {
    const from = server.requests.length;
    await tools({ settings: { 'endpoints.arxiv': `${server.arxivUrl}/mirror/` } }).get({ id: '2604.05012' });
    assert.equal(server.requests[from]?.path, '/mirror/api/query');
  });
});

describe('a search of arXiv', () => {
  it('is restricted to categories, an author and dates, and paged', async () => {
    const asked = mark();
    answer(feedOf(entry('2401.00001v1', 'One'), 90));
    const { note } = await tools().search({
      query: 'retrieval',
      categories: ['cs.CL', 'q-bio', 'no category!'],
      author: 'Ann O"Neil',
      since: '2024-01-01',
      until: '2024-06-30',
      page: 3,
      max_results: 20,
    });
    const [query] = asked();
    assert.equal(
      query?.get('search_query'),
      '(all:retrieval) AND (cat:cs.CL OR cat:q-bio*) AND au:"Ann O Neil" AND submittedDate:[202401010000 TO 202406302359]',
    );
    assert.equal(query?.get('start'), '40');
    assert.match(note ?? '', /Categories are written like cs\.CL.*More with page 4/);
  });

  it('brings papers that are not asked for again by their ids', async () => {
    const { search, get } = tools();
    answer(feedOf(entry('2401.00001v2', 'One') + entry('2401.00002v1', 'Two'), 2));
    await search({ query: 'ti:remembered' });
    const asked = mark();
    const { documents } = await get({ ids: ['2401.00001', 'https://arxiv.org/abs/2401.00002v1'] });
    assert.deepEqual(
      documents.map(({ title }) => title),
      ['One', 'Two'],
    );
    assert.equal(asked().length, 0);
    answer(feedOf(entry('2401.00001v1', 'One, before')));
    await get({ id: '2401.00001v1' });
    assert.equal(asked()[0]?.get('id_list'), '2401.00001v1');
  });
});

describe('read_arxiv_paper', () => {
  const words = (n: number): string => Array.from({ length: n }, (_, i) => `word${i}`).join(' ');
  const page = `<html><body><article><h1>One</h1><h2>1 Introduction</h2><p>${words(300)}</p><h2>4 Results</h2>
    <p>It gains 3.5 points. ${words(300)}</p><h2>References</h2><p>Somebody else, 1999. ${words(50)}</p></article></body></html>`;
  const at = (path: string) => (request: { readonly path: string }) => request.path === path;
  const known = (): void => answer(feedOf(entry('2401.00001v2', 'One')), { when: at('/api/query') });

  it('reads the HTML page, without its references', async () => {
    known();
    server.script('arxiv', { when: at('/html/2401.00001'), headers: { 'content-type': 'text/html' }, body: page });
    const { documents, note } = await tools().read('https://arxiv.org/abs/2401.00001');
    const [paper] = documents;
    assert.equal(paper?.title, 'One');
    assert.match(paper?.text ?? '', /^About One\.\n\n/);
    assert.match(paper?.text ?? '', /## 4 Results\n\nIt gains 3\.5 points\./);
    assert.doesNotMatch(paper?.text ?? '', /Somebody else/);
    assert.match(note ?? '', /Read from the HTML page\. Sections: .*4 Results/);
  });

  it('reads the PDF where there is no such page, with the version that was asked for', async () => {
    known();
    const lines = (n: number) => Array.from({ length: 30 }, (_, i) => `Line ${n}.${i} of the paper says something.`);
    const pdf = Buffer.from(samplePdf([lines(1), lines(2)])).toString('latin1');
    server.script('arxiv', { when: at('/html/2401.00001v2'), status: 404, body: 'No HTML for this paper' });
    server.script('arxiv', {
      when: at('/pdf/2401.00001v2'),
      headers: { 'content-type': 'application/pdf' },
      body: pdf,
    });
    const { documents, note } = await tools().read('2401.00001v2');
    const text = documents[0]?.text ?? '';
    assert.match(text, /Line 2\.7 of the paper says something\./);
    assert.match(text, /^\[Page 1\]$[^]*Line 1\.7[^]*^\[Page 2\]$[^]*Line 2\.7/m, 'passages open at their pages');
    assert.doesNotMatch(text.slice(0, text.indexOf('[Page 1]')), /Line/);
    assert.match(note ?? '', /Read from the PDF: tables and formulas may be damaged/);
  });

  for (const [about, pdf, reason] of [
    ['is neither', { status: 404, body: 'Not found' }, 'notFound'],
    ['is a page in its place', { body: '<html><body>Try later</body></html>' }, 'badAnswer'],
    ['is a damaged PDF', { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4 broken' }, 'badAnswer'],
    ['is a refusal', { status: 403, body: 'Forbidden' }, 'badAnswer'],
  ] as const) {
    it(`rejects with ${reason} when there ${about}`, async () => {
      known();
      server.script('arxiv', { when: at('/html/2401.00001'), status: 404, body: 'No HTML' });
      server.script('arxiv', { when: at('/pdf/2401.00001'), ...pdf });
      await assert.rejects(tools().read('2401.00001'), fails(reason, /./));
      server.clearScripts();
    });
  }
});
