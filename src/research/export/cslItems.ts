import { arxivIdOf } from '../evidence/paperIdentity.ts';
import { oneLine } from '../../markdown/hidden.ts';
import { safeUrl } from '../evidence/neutralize.ts';
import { citationKeys } from './citationKeys.ts';
import { type CslName, personName } from './personName.ts';
import type { StoredSource } from './storedSources.ts';

/** A date of CSL: year, and month and day as far as they are known. */
export interface CslDate {
  readonly 'date-parts': readonly [readonly number[]];
}

/** The part of CSL-JSON (schema 1.0.2) that our sources need; names of fields and types are the schema's. */
export interface CslItem {
  /** Unique in its list, and the key of the BibTeX entry. */
  readonly id: string;
  readonly type:
    'article' | 'article-journal' | 'software' | 'dataset' | 'webpage' | 'post' | 'post-weblog' | 'document';
  readonly title: string;
  readonly author?: readonly CslName[];
  readonly issued?: CslDate;
  readonly accessed?: CslDate;
  readonly URL?: string;
  readonly DOI?: string;
  readonly publisher?: string;
  readonly 'container-title'?: string;
  readonly genre?: string;
  readonly number?: string;
  readonly archive?: string;
  /** In an archive: an arXiv id, or path and lines of a file. */
  readonly archive_location?: string;
  readonly version?: string;
  readonly note?: string;
}

type Special = Partial<CslItem> & Pick<CslItem, 'type'>;

/** Sources as items of CSL-JSON, in the same order. */
export function cslItems(sources: readonly StoredSource[]): CslItem[] {
  const bare = sources.map(cslItem);
  const keys = citationKeys(
    bare,
    sources.map(({ id }) => id),
  );
  return bare.map((item, index) => ({ id: keys[index]!, ...item }));
}

function cslItem(source: StoredSource): Omit<CslItem, 'id'> {
  const authors = source.authors.map((name) => oneLine(name)).filter((name) => name !== '');
  const issued = source.file ? undefined : cslDate(source.date);
  const accessed = cslDate(source.retrievedAt);
  const url = source.url === undefined ? undefined : safeUrl(source.url);
  const { type, ...special } = specialOf(source);
  // On these hosts authors are logins and organisations, never names in parts.
  const logins = ['github', 'hackernews', 'huggingface'].includes(source.kind) && type !== 'article';
  return {
    type,
    title: oneLine(source.title) || url || source.id,
    ...(authors.length > 0 ? { author: authors.map((name) => (logins ? { literal: name } : personName(name))) } : {}),
    ...(issued ? { issued } : {}),
    ...(accessed ? { accessed } : {}),
    ...(url === undefined ? {} : { URL: url }),
    ...special,
    ...(source.standing ? { note: [source.standing.toUpperCase(), special.note].filter(Boolean).join('. ') } : {}),
  };
}

function specialOf(source: StoredSource): Special {
  const identities = [source.identity, ...source.aliases];
  const after = (prefix: string) => identities.find((identity) => identity.startsWith(prefix))?.slice(prefix.length);
  const arxiv = after('arxiv:');
  // All DOIs begin so; a source may tell anything.
  const doi = after('doi:10.');
  if (arxiv !== undefined) return arxivPaper(source, arxiv, doi && `10.${doi}`);
  if (doi !== undefined) return { type: 'article-journal', DOI: oneLine(`10.${doi}`) };
  const github = after('github:');
  if (github !== undefined) return onGithub(github, source);
  if (source.file) {
    const { path, firstLine, lastLine } = source.file;
    return { type: 'document', archive_location: oneLine(`${path}#L${firstLine}-L${lastLine}`) };
  }
  switch (source.kind) {
    case 'hackernews':
      return { type: 'post', 'container-title': 'Hacker News' };
    case 'huggingface':
      return {
        type: /huggingface\.co\/datasets\//.test(source.url ?? '') ? 'dataset' : 'software',
        publisher: 'Hugging Face',
      };
    case 'blog':
      return { type: 'post-weblog' };
    case 'scholarly':
      return { type: 'article' };
    default:
      return { type: source.url ? 'webpage' : 'document' };
  }
}

/** What was read is the preprint, also when a journal has it too. */
function arxivPaper({ url, facts }: StoredSource, id: string, doi: string | undefined): Special {
  const version = url !== undefined && arxivIdOf(url) === id ? /v(\d+)(?:\.pdf)?\/?$/.exec(url)?.[1] : undefined;
  const published = facts.find((fact) => fact.startsWith('published in '));
  return {
    type: 'article',
    publisher: 'arXiv',
    number: `arXiv:${id}`,
    archive: 'arXiv',
    archive_location: id,
    // arXiv registers this DOI for each of its papers.
    DOI: doi ? oneLine(doi) : `10.48550/arXiv.${id}`,
    ...(version === undefined ? {} : { version }),
    ...(published === undefined ? {} : { note: oneLine(`P${published.slice(1)}`) }),
  };
}

/** `owner/name`, `owner/name#12` or `owner/name@ref/path`. */
function onGithub(identity: string, { facts }: StoredSource): Special {
  if (identity.includes('#'))
    return {
      type: 'post',
      'container-title': 'GitHub',
      genre: facts.includes('pull request') ? 'Pull request' : 'Issue',
      number: identity.split('#')[1]!,
    };
  const ref = /@([^/]+)\//.exec(identity)?.[1];
  return { type: 'software', publisher: 'GitHub', ...(ref === undefined ? {} : { version: ref }) };
}

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, a time of day behind it or not. */
function cslDate(text: string | undefined): CslDate | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?![\d-])/.exec(text ?? '') ?? [];
  if (year === undefined || Number(year) === 0) return undefined;
  const parts = [Number(year)];
  if (Number(month) >= 1 && Number(month) <= 12) {
    parts.push(Number(month));
    if (Number(day) >= 1 && Number(day) <= 31) parts.push(Number(day));
  }
  return { 'date-parts': [parts] };
}
