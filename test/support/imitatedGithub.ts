import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ImitatedAnswer } from './imitatedArxiv.ts';

/** A repository of the sample corpus (`test/fixtures/github/repositories.json`): invented, with texts of our own. */
interface SampleRepository {
  readonly fullName: string;
  readonly description: string | null;
  readonly language: string | null;
  readonly stars: number;
  readonly forks: number;
  readonly topics: readonly string[];
  readonly license: string | null;
  readonly createdAt: string;
  readonly pushedAt: string;
  readonly archived: boolean;
  readonly fork: boolean;
  readonly readme: string | null;
}

interface SampleIssue {
  readonly repo: string;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly pull: boolean;
  readonly user: string | null;
  readonly comments: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly labels: readonly string[];
  readonly body: string | null;
}

function load<T>(name: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/github/${name}.json`, import.meta.url), 'utf8')) as T[];
}
const sampleRepositories = load<SampleRepository>('repositories');
const sampleIssues = load<SampleIssue>('issues');

/** The token that the imitated service knows; every other one is answered with 401. */
export const validToken = 'sample-token';

/** Answers the search, repository and README requests from the sample corpus as GitHub's REST API does. */
export function answerGithub(
  url: URL,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ImitatedAnswer {
  if (!headers['user-agent'])
    return { status: 403, headers: { 'content-type': 'text/plain' }, body: 'Request forbidden: no User-Agent header.' };
  const authorization = headers['authorization'];
  if (authorization !== undefined && authorization !== `Bearer ${validToken}`)
    return json(401, { message: 'Bad credentials', status: '401' });

  const search = /\/search\/(repositories|issues)$/.exec(url.pathname);
  const repository = /\/repos\/([^/]+\/[^/]+?)(\/readme)?$/.exec(url.pathname);
  let answer: ImitatedAnswer;
  if (search) answer = answerSearch(search[1] === 'issues' ? 'issues' : 'repositories', url.searchParams);
  else if (repository) answer = answerRepository(decodeURIComponent(repository[1]!), repository[2] !== undefined);
  else answer = json(404, { message: 'Not Found', status: '404' });

  const etag = `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 32)}"`;
  if (answer.status !== 200) return answer;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' };
  return { ...answer, headers: { ...answer.headers, etag } };
}

function answerSearch(kind: 'repositories' | 'issues', parameters: URLSearchParams): ImitatedAnswer {
  const q = parameters.get('q') ?? '';
  const qualifiers = [...q.matchAll(/(?:^|\s)(-?[a-z-]+):("[^"]*"|\S+)/g)].map(
    ([, name, value]) => [name!, value!.replaceAll('"', '')] as const,
  );
  const free = q.replace(/(?:^|\s)-?[a-z-]+:("[^"]*"|\S+)/g, ' ').trim();
  if (q.trim() === '')
    return json(422, {
      message: 'Validation Failed',
      errors: [{ resource: 'Search', field: 'q', code: 'missing' }],
      status: '422',
    });
  if (free.length > 256)
    return json(422, {
      message: 'Validation Failed',
      errors: [
        { message: 'The search is longer than 256 characters.', resource: 'Search', field: 'q', code: 'invalid' },
      ],
      status: '422',
    });
  if (
    kind === 'issues' &&
    !qualifiers.some(([name, value]) => name === 'is' && /^(issue|pull-request|pr)$/.test(value))
  ) {
    return json(422, { message: "Query must include 'is:issue' or 'is:pull-request'", status: '422' });
  }
  const needles = (free.match(/"[^"]*"|\S+/g) ?? []).map((term) => term.replaceAll('"', '').toLowerCase());
  const contains = (...texts: readonly (string | null)[]): boolean => {
    const text = texts.join(' ').toLowerCase();
    return needles.every((needle) => text.includes(needle));
  };
  const items =
    kind === 'repositories'
      ? sampleRepositories
          .filter((repository) => contains(repository.fullName, repository.description, ...repository.topics))
          .filter((repository) => qualifiers.every(([name, value]) => repositoryHas(repository, name, value)))
          .toSorted((a, b) =>
            parameters.get('sort') === 'updated' ? b.pushedAt.localeCompare(a.pushedAt) : b.stars - a.stars,
          )
          .map(repositoryJson)
      : sampleIssues
          .filter((issue) => contains(issue.title, issue.body))
          .filter((issue) => qualifiers.every(([name, value]) => issueHas(issue, name, value)))
          .toSorted((a, b) =>
            parameters.get('sort') === 'comments' ? b.comments - a.comments : b.updatedAt.localeCompare(a.updatedAt),
          )
          .map(issueJson);
  const size = Number(parameters.get('per_page') ?? 30);
  return json(200, { total_count: items.length, incomplete_results: false, items: items.slice(0, size) }, 'search');
}

function repositoryHas(repository: SampleRepository, name: string, value: string): boolean {
  if (name === 'language') return repository.language?.toLowerCase() === value.toLowerCase();
  if (name === 'archived') return String(repository.archived) === value;
  if (name === 'pushed') return repository.pushedAt.slice(0, 10) >= value.replace(/^>=?/, '');
  if (name === 'repo') return repository.fullName === value;
  return true;
}

function issueHas(issue: SampleIssue, name: string, value: string): boolean {
  if (name === 'repo') return issue.repo === value;
  if (name === 'updated') return issue.updatedAt.slice(0, 10) >= value.replace(/^>=?/, '');
  if (name === 'language')
    return (
      sampleRepositories.find(({ fullName }) => fullName === issue.repo)?.language?.toLowerCase() ===
      value.toLowerCase()
    );
  if (name !== 'is') return true;
  if (value === 'issue') return !issue.pull;
  if (value === 'pr' || value === 'pull-request') return issue.pull;
  return value === issue.state;
}

function answerRepository(fullName: string, readme: boolean): ImitatedAnswer {
  const repository = sampleRepositories.find(
    (candidate) => candidate.fullName.toLowerCase() === fullName.toLowerCase(),
  );
  if (!repository || (readme && repository.readme === null)) return json(404, { message: 'Not Found', status: '404' });
  if (!readme) return json(200, repositoryJson(repository));
  const content = Buffer.from(repository.readme ?? '', 'utf8').toString('base64');
  return json(200, {
    name: 'README.md',
    path: 'README.md',
    size: Buffer.byteLength(repository.readme ?? ''),
    html_url: `https://github.com/${repository.fullName}/blob/main/README.md`,
    type: 'file',
    encoding: 'base64',
    content: content.replace(/(.{60})/g, '$1\n'),
  });
}

function repositoryJson(repository: SampleRepository): object {
  const [owner, name] = repository.fullName.split('/');
  return {
    name,
    full_name: repository.fullName,
    private: false,
    owner: { login: owner, type: 'Organization' },
    html_url: `https://github.com/${repository.fullName}`,
    description: repository.description,
    fork: repository.fork,
    archived: repository.archived,
    language: repository.language,
    stargazers_count: repository.stars,
    forks_count: repository.forks,
    topics: repository.topics,
    license:
      repository.license === null ? null : { key: repository.license.toLowerCase(), spdx_id: repository.license },
    created_at: repository.createdAt,
    updated_at: repository.pushedAt,
    pushed_at: repository.pushedAt,
    default_branch: 'main',
    score: 1,
  };
}

function issueJson(issue: SampleIssue): object {
  const page = `https://github.com/${issue.repo}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`;
  return {
    url: `https://api.github.com/repos/${issue.repo}/issues/${issue.number}`,
    repository_url: `https://api.github.com/repos/${issue.repo}`,
    html_url: page,
    number: issue.number,
    title: issue.title,
    user: issue.user === null ? null : { login: issue.user },
    labels: issue.labels.map((name) => ({ name })),
    state: issue.state,
    comments: issue.comments,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    ...(issue.pull ? { pull_request: { html_url: page } } : {}),
    body: issue.body,
    score: 1,
  };
}

function json(status: number, body: object, resource = 'core'): ImitatedAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '42',
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 60),
      'x-ratelimit-resource': resource,
    },
    body: JSON.stringify(body),
  };
}
