import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { cleanReadme } from './cleanReadme.ts';
import type { GithubAnswer, GithubClient } from './githubClient.ts';
import {
  comment,
  type DocumentPlace,
  issue,
  issueDocument,
  plainCode,
  release,
  releaseDocument,
  type Repository,
  repositoryDocument,
} from './githubDocuments.ts';
import { parseGithubRepo } from './githubRepo.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, toolResult } from '../toolArguments.ts';

const readmeFreshMs = 60 * 60 * 1_000;
const newsFreshMs = 10 * 60 * 1_000;
/** Most entries of one page. */
const pageSize = 100;
/** A file is read up to here, in UTF-16 units; the API itself sends none of over 1 MB. */
const maxFileLength = 400_000;
const shownNames = 60;
/** Of 60 an hour without a key: below this, a note to the model says how many are left. */
const fewRequests = 5;

const base64 = z.object({ content: z.string(), encoding: z.string(), html_url: z.string().nullish() });
/** A page of a list, counted before it is read. */
const pageOf = <T extends z.ZodType>(item: T) => z.array(z.unknown()).max(pageSize).pipe(z.array(item));
const folder = z.array(z.unknown()).max(1_000);
const folderEntry = z.object({ name: z.string(), type: z.string() });
const commits = z.array(z.unknown()).max(100);
const commit = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  commit: z.object({ committer: z.object({ date: z.string() }).nullish() }).nullish(),
});

/** What the tools of one run share. */
export interface GithubParts {
  readonly context: SourceContext;
  readonly client: GithubClient;
  readonly place: DocumentPlace;
  /** Repositories that searches found, by name in lower case, so that a README takes one request and not two. */
  readonly known: Map<string, Repository>;
}

/** Opens what a search named: a README, a file, an issue with its comments, the releases. */
export class GithubReader {
  readonly #parts: GithubParts;

  constructor(parts: GithubParts) {
    this.#parts = parts;
  }

  async readme(asked: string, signal: AbortSignal): Promise<ToolResult> {
    const repo = this.#repo(asked);
    const answer = await this.#parts.client.get(
      { path: `/repos/${repo}/readme`, schema: base64, freshMs: readmeFreshMs },
      signal,
    );
    const { data } = answer;
    if (data.encoding !== 'base64')
      throw new ResearchError('badAnswer', `The README of ${repo} is too large to be read.`, {
        next: 'Use another source.',
      });
    const text = cleanReadme(Buffer.from(data.content, 'base64').toString('utf8'));
    if (text === '' || text.includes('\0'))
      throw new ResearchError('notFound', `The README of ${repo} has no text.`, { next: 'Use another source.' });
    const item = this.#parts.known.get(repo.toLowerCase()) ?? {
      full_name: repo,
      html_url: data.html_url?.replace(/\/blob\/.*$/, ''),
    };
    return resultOf([{ ...repositoryDocument(item, this.#parts.place), text }], answer);
  }

  /** A file as it was at the last commit that changed it, up to `ref`: the address leads to these words for ever. */
  async file(
    args: { readonly repo: string; readonly path: string; readonly ref?: string | undefined },
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { client, place } = this.#parts;
    const repo = this.#repo(args.repo);
    const path = plainPath(args.path);
    const ref = args.ref?.trim() ?? '';
    if (path === undefined || !/^[\w][\w./-]{0,200}$|^$/.test(ref) || ref.includes('..'))
      throw new ResearchError('badRequest', 'The path or the branch, tag or commit is not one of a repository.', {
        next: 'Give the path from the root of the repository, such as src/index.ts.',
      });
    const parameters = { path, per_page: '1', ...(ref === '' ? {} : { sha: ref }) };
    const history = await client.get(
      { path: `/repos/${repo}/commits`, parameters, schema: commits, freshMs: newsFreshMs },
      signal,
    );
    const { data: last } = commit.safeParse(history.data[0]);
    if (last === undefined)
      throw new ResearchError('notFound', `${repo} has no file ${path}${ref === '' ? '' : ` at ${ref}`}.`, {
        next: 'Read a folder (path "docs", or "." for all) to see what there is.',
      });
    const below = path === '.' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`;
    const about = { parameters: { ref: last.sha }, schema: z.union([base64, folder]), freshMs: readmeFreshMs };
    const answer = await client.get({ path: `/repos/${repo}/contents${below}`, ...about }, signal);
    if (Array.isArray(answer.data)) return { documents: [], note: folderNote(repo, path, answer.data) };
    const { content, encoding } = answer.data;
    const bytes = Buffer.from(content, 'base64');
    if (encoding !== 'base64' || bytes.subarray(0, 8_192).includes(0))
      throw new ResearchError('badRequest', `${path} in ${repo} is too large, or no text.`, {
        next: 'Read another file.',
      });
    const text = plainCode(bytes.toString('utf8')).slice(0, maxFileLength);
    if (text.trim() === '')
      throw new ResearchError('notFound', `${path} in ${repo} is empty.`, { next: 'Read another file.' });
    const day = last.commit?.committer?.date.slice(0, 10);
    const document: FoundDocument = {
      kind: 'github',
      title: `${path} (${repo})`,
      authors: [repo.split('/')[0]!],
      ...(day === undefined ? {} : { date: day }),
      url: `https://${place.pageHost}/${repo}/blob/${last.sha}/${path.split('/').map(encodeURIComponent).join('/')}`,
      text,
      facts: ['code', `last changed in commit ${last.sha.slice(0, 10)}`],
    };
    return resultOf([document], answer);
  }

  async releases(
    args: { readonly repo: string; readonly max_results?: number | undefined },
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const repo = this.#repo(args.repo);
    const count = clampCount(args.max_results, 5, 30);
    const about = { parameters: { per_page: String(count) }, schema: pageOf(release), freshMs: newsFreshMs };
    const answer = await this.#parts.client.get({ path: `/repos/${repo}/releases`, ...about }, signal);
    const documents = answer.data.flatMap((item) => releaseDocument(item, repo, this.#parts.place) ?? []);
    const note =
      documents.length === 0
        ? `${repo} has no releases; its README or a file such as CHANGELOG.md may say more.`
        : `The last ${documents.length} releases of ${repo}, newest first.`;
    return resultOf(documents, answer, note);
  }

  /** An issue or a pull request with its comments. */
  async issue(args: { readonly repo: string; readonly number: number }, signal: AbortSignal): Promise<ToolResult> {
    const { client, place } = this.#parts;
    const repo = this.#repo(args.repo);
    const number = Math.trunc(args.number);
    if (!(number >= 1 && number < 1e9))
      throw new ResearchError('badRequest', 'That is not the number of an issue.', {
        next: 'Give the number after the # that github_search shows.',
      });
    const path = `/repos/${repo}/issues/${number}`;
    const { data } = await client.get({ path, schema: issue, freshMs: newsFreshMs }, signal);
    const about = { parameters: { per_page: String(pageSize) }, schema: pageOf(comment), freshMs: newsFreshMs };
    const answer = await client.get({ path: `${path}/comments`, ...about }, signal);
    const document = issueDocument(data, place, answer.data);
    if (document === undefined) throw client.unknownFormat();
    const total = data.comments ?? answer.data.length;
    const cut = total > answer.data.length ? ` The first ${answer.data.length} of ${total} comments were read.` : '';
    return resultOf([document], answer, `${answer.data.length} comments, each under the name of its author.${cut}`);
  }

  /** `owner/name` of what was asked for. Rejects with `badRequest` for another site. */
  #repo(asked: string): string {
    const repo = parseGithubRepo(asked, this.#parts.place.hosts);
    if (repo === undefined)
      throw new ResearchError('badRequest', `"${asked.slice(0, 100)}" is not a GitHub repository.`, {
        next: 'Give it as owner/name.',
      });
    return repo;
  }
}

/** A path from the root of a repository; undefined for anything else. */
function plainPath(asked: string): string | undefined {
  const path = asked
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '');
  if (path === '' || path === '.') return '.';
  const parts = path.split('/');
  const isPlain = path.length <= 500 && !/[\p{Cc}\\?#]/u.test(path) && parts.every((part) => !/^\.{0,2}$/.test(part));
  return isPlain ? path : undefined;
}

function folderNote(repo: string, path: string, entries: readonly unknown[]): string {
  const names = entries.flatMap((entry) => {
    const { data } = folderEntry.safeParse(entry);
    return data === undefined ? [] : [`${plainCode(data.name).slice(0, 100)}${data.type === 'dir' ? '/' : ''}`];
  });
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  return `${path === '.' ? repo : `${path} in ${repo}`} is a folder: ${names.slice(0, shownNames).join(', ')}${more}.`;
}

function resultOf(documents: readonly FoundDocument[], answer: GithubAnswer<unknown>, said = ''): ToolResult {
  const { remaining, warning } = answer;
  const few =
    remaining !== undefined && remaining <= fewRequests ? `${remaining} GitHub requests are left in this hour.` : '';
  return toolResult(documents, [said, few], [warning]);
}
