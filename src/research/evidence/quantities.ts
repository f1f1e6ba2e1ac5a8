import { trimEnd } from '../text/trimEnd.ts';
import { magnitudes, units } from './units.ts';

/** A figure of a text with what it counts. */
export interface Quantity {
  /** Its digits as they are written. */
  readonly raw: string;
  /** Values that the notation allows ("1.250" has two), words of magnitude included, in the unit as written. */
  readonly values: readonly number[];
  /** The same without words of magnitude. */
  readonly numerals: readonly number[];
  /** Whether a unit or a word of magnitude says what the figure is. */
  readonly isDefinite: boolean;
  /** The smallest step that the notation shows: 0.1 for 12.5, 10 for 90. In the unit as written. */
  readonly step: number;
  /** A minus sign precedes it. */
  readonly isNegative: boolean;
  /** An English number in words. */
  readonly isSpelled: boolean;
  /** Four digits that may be a year. */
  readonly isYear: boolean;
  readonly dimension?: string;
  /** To the base of the dimension. */
  readonly factor: number;
  readonly start: number;
  readonly end: number;
}

const alternatives = (names: Iterable<string>): string =>
  [...names]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replace(/[ _]/g, String.raw`\s?`))
    .join('|');
/** A name ends where its script ends: particles follow a unit in Korean and Japanese, "de" in Spanish. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const wordEnd = String.raw`(?:(?<=${unspaced})|(?!(?!${unspaced})\p{L}))`;
const numeral = /\d{1,2}:\d\d(?!\d)|\d{1,3}(?:[  ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*/gu;
const magnitude = new RegExp(String.raw`\s?(?:${alternatives(magnitudes.keys())})${wordEnd}\.?`, 'iuy');
const unit = new RegExp(String.raw`[\s-]?(?:(?:de|d'|d’|of)\s?)?(${alternatives(units.keys())})${wordEnd}`, 'iuy');
const minus = /(?<![\p{L}\p{N})\]%])[-−–][$€£¥]?$/u;
/** In UTF-16 units. */
const before = 24;

/** Linear. */
export function quantitiesOf(written: string): Quantity[] {
  if (!/\p{N}/u.test(written)) return spelledOf(written);
  const text = asciiDigits(written);
  const found: Quantity[] = [];
  for (const match of text.matchAll(numeral)) {
    const start = match.index;
    if (belongsToName(text, start)) continue;
    let end = start + match[0].length;
    let times = short(text, end);
    if (times > 1) end += 1;
    for (let word = at(magnitude, text, end); word; word = at(magnitude, text, end)) {
      times *= magnitudes.get(word[0].trim().toLowerCase().replace(/\.$/, ''))!;
      end += word[0].length;
    }
    const lead = text.slice(Math.max(0, start - before), start);
    const named = at(unit, text, end);
    const known = match[0].includes(':')
      ? clock
      : named && !isDate(match[0], named[1]!, lead)
        ? units.get(plain(named[1]!))
        : undefined;
    if (known && known !== clock) end += named![0].length;
    const { values, step } = valuesOf(match[0]);
    found.push({
      raw: match[0],
      values: values.map((value) => value * times),
      numerals: values,
      isDefinite: known !== undefined || times > 1,
      step: step * times,
      isNegative: minus.test(lead),
      isSpelled: false,
      isYear: known === undefined && times === 1 && /^(?:1\d|20)\d\d$/.test(match[0]),
      ...(known ? { dimension: known.dimension } : {}),
      factor: known?.factor ?? 1,
      start,
      end,
    });
  }
  return [...found, ...spelledOf(text)].toSorted((a, b) => a.start - b.start);
}

function spelledOf(text: string): Quantity[] {
  return spelledNumbers(text).map(({ value, next, start, end }) => {
    const known = units.get(plain(next));
    return {
      raw: String(value),
      values: [value],
      numerals: [value],
      isDefinite: known !== undefined,
      step: 1,
      isNegative: false,
      isSpelled: true,
      isYear: false,
      ...(known ? { dimension: known.dimension } : {}),
      factor: known?.factor ?? 1,
      start,
      end,
    };
  });
}

/** "21M", "7B": in capitals, at the figure. */
function short(text: string, end: number): number {
  const value = { M: 1e6, B: 1e9, T: 1e12 }[text[end] ?? ''] ?? 1;
  return /\p{L}/u.test(text[end + 1] ?? '') ? 1 : value;
}

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

const plain = (name: string): string => {
  const spaced = name.toLowerCase().replace(/[\s  ]+/g, ' ');
  return units.has(spaced) ? spaced : spaced.replace(/\s/g, '');
};

/** "2024年", "3월 1일", "1990s": no lengths of time. */
function isDate(numeral: string, name: string, lead: string): boolean {
  if (/^s$/i.test(name) && /^(?:1[5-9]|20)\d0$/.test(numeral)) return true;
  return (
    (/^(?:年|년|год|года|عام)$/.test(name) && /^(?:19|20)\d\d$/.test(numeral)) || (name === '일' && /월\s*$/.test(lead))
  );
}

const clock = { dimension: 'clock', factor: 1 };

function valuesOf(raw: string): { readonly values: readonly number[]; readonly step: number } {
  if (raw.includes(':')) return { values: [Number(raw.replace(':', '.'))], step: 0.01 };
  const joined = raw.replace(/[  ]/g, '');
  // No group begins with 0: "0.973" is less than one.
  const forms = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(joined)
    ? [joined.replaceAll(',', '')]
    : /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(joined)
      ? [joined.replaceAll('.', '').replace(',', '.'), ...(/^\d+\.\d+$/.test(joined) ? [joined] : [])]
      : [joined.replace(',', '.')];
  const decimals = /\.(\d+)$/.exec(forms[0]!)?.[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : forms[0]!.length - trimEnd(forms[0]!, '0').length;
  return { values: forms.map(Number), step: 10 ** (zeros - decimals) };
}

/** Of a rounded figure, how far it may be from the other one. */
const roundedBy = 0.05;

/**
 * Whether a figure of a statement says what one of its passages says: the same in the same or another unit, or rounded. A sign is
 * compared where no word can express it: "fell by 5 %" is -5 %.
 */
export function isSame(said: Quantity, held: Quantity): boolean {
  if (said.dimension !== undefined && held.dimension !== undefined && said.dimension !== held.dimension) return false;
  if (said.isNegative !== held.isNegative && ![said.dimension, held.dimension].some(isChange)) return false;
  const ratio = said.dimension !== undefined && held.dimension !== undefined ? held.factor / said.factor : 1;
  return said.values.some((value) =>
    held.values.some((one) => {
      const own = one * ratio;
      const apart = Math.abs(value - own);
      if (apart <= 1e-6 * Math.abs(value)) return true;
      if (said.isYear || held.isYear || said.dimension !== held.dimension) return false;
      if (held.step * ratio >= said.step || apart > said.step * 0.5000001) return false;
      return said.step <= 1 || apart <= roundedBy * Math.abs(own);
    }),
  );
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
