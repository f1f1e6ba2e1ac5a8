import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english } from 'n2words/en-GB';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';
import { toCardinal as russian } from 'n2words/ru-RU';
import { fold } from '../text/tokenize.ts';

/** A number in words, and where it stands. */
export interface SpelledNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Languages of reports that write words apart and count without endings of their own. */
const spellers = [english, german, french, spanish, russian];
/** Further ones are written in digits. */
const largest = 1_000;
/** Words of the longest: "three hundred and seventy five", "neuf cent quatre vingt dix sept". */
const following = /^\p{L}+(?:[ ‐‑-]\p{L}+){0,5}(?!\p{L})/u;
/** In UTF-16 units. */
const longest = 48;
/** Not from 百, 千 or 万 on, with which units and other words begin. 分 alone is a minute, and "very" or "two thirds" as well. */
const inHan = /[一二三四五六七八九十两兩][〇零一二三四五六七八九十百千万萬亿億]*(?!分(?![钟鐘間]))/gu;
const hanDigits = '零一二三四五六七八九';
const hanPowers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1e3, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };

interface Numbers {
  readonly values: ReadonlyMap<string, number>;
  readonly firstWords: ReadonlySet<string>;
}

let known: Numbers | undefined;

/** "One" is a pronoun more often than a number. */
function numbers(): Numbers {
  if (known !== undefined) return known;
  const all = Array.from({ length: largest - 1 }, (_, index) => index + 2);
  const values = new Map(all.flatMap((number) => spellers.map((spell) => [plain(spell(number)), number] as const)));
  // "Treinta y un días."
  for (const [words, number] of [...values]) if (words.endsWith('y uno')) values.set(words.slice(0, -1), number);
  const firstWords = new Set([...values.keys()].map((words) => words.split(' ', 1)[0]!));
  known = { values, firstWords };
  return known;
}

function plain(words: string): string {
  return fold(words).replace(/[-‐‑]/g, ' ');
}

/** Numbers in words from two to a thousand, the longest at each place, and in Han characters. Linear. */
export function spelledNumbers(text: string): SpelledNumber[] {
  const { values, firstWords } = numbers();
  const found: SpelledNumber[] = [];
  for (const { 0: word, index: start } of text.matchAll(/\p{L}+/gu)) {
    if (start < (found.at(-1)?.end ?? 0) || !firstWords.has(fold(word))) continue;
    const [words = ''] = following.exec(text.slice(start, start + longest)) ?? [];
    const ends = [...words.matchAll(/(?<=\p{L})(?!\p{L})/gu)].map(({ index }) => index).toReversed();
    const length = ends.find((end) => values.has(plain(words.slice(0, end))));
    if (length !== undefined)
      found.push({ value: values.get(plain(words.slice(0, length)))!, start, end: start + length });
  }
  return [...found, ...numbersInHan(text)];
}

function numbersInHan(text: string): SpelledNumber[] {
  return [...text.matchAll(inHan)].flatMap(({ 0: word, index: start }) => {
    const value = hanValue(word);
    return value < 2 ? [] : [{ value, start, end: start + word.length }];
  });
}

/** 五万三千二百 is 53,200; digits in a row are those of a number: 二〇二五. */
function hanValue(word: string): number {
  let [whole, group, digit] = [0, 0, 0];
  for (const character of word.replaceAll('〇', '零').replace(/[两兩]/gu, '二')) {
    const power = hanPowers[character];
    if (power === undefined) digit = digit * 10 + hanDigits.indexOf(character);
    else if (power < 1e4) [group, digit] = [group + (digit || 1) * power, 0];
    else [whole, group, digit] = [(whole + group + digit) * power, 0, 0];
  }
  return whole + group + digit;
}
