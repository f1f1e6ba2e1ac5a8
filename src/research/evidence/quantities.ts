import { trimEnd } from '../text/trimEnd.ts';
import { longestUnit, magnitudeOf, minusWord, unitOf, type Unit } from './units.ts';

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
  /** The smallest step that the notation shows: 0.1 for 12.5, 10 for 90. In the unit as written. */
  readonly step: number;
  /** What precedes it: 0 without a sign. */
  readonly sign: -1 | 0 | 1;
  /** An English number in words. */
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
const numeral =
  /\d{1,2}:\d\d(?!\d)|(?:[01]?\d|2[0-3])\s?h\s?[0-5]\d(?!\d|\s?%|\s?\p{Ll})|\d{1,3}(?:[  ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|(?<![\p{L}\p{N}.)])\.\d+/gu;
const sign =
  /(?<!(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N})\]%])([-−–‐‑+])[$€£¥₩₽]?$/u;
/** 10万-20万 is a range. */
const afterCounted = /\p{N}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,3}[-−–‐‑]$/u;
const currency = /[$€£¥₩₽]\s?$/u;
/** Between a figure and its unit. */
const joint = /[\s-]?(?:(?:de|d'|d’|of)\s?)?/iuy;
/** In UTF-16 units. */
const before = 24;

/** The figures of a text, in their order. Linear. */
export function quantitiesOf(written: string): Quantity[] {
  if (!/\p{N}/u.test(written)) return spelledOf(written);
  const text = asciiDigits(written);
  const found: Quantity[] = [];
  for (const match of text.matchAll(numeral)) {
    const start = match.index;
    if (belongsToName(text, start)) continue;
    let end = start + match[0].length;
    const lead = text.slice(Math.max(0, start - before), start);
    const money = currency.exec(lead)?.[0].trim();
    let times = short(text, end, money !== undefined);
    if (times > 1) end += 1;
    let named = nameAt(text, end, unitOf);
    for (let word = magnitudeAt(text, end, named); word; word = magnitudeAt(text, end, named)) {
      times *= word.value;
      end = word.end;
      named = nameAt(text, end, unitOf);
    }
    const known = /[:h]/.test(match[0])
      ? clock
      : named && !isDate(match[0], named.name, lead)
        ? named.value
        : money
          ? unitOf(money)
          : undefined;
    if (known && named?.value === known) end = named.end;
    const { values, step } = valuesOf(match[0], times > 1 || (known !== undefined && known !== clock));
    const last = found.at(-1);
    // 15조8천억: the smaller magnitude is added.
    if (last && last.end === start && unspaced.test(text[start - 1]!) && last.magnitude > times) {
      const sums = last.values.map((value) => value + values[0]! * times);
      found[found.length - 1] = { ...last, values: sums, step: times, ...unitParts(known), end };
      continue;
    }
    found.push({
      raw: match[0],
      magnitude: times,
      values: values.map((value) => value * times),
      isDefinite: known !== undefined || times > 1,
      step: step * times,
      sign: signOf(lead),
      isSpelled: false,
      isYear: known === undefined && times === 1 && /^(?:1\d|20)\d\d$/.test(match[0]),
      ...unitParts(known),
      start,
      end,
    });
  }
  return [...found, ...spelledOf(text)].toSorted((a, b) => a.start - b.start);
}

function spelledOf(text: string): Quantity[] {
  return spelledNumbers(text).map(({ value, next, start, end }) => {
    const known = unitOf(next);
    return {
      raw: String(value),
      magnitude: 1,
      values: [value],
      isDefinite: known !== undefined,
      step: 1,
      sign: 0,
      isSpelled: true,
      isYear: false,
      ...unitParts(known),
      start,
      end,
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
    if (!/^[\p{L}%‰°$€£¥₩₽]/u.test(rest)) continue;
    for (let length = rest.length; length > 0; length -= 1) {
      const name = rest.slice(0, length);
      if (/[\s\d.,]$/.test(name) && !/[23.]$/.test(name)) continue;
      if (/^[\p{L}\p{N}]/u.test(rest.slice(length)) && !unspaced.test(name)) continue;
      const value = find(name);
      if (value !== undefined) return { name, value, end: begin + length };
    }
  }
  return undefined;
}

/** A word of magnitude, unless it is the beginning of the unit: 千瓦 is a kilowatt. */
function magnitudeAt(text: string, from: number, unit: Named<Unit> | undefined): Named<number> | undefined {
  const found = nameAt(text, from, magnitudeOf);
  return found && found.end >= (unit?.end ?? 0) ? found : undefined;
}

/** "21M", "7B": in capitals, at the figure; "$5m". */
function short(text: string, end: number, isMoney: boolean): number {
  const letter = text[end] ?? '';
  const value = { M: 1e6, B: 1e9, T: 1e12 }[isMoney ? letter.toUpperCase() : letter] ?? 1;
  return /\p{L}/u.test(text[end + 1] ?? '') ? 1 : value;
}

/** "2024年", "3월 1일", "1990s": no lengths of time. */
function isDate(numeral: string, name: string, lead: string): boolean {
  if (/^s$/i.test(name) && /^(?:1[5-9]|20)\d0$/.test(numeral)) return true;
  return (
    (/^(?:年|년|год|года|عام)$/.test(name) && /^(?:19|20)\d\d$/.test(numeral)) || (name === '일' && /월\s*$/.test(lead))
  );
}

const clock = { dimension: 'clock', factor: 1 };

/** @param isMeasured A unit or a word of magnitude follows: few write "2,674 million" of billions. */
function valuesOf(raw: string, isMeasured: boolean): { readonly values: readonly number[]; readonly step: number } {
  if (/[:h]/.test(raw)) return { values: [Number(raw.replace(/\s?[:h]\s?/, '.'))], step: 0.01 };
  const joined = raw.replace(/[  ]/g, '');
  // No group begins with 0: "0.973" is less than one.
  const forms = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(joined)
    ? [joined.replaceAll(',', ''), ...(isMeasured && /^\d+,\d+$/.test(joined) ? [joined.replace(',', '.')] : [])]
    : /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(joined)
      ? [joined.replaceAll('.', '').replace(',', '.'), ...(/^\d+\.\d+$/.test(joined) ? [joined] : [])]
      : [joined.replace(',', '.')];
  return { values: forms.map(Number), step: forms.map(stepOf).reduce((one, other) => Math.min(one, other)) };
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
  const haveUnits = said.dimension !== undefined && held.dimension !== undefined;
  // "5 mg daily" leaves out what "5 mg/day" says.
  const isPart = haveUnits && isRate(said) !== isRate(held);
  const dimensions = [said, held].map(({ dimension }) => (isPart ? dimension?.split('/', 1)[0] : dimension));
  if (haveUnits && dimensions[0] !== dimensions[1]) return false;
  const factorOf = ({ factor, over = factor }: Quantity): number => (isPart ? over : factor);
  const ratio = haveUnits ? factorOf(held) / factorOf(said) : 1;
  const moved = haveUnits ? ((held.offset ?? 0) - (said.offset ?? 0)) / said.factor : 0;
  const isSigned = moved !== 0;
  if (!isSigned && !haveLikeSigns(said, held)) return false;
  const valued = (value: number, { sign }: Quantity): number => (isSigned && sign < 0 ? -value : value);
  return said.values.some((written) =>
    held.values.some((one) => {
      const value = valued(written, said);
      const own = valued(one, held) * ratio + moved;
      const apart = Math.abs(value - own);
      if (apart <= 1e-6 * Math.abs(value)) return true;
      if (said.isYear || held.isYear || said.dimension !== held.dimension) return false;
      if (held.step * ratio >= said.step || apart > said.step * 0.5000001) return false;
      return said.step <= 1 || apart <= roundedBy * Math.abs(own);
    }),
  );
}

function isRate({ dimension = '' }: Quantity): boolean {
  return dimension.includes('/');
}

function haveLikeSigns(one: Quantity, other: Quantity): boolean {
  if (one.sign === 0 || other.sign === 0) {
    const { dimension } = one.dimension === undefined ? other : one;
    return one.sign + other.sign >= 0 || (dimension !== undefined && dimension !== 'temperature');
  }
  return one.sign === other.sign;
}

function isChange(dimension: string | undefined): boolean {
  return dimension === 'percent' || dimension === 'points';
}

/** Figures of a sentence; with more of them some two give any third. */
const mostCombined = 6;

/** Whether a figure is the difference, sum, ratio or change in percent of two others of its sentence. */
export function isDerived(said: Quantity, others: readonly Quantity[]): boolean {
  if (others.length > mostCombined) return false;
  const isShare = isChange(said.dimension);
  const values = others.flatMap((one) =>
    one === said || (!isShare && one.dimension !== said.dimension) ? [] : [one.values[0]! * (one.factor / said.factor)],
  );
  return values.some((a) =>
    values.some(
      (b) =>
        a > b &&
        [a - b, a + b, a / b, ((a - b) / b) * 100, ((a - b) / a) * 100].some((made) =>
          said.values.some((value) => Math.abs(made - value) <= said.step * 0.5000001),
        ),
    ),
  );
}

const small = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  .concat(' seventeen eighteen nineteen')
  .split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const spelled = new RegExp(
  String.raw`\b(?:(${tens.join('|')})(?:[ -](${small.slice(1, 10).join('|')}))?|(${small.slice(2).join('|')}))\b(?! hundred| thousand| million)[ -]{0,1}(%|°\s?\p{L}|\p{L}+(?:\/\p{L}+)?)?`,
  'giu',
);

/** English numbers in words, from two to ninety-nine, and the word behind each. "One" is a pronoun more often than a number. */
function spelledNumbers(
  text: string,
): { readonly value: number; readonly next: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(spelled)].map((match) => {
    const [whole, ten = '', unit = '', alone = '', next = ''] = match;
    const value = (word: string): number => Math.max(0, small.indexOf(word.toLowerCase()));
    const number = ten === '' ? value(alone) : (tens.indexOf(ten.toLowerCase()) + 2) * 10 + value(unit);
    return { value: number, next, start: match.index, end: match.index + whole.length };
  });
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
