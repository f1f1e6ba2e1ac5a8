const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, as short as the language allows; the date when it is more than four weeks. */
export function dateWords(date: Date, now: Date, locale: string): string {
  const ago = now.getTime() - date.getTime();
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  if (ago < minute) return format.format(0, 'second');
  if (ago < hour) return format.format(-Math.floor(ago / minute), 'minute');
  if (ago < day) return format.format(-Math.floor(ago / hour), 'hour');
  if (ago < 28 * day) return format.format(-Math.floor(ago / day), 'day');
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date);
}
