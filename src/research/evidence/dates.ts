import { languages } from '../languages/languages.ts';
import { detectLanguage } from '../text/language.ts';

/** A date, as far as it is said. */
export interface PlainDate {
  readonly y?: number;
  /** 1 to 12. */
  readonly m?: number;
  readonly d?: number;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

const numeric =
  /(?<![\d.])(\d{4})(?:[-/.]|\. )(\d{1,2})(?:[-/.]|\. )(\d{1,2})(?![\d.-]?\d)|(?<![\d.])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)|(?<![\d.])(\d{4})-(0[1-9]|1[0-2])(?![\d-])|(?<![\d./])(0[1-9]|1[0-2])\/((?:1[5-9]|20)\d\d)(?![\d/])|(?<![\d.])(?<!-(?=\d{1,2}-))(\d{1,2})([./-])(\d{1,2})\12(\d{4})(?!\d)|((?:1\d|20)\d\d)\s?[年년]\s?(?:(\d{1,2})\s?[月월]\s?(?:(\d{1,2})\s?[日일])?)?|(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/gu;

/** The dates of a text, by their form and the names of months. A day and a month in either order may be two dates. Linear. */
export function datesIn(text: string): PlainDate[] {
  const found: PlainDate[] = [];
  for (const match of text.matchAll(numeric)) {
    const [, y1, m1, d1, y7, m7, d7, y2, m2, m6, y6, a, , b, y3, y4, m4, d4, m5, d5] = match.map((part) =>
      part === undefined ? undefined : Number(part),
    );
    const place = { start: match.index, end: match.index + match[0].length };
    const add = (y: number | undefined, m: number | undefined, d: number | undefined): void => {
      if ((m !== undefined && (m < 1 || m > 12)) || (d !== undefined && (d < 1 || d > 31))) return;
      found.push({ ...(y ? { y } : {}), ...(m ? { m } : {}), ...(d ? { d } : {}), ...place });
    };
    if (y1 !== undefined) add(y1, m1, d1);
    else if (y7 !== undefined) add(y7, m7, d7);
    else if (y2 !== undefined) add(y2, m2, undefined);
    else if (y6 !== undefined) add(y6, m6, undefined);
    else if (y3 !== undefined) {
      add(y3, b, a);
      if (match[12] !== '.' && a !== b) add(y3, a, b);
    } else if (y4 !== undefined) add(y4, m4, d4);
    else add(undefined, m5, d5);
  }
  return [...found, ...namedDates(text)];
}

const around = String.raw`(?:(\d{1,4})(?:st|nd|rd|th|er|\.|º)?,?\s{1,2}(?:(?:de|del|of)\s)?)?`;
const after = String.raw`(?:\.?,?\s{1,2}(?:(?:de|del|of)\s)?(\d{1,4})(?:st|nd|rd|th)?(?![\d.,]?\d|\s?%)(?:,?\s{1,2}(?:(?:de|del|of)\s)?(\d{4})(?!\d))?)?`;
/** Letters of a month's name that says it without a number: May and mai are other words too. */
const leastAlone = 4;

interface MonthNames {
  readonly pattern: RegExp;
  readonly numbers: ReadonlyMap<string, number>;
  /** Languages of the short names: "des" is December in Indonesian, "sie" August in Polish, "set" September in Italian. */
  readonly short: ReadonlyMap<string, readonly string[]>;
}

let months: MonthNames | undefined;
/** By language, in their own case. */
const monthsAlone = new Map<string, ReadonlySet<string>>();

/** "12 March 2024", "March 12, 2024", "12. März", "mars 2024". */
function namedDates(text: string): PlainDate[] {
  months ??= namedMonths();
  const language = detectLanguage(text);
  const alone = monthsIn(language);
  const found: PlainDate[] = [];
  const { pattern } = months;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, before, name = '', behind, last] = match;
    const m = months.numbers.get(name.toLowerCase()) ?? months.numbers.get(name);
    const given = [before, behind, last].flatMap((part) => (part === undefined ? [] : [Number(part)]));
    // "May 1971 to 2010" has two.
    const [y, ...others] = given.filter((one) => one >= 1_000);
    const d = given.find((one) => one >= 1 && one <= 31);
    // In another language a short name is a month beside a day and a year.
    const own = months.short.get(name.toLowerCase());
    const isDate = y !== undefined && d !== undefined && !/\sof\s/i.test(whole);
    if (own && !own.includes(language) && !own.includes('en') && !isDate) {
      pattern.lastIndex = match.index + whole.indexOf(name) + name.length;
      continue;
    }
    if (m === undefined || (y === undefined && d === undefined && !alone.has(name))) continue;
    const place = { start: match.index, end: match.index + whole.length };
    found.push({ ...(y === undefined ? {} : { y }), m, ...(d === undefined ? {} : { d }), ...place });
    for (const other of others) found.push({ y: other, ...place });
  }
  return found;
}

/** The names of months in the languages of reports, as the platform has them. */
function namedMonths(): MonthNames {
  const numbers = new Map([['sept', 9]]);
  const short = new Map<string, readonly string[]>();
  for (const { tag } of languages)
    for (const month of ['long', 'short'] as const)
      for (const [index, name] of monthNames(tag, month).entries()) {
        const plain = name.toLowerCase().replace(/\.$/, '');
        if (!/^\p{L}{3,}$/u.test(plain)) continue;
        numbers.set(plain, index + 1);
        if (month === 'short' && plain.length < leastAlone) short.set(plain, [...(short.get(plain) ?? []), tag]);
        // "DECEMBRE": capitals are often written without accents. "Marco" is a name, and "paz" is peace.
        if (/^\p{Script=Latin}+$/u.test(plain))
          numbers.set(plain.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase(), index + 1);
      }
  const names = [...numbers.keys()].toSorted((a, b) => b.length - a.length).join('|');
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}.]|\d:)${around}(${names})(?!\p{L})${after}`, 'giu');
  return { pattern, numbers, short };
}

/** Names that say a month without a number, in a language and in English: "marca" is March in Polish alone. */
function monthsIn(language: string): ReadonlySet<string> {
  const known = monthsAlone.get(language);
  if (known !== undefined) return known;
  const names = [...monthNames('en', 'long'), ...monthNames(language, 'long')];
  const made = new Set(names.filter(({ length }) => length >= leastAlone));
  monthsAlone.set(language, made);
  return made;
}

function monthNames(tag: string, month: 'long' | 'short'): readonly string[] {
  const format = new Intl.DateTimeFormat(tag, { day: 'numeric', month, timeZone: 'UTC' });
  return Array.from(
    { length: 12 },
    (_, index) => format.formatToParts(Date.UTC(2024, index, 5)).find(({ type }) => type === 'month')?.value ?? '',
  );
}
