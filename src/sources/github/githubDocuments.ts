import * as z from 'zod';
import type { WorkspaceFacts } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { cleanReadme } from './cleanReadme.ts';
import { parseGithubRepo } from './githubRepo.ts';

/** What GitHub answers, as far as it is used, and the documents that are made of it. Nearly every field may be null. */

const nullableText = z.string().nullish();
const account = z.object({ login: z.string() }).nullish();

export const repository = z.object({
  full_name: z.string(),
  html_url: nullableText,
  description: nullableText,
  language: nullableText,
  stargazers_count: z.number().nullish(),
  topics: z.array(z.string()).nullish(),
  license: z.object({ spdx_id: nullableText }).nullish(),
  owner: account,
  pushed_at: nullableText,
  updated_at: nullableText,
  archived: z.boolean().nullish(),
  private: z.boolean().nullish(),
  visibility: nullableText,
  fork: z.boolean().nullish(),
});
export const issue = z.object({
  html_url: z.string(),
  number: z.int().min(1),
  title: z.string(),
  body: nullableText,
  state: nullableText,
  comments: z.number().nullish(),
  user: account,
  labels: z.array(z.union([z.string(), z.object({ name: nullableText })])).nullish(),
  updated_at: nullableText,
  created_at: nullableText,
  pull_request: z.unknown().optional(),
  state_reason: nullableText,
});
export const comment = z.object({ body: nullableText, user: account, created_at: nullableText });
export const codeMatch = z.object({
  path: z.string().min(1),
  html_url: z.string(),
  repository: z.object({ full_name: z.string() }),
  text_matches: z.array(z.object({ fragment: nullableText, property: nullableText })).nullish(),
});
export const release = z.object({
  html_url: z.string(),
  tag_name: z.string().min(1),
  name: nullableText,
  body: nullableText,
  published_at: nullableText,
  author: account,
  prerelease: z.boolean().nullish(),
  draft: z.boolean().nullish(),
});
const said = z.object({ body: nullableText, author: account });
export const discussion = z.object({
  url: z.string(),
  number: z.int().min(1),
  title: z.string(),
  body: nullableText,
  updatedAt: nullableText,
  author: account,
  upvoteCount: z.number().nullish(),
  category: z.object({ name: nullableText }).nullish(),
  repository: z.object({ nameWithOwner: z.string() }),
  answer: said.nullish(),
  comments: z.object({ totalCount: z.number().nullish(), nodes: z.array(said.nullish()).nullish() }).nullish(),
});

export type Repository = z.infer<typeof repository>;
export type Issue = z.infer<typeof issue>;
export type Comment = z.infer<typeof comment>;
export type CodeMatch = z.infer<typeof codeMatch>;
export type Release = z.infer<typeof release>;
export type Discussion = z.infer<typeof discussion>;

/** Where pages may lie, and what the workspace says of repositories. */
export interface DocumentPlace {
  /** Host of the pages that belongs to the API. */
  readonly pageHost: string;
  readonly hosts: readonly string[];
  readonly facts: WorkspaceFacts | undefined;
}

export function repositoryDocument(item: Repository, { facts, pageHost, hosts }: DocumentPlace): FoundDocument {
  const name = item.full_name.toLowerCase();
  const has = (list: readonly string[] | undefined): boolean =>
    list?.some((repo) => repo.toLowerCase() === name) ?? false;
  const licence = item.license?.spdx_id;
  const owner = item.owner?.login ?? item.full_name.split('/')[0];
  return {
    kind: 'github',
    title: item.full_name,
    authors: owner === undefined ? [] : [owner],
    ...dated(item.pushed_at ?? item.updated_at),
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
    // A key shows its owner's private repositories too.
    ...(item.private === true || item.visibility === 'internal' ? { isPrivate: true } : {}),
  };
}

/** @param comments Absent: not read. */
export function issueDocument(
  item: Issue,
  { hosts }: DocumentPlace,
  comments: readonly Comment[] = [],
): FoundDocument | undefined {
  const repo = repoOfPage(item.html_url, hosts);
  if (repo === undefined) return undefined;
  const labels = (item.labels ?? [])
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((name) => name !== '');
  return {
    kind: 'github',
    title: `${item.title} (${repo}#${item.number})`,
    authors: item.user ? [item.user.login] : [],
    ...dated(item.updated_at ?? item.created_at),
    url: item.html_url,
    ids: { repo, issue: item.number },
    text: paragraphs([
      ...[item.title, cleanReadme(item.body ?? '')],
      ...comments.map(({ user, body, created_at }) => answerText(user, body, created_at)),
    ]),
    facts: [
      item.pull_request ? 'pull request' : 'issue',
      ...(item.state ? [item.state_reason === 'not_planned' ? 'closed as not planned' : item.state] : []),
      ...(typeof item.comments === 'number' ? [`${item.comments} comments`] : []),
      ...(labels.length > 0 ? [`labels ${labels.slice(0, 5).join(', ')}`] : []),
    ],
  };
}

export function discussionDocument(item: Discussion, { hosts }: DocumentPlace): FoundDocument | undefined {
  const repo = repoOfPage(item.url, hosts);
  if (repo === undefined) return undefined;
  const answer = item.answer ?? undefined;
  const others = (item.comments?.nodes ?? []).filter((node) => node && node.body !== answer?.body);
  return {
    kind: 'github',
    title: `${item.title} (${repo}#${item.number})`,
    authors: item.author ? [item.author.login] : [],
    ...dated(item.updatedAt),
    url: item.url,
    ids: { repo, issue: item.number },
    text: paragraphs([
      ...[item.title, cleanReadme(item.body ?? '')],
      ...(answer ? [answerText(answer.author, answer.body, undefined, 'accepted answer')] : []),
      ...others.map((node) => answerText(node!.author, node!.body)),
    ]),
    facts: [
      'discussion',
      answer ? 'answered' : 'no accepted answer',
      ...(item.category?.name ? [`category ${item.category.name}`] : []),
      ...(typeof item.upvoteCount === 'number' ? [`${item.upvoteCount} upvotes`] : []),
      ...(typeof item.comments?.totalCount === 'number' ? [`${item.comments.totalCount} comments`] : []),
    ],
  };
}

/** A file that code search found: the lines around what matched, in the file's order. */
export function codeDocument(item: CodeMatch, { hosts }: DocumentPlace): FoundDocument | undefined {
  const repo = repoOfPage(item.html_url, hosts);
  if (repo === undefined || repo.toLowerCase() !== item.repository.full_name.toLowerCase()) return undefined;
  const fragments = (item.text_matches ?? []).flatMap(({ fragment, property }) =>
    property === 'path' || !fragment ? [] : [plainCode(fragment)],
  );
  return {
    kind: 'github',
    title: `${item.path} (${repo})`,
    authors: [repo.split('/')[0]!],
    url: item.html_url,
    text: fragments.length === 0 ? item.path : fragments.join('\n…\n'),
    facts: ['code'],
  };
}

export function releaseDocument(item: Release, repo: string, { hosts }: DocumentPlace): FoundDocument | undefined {
  if (item.draft === true || repoOfPage(item.html_url, hosts)?.toLowerCase() !== repo.toLowerCase()) return undefined;
  const name = item.name?.trim() ?? '';
  const body = cleanReadme(item.body ?? '');
  const title = `${repo} ${item.tag_name}${name === '' || name === item.tag_name ? '' : `: ${name}`}`;
  return {
    kind: 'github',
    title,
    authors: item.author ? [item.author.login] : [],
    ...dated(item.published_at),
    url: item.html_url,
    text: body === '' ? title : `${title}\n\n${body}`,
    facts: ['release', ...(item.prerelease === true ? ['a prerelease'] : [])],
  };
}

/** Code as it is, without invisible characters. */
export function plainCode(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `date` of a document. */
function dated(instant: string | null | undefined): { readonly date?: string } {
  const day = instant?.slice(0, 10);
  return day === undefined ? {} : { date: day };
}

function repoOfPage(address: string, hosts: readonly string[]): string | undefined {
  return /^https?:\/\//i.test(address) ? parseGithubRepo(address, hosts) : undefined;
}

/** A comment under a heading with its author, so that a passage names who wrote it. */
function answerText(
  user: z.infer<typeof account>,
  body: string | null | undefined,
  instant?: string | null,
  note?: string,
): string {
  const text = cleanReadme(body ?? '');
  const name = /^[\w[\]-]{1,60}$/.test(user?.login ?? '') ? user!.login : 'somebody';
  const day = /^\d{4}-\d{2}-\d{2}/.exec(instant ?? '')?.[0];
  return text === '' ? '' : `## ${[name, day, note].filter((part) => part !== undefined).join(', ')}\n\n${text}`;
}
