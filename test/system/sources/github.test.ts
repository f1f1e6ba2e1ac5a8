import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResearchError, type ErrorReason } from '../../../src/research/errors.ts';
import type { Secrets } from '../../../src/research/ports.ts';
import { github } from '../../../src/sources/github/githubSource.ts';
import { createGithubTools } from '../../../src/sources/github/githubTools.ts';
import { validToken } from '../../support/imitatedGithub.ts';
import { english, silentLog, sourceContext } from '../../support/sourceContext.ts';
import { startSourceServer, type ScriptedAnswer, type SourceServer } from '../../support/sourceServer.ts';

let server: SourceServer;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());

const never = new AbortController().signal;
const withToken = (token: string): Secrets => ({
  key: (service) => Promise.resolve(service === 'github' ? token : undefined),
});

function tools(options: Parameters<typeof sourceContext>[2] = {}) {
  const [search, readme] = createGithubTools(sourceContext(github, server.githubUrl, options));
  assert.ok(search && readme);
  return {
    search: (args: Record<string, unknown>, context: Partial<typeof english> = {}) =>
      search.run(args, { ...english, ...context }, never),
    readme: (args: Record<string, unknown>) => readme.run(args, english, never),
  };
}
function mark() {
  const from = server.requests.length;
  return () => server.requests.slice(from);
}
function fails(reason: ErrorReason, pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
    assert.match(error.message, pattern);
    return true;
  };
}
const script = (...answers: readonly ScriptedAnswer[]): void => server.script('github', ...answers);

describe('github_search for repositories', () => {
  it('gives name, description, date, link and facts', async () => {
    const { documents, note } = await tools().search({ query: 'hybrid retrieval' });
    assert.deepEqual(documents[0], {
      kind: 'github',
      title: 'sample-lab/hybrid-retriever',
      authors: ['sample-lab'],
      date: '2026-08-14',
      url: 'https://github.com/sample-lab/hybrid-retriever',
      ids: { repo: 'sample-lab/hybrid-retriever' },
      text: 'Hybrid sparse and dense retrieval for retrieval-augmented generation',
      facts: ['4210 stars', 'Python', 'licence Apache-2.0', 'topics rag, retrieval, bm25, embeddings'],
    });
    assert.match(note ?? '', /^1 of 1 repositories for: hybrid retrieval\./);
  });

  it('sends what GitHub asks for', async () => {
    const asked = mark();
    await tools({ settings: { 'sources.since': '2026-01-01' } }).search({
      query: 'vector store',
      language: 'Jupyter Notebook',
      sort: 'stars',
      max_results: 5,
    });
    const [request] = asked();
    assert.equal(request?.query.get('q'), 'vector store language:"Jupyter Notebook" pushed:>=2026-01-01');
    assert.deepEqual(
      [request?.query.get('sort'), request?.query.get('order'), request?.query.get('per_page')],
      ['stars', 'desc', '5'],
    );
    assert.equal(request?.headers['accept'], 'application/vnd.github+json');
    assert.equal(request?.headers['x-github-api-version'], '2022-11-28');
    assert.equal(request?.headers['authorization'], undefined);
  });

  it('searches with fewer words when nothing has all of them', async () => {
    const asked = mark();
    const { documents, note } = await tools().search({ query: 'embedded HNSW kangaroo' });
    assert.equal(asked().length, 2);
    assert.ok(documents.length >= 0);
    assert.match(note ?? '', /GitHub has no repositories|searched with fewer/);
    assert.match(
      (await tools().search({ query: 'What are the best knowledge graph frameworks for notes?' })).documents[0]
        ?.title ?? '',
      /graph-notes/,
    );
  });

  it('marks archived repositories, forks, links of the workspace and its own repository', async () => {
    const { documents } = await tools({
      facts: { githubLinks: ['Sample-Lab/hybrid-retriever'], repos: ['sample-lab/rag-from-old'] },
    }).search({ query: 'topic:x rag', sort: 'updated' });
    const byName = new Map(documents.map((document) => [document.title, document]));
    assert.equal(byName.get('sample-lab/hybrid-retriever')?.alreadyCited, true);
    assert.deepEqual(byName.get('sample-lab/rag-from-old')?.facts?.slice(0, 2), [
      'archived: no longer maintained',
      "the user's own repository",
    ]);
    const fork = (await tools().search({ query: 'hybrid-retriever-fork' })).documents[0];
    assert.ok(fork?.facts?.includes('a fork'));
    assert.equal(fork?.text, 'sample-lab/hybrid-retriever-fork');
  });

  it('takes null wherever GitHub may send it', async () => {
    script({
      status: 200,
      body: {
        total_count: 1,
        incomplete_results: true,
        items: [
          {
            full_name: 'a/b',
            html_url: null,
            description: null,
            language: null,
            license: null,
            owner: null,
            topics: null,
            pushed_at: null,
            stargazers_count: null,
            archived: null,
            fork: null,
          },
        ],
      },
    });
    const { documents, note } = await tools().search({ query: 'nulls' });
    assert.deepEqual(documents[0], {
      kind: 'github',
      title: 'a/b',
      authors: ['a'],
      url: 'https://github.com/a/b',
      ids: { repo: 'a/b' },
      text: 'a/b',
      facts: [],
    });
    assert.match(note ?? '', /timed out/);
  });

  it('says so when few searches are left', async () => {
    script({ status: 200, headers: { 'x-ratelimit-remaining': '1' }, body: { total_count: 0, items: [] } });
    assert.match((await tools().search({ query: 'quota' })).note ?? '', /1 GitHub searches are left/);
  });
});

describe('github_search for issues', () => {
  it('asks for issues and gives their text without markup', async () => {
    const asked = mark();
    const { documents } = await tools().search({ query: 'reciprocal rank fusion', kind: 'issues' });
    assert.equal(asked()[0]?.query.get('q'), 'reciprocal rank fusion is:issue');
    assert.equal(
      documents[0]?.title,
      'Reciprocal rank fusion ignores the weight of the dense index (sample-lab/hybrid-retriever#214)',
    );
    assert.deepEqual(documents[0]?.ids, { repo: 'sample-lab/hybrid-retriever', issue: 214 });
    assert.deepEqual(documents[0]?.facts, ['issue', 'open', '17 comments', 'labels bug']);
    assert.match(documents[0]?.text ?? '', /gives the same order as 1\.\n\nReciprocal rank fusion adds/);
    assert.equal(documents[0]?.date, '2026-08-12');
  });

  it('finds pull requests when asked, and takes an issue without text or author', async () => {
    const pull = (await tools().search({ query: 'filtered search is:pr', kind: 'issues' })).documents[0];
    assert.deepEqual(
      [pull?.facts?.[0], pull?.url],
      ['pull request', 'https://github.com/sample-lab/vec-store/pull/402'],
    );
    const bare = (await tools().search({ query: 'extraction merges', kind: 'issues' })).documents[0];
    assert.deepEqual([bare?.authors, bare?.text], [[], 'Extraction merges two people of the same name']);
  });
});

describe('get_github_readme', () => {
  it('gives the text without badges and HTML, with what a search found before', async () => {
    const { search, readme } = tools();
    await search({ query: 'hybrid retrieval' });
    const asked = mark();
    const { documents } = await readme({ repo: 'https://github.com/sample-lab/hybrid-retriever/tree/main' });
    assert.equal(asked().length, 1);
    assert.equal(documents[0]?.date, '2026-08-14');
    assert.match(documents[0]?.text ?? '', /^# Hybrid Retriever\n\nHybrid Retriever combines BM25/);
    assert.match(documents[0]?.text ?? '', /interfaces of A-RAG \(https:\/\/arxiv\.org\/abs\/2602\.03442\)\.$/);
    assert.match(documents[0]?.text ?? '', /```bash\npip install hybrid-retriever\n```/);
  });

  it('works without a search before', async () => {
    const { documents } = await tools().readme({ repo: 'sample-lab/kv-shelf' });
    assert.deepEqual(
      [documents[0]?.title, documents[0]?.url, documents[0]?.authors],
      ['sample-lab/kv-shelf', 'https://github.com/sample-lab/kv-shelf', ['sample-lab']],
    );
  });

  it('says what is wrong', async () => {
    await assert.rejects(
      tools().readme({ repo: 'nobody/nothing' }),
      fails('notFound', /does not exist, is private or has no README/),
    );
    await assert.rejects(tools().readme({ repo: 'not a repo' }), fails('badRequest', /not a GitHub repository/));
    await assert.rejects(tools().readme({ repo: '../../user' }), fails('badRequest', /not a GitHub repository/));
    await assert.rejects(
      tools().readme({ repo: 'https://evil.example/a/b' }),
      fails('badRequest', /not a GitHub repository/),
    );
    script({ status: 200, body: { content: '', encoding: 'none', html_url: null } });
    await assert.rejects(tools().readme({ repo: 'big/readme' }), fails('badAnswer', /too large/));
    script({ status: 200, body: { content: Buffer.from('<!-- nothing -->').toString('base64'), encoding: 'base64' } });
    await assert.rejects(tools().readme({ repo: 'empty/readme' }), fails('notFound', /no text/));
  });

  it('works behind the prefix of an enterprise host', async () => {
    const asked = mark();
    await tools({ settings: { 'endpoints.github': `${server.githubUrl}/api/v3` } }).readme({
      repo: 'sample-lab/kv-shelf',
    });
    assert.equal(asked()[0]?.path, '/api/v3/repos/sample-lab/kv-shelf/readme');
  });
});

describe('the GitHub key', () => {
  it('is sent when there is one', async () => {
    const asked = mark();
    await tools({ secrets: withToken(validToken) }).readme({ repo: 'sample-lab/kv-shelf' });
    assert.equal(asked()[0]?.headers['authorization'], `Bearer ${validToken}`);
  });

  it('is left out for the rest of the run when it is rejected, and the user is warned once', async () => {
    const asked = mark();
    const warnings: string[] = [];
    const { search, readme } = tools({
      secrets: withToken('expired-token'),
      log: { ...silentLog, warn: (message) => void warnings.push(message) },
    });
    const first = await search({ query: 'kv cache' });
    assert.match(first.warnings?.join() ?? '', /GitHub rejected the saved key/);
    assert.equal((await readme({ repo: 'sample-lab/kv-shelf' })).warnings, undefined);
    assert.deepEqual(
      asked().map(({ headers }) => headers['authorization']),
      ['Bearer expired-token', undefined, undefined],
    );
    assert.equal(warnings.length, 1);
    assert.doesNotMatch(JSON.stringify([warnings, first.warnings, first.note]), /expired-token/);
  });

  it('does no harm when it can not be read', async () => {
    const secrets: Secrets = { key: () => Promise.reject(new Error('keychain locked')) };
    assert.equal((await tools({ secrets }).readme({ repo: 'sample-lab/kv-shelf' })).documents.length, 1);
  });
});

describe('GitHub when it fails', () => {
  it('says what happened', async () => {
    const cases: readonly (readonly [ScriptedAnswer, ErrorReason, RegExp])[] = [
      [
        {
          status: 422,
          body: { message: 'Validation Failed', errors: [{ resource: 'Search', field: 'q', code: 'missing' }] },
        },
        'badRequest',
        /Validation Failed: q missing/,
      ],
      [
        { status: 422, body: { message: "Query must include 'is:issue' or 'is:pull-request'" } },
        'badRequest',
        /Query must include/,
      ],
      [
        { status: 401, body: { message: 'Requires authentication' } },
        'auth',
        /requires a key.*Requires authentication/,
      ],
      [
        { status: 403, body: { message: 'Repository access blocked' } },
        'auth',
        /refused this request: Repository access blocked/,
      ],
      [
        {
          status: 403,
          headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' },
          body: { message: 'API rate limit exceeded' },
        },
        'rateLimit',
        /accepts no more requests/,
      ],
      [
        {
          status: 403,
          headers: { 'gh-limited-by': 'x', 'x-ratelimit-remaining': '40' },
          body: { message: 'You have exceeded a secondary rate limit' },
        },
        'rateLimit',
        /60 s/,
      ],
      [{ status: 451, body: { message: 'Repository access blocked' } }, 'notFound', /legal/],
      [
        { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>login to the proxy</html>', times: 3 },
        'badAnswer',
        /not JSON/,
      ],
      [{ status: 200, body: { unexpected: true } }, 'badAnswer', /unknown format/],
      [{ status: 503, body: '<html>503</html>', times: 3 }, 'network', /not available.*503/],
    ];
    for (const [index, [answer, reason, pattern]] of cases.entries()) {
      script(answer);
      await assert.rejects(
        tools().search({ query: `failure number${index}` }),
        fails(reason, pattern),
        JSON.stringify(answer),
      );
    }
  });

  it('does not let a used-up search quota stop READMEs', async () => {
    const { search, readme } = tools();
    script({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' },
      body: { message: 'API rate limit exceeded' },
    });
    await assert.rejects(search({ query: 'limited' }), fails('rateLimit', /GitHub/));
    assert.equal((await readme({ repo: 'sample-lab/vec-store' })).documents.length, 1);
  });
});
