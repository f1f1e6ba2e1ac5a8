import * as z from 'zod';
import { Slices } from '../../research/calls/slices.ts';
import { ResearchError } from '../../research/errors.ts';
import type { FoundDocument, ResearchTool, ToolContext, ToolResult, WorkspaceFacts } from '../../research/tools.ts';
import { cleanReadme } from './cleanReadme.ts';
import { createGithubClient, type GithubAnswer, type GithubClient } from './githubClient.ts';
import { buildGithubQuery, type QueryOptions } from './githubQuery.ts';
import { githubPageHost, parseGithubRepo } from './githubRepo.ts';
import {
  aboutWorkspace,
  allowedNames,
  publicWorkspaceTerms,
  removedNote,
  withoutWorkspaceTerms,
} from '../queryShape.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, readToolArguments } from '../toolArguments.ts';

const searchFreshMs = 10 * 60 * 1_000;
const readmeFreshMs = 60 * 60 * 1_000;
const maxResults = 30;

const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe(
      'A few words, a phrase in double quotes; GitHub qualifiers (topic:, stars:>100, repo:owner/name) work too.',
    ),
  kind: z
    .enum(['repositories', 'issues'])
    .optional()
    .describe('Default repositories. issues: problems, decisions and discussions of projects.'),
  language: z.string().optional().describe('Programming language.'),
  sort: z.enum(['best', 'stars', 'comments', 'updated']).optional().describe('Default best.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});

const readmeArguments = z.object({
  repo: z.string().trim().min(1).describe('owner/name, or the URL of the repository.'),
});

const nullableText = z.string().nullish();
const repository = z.object({
  full_name: z.string(),
  html_url: nullableText,
  description: nullableText,
  language: nullableText,
  stargazers_count: z.number().nullish(),
  forks_count: z.number().nullish(),
  topics: z.array(z.string()).nullish(),
  license: z.object({ spdx_id: nullableText }).nullish(),
  owner: z.object({ login: z.string() }).nullish(),
  pushed_at: nullableText,
  updated_at: nullableText,
  archived: z.boolean().nullish(),
  fork: z.boolean().nullish(),
});
const issue = z.object({
  html_url: z.string(),
  number: z.int().min(1),
  title: z.string(),
  body: nullableText,
  state: nullableText,
  comments: z.number().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: nullableText })])).nullish(),
  updated_at: nullableText,
  created_at: nullableText,
  pull_request: z.unknown().optional(),
  state_reason: nullableText,
});
const found = <T extends z.ZodType>(item: T) =>
  z.object({
    total_count: z.number(),
    incomplete_results: z.boolean().nullish(),
    // Counted before they are read: a page has 100 at most.
    items: z.array(z.unknown()).max(100).pipe(z.array(item)),
  });
const readmeFile = z.object({ content: z.string(), encoding: z.string(), html_url: nullableText });

type Repository = z.infer<typeof repository>;
type Issue = z.infer<typeof issue>;

/** What each kind can be sorted by; anything else is GitHub's own order. */
const sorts: Readonly<Record<QueryOptions['kind'], readonly string[]>> = {
  repositories: ['stars', 'updated'],
  issues: ['comments', 'updated'],
};

interface Page {
  readonly total: number;
  readonly incomplete: boolean;
  readonly documents: readonly FoundDocument[];
}

/** `github_search` and `get_github_readme`. A repository's text is its description, then its README once that was read. */
export function createGithubTools(context: SourceContext): readonly ResearchTool[] {
  const repositories = new GithubRepositories(context);
  return [
    {
      name: 'github_search',
      description:
        'Searches GitHub: repositories (name, description, stars, language, licence) or issues with their text.',
      parameters: searchArguments,
      source: 'github',
      kind: 'search',
      run: async (given, called, signal) =>
        repositories.search(readToolArguments('github_search', searchArguments, given), called, signal),
    },
    {
      name: 'get_github_readme',
      description: 'Gets the README of a GitHub repository.',
      parameters: readmeArguments,
      source: 'github',
      kind: 'read',
      run: async (given, called, signal) =>
        repositories.readme(readToolArguments('get_github_readme', readmeArguments, given).repo, called, signal),
    },
  ];
}

type Parameters = Readonly<Record<string, string>>;

/** The repositories and issues of one run. */
class GithubRepositories {
  readonly #context: SourceContext;
  readonly #client: GithubClient;
  readonly #pageHost: string;
  /** Where pages of the service may lie. */
  readonly #hosts: readonly string[];
  /** Repositories that searches found, by name in lower case, so that a README takes one request and not two. */
  readonly #known = new Map<string, Repository>();

  constructor(context: SourceContext) {
    this.#context = context;
    this.#client = createGithubClient(context);
    this.#pageHost = githubPageHost(context.endpoint);
    this.#hosts = [...new Set([this.#pageHost, 'github.com'])];
  }

  async search(args: z.infer<typeof searchArguments>, called: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { kind = 'repositories', sort = 'best' } = args;
    const { query, notes } = this.#fitted(args, kind, called);
    const parameters = {
      per_page: String(clampCount(args.max_results, 10, maxResults)),
      ...(sorts[kind].includes(sort) ? { sort, order: 'desc' } : {}),
    };
    const find = (q: string): Promise<GithubAnswer<Page>> =>
      kind === 'issues'
        ? this.#findIssues({ q, ...parameters }, signal)
        : this.#findRepositories({ q, ...parameters }, signal);
    const [first, second] = query.attempts;
    let used = first;
    let answer = await find(first);
    let { warning } = answer;
    if (answer.data.documents.length === 0 && second !== undefined) {
      used = second;
      answer = await find(second);
      warning ??= answer.warning;
      if (answer.data.documents.length > 0) notes.unshift('Nothing has all the words; searched with fewer.');
    }
    const { total, incomplete, documents } = answer.data;
    notes.unshift(
      documents.length === 0
        ? `GitHub has no ${kind} for: ${used}. Try fewer or other words.`
        : `${documents.length} of ${total} ${kind} for: ${used}.`,
    );
    if (incomplete) notes.push("GitHub's search timed out; there may be more results.");
    if (answer.remaining !== undefined && answer.remaining <= 2)
      notes.push(`${answer.remaining} GitHub searches are left in this minute.`);
    return { documents, note: notes.join(' '), ...(warning === undefined ? {} : { warnings: [warning] }) };
  }

  async readme(asked: string, { focus }: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { settings, facts } = this.#context;
    const repo = parseGithubRepo(asked, this.#hosts);
    if (repo === undefined)
      throw new ResearchError('badRequest', `"${asked.slice(0, 100)}" is not a GitHub repository.`, {
        next: 'Give it as owner/name.',
      });
    const fromWorkspace = [...(facts?.repos ?? []), ...(facts?.githubLinks ?? [])];
    const found = new Set(this.#known.keys());
    const { removed } = allowedNames([repo], fromWorkspace, found, settings['workspace.inQueries'], focus);
    if (removed.length > 0)
      throw new ResearchError('badRequest', removedNote(removed).join(' '), { next: 'Search by subject.' });
    const { data, warning } = await this.#client.get(`/repos/${repo}/readme`, {}, readmeFile, readmeFreshMs, signal);
    if (data.encoding !== 'base64')
      throw new ResearchError('badAnswer', `The README of ${repo} is too large to be read.`, {
        next: 'Use another source.',
      });
    const text = cleanReadme(Buffer.from(data.content, 'base64').toString('utf8'));
    if (text === '' || text.includes('\0'))
      throw new ResearchError('notFound', `The README of ${repo} has no text.`, { next: 'Use another source.' });
    const item = this.#known.get(repo.toLowerCase()) ?? {
      full_name: repo,
      html_url: data.html_url?.replace(/\/blob\/.*$/, ''),
    };
    return {
      documents: [{ ...this.#repository(item), text }],
      ...(warning === undefined ? {} : { warnings: [warning] }),
    };
  }

  /** A query in GitHub's syntax, without what must not leave the workspace. */
  #fitted(args: z.infer<typeof searchArguments>, kind: QueryOptions['kind'], { language, focus }: ToolContext) {
    const { settings, facts } = this.#context;
    const allowed = withoutWorkspaceTerms(args.query, facts, settings['workspace.inQueries'], focus);
    const shaped = shape(allowed.query, kind, this.#context);
    const query = buildGithubQuery(shaped.query, {
      kind,
      language,
      qualifiers: [...languageQualifier(args.language), ...sinceQualifier(settings['sources.since'], kind)],
      guesses: shaped.guesses,
    });
    if (query !== undefined)
      return { query, notes: [...removedNote(allowed.removed), ...shaped.notes, ...query.notes] };
    throw new ResearchError('badRequest', `"${args.query.slice(0, 80)}" has nothing that GitHub can be searched for.`, {
      next: 'Search with a few words about the subject.',
    });
  }

  async #findIssues(parameters: Parameters, signal: AbortSignal): Promise<GithubAnswer<Page>> {
    const answer = await this.#client.get('/search/issues', parameters, found(issue), searchFreshMs, signal);
    const { total_count: total, incomplete_results: incomplete, items } = answer.data;
    const documents = await documentsOf(items, (item) => issueDocument(item, this.#hosts), signal);
    return { ...answer, data: { total, incomplete: incomplete === true, documents } };
  }

  async #findRepositories(parameters: Parameters, signal: AbortSignal): Promise<GithubAnswer<Page>> {
    const answer = await this.#client.get('/search/repositories', parameters, found(repository), searchFreshMs, signal);
    const { total_count: total, incomplete_results: incomplete, items } = answer.data;
    for (const item of items) this.#known.set(item.full_name.toLowerCase(), item);
    const read = (item: Repository) =>
      parseGithubRepo(item.full_name) === item.full_name ? this.#repository(item) : undefined;
    const documents = await documentsOf(items, read, signal);
    return { ...answer, data: { total, incomplete: incomplete === true, documents } };
  }

  #repository(item: Repository): FoundDocument {
    return repositoryDocument(item, this.#context.facts, this.#pageHost, this.#hosts);
  }
}

/** A query about the user's own work is tied to it, as far as `workspace.inQueries` allows. */
function shape(
  query: string,
  kind: QueryOptions['kind'],
  { settings, facts }: SourceContext,
): { readonly query: string; readonly guesses: readonly string[]; readonly notes: readonly string[] } {
  const about = aboutWorkspace(query);
  if (about === undefined) return { query, guesses: [], notes: [] };
  const terms = publicWorkspaceTerms(facts, settings['workspace.inQueries']);
  if (kind === 'issues' && terms.repos.length > 0) {
    const repos = terms.repos.slice(0, 3);
    return {
      query: about.rest,
      guesses: repos.map((repo) => `repo:${repo}`),
      notes: [`"${about.mention}" was taken for ${repos.join(', ')}.`],
    };
  }
  const [language] = terms.languages;
  const guesses = language === undefined || /\blanguage:/i.test(query) ? [] : languageQualifier(language);
  if (!/[\p{L}\p{N}]{3}/u.test(about.rest) && terms.packages.length > 0) {
    const packages = terms.packages.slice(0, 2);
    return {
      query: packages.join(' '),
      guesses,
      notes: [`"${about.mention}" was searched as ${packages.join(', ')}, which the workspace depends on.`],
    };
  }
  const notes = [
    guesses.length > 0
      ? `"${about.mention}" was taken for a project in ${language}.`
      : `"${about.mention}" means nothing to GitHub and was left out.`,
  ];
  return { query: about.rest, guesses, notes };
}

function languageQualifier(language: string | undefined): string[] {
  const name = language?.trim() ?? '';
  if (!/^[\p{L}\p{N}+#. -]{1,40}$/u.test(name)) return [];
  return [`language:${/\s/.test(name) ? `"${name}"` : name}`];
}

function sinceQualifier(since: string, kind: QueryOptions['kind']): string[] {
  return since === '' ? [] : [`${kind === 'issues' ? 'updated' : 'pushed'}:>=${since}`];
}

/** What each item says. An item that is nothing of GitHub's is left out; between two of them Stop gets through. */
async function documentsOf<T>(
  items: readonly T[],
  read: (item: T) => FoundDocument | undefined,
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const slices = new Slices(signal);
  const documents: FoundDocument[] = [];
  for (const item of items) {
    await slices.next();
    const document = read(item);
    if (document !== undefined) documents.push(document);
  }
  return documents;
}

function repositoryDocument(
  item: Repository,
  facts: WorkspaceFacts | undefined,
  pageHost: string,
  hosts: readonly string[],
): FoundDocument {
  const name = item.full_name.toLowerCase();
  const has = (list: readonly string[] | undefined): boolean =>
    list?.some((repo) => repo.toLowerCase() === name) ?? false;
  const date = (item.pushed_at ?? item.updated_at)?.slice(0, 10);
  const licence = item.license?.spdx_id;
  const owner = item.owner?.login ?? item.full_name.split('/')[0];
  return {
    kind: 'github',
    title: item.full_name,
    authors: owner === undefined ? [] : [owner],
    ...(date === undefined ? {} : { date }),
    // Its own page alone is linked, whatever the answer says.
    url:
      parseGithubRepo(item.html_url ?? '', hosts)?.toLowerCase() === name
        ? item.html_url!
        : `https://${pageHost}/${item.full_name}`,
    ids: { repo: item.full_name },
    text: cleanReadme(item.description ?? '') || item.full_name,
    facts: [
      ...(item.archived === true ? ['archived: no longer maintained'] : []),
      ...(item.fork === true ? ['a fork'] : []),
      ...(has(facts?.repos) ? ["the user's own repository"] : []),
      ...(typeof item.stargazers_count === 'number' ? [`${item.stargazers_count} stars`] : []),
      ...(item.language ? [item.language] : []),
      ...(licence && licence !== 'NOASSERTION' ? [`licence ${licence}`] : []),
      ...(item.topics && item.topics.length > 0 ? [`topics ${item.topics.slice(0, 6).join(', ')}`] : []),
    ],
    ...(has(facts?.githubLinks) ? { alreadyCited: true } : {}),
  };
}

function issueDocument(item: Issue, hosts: readonly string[]): FoundDocument | undefined {
  const repo = /^https?:\/\//i.test(item.html_url) ? parseGithubRepo(item.html_url, hosts) : undefined;
  if (repo === undefined) return undefined;
  const labels = (item.labels ?? [])
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((name) => name !== '');
  const date = (item.updated_at ?? item.created_at)?.slice(0, 10);
  const body = cleanReadme(item.body ?? '');
  return {
    kind: 'github',
    title: `${item.title} (${repo}#${item.number})`,
    authors: item.user ? [item.user.login] : [],
    ...(date === undefined ? {} : { date }),
    url: item.html_url,
    ids: { repo, issue: item.number },
    text: body === '' ? item.title : `${item.title}\n\n${body}`,
    facts: [
      item.pull_request ? 'pull request' : 'issue',
      ...(item.state ? [item.state_reason === 'not_planned' ? 'closed as not planned' : item.state] : []),
      ...(typeof item.comments === 'number' ? [`${item.comments} comments`] : []),
      ...(labels.length > 0 ? [`labels ${labels.slice(0, 5).join(', ')}`] : []),
    ],
  };
}
