import { trimEnd } from '../../research/text/trimEnd.ts';
import {
  isWeakWord,
  plainQuery,
  type QueryWord as Word,
  strongest,
  subjectWords,
  uniqueWords,
  withoutWishPhrases,
} from '../searchWords.ts';

export interface GithubQuery {
  /** Values of `q`: the second, with fewer words, is tried when the first finds nothing. */
  readonly attempts: readonly [string] | readonly [string, string];
  readonly notes: readonly string[];
}

export interface QueryOptions {
  readonly kind: 'repositories' | 'issues' | 'code' | 'discussions';
  readonly language: string;
  /** Added to both attempts, such as `language:Python`. */
  readonly qualifiers: readonly string[];
  /** Added to the first attempt only: a guess that is dropped when it finds nothing. */
  readonly guesses: readonly string[];
}

/** Qualifiers that a model may write itself. Others are read as words. */
const qualifierNames =
  `language topic user org repo in is type state label license stars forks size pushed created updated closed archived fork author comments
  reactions mirror template good-first-issues help-wanted-issues reason no linked path filename extension category answered`.split(
    /\s+/,
  );
const knownQualifiers = new RegExp(`^-?(?:${qualifierNames.join('|')}):(?:"[^"]{1,80}"|[^\\s"]{1,80})$`, 'i');

/** Free words of `q` (GitHub REST, search: limits on query length); qualifiers do not count. */
const maxWordsLength = 256;
/** Each word must be found, in a name, a description or a topic: few of them go a long way. */
const maxWords = { repositories: 4, issues: 5, code: 4, discussions: 4 } as const;
const maxQualifiers = 8;
const maxLength = 2_000;

/**
 * Turns a question or a query into GitHub's syntax: words that say something about the subject, phrases in quotes, known
 * qualifiers; anything else that looks like syntax is taken as words. Undefined when nothing is left. Total on any string.
 */
export function buildGithubQuery(text: string, options: QueryOptions): GithubQuery | undefined {
  const clean = withoutWishPhrases(plainQuery(text)).slice(0, maxLength);
  const written: string[] = [];
  const words: Word[] = [];
  for (const [token] of clean.matchAll(/-?[A-Za-z-]{1,40}:"[^"]{0,200}"|"[^"]{0,300}"|[^\s"]+/g)) {
    if (knownQualifiers.test(token)) written.push(token);
    else if (token.startsWith('"')) for (const one of phrase(token)) words.push(one);
    else if (!isOperator(token)) for (const one of plainWords(token)) words.push(one);
  }
  const { kept, foreign } = preferLatin(subjectWords(words, options.language));
  const added = [...written, ...options.qualifiers].slice(0, maxQualifiers);
  if (options.kind === 'issues' && !added.some((qualifier) => /^(is|type):(issue|pr|pull-request)$/i.test(qualifier)))
    added.push('is:issue');
  const hasScope = [...added, ...options.guesses].some((qualifier) =>
    /^(repo|topic|user|org|author|label):/i.test(qualifier),
  );
  if (kept.length === 0 && !hasScope) return undefined;

  const strong = kept.filter(({ value, quoted }) => quoted || !isWeakWord(value));
  const chosen = strongest(strong.length > 0 ? strong : kept, maxWords[options.kind]);
  const fewer = strongest(chosen, Math.max(1, Math.min(2, chosen.length - 1)));
  const first = join(chosen, [...added, ...options.guesses]);
  const second = join(fewer, added);
  const notes =
    foreign.length > 0 ? [`Searched for the Latin words only; left out ${foreign.slice(0, 5).join(', ')}.`] : [];
  return { attempts: second === first || join(fewer, []) === '' ? [first] : [first, second], notes };
}

function phrase(token: string): Word[] {
  const value = plainWords(token)
    .slice(0, 10)
    .map((word) => word.value)
    .join(' ');
  return value === '' ? [] : [{ value, quoted: value.includes(' ') }];
}

function plainWords(token: string): Word[] {
  return (token.match(/[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}.+#'_-]*/gu) ?? [])
    .map((word) => ({
      value: trimEnd(word.replace(/'s$/, ''), ".'_-").slice(0, 60),
      quoted: false,
    }))
    .filter(({ value }) => value !== '' && !isOperator(value));
}

function isOperator(word: string): boolean {
  return /^(AND|OR|NOT)$/.test(word);
}

/** GitHub does not cut other scripts into words: a whole clause seldom matches, a Latin term beside it does. */
function preferLatin(words: readonly Word[]): { readonly kept: readonly Word[]; readonly foreign: readonly string[] } {
  const parts = words.flatMap(({ value, quoted }) =>
    (value.match(/[\p{Script=Latin}\p{N}\p{Mn}.+#'_\s-]+|[^\p{Script=Latin}\p{N}.+#'_\s-]+/gu) ?? [])
      .map((part) => part.trim())
      .map((part) => ({ value: part, quoted: quoted && part.includes(' ') })),
  );
  const latin = parts.filter(({ value }) => /\p{Script=Latin}/u.test(value));
  const foreign = parts.filter(({ value }) => /(?!\p{Script=Latin})\p{L}/u.test(value));
  if (latin.length === 0 || foreign.length === 0) return { kept: words, foreign: [] };
  return {
    kept: uniqueWords(latin.filter(({ value }) => !isOperator(value))),
    foreign: foreign.map(({ value }) => value.slice(0, 40)),
  };
}

function join(words: readonly Word[], qualifiers: readonly string[]): string {
  let free = '';
  for (const { value, quoted } of words) {
    const next = `${free} ${quoted ? `"${value}"` : value}`.trim();
    if (next.length <= maxWordsLength) free = next;
  }
  return [free, ...qualifiers].filter((part) => part !== '').join(' ');
}
