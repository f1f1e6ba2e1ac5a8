import * as z from 'zod';
import { Slices } from '../../research/calls/slices.ts';
import type { ToolContext, ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import type { GithubAnswer } from './githubClient.ts';
import {
  codeDocument,
  codeMatch,
  discussion,
  discussionDocument,
  issue,
  issueDocument,
  repository,
  repositoryDocument,
} from './githubDocuments.ts';
import type { GithubParts } from './githubReading.ts';
import { buildGithubQuery, type GithubQuery, type QueryOptions } from './githubQuery.ts';
import { parseGithubRepo } from './githubRepo.ts';
import { clampCount, emptyQuery, toolResult } from '../toolArguments.ts';

const freshMs = 10 * 60 * 1_000;
const maxResults = 30;
/** Of a search only so many results can be paged through. */
const mostResults = 1_000;
/** Of 10 searches a minute without a key: below this, a note to the model says so, and no second attempt is made. */
const fewSearches = 2;

export type SearchKind = QueryOptions['kind'];

export const kinds = {
  open: z
    .enum(['repositories', 'issues'])
    .optional()
    .describe('Default repositories. issues: problems, decisions and discussions of projects.'),
  withKey: z
    .enum(['repositories', 'issues', 'code', 'discussions'])
    .optional()
    .describe(
      'Default repositories. issues: problems and decisions of projects. discussions: questions to their makers, with ' +
        'answers. code: files that use a name or call; best with repo: or language:.',
    ),
} as const;

export const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe(
      'A few words, a phrase in double quotes; GitHub qualifiers (topic:, stars:>100, repo:owner/name) work too.',
    ),
  kind: kinds.withKey,
  language: z.string().optional().describe('Programming language.'),
  sort: z.enum(['best', 'stars', 'comments', 'updated']).optional().describe('Default best.'),
  page: z.number().optional().describe('Default 1.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});
type SearchArguments = z.infer<typeof searchArguments>;

const found = <T extends z.ZodType>(item: T) =>
  z.object({
    total_count: z.number(),
    incomplete_results: z.boolean().nullish(),
    // Counted before they are read: a page has 100 at most.
    items: z.array(z.unknown()).max(100).pipe(z.array(item)),
  });
const discussions = z.object({
  search: z.object({
    discussionCount: z.number(),
    nodes: z.array(z.unknown()).max(100),
    pageInfo: z.object({ hasNextPage: z.boolean() }).nullish(),
  }),
});

/** What each kind can be sorted by; anything else is GitHub's own order. */
const sorts: Readonly<Record<SearchKind, readonly string[]>> = {
  repositories: ['stars', 'updated'],
  issues: ['comments', 'updated'],
  code: [],
  discussions: ['updated'],
};

/** Discussions can be searched by GraphQL alone. Their first comments come with them. */
const discussionQuery = `query($q: String!, $count: Int!) {
  search(query: $q, type: DISCUSSION, first: $count) {
    discussionCount
    pageInfo { hasNextPage }
    nodes {
      ... on Discussion {
        url number title body updatedAt upvoteCount
        author { login }
        category { name }
        repository { nameWithOwner }
        answer { body author { login } }
        comments(first: 10) { totalCount nodes { body author { login } } }
      }
    }
  }
}`;

interface Page {
  readonly total: number;
  readonly incomplete: boolean;
  readonly documents: readonly FoundDocument[];
}

export class GithubSearch {
  readonly #parts: GithubParts;

  constructor(parts: GithubParts) {
    this.#parts = parts;
  }

  async search(args: SearchArguments, called: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { kind = 'repositories' } = args;
    const query = this.#fitted(args, kind, called);
    const notes = [...query.notes];
    const count = clampCount(args.max_results, 10, maxResults);
    const page = clampCount(args.page, 1, Math.ceil(mostResults / count));
    const find = (q: string): Promise<GithubAnswer<Page>> =>
      kind === 'discussions'
        ? this.#findDiscussions(q, args.sort, count, signal)
        : this.#find(kind, q, { count, page, sort: args.sort }, signal);
    const [first, second] = query.attempts;
    let used = first;
    let answer = await find(first);
    let { warning } = answer;
    const mayRetry = page === 1 && (answer.remaining ?? Infinity) > fewSearches;
    if (answer.data.documents.length === 0 && second !== undefined && mayRetry) {
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
    if (kind !== 'discussions' && documents.length > 0 && total > page * count && page * count < mostResults)
      notes.push(`More with page ${page + 1}.`);
    if (incomplete) notes.push("GitHub's search timed out; there may be more results.");
    if (answer.remaining !== undefined && answer.remaining <= fewSearches)
      notes.push(`${answer.remaining} GitHub searches are left in this minute.`);
    return toolResult(documents, notes, [warning]);
  }

  /** A query in GitHub's syntax. */
  #fitted(args: SearchArguments, kind: SearchKind, { language }: ToolContext): GithubQuery {
    const since = this.#parts.context.settings['sources.since'];
    const qualifiers = [...languageQualifier(args.language), ...sinceQualifier(since, kind)];
    const query = buildGithubQuery(args.query, { kind, language, qualifiers });
    if (query !== undefined) return query;
    throw emptyQuery(args.query, 'GitHub', 'Search with a few words about the subject.');
  }

  async #find(
    kind: Exclude<SearchKind, 'discussions'>,
    q: string,
    { count, page, sort }: { readonly count: number; readonly page: number; readonly sort?: string | undefined },
    signal: AbortSignal,
  ): Promise<GithubAnswer<Page>> {
    const { client, place, known } = this.#parts;
    const parameters = {
      q,
      per_page: String(count),
      ...(page > 1 ? { page: String(page) } : {}),
      ...(sort !== undefined && sorts[kind].includes(sort) ? { sort, order: 'desc' } : {}),
    };
    async function get<T extends z.ZodType>(
      item: T,
      read: (one: z.infer<T>) => FoundDocument | undefined,
    ): Promise<GithubAnswer<Page>> {
      const answer = await client.get({ path: `/search/${kind}`, parameters, schema: found(item), freshMs }, signal);
      const { total_count: total, incomplete_results: incomplete, items } = answer.data;
      const documents = await documentsOf(items as readonly z.infer<T>[], read, signal);
      return { ...answer, data: { total, incomplete: incomplete === true, documents } };
    }
    if (kind === 'issues') return get(issue, (item) => issueDocument(item, place));
    if (kind === 'code') return get(codeMatch, (item) => codeDocument(item, place));
    return get(repository, (item) => {
      known.set(item.full_name.toLowerCase(), item);
      return parseGithubRepo(item.full_name) === item.full_name ? repositoryDocument(item, place) : undefined;
    });
  }

  async #findDiscussions(
    q: string,
    sort: string | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<GithubAnswer<Page>> {
    const { client, place } = this.#parts;
    const sorted = sort === 'updated' ? `${q} sort:updated-desc` : q;
    const body = { query: discussionQuery, variables: { q: sorted, count } };
    const answer = await client.query({ body, schema: discussions, freshMs }, signal);
    const { discussionCount: total, nodes } = answer.data.search;
    const read = (node: unknown): FoundDocument | undefined => {
      const { data } = discussion.safeParse(node);
      return data === undefined ? undefined : discussionDocument(data, place);
    };
    const documents = await documentsOf(nodes, read, signal);
    if (nodes.length > 0 && documents.length === 0) throw client.unknownFormat();
    return { ...answer, data: { total, incomplete: false, documents } };
  }
}

function languageQualifier(language: string | undefined): string[] {
  const name = language?.trim() ?? '';
  if (!/^[\p{L}\p{N}+#. -]{1,40}$/u.test(name)) return [];
  return [`language:${/\s/.test(name) ? `"${name}"` : name}`];
}

function sinceQualifier(since: string, kind: SearchKind): string[] {
  // Code search knows no dates.
  return since === '' || kind === 'code' ? [] : [`${kind === 'repositories' ? 'pushed' : 'updated'}:>=${since}`];
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
