import { isStopword } from './stopwords.ts';

/** Scripts that are written without spaces, or whose words carry particles: cut into pairs of characters. */
const pairScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆';

const wordCharacter = `[[\\p{L}\\p{N}\\p{M}]--[${pairScripts}]]`;

/**
 * A run of a pair script, or a word. Inside a word an apostrophe, or a hyphen or dot beside a digit, holds it together
 * ("GPT-4", "PD-1", "3.5"); plus and number signs end one ("C++", "F#"). Each repetition consumes, so time is linear.
 */
const anyPattern = new RegExp(
  `[${pairScripts}]+|${wordCharacter}+(?:(?:['’](?=\\p{L})|[\\-.](?=\\p{N})|(?<=\\p{N})[\\-‑](?=\\p{L}))${wordCharacter}+)*(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`,
  'gv',
);
/** The same for plain ASCII, which most texts are: three times as fast. */
const asciiPattern = /[a-z0-9]+(?:(?:'(?=[a-z])|[-.](?=[0-9])|(?<=[0-9])-(?=[a-z]))[a-z0-9]+)*(?:\+\+|#(?![a-z0-9]))?/g;
const ascii = /^[\x00-\x7f]*$/;
const pairRun = new RegExp(`^[${pairScripts}]`, 'u');
const plainAscii = /^[a-z]+$/;

/** Short vowels and the stretching sign of Arabic, which writers add or leave out at will. */
const arabicMarks = /[\u064b-\u065f\u0670\u0640]/gu;

/**
 * Words of a text in their order, lower-cased and in compatibility form. Chinese, Japanese, Korean and Thai runs become
 * pairs of characters ("知识图谱" -> 知识, 识图, 图谱). "GPT-4", "PD-1", "C++" stay whole; "retrieval-augmented" gives two
 * words. Stopwords are kept: see {@link terms}. Total on any string, linear in its length.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  if (ascii.test(text)) {
    for (const [match] of text.toLowerCase().matchAll(asciiPattern))
      tokens.push(match.endsWith("'s") ? match.slice(0, -2) : match);
    return tokens;
  }
  const folded = text.normalize('NFKC').toLowerCase().replace(arabicMarks, '');
  for (const [match] of folded.matchAll(anyPattern)) {
    if (!pairRun.test(match)) {
      tokens.push(match.replace(/’/g, "'").replace(/'s$/, ''));
      continue;
    }
    const characters = Array.from(match);
    if (characters.length === 1) tokens.push(match);
    for (let i = 0; i + 1 < characters.length; i += 1) tokens.push(characters[i]! + characters[i + 1]!);
  }
  return tokens;
}

/** Takes plural endings off English words (Harman's S-stemmer) and the article off Arabic ones; others stay as they are. */
export function stem(token: string): string {
  if (token.charCodeAt(0) < 0x80) {
    if (token.length < 4 || !token.endsWith('s') || !plainAscii.test(token)) return token;
    if (token.endsWith('ies') && !/[ae]ies$/.test(token)) return `${token.slice(0, -3)}y`;
    if (/(?:ss|x|ch|sh|z)es$/.test(token)) return token.slice(0, -2);
    if (/(?:us|ss|is)$/.test(token)) return token;
    return token.slice(0, -1);
  }
  if (token.startsWith('ال') && token.length > 4) return token.slice(2);
  if (token.startsWith('وال') && token.length > 5) return token.slice(3);
  return token;
}

/** What a text is about: its tokens without stopwords, stemmed. The form in which texts are compared and ranked. */
export function terms(text: string, language?: string): string[] {
  const content: string[] = [];
  for (const token of tokenize(text)) if (!isStopword(token, language)) content.push(stem(token));
  return content;
}

/** The letters and digits of a text in lower case, with single spaces: two titles or queries with the same ones are the same. */
export function bareWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
