import { addressIdentity } from './addressIdentity.ts';
import { arxivIdentity, doiIdentity } from './paperIdentity.ts';

/** A work or a page that a text names, by an identifier or by its address. */
export interface Named {
  /** As `identitiesOf` writes it. */
  readonly identity: string;
  /** http(s). Absent: an identifier names it. */
  readonly url?: string;
  /** As it is in the text. */
  readonly text: string;
}

/** Works that one text may name. */
const mostNamed = 10;
/** How much of a question is read, in UTF-16 units: the rest is material. */
const longestRead = 20_000;

const address =
  /\b(?:https?:\/\/|git@[\w.-]{1,60}:|www\.|(?:[a-z\d-]{1,60}\.){1,4}[a-z]{2,10}\/)[^\s<>"`“”「」『』《》（）【】，。；：！？、]+/giu;
/** Chinese is written right behind an address; a path in Chinese begins behind a separator. */
const textBehind =
  /(?<=[a-z\d/])(?<![/=_#-])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}].*$/u;

/** Where a text does not have what is `beside`, the pattern means something else. */
type Identifier = readonly [
  pattern: RegExp,
  identity: (match: RegExpMatchArray) => string | undefined,
  beside?: RegExp,
];

/** Months of arXiv's ids since April 2007, which have five digits since 2015 (arXiv identifier scheme). */
const arxivNew = String.raw`(?:0[7-9]|[1-9]\d)(?:0[1-9]|1[0-2])\.\d{4,5}`;
const besideArxiv = String.raw`(?:(?:1[5-9]|[2-9]\d)(?:0[1-9]|1[0-2])\.\d{5})`;
const archives =
  'astro-ph|cond-mat|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|nlin|nucl-ex|nucl-th|physics|quant-ph|math|cs|q-bio|q-fin|stat';

const asArxiv: Identifier[1] = ([, id]) => arxivIdentity(id!);

const identifiers: readonly Identifier[] = [
  [/\b(10\.\d{4,9}\/[^\s<>"'“”，。；：！？、（）]+)/giu, ([, doi]) => doiIdentity(withoutPunctuation(doi!))],
  [new RegExp(`\\barxiv[:\\s]\\s*(${arxivNew})(?:v\\d+)?\\b`, 'giu'), asArxiv],
  [new RegExp(`(?<![\\w.$€£¥/-])(${besideArxiv})(?:v\\d+)?(?![\\w%]|[.,]\\d)`, 'gu'), asArxiv],
  [new RegExp(`\\b((?:${archives})(?:\\.[A-Z]{2})?/\\d{7})(?:v\\d+)?\\b`, 'gu'), asArxiv],
  [/\bPMID[:\s]\s*(\d{5,9})\b/giu, ([, id]) => `pmid:${id}`],
  [/\b(?:HN|Hacker\s?News)(?:\s(?:item|thread|story|post|discussion))?[\s:#]+(\d{5,9})\b/giu, ([, id]) => `hn:${id}`],
  [
    /(?<![\w./@:-])([a-z\d](?:[a-z\d-]{0,37}[a-z\d])?\/[\w.-]{2,100})(?![\w/])/giu,
    ([, repo]) => repositoryIdentity(withoutPunctuation(repo!)),
    /github|\brepo(?:s|sitor(?:y|ies))?\b|仓库|リポジトリ|저장소/iu,
  ],
];

/** What a text names, each once, in order; at most ten. In time linear in its length. */
export function namedIn(text: string): readonly Named[] {
  const unique = new Map<string, Named>();
  for (const { at: _, ...named } of placesIn(text)) if (!unique.has(named.identity)) unique.set(named.identity, named);
  return [...unique.values()].slice(0, mostNamed);
}

/** Whole http(s) addresses in a text, without the punctuation around them. Linear. */
export function addressesIn(text: string): readonly string[] {
  const written = text.match(/\bhttps?:\/\/[^\s<>"`“”「」『』《》（）【】，。；：！？、[\]|]+/giu) ?? [];
  return written.map((one) => withoutPunctuation(one.replace(textBehind, '')));
}

/** The text without addresses and numbers, which no passage repeats. The name of a repository says something. */
export function withoutNames(text: string): string {
  let left = text;
  for (const { url, identity, text: named, at } of placesIn(text))
    if (url !== undefined || !/^github:/.test(identity))
      left = left.slice(0, at) + ' '.repeat(named.length) + left.slice(at + named.length);
  return left;
}

function placesIn(given: string): readonly (Named & { readonly at: number })[] {
  const text = given.slice(0, longestRead);
  const found: (Named & { readonly at: number })[] = [];
  const rest = text.replace(address, (match: string, at: number) => {
    const written = withoutPunctuation(match.replace(textBehind, ''));
    const named = byAddress(written);
    if (named !== undefined) found.push({ ...named, at });
    return named === undefined ? match : ' '.repeat(written.length) + match.slice(written.length);
  });
  for (const [pattern, identity, beside] of identifiers) {
    if (beside?.test(rest) === false) continue;
    for (const match of rest.matchAll(pattern)) {
      const known = identity(match);
      if (known !== undefined) found.push({ identity: known, text: match[0], at: match.index });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** An address without a scheme counts where it begins with `www.` or is one of a service that is known. */
function byAddress(written: string): Named | undefined {
  const hasScheme = /^(?:https?:\/\/|git@)/i.test(written);
  const url = hasScheme ? written.replace(/^git@([^:]+):/, 'https://$1/') : `https://${written}`;
  const identity = addressIdentity(url);
  if (identity === undefined || (!hasScheme && !/^www\./i.test(written) && identity.startsWith('url:')))
    return undefined;
  return { identity, url, text: written };
}

/** Without the punctuation of the sentence around it; a bracket that the address opens itself stays. */
function withoutPunctuation(written: string): string {
  const unopened = (open: string, close: string): number => written.split(close).length - written.split(open).length;
  const excess: Record<string, number> = { ')': unopened('(', ')'), ']': unopened('[', ']') };
  let end = written.length;
  for (; end > 0; end -= 1) {
    const last = written[end - 1]!;
    if (".,;:!?'*…".includes(last)) continue;
    if ((excess[last] ?? 0) <= 0) break;
    excess[last]! -= 1;
  }
  return written.slice(0, end);
}

/** `and/or`, `CI/CD` and `src/index.ts` are no repositories. */
function repositoryIdentity(repo: string): string | undefined {
  const [owner = '', name = ''] = repo.split('/');
  const isName = (part: string): boolean => /[\d_.-]/.test(part) || part.length >= 4;
  if (!(isName(owner) || isName(name)) || notOwners.test(owner) || file.test(name)) return undefined;
  return /[a-z]/i.test(owner) && /[a-z]/i.test(name)
    ? addressIdentity(`https://github.com/${owner}/${name}`)
    : undefined;
}

const notOwners = /^(?:src|lib|tests?|docs?|client|server|read|input)$/i;
const file = /\.(?:[jt]sx?|py|md|json|ya?ml|toml|rs|go|java|c|cc|h|cpp|css|html?|txt|sh)$/i;
