import { largest, smallest } from '../../protocol/numbers.ts';
import type { Source } from './source.ts';
import { findLanguage } from '../languages/languages.ts';
import { detectLanguage } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';

/** Texts are read for sentences up to here, in UTF-16 units: as far as passages are chosen from. */
const read = 300_000;
/** Text by which the language is detected, in UTF-16 units. */
const beginning = 4_000;
/** Sentences that one after the other point back to what precedes them. */
const mostBack = 2;
/** Entries between an item or a row and what leads to it. */
const longestList = 400;

/** A source cut into sentences; each has its place by its number. */
export interface Sentences {
  readonly sentences: readonly string[];
  /** Where each begins in the source's text, in UTF-16 units. */
  readonly starts: readonly number[];
  /** By the words of a sentence, as {@link flat} gives them; the first of those that read the same. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly language: string;
}

// A source's text never changes under one object.
const known = new WeakMap<Source, Sentences>();

export function sentencesOf(source: Source): Sentences {
  const before = known.get(source);
  if (before) return before;
  const sentences: string[] = [];
  const starts: number[] = [];
  for (const { text, start } of splitSentences(source.text.slice(0, read)))
    // What ends a paragraph belongs to the sentence before it.
    if (text.trim() === '' && sentences.length > 0) sentences.push(sentences.pop()! + text);
    else {
      sentences.push(text);
      starts.push(start);
    }
  const numbers = new Map(sentences.map((text, index) => [flat(text), index] as const).toReversed());
  const made = { sentences, starts, numbers, language: detectLanguage(source.text.slice(0, beginning)) };
  known.set(source, made);
  return made;
}

/** Marks where something was left out. */
export const omission = '[…]';

const shortened = new WeakMap<Source, Map<string, Source>>();

/** The source without these of its sentences, at every occurrence; the same object for the same ones. */
export function withoutSentences(source: Source, numbers: readonly number[]): Source {
  if (numbers.length === 0) return source;
  const { sentences } = sentencesOf(source);
  const key = numbers.toSorted((a, b) => a - b).join();
  const before = shortened.get(source)?.get(key);
  if (before) return before;
  const gone = new Set(numbers.flatMap((number) => (sentences[number] === undefined ? [] : flat(sentences[number]))));
  // Lines keep their numbers.
  const gap = (text: string): string => omission + '\n'.repeat(text.trim().split('\n').length - 1);
  const rest = sentences.map((text) => (gone.has(flat(text)) ? text.replace(text.trim(), gap(text)) : text));
  const made = { ...source, text: rest.join('') + source.text.slice(read) };
  shortened.set(source, (shortened.get(source) ?? new Map<string, Source>()).set(key, made));
  return made;
}

/** Without the mark of a list item or quotation, which is no part of what it says. */
export function bare(sentence: string): string {
  return sentence.replace(listMark, '').trim();
}

const listMark = /^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/;

function isRow(sentence: string): boolean {
  return sentence.trimStart().startsWith('|');
}

const isRule = (sentence: string): boolean => /^[\s|:+-]+$/.test(sentence);
const isHeading = (sentence: string): boolean => /^\s{0,3}#{1,6}\s/.test(sentence);
const endsParagraph = (sentence: string): boolean => sentence.slice(sentence.trimEnd().length).split('\n').length > 2;

/** What precedes a sentence that is not understood without it, in the order of the text. */
export interface Lead {
  /** Numbers of the sentences right before it to which it points back. */
  readonly before: readonly number[];
  /** The head of the table that a row is of, or the line that leads to a list. */
  readonly head?: number;
}

/**
 * What a sentence leans on: a row on the head of its table, an item on the line that leads to its list, and what begins with a
 * word that points back (a dangling anaphor, Paice 1990) on the sentence before.
 */
export function leadOf({ sentences, language }: Sentences, number: number): Lead {
  const sentence = sentences[number] ?? '';
  if (isRow(sentence)) {
    const head = first(sentences, number, isRow);
    return head < number && isRule(sentences[head + 1] ?? '') ? { before: [], head } : { before: [] };
  }
  if (listMark.test(sentence)) {
    const lead = first(sentences, number, (one) => listMark.test(one)) - 1;
    return leads(sentences[lead]) ? { before: [], head: lead } : { before: [] };
  }
  const before: number[] = [];
  for (let at = number; before.length < mostBack && pointsBack(sentences[at]!, language); at -= 1) {
    const previous = sentences[at - 1];
    if (previous === undefined || endsParagraph(previous) || isHeading(previous) || isRow(previous)) break;
    before.unshift(at - 1);
  }
  return { before };
}

/** Leads to a list: prose that ends with a colon. */
function leads(sentence: string | undefined): boolean {
  return sentence !== undefined && !isHeading(sentence) && /[:：]\s*$/.test(sentence);
}

/** The first of the entries of one kind that end with a number. */
function first(sentences: readonly string[], number: number, isKind: (sentence: string) => boolean): number {
  let at = number;
  while (at > 0 && number - at < longestList && isKind(sentences[at - 1]!)) at -= 1;
  return at;
}

const patterns = new Map<string, RegExp | undefined>();

function pointsBack(sentence: string, language: string): boolean {
  if (!patterns.has(language)) {
    const words = findLanguage(language)?.backReferences;
    const end = ['zh', 'ja'].includes(language) ? '' : String.raw`(?![\p{L}\p{N}])`;
    patterns.set(language, words === undefined ? undefined : new RegExp(`^[*_"'“«„(]{0,3}(?:${words})${end}`, 'iu'));
  }
  return patterns.get(language)?.test(bare(sentence)) ?? false;
}

/**
 * What surrounds the sentences of a source, for a reader who sees them alone (sentence-window retrieval): the headings above, the
 * caption of a table, and so many sentences of the same paragraph on either side. Without the sentences themselves.
 */
export function around(
  { sentences }: Sentences,
  numbers: readonly number[],
  radius: number,
): { readonly headings: string; readonly beside: readonly number[] } {
  const own = new Set(numbers);
  const [from, to] = [smallest(numbers), largest(numbers)];
  const beside = new Set<number>();
  const row = numbers.find((number) => isRow(sentences[number]!));
  if (row !== undefined) for (const caption of captionsOf(sentences, row)) beside.add(caption);
  else {
    for (let at = from - 1; at >= from - radius && isProse(sentences[at]) && !endsParagraph(sentences[at]!); at -= 1)
      beside.add(at);
    for (let at = to; at < to + radius && !endsParagraph(sentences[at]!) && isProse(sentences[at + 1]); at += 1)
      beside.add(at + 1);
  }
  return {
    headings: headingsOf(sentences, from),
    beside: [...beside].filter((number) => !own.has(number)).toSorted((a, b) => a - b),
  };
}

function isProse(sentence: string | undefined): boolean {
  return sentence !== undefined && sentence.trim() !== '' && !isHeading(sentence) && !isRow(sentence);
}

/** The sentence before a table, and the one behind it where it begins as captions do. */
function captionsOf(sentences: readonly string[], row: number): number[] {
  const above = first(sentences, row, isRow) - 1;
  let below = row;
  while (below < sentences.length && isRow(sentences[below]!)) below += 1;
  const isCaption = /^\W{0,3}(?:tab(?:le|elle|leau|la|ela|el|\.)|fig|табл|表|图|圖|図)/iu;
  const parts = [...sentences.keys()].slice(below, below + 2);
  return [
    ...(isProse(sentences[above]) ? [above] : []),
    ...(isCaption.test(sentences[below]?.trim() ?? '') ? parts.filter((part) => isProse(sentences[part])) : []),
  ];
}

const shownHeadings = 2;
const longestHeading = 80;

/** "Limits › Windows"; "" without headings. */
function headingsOf(sentences: readonly string[], number: number): string {
  const trail: string[] = [];
  let level = 7;
  for (let at = number; at >= 0 && level > 1 && trail.length < shownHeadings; at -= 1) {
    const [, marks = '', title = ''] = /^\s{0,3}(#{1,6})\s+(\S[^\n]*)/.exec(sentences[at]!) ?? [];
    if (marks === '' || marks.length >= level) continue;
    level = marks.length;
    trail.unshift(title.trim().slice(0, longestHeading));
  }
  return trail.join(' › ');
}

/** The sentences of a quote, by their numbers, as far as it is made of whole ones; undefined when none of it is. */
export function placeOf({ numbers }: Sentences, quote: string): readonly number[] | undefined {
  const found = quote
    .split('\n')
    .flatMap((line) => splitSentences(line).flatMap(({ text }) => numbers.get(flat(text)) ?? []));
  return found.length === 0 ? undefined : found;
}

/** A quote with the sentence behind it, before it, and both; as in the source, in one paragraph. */
export function widened(known: Sentences, place: readonly number[], quote: string): string[] {
  const [from, to] = [smallest(place), largest(place)];
  const { beside } = around(known, place, 1);
  const text = (number: number): string => flat(known.sentences[number]!);
  const before = beside.includes(from - 1) ? `${text(from - 1)} ` : '';
  const after = beside.includes(to + 1) ? ` ${text(to + 1)}` : '';
  if (isRow(known.sentences[to]!)) return [];
  return [`${quote}${after}`, `${before}${quote}`, `${before}${quote}${after}`].filter((choice) => choice !== quote);
}

/** Headings and captions above a quote. */
export function aboveOf(known: Sentences, place: readonly number[]): string {
  const { headings, beside } = around(known, place, 0);
  return [headings, ...beside.map((number) => known.sentences[number]!)].join('\n');
}

/** A sentence on one line, but for code between fences. */
export function flat(sentence: string): string {
  const words = bare(sentence);
  return /^[ \t]{0,12}(?:```|~~~)/m.test(words) ? words : words.replace(/\s+/g, ' ');
}
