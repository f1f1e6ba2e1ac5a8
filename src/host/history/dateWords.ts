const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Constructing a format takes longer than using it a hundred times. */
const formats = new Map<string, { readonly relative: Intl.RelativeTimeFormat; readonly date: Intl.DateTimeFormat }>();

/** How long ago something was, as short as the language allows; the date when it is more than four weeks. */
export function dateWords(when: Date, now: Date, locale: string): string {
  const { relative, date } = formats.get(locale) ?? formatsOf(locale);
  const ago = now.getTime() - when.getTime();
  if (ago < minute) return relative.format(0, 'second');
  if (ago < hour) return relative.format(-Math.floor(ago / minute), 'minute');
  if (ago < day) return relative.format(-Math.floor(ago / hour), 'hour');
  if (ago < 28 * day) return relative.format(-Math.floor(ago / day), 'day');
  return date.format(when);
}

function formatsOf(locale: string): { readonly relative: Intl.RelativeTimeFormat; readonly date: Intl.DateTimeFormat } {
  const made = {
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
  };
  formats.set(locale, made);
  return made;
}
