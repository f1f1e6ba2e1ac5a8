import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as z from 'zod';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { github } from '../../../../src/sources/github/githubSource.ts';
import {
  startScriptedService,
  type ScriptedService,
  type ServiceAnswer,
  type ServiceRequest,
} from '../../../support/scriptedService.ts';
import { english, sourceContext } from '../../../support/sourceContext.ts';

let service: ScriptedService;
before(async () => {
  service = await startScriptedService();
});
after(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});

const never = new AbortController().signal;
const key = ['ghp', 'a1'.repeat(18)].join('_');
const sha = '0123456789abcdef0123456789abcdef01234567';

async function call(name: string, args: Record<string, unknown>, options: Parameters<typeof sourceContext>[2] = {}) {
  const tools = await github.createTools(sourceContext(github, service.url, options));
  return tools.find((tool) => tool.name === name)!.run(args, english, never);
}
const withKey = { secrets: { key: () => Promise.resolve(key) } };
const search = (kind: string, query: string, more: object = {}) =>
  call('github_search', { query, kind, ...more }, withKey);
const routes = (answers: Readonly<Record<string, ServiceAnswer | ((request: ServiceRequest) => ServiceAnswer)>>) => {
  service.answer = (request) => {
    const answer = answers[request.path] ?? { status: 404, body: { message: 'Not Found' } };
    return typeof answer === 'function' ? answer(request) : answer;
  };
};
const fails =
  (reason: ErrorReason, pattern = /./) =>
  (error: unknown) => {
    assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
    assert.match(error.message, pattern);
    assert.ok(!`${error.message}${error.next}`.includes(key));
    return true;
  };
const base64 = (text: string) => ({
  body: {
    encoding: 'base64',
    content: Buffer.from(text)
      .toString('base64')
      .replace(/(.{60})/g, '$1\n'),
  },
});

describe('a search for code', () => {
  const match = (path: string, repo = 'acme/queue') => ({
    path,
    html_url: `https://github.com/${repo}/blob/${sha}/${path}`,
    repository: { full_name: 'acme/queue' },
    text_matches: [
      { property: 'content', fragment: 'lock(key)\n\u0000return 1;' },
      { property: 'path', fragment: path },
      { property: 'content', fragment: 'unlock(key)' },
    ],
  });

  it('gives the lines that matched, at their commit', async () => {
    routes({ '/search/code': { body: { total_count: 95, items: [match('src/lock.ts')] } } });
    const { documents, note } = await search('code', 'advisory lock', { language: 'Go', page: 2, max_results: 10 });
    assert.deepEqual(documents, [
      {
        kind: 'github',
        title: 'src/lock.ts (acme/queue)',
        authors: ['acme'],
        url: `https://github.com/acme/queue/blob/${sha}/src/lock.ts`,
        text: 'lock(key)\nreturn 1;\n…\nunlock(key)',
        facts: ['code'],
      },
    ]);
    assert.match(note ?? '', /^1 of 95 code for: advisory lock language:Go\. More with page 3\.$/);
    const [request] = service.requests;
    assert.equal(request?.headers['accept'], 'application/vnd.github.text-match+json');
    assert.equal(request?.headers['authorization'], `Bearer ${key}`);
    assert.deepEqual(Object.fromEntries(request.query), {
      q: 'advisory lock language:Go',
      per_page: '10',
      page: '2',
    });
  });

  it('leaves out a file whose page lies elsewhere', async () => {
    const elsewhere = { ...match('b.ts'), html_url: 'https://evil.example/acme/queue/blob/main/b.ts' };
    routes({ '/search/code': { body: { total_count: 2, items: [elsewhere, match('a.ts', 'other/queue')] } } });
    assert.deepEqual((await search('code', 'lock')).documents, []);
  });

  it('is offered with a key alone', async () => {
    const kinds = async (options?: Parameters<typeof sourceContext>[2]) => {
      const [tool] = await github.createTools(sourceContext(github, service.url, options));
      const { kind } = z.toJSONSchema(tool!.parameters).properties as { kind: { enum: string[] } };
      return kind.enum;
    };
    assert.deepEqual(await kinds(), ['repositories', 'issues']);
    assert.deepEqual(await kinds(withKey), ['repositories', 'issues', 'code', 'discussions']);
    await assert.rejects(call('github_search', { query: 'lock', kind: 'code' }), fails('badRequest', /kind/));
    assert.equal(service.requests.length, 0);
  });

  it('has a quota of its own', async () => {
    const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' };
    routes({
      '/search/code': { status: 403, headers: limited, body: { message: 'API rate limit exceeded' } },
      '/search/repositories': { body: { total_count: 0, items: [] } },
    });
    const tools = await github.createTools(sourceContext(github, service.url, withKey));
    const run = (kind: string) => tools[0]!.run({ query: 'lock', kind }, english, never);
    await assert.rejects(run('code'), fails('rateLimit'));
    assert.deepEqual((await run('repositories')).documents, []);
  });
});

describe('a search for discussions', () => {
  const node = {
    url: 'https://github.com/acme/queue/discussions/7',
    number: 7,
    title: 'How do I retry?',
    body: 'It <b>fails</b>.',
    updatedAt: '2026-02-03T00:00:00Z',
    upvoteCount: 4,
    author: { login: 'ann' },
    category: { name: 'Q&A' },
    repository: { nameWithOwner: 'acme/queue' },
    answer: { body: 'Use `retry`.', author: { login: 'bob' } },
    comments: {
      totalCount: 2,
      nodes: [{ body: 'Use `retry`.', author: { login: 'bob' } }, null, { body: 'Same here.', author: null }],
    },
  };
  const found = (nodes: readonly unknown[]) => ({ body: { data: { search: { discussionCount: 9, nodes } } } });

  it('gives the question with its answers, each under its author', async () => {
    routes({ '/graphql': found([node, {}]) });
    const { documents, note } = await search('discussions', 'retry', { sort: 'updated', max_results: 5 });
    assert.deepEqual(documents, [
      {
        kind: 'github',
        title: 'How do I retry? (acme/queue#7)',
        authors: ['ann'],
        date: '2026-02-03',
        url: 'https://github.com/acme/queue/discussions/7',
        ids: { repo: 'acme/queue', issue: 7 },
        text: 'How do I retry?\n\nIt fails.\n\n## bob, accepted answer\n\nUse `retry`.\n\n## somebody\n\nSame here.',
        facts: ['discussion', 'answered', 'category Q&A', '4 upvotes', '2 comments'],
      },
    ]);
    assert.match(note ?? '', /^1 of 9 discussions/);
    const [request] = service.requests;
    assert.equal(request?.method, 'POST');
    const { variables } = JSON.parse(request.body) as { variables: unknown };
    assert.deepEqual(variables, { q: 'retry sort:updated-desc', count: 5 });
  });

  it('asks an enterprise server at its own place', async () => {
    routes({ '/api/graphql': found([]) });
    const settings = { 'endpoints.github': `${service.url}/api/v3` };
    const { note } = await call('github_search', { query: 'retry', kind: 'discussions' }, { ...withKey, settings });
    assert.match(note ?? '', /no discussions/);
  });

  const failures: readonly (readonly [string, ServiceAnswer, ErrorReason])[] = [
    [
      'a used-up quota',
      { body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] } },
      'rateLimit',
    ],
    ['a refused query', { body: { data: null, errors: [{ message: `Parse error ${key}` }] } }, 'badRequest'],
    ['another shape', { body: { data: { search: {} } } }, 'badAnswer'],
    ['nodes of another shape', found([{ title: 5 }]), 'badAnswer'],
    ['a rejected key', { status: 401, body: { message: 'Bad credentials' } }, 'auth'],
    ['a truncated body', { ...found([node]), fault: 'truncate' }, 'network'],
    ['a page of a proxy', { body: '<html>' }, 'badAnswer'],
    [
      'a secondary limit',
      { status: 403, headers: { 'retry-after': '60' }, body: { message: 'secondary rate limit' } },
      'rateLimit',
    ],
  ];
  for (const [name, answer, reason] of failures)
    it(`${name} is ${reason}`, async () => {
      routes({ '/graphql': answer });
      await assert.rejects(search('discussions', 'retry'), fails(reason));
    });
});

describe('a file', () => {
  const history = { body: [{ sha, commit: { committer: { date: '2026-01-02T03:04:05Z' } } }] };

  it('is read at the commit that last changed it', async () => {
    routes({
      '/repos/acme/queue/commits': history,
      '/repos/acme/queue/contents/docs/a%20b.md': base64('# A\r\n\r\nText\u202e.'),
    });
    const { documents } = await call('get_github_file', { repo: 'acme/queue', path: '/docs/a b.md', ref: 'v1.2' });
    assert.deepEqual(documents, [
      {
        kind: 'github',
        title: 'docs/a b.md (acme/queue)',
        authors: ['acme'],
        date: '2026-01-02',
        url: `https://github.com/acme/queue/blob/${sha}/docs/a%20b.md`,
        text: '# A\n\nText.',
        facts: ['code', 'last changed in commit 0123456789'],
      },
    ]);
    const [commits, contents] = service.requests;
    assert.deepEqual(Object.fromEntries(commits!.query), { path: 'docs/a b.md', per_page: '1', sha: 'v1.2' });
    assert.equal(contents!.query.get('ref'), sha);
  });

  it('and what code search found of it are one source', async () => {
    routes({
      '/repos/acme/queue/commits': history,
      '/repos/acme/queue/contents/src/lock.ts': base64('all of it: lock(key)'),
      '/search/code': {
        body: {
          total_count: 1,
          items: [
            {
              path: 'src/lock.ts',
              html_url: `https://github.com/acme/queue/blob/${sha}/src/lock.ts`,
              repository: { full_name: 'acme/queue' },
              text_matches: [{ fragment: 'lock(key)' }],
            },
          ],
        },
      },
    });
    const registry = new EvidenceRegistry();
    const [part] = (await search('code', 'lock')).documents;
    const [whole] = (await call('get_github_file', { repo: 'acme/queue', path: 'src/lock.ts' })).documents;
    const first = registry.add(part!, '2026-01-01T00:00:00Z');
    const second = registry.add(whole!, '2026-01-01T00:00:00Z');
    assert.deepEqual([second.source.id, second.source.text], [first.source.id, 'all of it: lock(key)']);
  });

  it('that is a folder gives the names in it', async () => {
    const entries = [{ name: 'docs', type: 'dir' }, { name: 'a.ts', type: 'file' }, { type: 'file' }];
    routes({ '/repos/acme/queue/commits': history, '/repos/acme/queue/contents': { body: entries } });
    const { documents, note } = await call('get_github_file', { repo: 'acme/queue', path: '.' });
    assert.deepEqual([documents, note], [[], 'acme/queue is a folder: docs/, a.ts.']);
  });

  it('says what is wrong', async () => {
    for (const path of ['../secrets', 'a/../../b', 'a\\b', 'a?ref=x', 'a//b'])
      await assert.rejects(call('get_github_file', { repo: 'a/b', path }), fails('badRequest'), path);
    for (const ref of ['../x', 'a b', '-x', 'v1..v2'])
      await assert.rejects(call('get_github_file', { repo: 'a/b', path: 'c', ref }), fails('badRequest'), ref);
    assert.equal(service.requests.length, 0);
    routes({ '/repos/a/b/commits': { body: [] } });
    await assert.rejects(call('get_github_file', { repo: 'a/b', path: 'c' }), fails('notFound', /no file c\./));
    routes({ '/repos/a/b/commits': history, '/repos/a/b/contents/c': base64('\u0000\u0001') });
    await assert.rejects(call('get_github_file', { repo: 'a/b', path: 'c' }), fails('badRequest', /no text/));
    routes({ '/repos/a/b/commits': { body: { message: 'not a list' } } });
    await assert.rejects(call('get_github_file', { repo: 'a/b', path: 'd' }), fails('badAnswer'));
    routes({});
    await assert.rejects(call('get_github_file', { repo: 'a/b', path: 'e' }), fails('notFound'));
  });
});

describe('the releases of a repository', () => {
  const item = (tag: string, more: object = {}) => ({
    tag_name: tag,
    html_url: `https://github.com/acme/queue/releases/tag/${tag}`,
    name: `Release ${tag}`,
    body: '## Changes\n\n- <b>Faster</b>',
    published_at: '2026-05-06T00:00:00Z',
    author: { login: 'bot[x]' },
    ...more,
  });

  it('are given newest first, without drafts', async () => {
    const items = [
      item('v2', { prerelease: true }),
      item('v3', { draft: true }),
      item('v1', { name: 'v1', body: null }),
    ];
    const headers = { 'x-ratelimit-remaining': '4' };
    routes({ '/repos/acme/queue/releases': { body: items, headers } });
    const { documents, note } = await call('get_github_releases', { repo: 'acme/queue' });
    assert.deepEqual(
      documents.map(({ title, date, text, facts }) => [title, date, text, facts]),
      [
        [
          'acme/queue v2: Release v2',
          '2026-05-06',
          'acme/queue v2: Release v2\n\n## Changes\n\n- Faster',
          ['release', 'a prerelease'],
        ],
        ['acme/queue v1', '2026-05-06', 'acme/queue v1', ['release']],
      ],
    );
    assert.equal(note, 'The last 2 releases of acme/queue, newest first. 4 GitHub requests are left in this hour.');
  });

  it('may be none', async () => {
    routes({ '/repos/acme/queue/releases': { body: [] } });
    assert.match((await call('get_github_releases', { repo: 'acme/queue' })).note ?? '', /has no releases/);
  });
});

describe('an issue', () => {
  const issue = {
    html_url: 'https://github.com/acme/queue/issues/12',
    number: 12,
    title: 'It hangs',
    body: 'Always.',
    state: 'closed',
    comments: 120,
    user: { login: 'ann' },
    updated_at: '2026-04-05T00:00:00Z',
  };

  it('comes with its comments, each under its author', async () => {
    routes({
      '/repos/acme/queue/issues/12': { body: issue },
      '/repos/acme/queue/issues/12/comments': {
        body: [
          { body: 'Fixed in v2.', user: { login: 'bob' }, created_at: '2026-04-05T00:00:00Z' },
          { body: null, user: null },
        ],
      },
    });
    const { documents, note } = await call('get_github_issue', { repo: 'acme/queue', number: '12' });
    assert.equal(documents[0]?.text, 'It hangs\n\nAlways.\n\n## bob, 2026-04-05\n\nFixed in v2.');
    assert.deepEqual(documents[0]?.ids, { repo: 'acme/queue', issue: 12 });
    assert.match(note ?? '', /The first 2 of 120 comments were read/);
  });

  it('that is elsewhere, or no number, is refused', async () => {
    await assert.rejects(call('get_github_issue', { repo: 'acme/queue', number: -1 }), fails('badRequest'));
    routes({
      '/repos/acme/queue/issues/1': { body: { ...issue, html_url: 'javascript:alert(1)' } },
      '/repos/acme/queue/issues/1/comments': { body: [] },
    });
    await assert.rejects(call('get_github_issue', { repo: 'acme/queue', number: 1 }), fails('badAnswer'));
    routes({ '/repos/acme/queue/issues/2': { status: 410, body: { message: 'This issue was deleted' } } });
    await assert.rejects(call('get_github_issue', { repo: 'acme/queue', number: 2 }), fails('notFound'));
  });
});
