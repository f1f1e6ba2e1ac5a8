import { arxivIdOf } from '../evidence/paperIdentity.ts';
import { oneLine } from '../../markdown/hidden.ts';
import { safeUrl } from '../evidence/neutralize.ts';
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

/** Words that say nothing at the head of a title. */
const smallWords = new Set(
  'a an the on of in for to and or with from by at as is are be how what why when which who does do can der die das ein eine zur zum le la les un une des du el los las de'.split(
    ' ',
  ),
);
const longestPart = 30;

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

/**
 * Keys such as `lewis2020retrieval`: the first author, the year, the first word of the title. Identical keys get `a`,
 * `b`, … A source whose name and title have no Latin letters goes by its id, which is the same in every run.
 */
function citationKeys(items: readonly Omit<CslItem, 'id'>[], sourceIds: readonly string[]): string[] {
  const bases = items.map((item, index) => keyOf(item) || sourceIds[index]!.toLowerCase());
  const count = new Map<string, number>();
  for (const base of bases) count.set(base, (count.get(base) ?? 0) + 1);
  const taken = new Set(bases.filter((base) => count.get(base) === 1));
  const used = new Map<string, number>();
  return bases.map((base) => {
    if (count.get(base) === 1) return base;
    let key: string;
    do {
      const number = used.get(base) ?? 0;
      used.set(base, number + 1);
      key = base + letters(number);
    } while (taken.has(key));
    taken.add(key);
    return key;
  });
}

function keyOf({ author, issued, title }: Omit<CslItem, 'id'>): string {
  const first = author?.[0];
  const name = first === undefined ? '' : latin('literal' in first ? first.literal : first.family);
  // Of `owner/name` the name is more distinctive.
  const words = title
    .replace(/^[\w.-]+\/(?=[\w.-]+$)/, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(latin)
    .filter((word) => word !== '');
  const word = words.find((one) => !smallWords.has(one)) ?? words[0] ?? '';
  if (name === '' && word === '') return '';
  const key = `${name}${issued?.['date-parts'][0][0] ?? ''}${word}`;
  // BibTeX allows a digit in front, but some of its readers don't.
  return /^\d/.test(key) ? `n${key}` : key;
}

/** Small Latin letters and digits alone; accents are taken off. */
function latin(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/[øœ]/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, longestPart);
}

/** a … z, aa, ab, … */
function letters(number: number): string {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26) - 1) + last;
}
