import * as german from 'n2words/de-DE';
import * as english from 'n2words/en-GB';
import * as spanish from 'n2words/es-ES';
import * as french from 'n2words/fr-FR';
import * as russian from 'n2words/ru-RU';
import { fold } from '../text/tokenize.ts';

/** A number in words, and where it stands. */
export interface SpelledNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

interface Speller {
  readonly toCardinal: (number: number) => string;
  readonly toOrdinal: (number: number) => string;
}

/** By language: "once" is eleven in Spanish, "cent" a hundred in French. */
const spellers: Readonly<Record<string, Speller>> = {
  ...{ en: english, de: german, es: spanish, fr: french, ru: russian },
};
/** Further ones are written in digits. */
const largest = 100;
/** Words of the longest: "quatre vingt dix sept". */
const following = /^\p{L}+(?:[ ‐‑-]\p{L}+){0,3}(?!\p{L})/u;
/** In UTF-16 units. */
const longest = 48;
/** No part of a longer one, no date, no yuan of "ternary" (三元), and not "more than ten" (十多). 分 is "very" or "two thirds" as well. */
const inHan =
  /(?<![数數几幾月一二三四五六七八九十百千万萬亿億])[一二三四五六七八九十两兩][〇零一二三四五六七八九十百千万萬亿億]*(?![〇零一二三四五六七八九十百千万萬亿億多余餘几幾来月]|分(?![钟鐘間])|(?<!十|百|千|万|萬|亿|億)元)/gu;
const hanDigits = '零一二三四五六七八九';
const hanPowers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1e3, 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };

interface Numbers {
  readonly values: ReadonlyMap<string, number>;
  /** Beside a number they make it another one: those of numbers, and ordinals. */
  readonly words: ReadonlySet<string>;
}

const known = new Map<string, Numbers | undefined>();

/** @param language Undefined: all of them together. "One" is a pronoun more often than a number. */
function numbersIn(language = 'any'): Numbers | undefined {
  if (known.has(language)) return known.get(language);
  const all = language === 'any' ? Object.values(spellers) : language in spellers ? [spellers[language]!] : [];
  const made = all.map(numbersOf);
  const together = {
    values: new Map(made.flatMap(({ values }) => [...values])),
    words: new Set(made.flatMap(({ words }) => [...words])),
  };
  known.set(language, made.length > 0 ? together : undefined);
  return known.get(language);
}

function numbersOf({ toCardinal, toOrdinal }: Speller): Numbers {
  const values = new Map<string, number>();
  for (let number = 2; number <= largest; number += 1) {
    const spelled = plain(toCardinal(number));
    // "Treinta y un días."
    for (const words of [spelled, spelled.replace(/y uno$/, 'y un')]) if (!values.has(words)) values.set(words, number);
  }
  const others = [1, 1e3, 1e6, 2e6, 1e9].map((number) => plain(toCardinal(number)));
  const ordinals = Array.from({ length: 99 }, (_, index) => plain(toOrdinal(index + 1)));
  const words = new Set([...values.keys(), ...others, ...ordinals].flatMap((one) => one.split(' ')));
  for (const joint of ['and', 'et', 'y', 'a', 'un']) words.delete(joint);
  return { values, words };
}

function plain(words: string): string {
  return fold(words).replace(/[-‐‑]/g, ' ');
}

/** The word before a number, and the one behind it, without what joins two of them. */
const wordBefore = /(?<!\p{L})(\p{L}{1,24})[ ‐‑-](?:(?:and|et|y) )?$/u;
const wordBehind = /^[ ‐‑-](?:(?:and|et|y) )?(\p{L}+)/u;

/**
 * Numbers in words from two to a hundred, and in Han characters. Linear.
 * @param language Of the text: none that is a part of a larger number. Undefined: whatever may be a number in some language.
 */
export function spelledNumbers(text: string, language: string | undefined): SpelledNumber[] {
  const numbers = numbersIn(language);
  const found: SpelledNumber[] = [];
  let end = 0;
  for (const { 0: word, index: start } of numbers ? text.matchAll(/\p{L}+/gu) : []) {
    const { values, words } = numbers!;
    if (start < end || !words.has(fold(word))) continue;
    const [rest = ''] = following.exec(text.slice(start, start + longest)) ?? [];
    const ends = [...rest.matchAll(/(?<=\p{L})(?!\p{L})/gu)].map(({ index }) => index).toReversed();
    const length = ends.find((at) => values.has(plain(rest.slice(0, at))));
    if (length === undefined) continue;
    end = start + length;
    const beside = [
      wordBefore.exec(text.slice(Math.max(0, start - longest), start)),
      wordBehind.exec(text.slice(end, end + longest)),
    ];
    if (language !== undefined && beside.some((match) => match !== null && words.has(fold(match[1]!)))) continue;
    found.push({ value: values.get(plain(rest.slice(0, length)))!, start, end });
  }
  return [...found, ...numbersInHan(text)];
}

function numbersInHan(text: string): SpelledNumber[] {
  return [...text.matchAll(inHan)].flatMap(({ 0: word, index: start }) => {
    const value = hanValue(word);
    return value === undefined || value < 2 ? [] : [{ value, start, end: start + word.length }];
  });
}

/** 五万三千二百 is 53,200. Undefined where digits follow each other, as in 两三年, "two or three years". */
function hanValue(word: string): number | undefined {
  let [whole, group, digit] = [0, 0, 0];
  for (const character of word.replaceAll('〇', '零').replace(/[两兩]/gu, '二')) {
    const power = hanPowers[character];
    if (power === undefined && digit > 0) return undefined;
    if (power === undefined) digit = hanDigits.indexOf(character);
    else if (power < 1e4) [group, digit] = [group + (digit || 1) * power, 0];
    else [whole, group, digit] = [(whole + group + digit) * power, 0, 0];
  }
  return whole + group + digit;
}
