import { plainQuery, queryWords, type QueryWord, searchAttempts, splitScripts } from '../searchWords.ts';

export interface GithubQuery {
  /** Values of `q`: the second, with fewer words, is tried when the first finds nothing. */
  readonly attempts: readonly [string] | readonly [string, string];
  readonly notes: readonly string[];
}

export interface QueryOptions {
  readonly kind: 'repositories' | 'issues' | 'code' | 'discussions';
  readonly language: string;
  /** Such as `language:Python`. */
  readonly qualifiers: readonly string[];
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
  const written: string[] = [];
  const free = plainQuery(text)
    .slice(0, maxLength)
    .replace(/-?[A-Za-z-]{1,40}:"[^"]{0,200}"|"[^"]{0,300}"|[^\s"]+/g, (token) => {
      if (!knownQualifiers.test(token)) return token;
      written.push(token);
      return ' ';
    });
  const words = queryWords(free, options.language);
  // GitHub does not cut other scripts into words: a whole clause seldom matches, a Latin term beside it does.
  const { latin, foreign } = splitScripts(words);
  const isMixed = latin.length > 0 && foreign.length > 0;
  const kept = isMixed ? latin : words;
  const added = [...written, ...options.qualifiers].slice(0, maxQualifiers);
  if (options.kind === 'issues' && !added.some((qualifier) => /^(is|type):(issue|pr|pull-request)$/i.test(qualifier)))
    added.push('is:issue');
  if (kept.length === 0 && !added.some((qualifier) => /^(repo|topic|user|org|author|label):/i.test(qualifier)))
    return undefined;
  const [all, fewer] = searchAttempts(kept, maxWords[options.kind]);
  const [first, second] = [join(all, added), join(fewer, added)];
  return {
    attempts: second === first || fewer.length === 0 ? [first] : [first, second],
    notes: isMixed ? [`Searched for the Latin words only; left out ${foreign.slice(0, 5).join(', ')}.`] : [],
  };
}

function join(words: readonly QueryWord[], qualifiers: readonly string[]): string {
  let free = '';
  for (const { value, quoted } of words) {
    const next = `${free} ${quoted ? `"${value}"` : value}`.trim();
    if (next.length <= maxWordsLength) free = next;
  }
  return [free, ...qualifiers].filter((part) => part !== '').join(' ');
}
