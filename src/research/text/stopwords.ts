import { languages } from '../languages/languages.ts';

const spaceless = new Set(['zh', 'ja', 'ko']);

function wordsOf(stopWords: string): string[] {
  return stopWords.split(/\s+/);
}

/** Function words of languages that are written with spaces, by tag. */
export const stopwords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  languages.filter(({ tag }) => !spaceless.has(tag)).map(({ tag, stopWords }) => [tag, new Set(wordsOf(stopWords))]),
);

/** Grammar of Chinese, Japanese and Korean as the tokeniser cuts it (single characters and pairs), and question words. */
const cjkStopwords: ReadonlySet<string> = new Set(
  languages.filter(({ tag }) => spaceless.has(tag)).flatMap(({ stopWords }) => wordsOf(stopWords)),
);

const english = stopwords.get('en')!;

/** True for a token that carries no subject in English, or in the language when it is known. */
export function isStopword(token: string, language?: string): boolean {
  if (english.has(token)) return true;
  if (token.charCodeAt(0) > 0x2e7f) return cjkStopwords.has(token);
  return language !== undefined && language !== 'en' && (stopwords.get(language)?.has(token) ?? false);
}
