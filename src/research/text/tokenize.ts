import { stem } from './stem.ts';
import { isStopword } from './stopwords.ts';

/** Scripts that are written without spaces between words, or whose words carry particles: cut into pairs of characters. */
const paired =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆';
const letter = `[[\\p{L}\\p{N}\\p{M}]--[${paired}]]`;
/** A run of a paired script, or words that marks of an identifier, a number or an abbreviation hold together. */
const anyToken = new RegExp(`[${paired}]+|${letter}+(?:[_\\-.'’:+\\/,]${letter}+)*[+#]*`, 'gv');
const asciiToken = /[A-Za-z0-9]+(?:[_\-.':+/,][A-Za-z0-9]+)*[+#]*/g;
const isAscii = /^[\x00-\x7f]*$/;
const betweenScripts = new RegExp(`(?<=[${paired}])(?=${letter})|(?<=${letter})(?=[${paired}])`, 'gv');
const isPaired = new RegExp(`^[${paired}]`, 'v');
const simple = /^[a-z]+$/;
const plain = /^[a-z\d]+$/;
/** Humps of an identifier, runs of capitals, numbers. */
const humps = /\p{Lu}{1,64}(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;
/** Joined forms longer than this are no names. */
const longestJoined = 40;

/** The tokens of a text as it spells them: words, names, identifiers, numbers, runs of a script without spaces. Linear. */
export function tokensOf(text: string): string[] {
  if (isAscii.test(text)) return text.match(asciiToken) ?? [];
  return text.normalize('NFKC').match(anyToken) ?? [];
}

/** Of a version; the number of a section or an object has more. */
const mostParts = 6;

/**
 * The terms under which a token is found: in lower case, without accents and endings; the parts of a name, and the name as one
 * word (`bodyLimit`: body, limit, bodylimit); a version with those that it is one of (`v0.14.2`: 0.14, 0.14.2); pairs of characters where no spaces are written (知识图谱: 知识, 识图, 图谱).
 */
export function termsOf(token: string): string[] {
  if (simple.test(token)) return [stem(token)];
  if (isPaired.test(token)) return pairs(token);
  const number = /^v?(\d+(?:\.\d+)+)$/i.exec(token)?.[1];
  if (number !== undefined) {
    const parts = number.split('.', mostParts);
    const found = parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('.'));
    return number.length > found.at(-1)!.length && number.length <= longestJoined ? [...found, number] : found;
  }
  const found: string[] = [];
  for (const piece of token.split(/[:/,]/)) {
    // "1,000" is a number; "a,b" are two words.
    const parts = piece.split(/[_\-.'’]/).flatMap((part) => part.match(humps) ?? (part === '' ? [] : [part]));
    for (const part of parts) found.push(stem(fold(part)));
    const joined = fold(piece.replace(/[^\p{L}\p{N}\p{M}]/gu, ''));
    if (parts.length > 1 && joined.length <= longestJoined) found.push(stem(joined));
  }
  if (/^\d{1,3}(?:,\d{3})+$/.test(token)) found.push(token.replaceAll(',', ''));
  if (/[+#]$/.test(token)) found.push(token.toLowerCase());
  return found;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** Lower case without accents ("Müller" and "Muller" are one word to someone who types). */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}])\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ё', 'е');
}

/** With a space between a word and a run of a paired script: 用GPT写 is three. */
export function spaceScripts(text: string): string {
  return isAscii.test(text) ? text : text.replace(betweenScripts, ' ');
}

export function isPairedScript(token: string): boolean {
  return isPaired.test(token);
}

const marksInside = /[_\-.'’:/,]/;

/**
 * Words of a text in their order, in lower case and compatibility form: of a name or number its parts ("GPT-4": gpt, 4), of scripts
 * without spaces pairs of characters. Function words are among them: see {@link terms}.
 */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const token of tokensOf(text)) {
    const lower = token.toLowerCase();
    if (plain.test(lower)) words.push(lower);
    else if (isPaired.test(token)) for (const one of pairs(token)) words.push(one);
    else for (const part of lower.replace(/['’]s$/, '').split(marksInside)) if (part !== '') words.push(part);
  }
  return words;
}

/** What a text is about: its words without function words, stemmed. The form in which texts are compared. */
export function terms(text: string, language?: string): string[] {
  const content: string[] = [];
  for (const word of tokenize(text)) if (!isStopword(word, language)) content.push(stem(fold(word)));
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
