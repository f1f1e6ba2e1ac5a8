import { trimEnd } from '../text/trimEnd.ts';
import { languages } from '../languages/languages.ts';
import { asciiDigits, belongsToName, spelledNumbers } from './figures.ts';
import { magnitudes, units } from './units.ts';

/** A figure of a text with what it counts. */
export interface Quantity {
  /** Values that the notation allows ("1.250" has two), words of magnitude included, in the unit as written. */
  readonly values: readonly number[];
  /** The same without words of magnitude. */
  readonly numerals: readonly number[];
  /** Whether a unit or a word of magnitude says what the figure is. */
  readonly isDefinite: boolean;
  /** The smallest step that the notation shows: 0.1 for 12.5, 10 for 90. In the unit as written. */
  readonly step: number;
  /** "about", "nearly", "more than" precede it. */
  readonly isRough: boolean;
  /** An English number in words. */
  readonly isSpelled: boolean;
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
const aboutWords = alternatives(new Set(languages.flatMap(({ turns }) => turns?.about.trim().split(/\s+/) ?? [])));
/** A name ends where its script ends: particles follow a unit in Korean and Japanese, "de" in Spanish. */
const wordEnd = String.raw`(?:(?<=[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}])|(?!\p{L}))`;
const numeral = /\d{1,2}:\d\d(?!\d)|\d{1,3}(?:[  ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*/gu;
const magnitude = new RegExp(String.raw`\s?(?:${alternatives(magnitudes.keys())})${wordEnd}\.?`, 'iuy');
const unit = new RegExp(String.raw`[\s-]?(?:(?:de|d'|d’|of)\s?)?(${alternatives(units.keys())})${wordEnd}`, 'iuy');
const wordStart = String.raw`(?:(?<!\p{L})|(?<=[\p{Script=Han}\p{Script=Hiragana}]))`;
const rough = new RegExp(String.raw`${wordStart}(?:${aboutWords})[^\d.,;]{0,6}$`, 'iu');
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
    let times = 1;
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
      values: values.map((value) => value * times),
      numerals: values,
      isDefinite: known !== undefined || times > 1,
      step: step * times,
      isRough: rough.test(lead),
      isSpelled: false,
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
      values: [value],
      numerals: [value],
      isDefinite: known !== undefined,
      step: 1,
      isRough: false,
      isSpelled: true,
      ...(known ? { dimension: known.dimension } : {}),
      factor: known?.factor ?? 1,
      start,
      end,
    };
  });
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
  const forms = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(joined)
    ? [joined.replaceAll(',', '')]
    : /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(joined)
      ? [joined.replaceAll('.', '').replace(',', '.'), ...(/^\d+\.\d+$/.test(joined) ? [joined] : [])]
      : [joined.replace(',', '.')];
  const decimals = /\.(\d+)$/.exec(forms[0]!)?.[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : forms[0]!.length - trimEnd(forms[0]!, '0').length;
  return { values: forms.map(Number), step: 10 ** (zeros - decimals) };
}

/**
 * Whether a figure of a sentence says what one of its source says: the same in the same or another unit, or rounded. Digits are
 * dropped without a word ("15 %" for 14.9 %); whole numbers are rounded only where the sentence says so ("about 2,500" for 2,506).
 */
export function isSame(said: Quantity, held: Quantity): boolean {
  if (said.dimension !== undefined && held.dimension !== undefined && said.dimension !== held.dimension) return false;
  const isConverted = said.dimension !== undefined && held.dimension !== undefined;
  const ratio = isConverted ? held.factor / said.factor : 1;
  return said.values.some((value) =>
    held.values.some((one) => {
      const own = one * ratio;
      if (Math.abs(value - own) <= 1e-6 * Math.abs(value)) return true;
      const isShortened =
        said.isRough || (said.step < 1 && ratio !== 1) || (held.step * ratio < said.step && said.step <= 1);
      const slack = said.isRough ? Math.min(said.step, Math.abs(value) * 0.1) : said.step * 0.5000001;
      return isShortened && held.step * ratio < said.step && Math.abs(value - own) <= slack;
    }),
  );
}

/** Figures of a sentence; with more of them some two give any third. */
const mostCombined = 6;

/** Whether a figure is the difference, sum, ratio or change in percent of two others of its sentence. */
export function isDerived(said: Quantity, others: readonly Quantity[]): boolean {
  if (others.length > mostCombined) return false;
  const values = others.flatMap((one) => (one === said ? [] : [one.values[0]!]));
  return values.some((a) =>
    values.some(
      (b) =>
        a > b &&
        [a - b, a + b, a / b, ((a - b) / b) * 100, ((a - b) / a) * 100].some((made) =>
          said.values.some((value) => Math.abs(made - value) <= said.step * (said.isRough ? 1 : 0.5000001)),
        ),
    ),
  );
}
