import { languages } from '../languages/languages.ts';
import { stopwords } from './stopwords.ts';
import { tokenize } from './tokenize.ts';

/** How much of a text is read for its language, in UTF-16 units. */
const sampleLength = 4_000;

/** Scripts that one language uses, or that are distinguished by letters of their own below. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/gu, 'ko'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Armenian}/gu, 'hy'],
];

/** Languages that are distinguished by their function words; English is what is left. */
const latinLanguages = languages.filter(({ tag }) => !scripts.some(([, own]) => own === tag));

/** The places in `latinLanguages` of those that have a function word. */
const users = new Map<string, number[]>();
for (const [at, { tag }] of latinLanguages.entries())
  for (const word of stopwords.get(tag)!) users.set(word, [...(users.get(word) ?? []), at]);

/** A character that may be of a script other than Latin. */
const beyondLatin = /[\u0370-\u1DFF\u2C80-\uFFFF]/;

/** Scripts in which one character says about as much as several letters. */
const dense = new Set(['ko', 'ja', 'zh']);

/** Latin and French phrases of scientific English. */
const loanPhrases =
  /\b(?:in (?:vitro|vivo|silico|situ)|de (?:novo|facto)|et al|a (?:priori|posteriori)|à la|per se|vis-à-vis)\b/gu;

/**
 * The language of a text as a BCP 47 tag, from its script and function words; "en" when nothing speaks for another.
 * Foreign names and terms inside a sentence do not decide ("PD-1 耐药机制" is Chinese, "What does 知识图谱 mean?" English).
 */
export function detectLanguage(text: string): string {
  if (text !== last.text) last = { text, language: languageOf(text) };
  return last.language;
}

/** The steps that read one sentence detect its language one after the other. */
let last = { text: '', language: 'en' };

function languageOf(text: string): string {
  const sample = text.slice(0, sampleLength).normalize('NFC').toLowerCase().replace(loanPhrases, ' ');
  if (!beyondLatin.test(sample)) return latinLanguage(sample).language;
  const [language, weight] = scriptOf(sample);
  if (weight === 0) return latinLanguage(sample).language;
  if (count(sample, /\p{Script=Latin}/gu) > weight) {
    const latin = latinLanguage(sample);
    if (latin.hits >= 2) return latin.language;
  }
  return language;
}

/** Letters of a foreign script in a row of words that make a sentence: fewer are a name or a term. */
const foreignLetters = 8;
/** Words, of a script that writes words apart. */
const foreignWords = 8;

/** Whether a sentence has no word in the script of a language, and enough in another to be no name. */
export function isInOtherScript(sentence: string, language: string): boolean {
  const tag = sharing[language] ?? language;
  const own = scripts.find(([, one]) => one === tag)?.[0];
  const latinLetters = count(sentence, /\p{Script=Latin}/gu);
  const others = beyondLatin.test(sentence) ? scripts.reduce((sum, [script]) => sum + count(sentence, script), 0) : 0;
  if (own === undefined) return others >= foreignLetters && others > latinLetters;
  if (count(sentence, own) > 0 || (tag === 'ja' && /\p{Script=Han}/u.test(sentence))) return false;
  return others >= foreignLetters || (sentence.match(/\p{Script=Latin}{2,}/gu)?.length ?? 0) >= foreignWords;
}

/** Languages that share the script of another. */
const sharing: Readonly<Record<string, string>> = {
  ...{ uk: 'ru', bg: 'ru', sr: 'ru', mk: 'ru', be: 'ru', kk: 'ru', mn: 'ru' },
  ...{ fa: 'ar', ur: 'ar', ps: 'ar', mr: 'hi', ne: 'hi', sa: 'hi', as: 'bn', yi: 'he', yue: 'zh' },
};

function scriptOf(sample: string): readonly [language: string, weight: number] {
  const counts = new Map(
    scripts.map(([pattern, language]) => [language, count(sample, pattern) * (dense.has(language) ? 2.5 : 1)]),
  );
  // Japanese mixes kana with Chinese characters.
  const kana = counts.get('ja')!;
  if (kana > 0 && kana * 8 >= counts.get('zh')!) {
    counts.set('ja', kana + counts.get('zh')!);
    counts.set('zh', 0);
  }
  let best: readonly [string, number] = ['en', 0];
  for (const entry of counts) if (entry[1] > best[1]) best = entry;
  return [refine(best[0], sample), best[1]];
}

function refine(language: string, sample: string): string {
  if (language === 'ru' && /[іїєґ]/u.test(sample)) return 'uk';
  if (language === 'ar' && /[پچژگ]/u.test(sample)) return /[ٹڈڑے]/u.test(sample) ? 'ur' : 'fa';
  return language;
}

/** The language of a text that leaves no doubt: its function words are many, and those of no other language half as many. */
export function sureLanguage(text: string): string | undefined {
  const language = detectLanguage(text);
  if (!latinLanguages.some(({ tag }) => tag === language)) return language;
  const { hits, next } = latinLanguage(text.slice(0, sampleLength).normalize('NFC').toLowerCase());
  return hits >= leastSure && next <= hits / 2 ? language : undefined;
}

/** Function words. */
const leastSure = 6;

function latinLanguage(sample: string): { readonly language: string; readonly hits: number; readonly next: number } {
  const tokens = tokenize(sample).flatMap((token) => token.split("'"));
  const words = latinLanguages.map(() => 0);
  for (const token of tokens) for (const at of users.get(token) ?? []) words[at]! += 1;
  let best = { language: 'en', hits: words[0]!, next: 0 };
  for (const [at, { tag: language, letters: own }] of latinLanguages.entries()) {
    // A letter alone is a name more often than a language ("Müller", "São Paulo"): it only adds to words.
    const mayAdd = own !== undefined && (words[at]! > 0 || tokens.length <= 4);
    const hits = words[at]! + (mayAdd ? Math.min(count(sample, own), 1 + words[at]!) : 0);
    if (hits > best.hits) best = { language, hits, next: best.hits };
    else if (language !== best.language) best.next = Math.max(best.next, hits);
  }
  return best;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
