import { asciiDigits } from '../../research/evidence/quantities.ts';
import { fold, spaceScripts } from '../../research/text/tokenize.ts';

/** The forms in which a text may spell a word or number, each as the one form that is compared. */

/** Words, names and numbers between spaces, without quotes, brackets and the operators of search engines. */
export function unitsOf(text: string): string[] {
  return text
    .split(/[\s"“”«»()[\]{}|<>]+/u)
    .flatMap((chunk) => /^(?:[a-z]{2,12}:)(?!\/\/)(.+)$/i.exec(chunk)?.[1] ?? chunk)
    .map(trimmed)
    .filter((chunk) => chunk !== '');
}

function trimmed(chunk: string): string {
  const from = chunk.search(/[\p{L}\p{N}]|@\p{L}/u);
  let to = chunk.length;
  while (to > 0 && !/[\p{L}\p{N}\p{M}+#%\uDC00-\uDFFF]/u.test(chunk[to - 1]!)) to -= 1;
  return from === -1 ? '' : chunk.slice(from, Math.max(from, to));
}

/** What a word would be when reversed, rotated by 13, or decoded. */
export function disguises(word: string): string[] {
  const found = [reversed(word), rotated(word.toLowerCase())];
  if (/^(?:[0-9a-f]{2}){4,}$/i.test(word)) found.push(Buffer.from(word, 'hex').toString('utf8'));
  if (/^[\w+/-]{6,}$/.test(word)) found.push(Buffer.from(word, 'base64').toString('utf8'));
  return found.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).map(fold);
}

export const reversed = (text: string): string => [...text].reverse().join('');

/** Digits that stand in a row as those of a number do: 二〇二六. */
const hanDigits = '〇一二三四五六七八九零';
const hanNumber = /[〇一二三四五六七八九零]{4,}/gu;

const hanNumberOf = (digits: string): string => [...digits].map((digit) => hanDigits.indexOf(digit) % 10).join('');

/** The numbers of a token that are written so. */
export function hanNumbers(token: string): string[] {
  return (token.match(hanNumber) ?? []).map(hanNumberOf);
}

/** Without what is written in other characters for the same ones: compatibility forms, digits of any script, escapes; scripts apart. */
export function plainForm(text: string): string {
  const plain = text
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
    .replace(/\\u([\da-f]{4})|&#x([\da-f]{1,6});|&#(\d{1,7});/gi, (escape, ...codes: (string | undefined)[]) => {
      const code = codes[2] === undefined ? Number.parseInt(codes[0] ?? codes[1] ?? '', 16) : Number(codes[2]);
      return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
    })
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Me}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/\p{Cc}+/gu, ' ')
    .replace(hanNumber, hanNumberOf)
    .replace(/\[\.\]/g, '.');
  return spaceScripts(asciiDigits(plain));
}

function rotated(word: string): string {
  return word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A number, with the sign of its share or its exponent. */
export function isNumber(unit: string): boolean {
  return /^\p{N}[\p{N}.,:/'’-]*(?:e[+-]?\p{N}{1,2})?%?$/iu.test(unit);
}

/** What a number is worth: without a sign of percent, a fraction of zeros and its exponent, and without commas. Of four digits at least. */
export function valuesOf(number: string): string[] {
  const bare = number.replace(/%$/, '');
  const isPower = /^\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(bare);
  const values = [bare, isPower ? String(Number(bare)) : bare.replace(/[.,]0{1,2}$/, ''), bare.replaceAll(',', '')];
  return values.filter((value) => /(?:\d\D*){4}/.test(value));
}

/** A word's parts of letters at its humps and digits, and a number without the letters beside it: `x8841`, `37.25k`. */
export function partsWithin(unit: string): readonly string[] {
  const words = unit.match(/\p{Lu}?[\p{Ll}\p{M}]+|\p{L}+/gu) ?? [];
  const number = unit.replace(/^\p{L}{1,2}|\p{L}{1,2}$/gu, '');
  return number !== unit && isNumber(number) ? [...words, number] : words;
}

/** Single characters with a space or a mark between them and the next ones, without it: 龘 驫 is 龘驫. */
export function joinedScript(text: string): string {
  return text.replace(apart, '');
}
const character = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const apart = new RegExp(
  `(?<=(?<!${character})${character})[^\\p{L}\\p{N}]{1,2}(?=${character})|(?<=${character})[^\\p{L}\\p{N}]{1,2}(?=${character}(?!${character}))`,
  'gu',
);
