import { stopwords as ar } from '@orama/stopwords/arabic';
import { stopwords as nl } from '@orama/stopwords/dutch';
import { stopwords as en } from '@orama/stopwords/english';
import { stopwords as de } from '@orama/stopwords/german';
import { stopwords as id } from '@orama/stopwords/indonesian';
import { stopwords as pt } from '@orama/stopwords/portuguese';
import { stopwords as ru } from '@orama/stopwords/russian';
import { stopwords as sv } from '@orama/stopwords/swedish';
import { stopwords as tr } from '@orama/stopwords/turkish';
import { languages, listed } from '../languages/languages.ts';

/** Of the package's other lists, the Spanish and Chinese have words of content; "ai" is in the French and Italian ones. */
const lists: Readonly<Record<string, readonly string[]>> = { ar, de, en, id, nl, pt, ru, sv, tr };

/** Function words by language: those that carry no subject. */
export const stopwords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  languages.map(({ tag, stopWords }) => [tag, new Set([...(lists[tag] ?? []), ...listed(stopWords)])]),
);

const english = stopwords.get('en')!;
const eastAsian = ['zh', 'ja', 'ko'].map((tag) => stopwords.get(tag)!);

/** True for a token that carries no subject in English, or in the language when it is known. */
export function isStopword(token: string, language?: string): boolean {
  if (english.has(token)) return true;
  if (token.charCodeAt(0) > 0x2e7f) return eastAsian.some((words) => words.has(token));
  return language !== undefined && language !== 'en' && (stopwords.get(language)?.has(token) ?? false);
}
