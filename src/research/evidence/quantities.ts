import { smallest } from '../../protocol/numbers.ts';
import { languages } from '../languages/languages.ts';
import { trimEnd } from '../text/trimEnd.ts';
import { spelledNumbers } from './spelledNumbers.ts';
import { longestUnit, magnitudeOf, minusWord, perUnitOf, unitOf, type Unit } from './units.ts';

/** A figure of a text with what it counts. */
export interface Quantity {
  /** Its digits as they are written. */
  readonly raw: string;
  /** Values that the notation allows ("1.250" has two), words of magnitude included, in the unit as written. */
  readonly values: readonly number[];
  /** Of its words of magnitude together. */
  readonly magnitude: number;
  /** Whether a unit or a word of magnitude says what the figure is. */
  readonly isDefinite: boolean;
  /** Of each value the smallest step that the notation shows: 0.1 for 12.5, 10 for 90. In the unit as written. */
  readonly steps: readonly number[];
  /** What precedes it: 0 without a sign. */
  readonly sign: -1 | 0 | 1;
  /** A number in words. */
  readonly isSpelled: boolean;
  /** Four digits that may be a year. */
  readonly isYear: boolean;
  readonly dimension?: string;
  /** To the base of the dimension. */
  readonly factor: number;
  /** See {@link Unit}. */
  readonly offset?: number;
  readonly over?: number;
  readonly start: number;
  readonly end: number;
}

/** A name ends where its script ends: particles follow a unit in Korean and Japanese. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]$/u;
const isSpacedLetter = /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}]/u;
const numeral =
  /\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?|\.\d+)?(?!\d)|(?:[01]?\d|2[0-3])\s?h\s?[0-5]\d(?!\d|\s?%|\s?\p{Ll})|\d{1,3}(?:[  ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|(?<![\p{L}\p{N}.)])\.\d+/gu;
const sign =
  /(?<!(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N})\]%])([-−–‐‑+])[$€£¥₩₽]?$/u;
/** 10万-20万 is a range. */
const afterCounted = /\p{N}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,3}[-−–‐‑]$/u;
const currency = /(?:[$€£¥₩₽]|(?<!\p{L})(?:EUR|USD|GBP|CHF|JPY|CNY))\s?$/u;
/** Between a figure and its unit. */
const joint = /\)?[\s-]?(?:(?:de|d'|d’|of)\s?)?/iuy;
/** In UTF-16 units. */
const before = 24;

/**
 * The figures of a text, in their order. Linear.
 * @param language Of the text. Absent: what may be a number in words in some language counts too.
 */
export function quantitiesOf(written: string, language?: string): Quantity[] {
  const text = withFieldsApart(asciiDigits(written));
  const notation = notationOf(text);
  const found: Quantity[] = [];
  for (const match of text.matchAll(numeral)) {
    const start = match.index;
    if (belongsToName(text, start)) continue;
    let end = start + match[0].length;
    const lead = text.slice(Math.max(0, start - before), start);
    const money = currency.exec(lead)?.[0].trim();
    const letter = short(text, end, money !== undefined);
    let times = letter.value;
    ({ end } = letter);
    let named = nameAt(text, end, unitOf);
    for (let word = magnitudeAt(text, end, named); word; word = magnitudeAt(text, end, named)) {
      times *= word.value;
      end = word.end;
      named = nameAt(text, end, unitOf);
    }
    named ??= rateAt(text, end);
    // "2024年" is a year, and "2024 A" no current.
    const isYear = named?.name.length === 1 && /^(?:19|20)\d\d$/.test(match[0]);
    const counted = isYear ? undefined : (named?.value ?? (money ? unitOf(money) : undefined));
    const known = /[:h]/.test(match[0]) ? (isDuration(match[0]) ? seconds : clock) : counted;
    if (known && named?.value === known) end = named.end;
    const isMeasured = times > 1 || (known !== undefined && known !== clock);
    const { values, steps } = valuesOf(match[0], isMeasured, notation);
    const last = found.at(-1);
    // 15조8천억, "3 milioni 236mila": the smaller magnitude is added.
    const isWord =
      letter.value === 1 &&
      times > 1 &&
      /\p{L}{3}$|[\p{Script=Han}\p{Script=Hangul}]$/u.test(text.slice(last?.start, last?.end));
    const isJoined = last && (last.end === start || (isWord && last.end + 1 === start && text[last.end] === ' '));
    if (isJoined && (times > 1 || unspaced.test(text[start - 1]!)) && last.magnitude > times) {
      const sums = last.values.map((value) => value + values[0]! * times);
      found[found.length - 1] = { ...last, values: sums, steps: sums.map(() => times), ...unitParts(known), end };
      continue;
    }
    found.push({
      raw: match[0],
      magnitude: times,
      values: values.map((value) => value * times),
      isDefinite: known !== undefined || times > 1,
      steps: steps.map((step) => step * times),
      sign: signOf(lead),
      isSpelled: false,
      isYear: known === undefined && times === 1 && /^(?:1\d|20)\d\d$/.test(match[0]),
      ...unitParts(known),
      start,
      end,
    });
  }
  const all = [...found, ...spelledOf(text, language)].toSorted((a, b) => a.start - b.start);
  // The "cent" of a percentage is no number of its own.
  const apart = all.filter(({ start, isSpelled }, index) => !isSpelled || start >= (all[index - 1]?.end ?? 0));
  return withRanges(compounds(apart, text), text);
}

/** Fields of CSV are no groups of one figure: "09,0.3,7.7". */
function withFieldsApart(text: string): string {
  return text.replace(/(?<!\d)\d+(?:[.,]\d+){2,}/g, (all) =>
    /^\d{1,3}(?:,\d{2,3})+(?:\.\d+)?$|^[\d.]+(?:,\d+)?$/.test(all) ? all : all.replaceAll(',', ';'),
  );
}

/** "1 h 48 min" is one length of time, "5 feet 7 inches" one height. */
function compounds(found: readonly Quantity[], text: string): Quantity[] {
  const joined: Quantity[] = [];
  for (const next of found) {
    const last = joined.at(-1);
    const ratio = last?.dimension !== undefined && last.dimension === next.dimension ? next.factor / last.factor : 1;
    const part = smallest(next.values) * ratio;
    const between = text.slice(last?.end ?? 0, next.start);
    // "1 TB and 512 GB" are two.
    const isApart = between.trim() !== '' && Number.isInteger(Math.round(Math.log10(ratio) * 1e6) / 1e6);
    const isPart = ratio < 1 && part < 1 && next.sign === 0 && !isApart && joins(between);
    if (!isPart) joined.push(next);
    else
      joined[joined.length - 1] = {
        ...last!,
        raw: text.slice(last!.start, next.end),
        values: last!.values.map((value) => value + part),
        steps: last!.values.map(() => smallest(next.steps) * ratio),
        end: next.end,
      };
  }
  return joined;
}

let and: RegExp | undefined;

/** Nothing but a space, or the word between two things in some language. */
function joins(text: string): boolean {
  const words = (): string[] =>
    languages.map(({ tag }) =>
      new Intl.ListFormat(tag, { type: 'conjunction' }).format(['1', '2']).slice(1, -1).trim(),
    );
  and ??= new RegExp(String.raw`^\s?(?:(?:${[...new Set(words())].join('|')})\s?)?$`, 'u');
  return text.length <= before && and.test(text);
}

function spelledOf(text: string, language: string | undefined): Quantity[] {
  return spelledNumbers(text, language).map(({ value, start, end }) => {
    const magnitude = nameAt(text, end, magnitudeOf);
    const known = nameAt(text, magnitude?.end ?? end, unitOf);
    const times = magnitude?.value ?? 1;
    return {
      raw: String(value),
      magnitude: times,
      values: [value * times],
      isDefinite: known !== undefined || times > 1,
      steps: [times],
      sign: 0,
      isSpelled: true,
      isYear: false,
      ...unitParts(known?.value),
      start,
      end: known?.end ?? magnitude?.end ?? end,
    };
  });
}

function unitParts(unit: Unit | undefined): Pick<Quantity, 'dimension' | 'factor' | 'offset' | 'over'> {
  return unit ?? { factor: 1 };
}

function signOf(lead: string): Quantity['sign'] {
  if (minusWord.test(lead)) return -1;
  const mark = afterCounted.test(lead) ? undefined : sign.exec(lead)?.[1];
  return mark === undefined ? 0 : mark === '+' ? 1 : -1;
}

interface Named<T> {
  readonly name: string;
  readonly value: T;
  readonly end: number;
}

/** The longest known name behind a figure. */
function nameAt<T>(text: string, from: number, find: (name: string) => T | undefined): Named<T> | undefined {
  joint.lastIndex = from;
  const start = from + joint.exec(text)![0].length;
  for (const begin of new Set([start, from + (/\s/.test(text[from] ?? '') ? 1 : 0)])) {
    const rest = text.slice(begin, begin + longestUnit);
    if (!/^[\p{L}%‰°$€£¥₩₽/]/u.test(rest)) continue;
    for (let length = rest.length; length > 0; length -= 1) {
      const name = rest.slice(0, length);
      if (/[\s\d.,]$/.test(name) && !/[23.]$/.test(name)) continue;
      if (isSpacedLetter.test(rest.slice(length)) && /[\p{L}\p{N}]$/u.test(name) && !unspaced.test(name)) continue;
      const value = find(name);
      if (value !== undefined) return { name, value, end: begin + length };
    }
  }
  return undefined;
}

/** A word of magnitude, unless it is the beginning of the unit: 千瓦 is a kilowatt. Apart from its figure a letter is a unit: 300 K. */
function magnitudeAt(text: string, from: number, unit: Named<Unit> | undefined): Named<number> | undefined {
  const found = nameAt(text, from, magnitudeOf);
  const isApart = /^K\.?$/.test(found?.name ?? '') && found!.end > from + found!.name.length;
  return found && !isApart && found.end >= (unit?.end ?? 0) ? found : undefined;
}

/** "21M", "7B", "809 M": in capitals; "$5m"; "4,6 M€", "169 MEUR". */
function short(text: string, end: number, isMoney: boolean): { readonly value: number; readonly end: number } {
  const [whole, letter = ''] =
    /^([MBT])(?!\p{L})|^\s?(M)(?=[€$£]|EUR\b|USD\b)|^ (M)(?=\s*(?:[|,.;)]|$))/u.exec(text.slice(end, end + 8)) ??
    (isMoney ? (/^([mbt])(?!\p{L})/u.exec(text.slice(end, end + 2)) ?? []) : []);
  if (whole === undefined) return { value: 1, end };
  const value = { M: 1e6, B: 1e9, T: 1e12 }[(letter || whole.trim()).toUpperCase()] ?? 1;
  return { value, end: end + whole.length };
}

/** "60 requests per minute", "6 GPU hours": what is counted is a word of any kind, the time behind it a unit. */
function rateAt(text: string, end: number): Named<Unit> | undefined {
  const [noun] = /^\s\p{L}{2,24}(?=\s)/u.exec(text.slice(end, end + longestUnit)) ?? [];
  if (noun === undefined) return undefined;
  const isCode = noun === noun.toUpperCase();
  return nameAt(text, end + noun.length, (name) => perUnitOf(name) ?? (isCode ? unitOf(name) : undefined));
}

/** Between the ends of a range or a change: "80 to 143 million", "16 and 32 bytes", "3.2 ± 0.4 mm", "5 × 7 cm". */
const between = /^\s?(?:[-–—~～±×至到]|\p{L}{1,4})\s?[-−+]?$/u;

/** In "80 to 143 km" the first figure is of km too, in "80 to 143 million" it may be of millions. */
function withRanges(found: readonly Quantity[], text: string): Quantity[] {
  const all = [...found];
  for (let index = all.length - 2; index >= 0; index -= 1) {
    const [one, next] = [all[index]!, all[index + 1]!];
    if (one.isDefinite || one.isYear || !next.isDefinite || one.isSpelled !== next.isSpelled) continue;
    if (!between.test(text.slice(one.end, next.start))) continue;
    const { dimension, factor, offset, over, magnitude } = next;
    const larger = (numbers: readonly number[]): readonly number[] =>
      magnitude === 1 ? numbers : [...numbers, ...numbers.map((number) => number * magnitude)];
    const unit = { dimension, factor, offset, over, isDefinite: dimension !== undefined };
    all[index] = { ...one, ...unit, values: larger(one.values), steps: larger(one.steps) };
  }
  return all;
}

const clock = { dimension: 'clock', factor: 1 };
const seconds = { dimension: 'time', factor: 1 };

/** `2:06:23`, `1:19.874`. */
function isDuration(raw: string): boolean {
  return /:\d\d[:.]/.test(raw);
}

/** Marks of decimals that a text has. */
interface Notation {
  readonly point: boolean;
  readonly comma: boolean;
}

const pointed = /(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,}|(?<=\b0\.)\d+)(?![\d.,]\d|\d)/;
const commaed = /(?<![\d.,])\d+,(?:\d{1,2}|\d{4,}|(?<=\b0,)\d+)(?![\d.,]\d|\d|\])/;

/** By the figures that can be read in one way only. */
function notationOf(text: string): Notation {
  return { point: pointed.test(text), comma: commaed.test(text) };
}

/** @param isMeasured A unit or a word of magnitude follows: few write "2,674 million" of billions. */
function valuesOf(
  raw: string,
  isMeasured: boolean,
  { point, comma }: Notation,
): { readonly values: readonly number[]; readonly steps: readonly number[] } {
  if (isDuration(raw)) {
    const parts = raw.replace(',', '.').split(':');
    const value = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
    return { values: [value], steps: [stepOf(parts.at(-1)!)] };
  }
  if (/[:h]/.test(raw)) return { values: [Number(raw.replace(/\s?[:h]\s?/, '.'))], steps: [0.01] };
  const joined = raw.replace(/[  ]/g, '');
  // No group begins with 0: "0.973" is less than one.
  const forms = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(joined)
    ? [
        joined.replaceAll(',', ''),
        ...(isMeasured && (comma || !point) && /^\d+,\d+$/.test(joined) ? [joined.replace(',', '.')] : []),
      ]
    : /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(joined)
      ? [
          joined.replaceAll('.', '').replace(',', '.'),
          ...((point || !comma) && /^\d+\.\d+$/.test(joined) ? [joined] : []),
        ]
      : [joined.replace(',', '.')];
  return { values: forms.map(Number), steps: forms.map(stepOf) };
}

function stepOf(form: string): number {
  const decimals = /\.(\d+)$/.exec(form)?.[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : form.length - trimEnd(form, '0').length;
  return 10 ** (zeros - decimals);
}

/** Of a rounded figure, how far it may be from the other one. */
const roundedBy = 0.05;

/**
 * Whether a figure of a statement says what one of its passages says: the same in the same or another unit, or rounded. A missing sign
 * counts where no word can express it: "fell by 5 %" is -5 %, but 20 °C is not -20 °C.
 */
export function isSame(said: Quantity, held: Quantity): boolean {
  const ratio = ratioOf(said, held);
  if (ratio === undefined) return false;
  const haveUnits = said.dimension !== undefined && held.dimension !== undefined;
  const moved = haveUnits ? ((held.offset ?? 0) - (said.offset ?? 0)) / said.factor : 0;
  const isSigned = moved !== 0;
  if (!isSigned && !haveLikeSigns(said, held)) return false;
  const valued = (value: number, { sign }: Quantity): number => (isSigned && sign < 0 ? -value : value);
  return said.values.some((written, index) =>
    held.values.some((one, at) => {
      // The same digits are read the same way.
      if (said.raw === held.raw && said.values.length === held.values.length && at !== index) return false;
      const [value, own] = [valued(written, said), valued(one, held) * ratio + moved];
      if (said.dimension === 'bits' && isBinary(value, own, ratio)) return true;
      const [step, heldStep] = [said.steps[index]!, held.steps[at]! * ratio];
      const apart = Math.abs(value - own);
      if (apart <= 1e-6 * Math.abs(value)) return true;
      if (said.isYear || held.isYear || said.dimension !== held.dimension) return false;
      if (heldStep >= step || apart > step * 0.5000001) return false;
      return step <= 1 || apart <= roundedBy * Math.abs(own);
    }),
  );
}

/** 8 MB are 8,000 kB, or 8,192. */
function isBinary(value: number, own: number, ratio: number): boolean {
  const thousands = Math.round(Math.log(ratio) / Math.log(1_000));
  return thousands !== 0 && Math.abs(value - own * 1.024 ** thousands) <= 1e-6 * value;
}

/** How many units of the statement one of the passage is; 1 where one of them has none. Undefined: they measure something else. */
function ratioOf(said: Quantity, held: Quantity): number | undefined {
  if (said.dimension === undefined || held.dimension === undefined) return 1;
  if (said.dimension === held.dimension) return held.factor / said.factor;
  if (isPound(said) && isPound(held)) return poundsOf(held) / poundsOf(said);
  const [one, other] = [said, held].map(({ dimension = '', factor, over = factor }) => {
    const at = dimension.indexOf('/');
    return at < 0
      ? { above: dimension, over: factor }
      : { above: dimension.slice(0, at), below: dimension.slice(at), over, under: factor / over };
  }) as [Parts, Parts];
  // "5 mg daily" leaves out what "5 mg/day" says.
  if (one.above === other.above && (one.below === undefined) !== (other.below === undefined))
    return other.over / one.over;
  // "60 requests a minute" and "60 per minute": a name that is no unit.
  if (one.below === other.below && (one.above === '' || other.above === '')) return other.under! / one.under!;
  return undefined;
}

/** "Pounds" are of money or of weight. */
const isPound = ({ dimension, factor }: Quantity): boolean =>
  dimension === 'pound' || (dimension === 'mass' && factor === unitOf('lbs')!.factor);
const poundsOf = ({ dimension, factor }: Quantity): number => (dimension === 'pound' ? factor : 1);

interface Parts {
  readonly above: string;
  readonly over: number;
  readonly below?: string;
  readonly under?: number;
}

function haveLikeSigns(one: Quantity, other: Quantity): boolean {
  if (one.sign === 0 || other.sign === 0) {
    const { dimension } = one.dimension === undefined ? other : one;
    return one.sign + other.sign >= 0 || (dimension !== undefined && dimension !== 'temperature');
  }
  return one.sign === other.sign;
}

/** Of more figures some two give any third that is rounded, and of still more one that is exact. */
const mostRounded = 6;
const mostExact = 24;

/** Whether a figure is the sum, difference, product, ratio or change in percent of two others of its statement and passages. */
export function isDerived(said: Quantity, others: readonly Quantity[]): boolean {
  const isShare = said.dimension === 'percent' || said.dimension === 'points';
  const numbers = (all: readonly Quantity[]): number[] => [
    ...new Set(all.map((one) => one.values[0]! * (one.dimension === undefined ? 1 : one.factor / said.factor))),
  ];
  const like = numbers(others.filter(({ dimension }) => isShare || dimension === said.dimension));
  const counts = numbers(others.filter(({ dimension }) => dimension === undefined));
  const isTelling = trimEnd(said.raw.replace(/\D/g, ''), '0').length > 1;
  const isMade = (made: number): boolean =>
    said.values.some((value, index) =>
      like.length <= mostRounded
        ? Math.abs(made - value) <= said.steps[index]! * 0.5000001
        : like.length <= mostExact && isTelling && Math.abs(made - value) <= 1e-9 * value,
    );
  return like.some(
    (a) =>
      counts.some((count) => isMade(a * count)) ||
      like.some(
        (b) => a > b && [a - b, a + b, a / b, (b / a) * 100, ((a - b) / b) * 100, ((a - b) / a) * 100].some(isMade),
      ),
  );
}

function belongsToName(text: string, at: number): boolean {
  const lead = text.slice(Math.max(0, at - 2), at);
  // Chinese, Japanese and Korean write figures without a space before them.
  return (
    /[\p{L}_#@/\\]$|\p{L}[-‐‑_.]$/u.test(lead) &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}].?$/u.test(lead)
  );
}

/** Decimal digits of every script as ASCII ones; same length as the text where they are of one UTF-16 unit. */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // Each script has its ten digits in a row.
    let zero = digit.codePointAt(0)!;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0)! - zero < 9) zero -= 1;
    return String(digit.codePointAt(0)! - zero);
  });
}
