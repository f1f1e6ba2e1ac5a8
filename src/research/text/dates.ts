import { languages } from '../languages/languages.ts';
import { fold } from './words.ts';

/** Names of the months in every language that we know, folded, with their number: "marz" and "mar" are 3. */
const months: ReadonlyMap<string, number> = monthNames();

function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const { tag } of languages) {
    for (const style of ['long', 'short'] as const) {
      for (const withDay of [false, true]) {
        const format = new Intl.DateTimeFormat(tag, {
          month: style,
          timeZone: 'UTC',
          calendar: 'gregory',
          ...(withDay ? { day: 'numeric' as const } : {}),
        });
        for (let month = 0; month < 12; month += 1) {
          const part = format.formatToParts(Date.UTC(2024, month, 9)).find(({ type }) => type === 'month')?.value ?? '';
          const name = fold(part).replace(/\./g, '');
          if (/^\p{L}{3,}$/u.test(name) && !names.has(name)) names.set(name, month + 1);
        }
      }
    }
  }
  // "may" and "mar" are words as well: they count as months beside a number only, as all of them do.
  names.set('sept', 9);
  return names;
}

type Parts = readonly [year: string, month: string, day?: string | undefined];

/** Forms of dates with what their groups mean. */
const patterns: readonly (readonly [RegExp, (groups: readonly string[]) => Parts | undefined])[] = [
  [
    /(?<![\d.])((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12]\d|3[01])(?![\d.]*\d)/g,
    ([y, m, d]) => [y!, m!, d],
  ],
  [/(?<![\d-])((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-])/g, ([y, m]) => [y!, m!]],
  [/((?:19|20)\d\d)\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?/g, ([y, m, d]) => [y!, m!, d]],
  [/((?:19|20)\d\d)년\s?(\d{1,2})월(?:\s?(\d{1,2})일)?/g, ([y, m, d]) => [y!, m!, d]],
  [/(?<![\d.])(0?[1-9]|[12]\d|3[01])[./](0?[1-9]|1[0-2])[./]((?:19|20)\d\d)(?!\d)/g, ([d, m, y]) => [y!, m!, d]],
  [
    /(?<!\d)([1-9]|[12]\d|3[01])(?:\.|st|nd|rd|th|er|º)?\s(?:de\s)?(\p{L}{3,12})\.?(?:,?\s(?:de\s)?((?:19|20)\d\d))?(?!\d)/gu,
    ([d, name, y]) => named(name!, d, y),
  ],
  [
    /(?<!\p{L})(\p{L}{3,12})\.?\s([1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?:,?\s((?:19|20)\d\d))?(?!\d)/gu,
    ([name, d, y]) => named(name!, d, y),
  ],
  [/(?<!\p{L})(\p{L}{3,12})\.?\s(?:de\s)?((?:19|20)\d\d)(?!\d)/gu, ([name, y]) => named(name!, undefined, y)],
];

function named(name: string, day: string | undefined, year = ''): Parts | undefined {
  const month = months.get(fold(name));
  return month === undefined ? undefined : [year, String(month), day];
}

/** Dates of a text in one form: `2025-03-31`, `2025-03` where no day stands, `03-31` where no year does. Linear. */
export function datesOf(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const found = new Set<string>();
  let rest = text;
  for (const [pattern, read] of patterns) {
    rest = rest.replace(pattern, (whole, ...groups: unknown[]) => {
      const [year, month, day] = read(groups as string[]) ?? [];
      if (year === undefined || month === undefined || Number(month) > 12 || Number(month) < 1) return whole;
      const parts = [year, month.padStart(2, '0'), day?.padStart(2, '0') ?? ''].filter((part) => part !== '');
      if (parts.length > 1) found.add(parts.join('-'));
      // What was read as a date is not read again as a part of one.
      return ' ';
    });
  }
  return [...found];
}

export function isMonth(word: string): boolean {
  return months.has(fold(word));
}

/** Months that a text names, with a day or year or without, from 1 to 12; words that are also names of months count. */
export function monthsOf(text: string): Set<number> {
  // Short names of three letters are words as well ("des", "set").
  const named = (text.match(/\p{L}{4,12}|(?<!\p{L})(?:ma[ijy]|ма[йя])(?!\p{L})/giu) ?? []).flatMap(
    (word) => months.get(fold(word)) ?? [],
  );
  const counted = [...text.matchAll(/(?<!\d)(\d{1,2})\s?[月월]/g)].map(([, month]) => Number(month));
  return new Set([...named, ...counted, ...datedMonthsOf(text)]);
}

/** The same where a day or year stands with them. */
export function datedMonthsOf(text: string): number[] {
  return datesOf(text).map((date) => Number(date.replace(/^\d{4}-/, '').slice(0, 2)));
}
