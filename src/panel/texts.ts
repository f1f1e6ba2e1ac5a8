import { panelStrings, type StringKey } from '../protocol/strings.ts';

type PluralKey = { [K in StringKey]: K extends `${infer Base}.other` ? Base : never }[StringKey];

/** The panel's texts in the editor's language. A key that the host did not send falls back to English. */
export class Texts {
  readonly #strings: Readonly<Record<string, string>>;
  readonly #plurals: Intl.PluralRules;
  readonly #numbers: Intl.NumberFormat;
  readonly #compactNumbers: Intl.NumberFormat;
  readonly #lists: Intl.ListFormat;
  readonly #choices: Intl.ListFormat;
  readonly #dollars: Intl.NumberFormat;

  constructor(strings: Readonly<Record<string, string>>, locale: string) {
    const locales = supported(locale);
    this.#strings = { ...panelStrings, ...strings };
    this.#plurals = new Intl.PluralRules(locales);
    this.#numbers = new Intl.NumberFormat(locales);
    this.#compactNumbers = new Intl.NumberFormat(locales, { notation: 'compact', maximumFractionDigits: 1 });
    this.#lists = new Intl.ListFormat(locales, { type: 'conjunction' });
    this.#choices = new Intl.ListFormat(locales, { type: 'disjunction' });
    this.#dollars = new Intl.NumberFormat(locales, { style: 'currency', currency: 'USD' });
  }

  /** The text of a key, with `{0}`, `{1}`, … filled in. */
  of(key: StringKey, ...values: readonly (string | number)[]): string {
    return fill(
      this.#strings[key] ?? '',
      values.map((value) => (typeof value === 'number' ? this.number(value) : value)),
    );
  }

  /** The form of a key for `count`, which is also `{0}`. */
  count(key: PluralKey, count: number): string {
    const form = this.#strings[`${key}.${this.#plurals.select(count)}`] ?? this.#strings[`${key}.other`] ?? '';
    return fill(form, [this.number(count)]);
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** `12.3K` and the like. */
  compact(value: number): string {
    return this.#compactNumbers.format(value);
  }

  list(items: readonly string[]): string {
    return this.#lists.format(items);
  }

  /** Of which one is enough. */
  choices(items: readonly string[]): string {
    return this.#choices.format(items);
  }

  /** US dollars, to the cent; less than one cent is given as one. */
  money(value: number): string {
    return this.#dollars.format(value > 0 ? Math.max(value, 0.01) : 0);
  }
}

function fill(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (whole, index: string) => values[Number(index)] ?? whole);
}

/** Intl may not know the editor's language (`qps-ploc`). */
function supported(locale: string): string[] {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale);
  } catch {
    return [];
  }
}
