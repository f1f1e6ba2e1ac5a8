import { oneLine } from '../../markdown/hidden.ts';

/** Characters of a title, and of a name. */
export const longestTitle = 200;
export const longestName = 100;
export const mostAuthors = 100;

/** What a service calls a title or a name, as one line of at most so many characters. Markup is escaped where it is written. */
export function plainText(text: string, most: number): string {
  const line = oneLine(text.slice(0, 20 * most));
  const characters = [...line];
  if (characters.length <= most) return line;
  // Half a word, or half an address, says something else.
  const cut = characters.slice(0, most - 1).join('');
  return `${cut.replace(/\s\S{1,60}$/, '').trimEnd()}…`;
}

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD` of a date or an instant as services write them; undefined when it is none. */
export function plainDate(text: string | undefined): string | undefined {
  const [, year, month, day] =
    /^\s{0,9}(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?![\d-])/.exec(text?.slice(0, 100) ?? '') ?? [];
  if (year === undefined || Number(year) < 1000) return undefined;
  if (!isBetween(month, 12)) return year;
  const yearAndMonth = `${year}-${month!.padStart(2, '0')}`;
  return isBetween(day, 31) ? `${yearAndMonth}-${day!.padStart(2, '0')}` : yearAndMonth;
}

function isBetween(digits: string | undefined, most: number): boolean {
  return digits !== undefined && Number(digits) >= 1 && Number(digits) <= most;
}
