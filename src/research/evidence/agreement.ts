import { detectLanguage } from '../text/language.ts';
import { languages } from '../languages/languages.ts';
import { splitSentences } from '../text/sentences.ts';
import { isStopword } from '../text/stopwords.ts';
import { termsOf, tokensOf } from '../text/words.ts';
import { findFigures, numberNames, spelledNumbers } from './figures.ts';
import type { Source } from './source.ts';

/**
 * Shares of a claim's terms that a sentence of its source must have before figures, negations and opposites are compared. Measured on
 * `test/support/distortedSentences.ts`, see its test for the numbers.
 */
const close = { figures: 0.5, negation: 0.6, opposites: 0.7, alone: 0.8 } as const;
/** Sentences whose share is this near to the best one's count as equally close. */
const tie = 0.1;
const leastTerms = 3;
/** In UTF-16 units. */
const longestRead = 300_000;
/** In UTF-16 units; longer ones are no sentences. */
const longestSentence = 2_000;
const identifier = /^\p{L}+-?\d/u;
/** Sentences of a source that a claim is compared with. */
const mostCompared = 12;
/** Tokens behind a negator in which what it negates is looked for. */
const scopeLength = 4;

interface Words {
  readonly tokens: readonly string[];
  /** What it is about: without figures and words that turn it round. */
  readonly terms: ReadonlySet<string>;
  /** With the opposites, which may be negated too. */
  readonly deniable: ReadonlySet<string>;
}

interface Indexed {
  readonly language: string;
  readonly sentences: readonly { readonly text: string; words?: Words }[];
  /** Sentences by term. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
}

const indexed = new WeakMap<Source, Indexed>();

/** How a sentence of a report and its source go together. `silent`: the source has no sentence that is close enough to tell. */
export type Agreement = 'agrees' | 'contradicts' | 'silent';

/**
 * Compares a sentence with those sentences of a source that say nearly the same: a figure with another unit, a negation on one side
 * alone, or an opposite word contradicts. Pure.
 */
export function agreement(sentence: string, source: Source): Agreement {
  const { language, sentences, byTerm } = indexOf(source);
  if (sentence.length > longestSentence || detectLanguage(sentence) !== language) return 'silent';
  const claim = wordsOf(sentence, language);
  if (claim.terms.size + countedIn(sentence).length < leastTerms) return 'silent';
  const shares = sharesOf(claim.terms, source);
  const best = greatest(shares.values());
  if (best < close.figures) return 'silent';
  // A name with a figure in it (BM25, GPT-4) is no other name.
  const isNamed = claim.tokens.every(
    (token) => !identifier.test(token) || termsOf(token).every((term) => byTerm.has(term)),
  );
  if (best >= close.alone && !isNamed) return 'contradicts';
  const nearest = [...shares]
    .filter(([, share]) => share >= Math.max(close.figures, best - tie))
    .slice(0, mostCompared);
  const isSaid = nearest.some(([index, share]) => {
    const around = share >= close.alone ? [index] : [index - 1, index, index + 1];
    const context = around.map((at) => sentences[at]?.text ?? '').join(' ');
    return !differs(claim, read(sentences[index]!, language), share, language) && fit(sentence, context);
  });
  return isSaid ? 'agrees' : 'contradicts';
}

/** The share of a sentence's terms that the closest sentence of a source has; undefined where they can't be compared. */
export function closeness(sentence: string, source: Source): number | undefined {
  const { language } = indexOf(source);
  if (sentence.length > longestSentence || detectLanguage(sentence) !== language) return undefined;
  const { terms } = wordsOf(sentence, language);
  return terms.size < leastTerms ? undefined : greatest(sharesOf(terms, source).values());
}

function greatest(shares: Iterable<number>): number {
  let most = 0;
  for (const share of shares) most = Math.max(most, share);
  return most;
}

function indexOf(source: Source): Indexed {
  const known = indexed.get(source);
  if (known) return known;
  const text = source.text.slice(0, longestRead);
  const language = detectLanguage(text.trim() === '' ? source.title : text);
  const sentences = splitSentences(text).map((one) => ({ text: one.text.slice(0, longestSentence) }));
  const byTerm = new Map<string, number[]>();
  sentences.forEach((sentence, index) => {
    for (const term of wordsOf(sentence.text, language).terms) {
      const places = byTerm.get(term);
      if (places) places.push(index);
      else byTerm.set(term, [index]);
    }
  });
  const made: Indexed = { language, sentences, byTerm };
  indexed.set(source, made);
  return made;
}

function sharesOf(terms: ReadonlySet<string>, source: Source): ReadonlyMap<number, number> {
  const { byTerm } = indexOf(source);
  const counts = new Map<number, number>();
  for (const term of terms) for (const at of byTerm.get(term) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
  return new Map([...counts].map(([at, count]) => [at, count / terms.size]));
}

function read(sentence: Indexed['sentences'][number], language: string): Words {
  return (sentence.words ??= wordsOf(sentence.text, language));
}

function wordsOf(text: string, language: string): Words {
  const tokens = tokensOf(text).map((token) => token.toLowerCase().replaceAll('’', "'"));
  const turns = turnsOf(language);
  const content = tokens.filter(
    (token) => !isStopword(token, language) && !/^\d/.test(token) && !turns?.not.has(token) && !isNumberName(token),
  );
  const isOpposite = (token: string): boolean => turns?.opposites.has(token) ?? false;
  return {
    tokens,
    terms: new Set(content.filter((token) => !isOpposite(token)).flatMap(termsOf)),
    deniable: new Set(content.flatMap(termsOf)),
  };
}

/** "Twenty", "twenty-five". */
function isNumberName(token: string): boolean {
  return token.split('-').every((part) => numberNames.has(part));
}

/** Whether one says what the other denies. */
function differs(claim: Words, other: Words, share: number, language: string): boolean {
  const turns = turnsOf(language);
  if (!turns) return false;
  const isDenied = isNegated(claim, other, turns) || isNegated(other, claim, turns);
  return (share >= close.negation && isDenied) || (share >= close.opposites && hasOpposite(claim, other, turns));
}

/** Whether the first negates a word that both have and the other doesn't negate. */
function isNegated(one: Words, other: Words, turns: Turns): boolean {
  const [own, others] = [negatedIn(one, turns), negatedIn(other, turns)];
  const isDenying = (token: string): boolean =>
    turns.softly.has(token) && !termsOf(token).some((term) => one.deniable.has(term));
  if (own.length <= others.length || other.tokens.some(isDenying)) return false;
  return own.some((term) => other.deniable.has(term) && !others.includes(term));
}

/** The word that each negator negates: the next that says something, or the last before it. */
function negatedIn({ tokens, deniable }: Words, { not, than }: Turns): string[] {
  return tokens.flatMap((token, at) => {
    // "No more than" sets a limit.
    if (!(not.has(token) || token.endsWith("n't")) || than.has(tokens[at + 2] ?? '')) return [];
    const behind = tokens.slice(at + 1, at + 1 + scopeLength).flatMap(termsOf);
    const before = tokens.slice(0, at).toReversed().flatMap(termsOf);
    return [...behind, ...before].find((term) => deniable.has(term)) ?? [];
  });
}

function hasOpposite(one: Words, other: Words, turns: Turns): boolean {
  // "A is faster than B" and "B is slower than A" are the same.
  if ([one, other].some(({ tokens }) => tokens.some((token) => turns.than.has(token)))) return false;
  const [own, others] = [signed(one, turns), signed(other, turns)];
  return [...own].some(([token, isNot]) => {
    const sides = turns.opposites.get(token);
    // "Not enabled" is "disabled".
    const has = (words: ReadonlySet<string>, within: typeof own, sign: boolean): boolean =>
      [...words].some((word) => within.get(word) === sign);
    return (
      sides !== undefined &&
      !has(sides.same, others, isNot) &&
      has(sides.against, others, isNot) &&
      !has(sides.against, own, isNot)
    );
  });
}

/** Tokens, and whether each is negated. */
function signed(words: Words, turns: Turns): ReadonlyMap<string, boolean> {
  const negated = new Set(negatedIn(words, turns));
  return new Map(words.tokens.map((token) => [token, termsOf(token).some((term) => negated.has(term))]));
}

interface Sides {
  readonly same: ReadonlySet<string>;
  readonly against: ReadonlySet<string>;
}

interface Turns {
  readonly not: ReadonlySet<string>;
  readonly softly: ReadonlySet<string>;
  readonly than: ReadonlySet<string>;
  readonly opposites: ReadonlyMap<string, Sides>;
}

const turns = new Map<string, Turns>(
  languages.flatMap(({ tag, turns: words }) => {
    if (words === undefined) return [];
    const opposites = new Map<string, Sides>();
    for (const pair of listed(words.opposites)) {
      const [one, other] = pair.split('/').map((side) => new Set(side.split('|'))) as [Set<string>, Set<string>];
      for (const word of one) opposites.set(word, { same: one, against: other });
      for (const word of other) opposites.set(word, { same: other, against: one });
    }
    const sets = {
      not: new Set(listed(words.not)),
      softly: new Set(listed(words.softly)),
      than: new Set(listed(words.than)),
    };
    return [[tag, { ...sets, opposites }]];
  }),
);

function turnsOf(language: string): Turns | undefined {
  return turns.get(language);
}

function listed(words: string): string[] {
  return words.trim().split(/\s+/);
}

interface Counted {
  readonly notations: readonly string[];
  /** What is counted, or the unit. */
  readonly of: string;
}

/** Whether what is counted with each figure of a sentence is counted with it in the text as well, as far as both name it. */
function fit(sentence: string, context: string): boolean {
  const held = countedIn(context);
  return countedIn(sentence).every(({ notations, of }) => {
    const same = held.filter((one) => one.notations.some((notation) => notations.includes(notation)));
    if (same.some((one) => one.of === of)) return true;
    return (
      of === '' || !(held.some((one) => one.of === of) || (units.has(of) && same.some((one) => units.has(one.of))))
    );
  });
}

/** Figures, spelled ones too, with the word or sign behind them. */
function countedIn(text: string): Counted[] {
  const found: Counted[] = [];
  for (const match of text.matchAll(/(\d+(?:[.,]\d+)*)[\s-]{0,2}(%|°\s?\p{L}|[\p{L}µ]+(?:\/\p{L}+)?)?/gu)) {
    const [figure] = findFigures(text.slice(Math.max(0, match.index - 2), match.index + match[1]!.length));
    if (figure) found.push({ notations: figure.notations, of: unitOf(match[2] ?? '') });
  }
  for (const { value, next } of spelledNumbers(text)) found.push({ notations: [String(value)], of: unitOf(next) });
  return found;
}

/** Names of the same unit, the first standing for all: no name is in two lines. */
const unitNames = `% percent prozent percentage pct pour por
  °c celsius
  °f fahrenheit
  ms millisecond milliseconds
  s sec second seconds sekunde sekunden segundo segundos seconde secondes
  min minute minutes minuten minuto minutos
  h hour hours stunde stunden hora horas heure heures
  day days tag tage tagen día días jour jours
  week weeks woche wochen semana semanas semaine semaines
  month months monat monate monaten mes meses mois
  year years jahr jahre jahren año años an ans
  kb kilobyte kilobytes
  mb megabyte megabytes
  gb gigabyte gigabytes
  tb terabyte terabytes
  mm millimetre millimetres millimeter millimeters
  cm centimetre centimetres centimeter centimeters
  km kilometre kilometres kilometer kilometers
  mile miles
  m/s
  km/h
  mph
  litre litres liter liters
  kg kilogram kilograms
  usd dollar dollars
  eur euro euros`;
const unitOfName = new Map(
  unitNames.split('\n').flatMap((line) => {
    const names = listed(line);
    return names.map((name) => [name, names[0]!] as const);
  }),
);
const units = new Set(unitOfName.values());

function unitOf(word: string): string {
  const plain = word.toLowerCase().replace(/\s/g, '');
  return unitOfName.get(plain) ?? termsOf(plain)[0] ?? '';
}
