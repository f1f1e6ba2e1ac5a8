import type { SearchQuery } from '../research/tools.ts';
import { isStopword } from '../research/text/stopwords.ts';
import { trimBoth, trimEnd } from '../research/text/trimEnd.ts';

/** A word of a query, or a phrase that it has in quotes. */
export interface QueryWord {
  readonly value: string;
  /** In quotes, of several words. */
  readonly quoted: boolean;
}

const operators = /^(?:AND|OR|ANDNOT|NOT|TO)$/;
/** UTF-16 units of a query that are read; words of a phrase; UTF-16 units of a word. */
const longestQuery = 2_000;
const longestPhrase = 10;
const longestWord = 60;

/** Words about the wish, not the subject: a paper seldom holds them all. */
const wishWords = new Set(
  `arxiv paper papers article articles publication publications literature preprint preprints recent recently latest newest new best good top main major important key
  popular overview introduction explain explanation detail details example examples list different various current state-of-the-art vs versus`.split(
    /\s+/,
  ),
);
/** Words that a paper may put in another way: the first to be dropped. */
const weakWords = new Set(
  `technique techniques method methods approach approaches way ways strategy strategies tool tools using use used based application applications challenge challenges
  problem problems solution solutions advantage advantages disadvantage disadvantages limitation limitations comparison compare difference differences improve improving
  improvement improvements work works issue issues trend trends impact effect effects role type types kind kinds research study studies
  framework frameworks library libraries project projects system systems implementation implementations package packages software`.split(
    /\s+/,
  ),
);

/** The same in several words. */
const wishPhrases = /\b(?:open[- ]source(?:d)?|state[- ]of[- ]the[- ]art|pros and cons|best practices?)\b/gi;

/** Takes out phrases that say what kind of answer is wanted, unless nothing else is asked for. */
function withoutWishPhrases(text: string): string {
  const rest = text.replace(wishPhrases, ' ');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** Whether a word speaks of the answer that is wanted ("latest", "overview", a year), not of its subject. */
function isWishWord(word: string): boolean {
  return wishWords.has(word.toLowerCase()) || /^(19|20)\d\d$/.test(word);
}

/** Whether a word could well be put in another way, or left out. */
export function isWeakWord(word: string): boolean {
  return weakWords.has(word.toLowerCase()) || wishWords.has(word.toLowerCase());
}

/** How much a word or phrase says about the subject: names and compounds first, weak words last. */
export function subjectWeight(value: string): number {
  if (isWeakWord(value)) return -1;
  const name = (/\p{N}/u.test(value) && /\p{L}/u.test(value)) || /\p{L}\p{Lu}|^\p{Lu}(?=\p{Ll})/u.test(value) ? 6 : 0;
  const compound = /[\s-]/.test(value) ? 4 : 0;
  return name + compound + Math.min(value.length, 14) / 2;
}

/** What is not about the wish; all of it when nothing else is there. */
function subjectOf<W>(words: readonly W[], valueOf: (word: W) => string): readonly W[] {
  const subject = words.filter((word) => !isWishWord(valueOf(word)));
  return subject.length > 0 ? subject : words;
}

/**
 * The words and phrases of a query's subject, each once: no operators of search engines, no function words of English or the
 * language, none about the wish. Linear.
 */
export function queryWords(query: string, language: string): QueryWord[] {
  const text = withoutWishPhrases(plainQuery(query)).slice(0, longestQuery);
  const words = [...text.matchAll(/"([^"]*)"|[^\s"]+/g)].flatMap(([token, phrase]): QueryWord[] => {
    const found = wordsIn(token);
    const value = found.slice(0, longestPhrase).join(' ');
    return phrase !== undefined && value.includes(' ')
      ? [{ value, quoted: true }]
      : found.map((word) => ({ value: word, quoted: false }));
  });
  const telling = words.filter(
    ({ value, quoted }) =>
      quoted || !(isStopword(value.toLowerCase(), 'en') || isStopword(value.toLowerCase(), language)),
  );
  return uniqueWords(subjectOf(telling, ({ value }) => value));
}

function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.+#'’_-]*/gu) ?? [])
    .map((word) => trimEnd(word.replaceAll('’', "'").replace(/'s$/, ''), ".'_-").slice(0, longestWord))
    .filter((word) => word !== '' && !operators.test(word));
}

/** The words between the spaces of a query, without the punctuation around them and without those about the wish. */
export function bareWords(query: string): readonly string[] {
  const words = withoutWishPhrases(plainQuery(query))
    .split(/\s+/)
    .map((word) => trimBoth(word, '"\'()（）,.;:?!，。？'))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return subjectOf(words, (word) => word);
}

function uniqueWords(words: readonly QueryWord[]): QueryWord[] {
  const first = new Map(words.toReversed().map((word) => [word.value.toLowerCase(), word]));
  return words.filter((word) => first.get(word.value.toLowerCase()) === word);
}

/** The parts of words in Latin script, and those in any other: most services don't cut the latter into words. */
export function splitScripts(words: readonly QueryWord[]): {
  readonly latin: readonly QueryWord[];
  readonly foreign: readonly string[];
} {
  const parts = words.flatMap(({ value, quoted }) =>
    (value.match(/[\p{Script=Latin}\p{N}\p{Mn}.+#'_\s-]+|[^\p{Script=Latin}\p{N}.+#'_\s-]+/gu) ?? [])
      .map((part) => trimEnd(part.trim().replace(/^[^\p{L}\p{N}]+/u, ''), ".'_-"))
      .map((part) => ({ value: part, quoted: quoted && part.includes(' ') })),
  );
  const foreign = parts.filter(({ value }) => /(?!\p{Script=Latin})\p{L}/u.test(value));
  return {
    latin: uniqueWords(parts.filter(({ value }) => /[\p{Script=Latin}\p{N}]/u.test(value) && !operators.test(value))),
    foreign: foreign.map(({ value }) => value.slice(0, 40)),
  };
}

/** The heaviest words, in their own order; what is in quotes weighs most. */
export function strongest(words: readonly QueryWord[], count: number): QueryWord[] {
  const weight = ({ value, quoted }: QueryWord): number => subjectWeight(value) + (quoted ? 20 : 0);
  const chosen = new Set(words.toSorted((a, b) => weight(b) - weight(a)).slice(0, count));
  return words.filter((word) => chosen.has(word));
}

/** The words of a first search where each has to occur, and the fewer of another when that finds nothing. */
export function searchAttempts(words: readonly QueryWord[], most: number): readonly [QueryWord[], QueryWord[]] {
  const strong = words.filter(({ value, quoted }) => quoted || !isWeakWord(value));
  const first = strongest(strong.length > 0 ? strong : words, most);
  return [first, strongest(first, Math.max(1, Math.min(2, first.length - 1)))];
}

/** A query without control and invisible characters, with plain quotes and without addresses. */
export function plainQuery(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ')
    .replace(/[“”„«»]/g, '"')
    .replace(/\b[a-z]+:\/\/\S*/gi, ' ');
}

/** The first words of a subject, for a service whose texts are in English. Empty when nothing of it is. */
export function englishQuery({ text, subject, englishSubject }: SearchQuery, maxWords: number): string {
  const query = englishSubject || subject || text;
  return /[a-z]{2}/i.test(query) ? query.split(' ').slice(0, maxWords).join(' ') : '';
}
