const places = /\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;

interface Rules {
  readonly plurals: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
}
const known = new Map<string, Rules>();

/**
 * Fills the places of a text: `{0}` or `{name}`, and `{0, plural, one {# source} other {# sources}}`, the plural of ICU MessageFormat, whose
 * form the rules of the locale choose. A place without a value stays. Numbers are written as in the locale; without one, in plain digits
 * and with the plurals of English.
 */
export function fillText(
  text: string,
  values: Readonly<Record<string, string | number>> | readonly (string | number)[],
  locale?: string,
): string {
  const named = values as Readonly<Record<string, string | number>>;
  return text.replace(places, (place, name: string, forms: string | undefined) => {
    const value = Object.hasOwn(named, name) ? named[name]! : undefined;
    if (value === undefined) return place;
    const shown =
      typeof value === 'number' && locale !== undefined ? rulesOf(locale).numbers.format(value) : `${value}`;
    if (forms === undefined) return shown;
    const form = formOf(forms, rulesOf(locale ?? 'en').plurals.select(Number(value))) ?? formOf(forms, 'other') ?? '';
    return form.replaceAll('#', () => shown);
  });
}

function formOf(forms: string, category: string): string | undefined {
  return new RegExp(` ${category} \\{([^{}]*)\\}`).exec(forms)?.[1];
}

function rulesOf(locale: string): Rules {
  let rules = known.get(locale);
  if (rules === undefined) {
    const locales = supportedLocales(locale);
    rules = { plurals: new Intl.PluralRules(locales), numbers: new Intl.NumberFormat(locales) };
    known.set(locale, rules);
  }
  return rules;
}

/** What Intl knows of a locale: not every language of the editor is one (`qps-ploc`). */
export function supportedLocales(locale: string): string[] {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale);
  } catch {
    return [];
  }
}
