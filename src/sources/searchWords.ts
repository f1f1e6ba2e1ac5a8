import type { SearchQuery } from '../research/tools.ts';
import { isStopword } from '../research/text/stopwords.ts';

/** A word of a query, or what it has in quotes. */
export interface QueryWord {
  readonly value: string;
  readonly quoted: boolean;
}

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
export function withoutWishPhrases(text: string): string {
  const rest = text.replace(wishPhrases, ' ');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** Whether a word speaks of the answer that is wanted ("latest", "overview", a year), not of its subject. */
export function isWishWord(word: string): boolean {
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

/** The words of a subject, each once: no function words of English or the language, none about the wish. What is in quotes stays. */
export function subjectWords<W extends QueryWord>(words: readonly W[], language: string): W[] {
  const subject = words.filter(({ value, quoted }) => {
    const lower = value.toLowerCase();
    return quoted || !(isStopword(lower, 'en') || isStopword(lower, language) || isWishWord(value));
  });
  return uniqueWords(subject);
}

export function uniqueWords<W extends QueryWord>(words: readonly W[]): W[] {
  const first = new Map(words.toReversed().map((word) => [word.value.toLowerCase(), word]));
  return words.filter((word) => first.get(word.value.toLowerCase()) === word);
}

/** The heaviest words, in their own order; what is in quotes weighs most. */
export function strongest<W extends QueryWord>(words: readonly W[], count: number): W[] {
  const weight = ({ value, quoted }: QueryWord): number => subjectWeight(value) + (quoted ? 20 : 0);
  const chosen = new Set(words.toSorted((a, b) => weight(b) - weight(a)).slice(0, count));
  return words.filter((word) => chosen.has(word));
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
