import { fillText, supportedLocales } from './fillText.ts';
import type { StringKey } from './strings.ts';

/** Texts of `strings.ts` in the editor's language, all of which the host sends. */
export class Texts {
  readonly #strings: Readonly<Record<string, string>>;
  readonly #locale: string;
  readonly #numbers: Intl.NumberFormat;
  readonly #compactNumbers: Intl.NumberFormat;
  readonly #lists: Intl.ListFormat;
  readonly #choices: Intl.ListFormat;
  readonly #dollars: Intl.NumberFormat;

  constructor(strings: Readonly<Record<string, string>>, locale: string) {
    const locales = supportedLocales(locale);
    this.#strings = strings;
    this.#locale = locale;
    this.#numbers = new Intl.NumberFormat(locales);
    this.#compactNumbers = new Intl.NumberFormat(locales, { notation: 'compact', maximumFractionDigits: 1 });
    this.#lists = new Intl.ListFormat(locales, { type: 'conjunction' });
    this.#choices = new Intl.ListFormat(locales, { type: 'disjunction' });
    this.#dollars = new Intl.NumberFormat(locales, { style: 'currency', currency: 'USD' });
  }

  /** The text of a key, with `{0}`, `{1}`, … and plurals filled in. */
  of(key: StringKey, ...values: readonly (string | number)[]): string {
    return fillText(this.#strings[key] ?? '', values, this.#locale);
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
