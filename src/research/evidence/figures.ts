/**
 * Figures of a text, for checking that the digits of a sentence occur in its source. A figure is given as all
 * notations that count as the same number ("1,000" = "1000", "3,5" = "3.5", "12.50" = "12.5", "10k" = "10000").
 * Digits that belong to a name ("GPT-4", "H100", "v1.2", "top-10") are no figures.
 */
export interface Figure {
  readonly raw: string;
  readonly notations: readonly string[];
  /** Where it begins in the text. */
  readonly start: number;
}

const pattern = /\d+(?:[.,]\d+)*/g;
const multipliers: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, B: 1e9, b: 1e9, T: 1e12 };
const numberWords: readonly (readonly [RegExp, string])[] = [
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [new RegExp(`\\b${word}\\b`, 'i'), String(value)] as const),
  ...[...'一二三四五六七八九十'].map((sign, index) => [new RegExp(sign), String(index + 1)] as const),
  [/两|兩/, '2'],
  [/\bfirst\b/i, '1'],
  [/\bsecond\b/i, '2'],
  [/\bthird\b/i, '3'],
  [/\b(?:half|halve[sd]?)\b/i, '50'],
  [/\b(?:double[sd]?|twice)\b/i, '2'],
  [/\bhundreds?\b/i, '100'],
];

export function findFigures(text: string): Figure[] {
  const plain = asciiDigits(text);
  return [...plain.matchAll(pattern)].flatMap((match): Figure[] => {
    const raw = match[0];
    if (belongsToName(plain, match.index)) return [];
    const after = plain.slice(match.index + raw.length, match.index + raw.length + 2);
    const multiplier = /^[kKmMbBT](?![\p{L}])/u.test(after) ? multipliers[after[0]!] : undefined;
    return [{ raw: raw + (multiplier ? after[0] : ''), notations: notations(raw, multiplier), start: match.index }];
  });
}

/** All notations of all numbers of a source, those in names and in words included: a generous set to look figures up in. */
export function figureSet(text: string): ReadonlySet<string> {
  const plain = asciiDigits(text);
  const set = new Set<string>();
  for (const match of plain.matchAll(pattern)) {
    const after = plain[match.index + match[0].length] ?? '';
    for (const notation of notations(match[0], multipliers[after])) set.add(notation);
    for (const part of match[0].split(/[.,]/)) set.add(trimZeros(part));
  }
  for (const [word, value] of numberWords) if (word.test(plain)) set.add(value);
  return set;
}

export function isIn(figure: Figure, set: ReadonlySet<string>): boolean {
  return figure.notations.some((notation) => set.has(notation));
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
export function spelledNumbers(
  text: string,
): { readonly value: number; readonly next: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(spelled)].map((match) => {
    const [whole, ten = '', unit = '', alone = '', next = ''] = match;
    const value = (word: string): number => Math.max(0, small.indexOf(word.toLowerCase()));
    const number = ten === '' ? value(alone) : (tens.indexOf(ten.toLowerCase()) + 2) * 10 + value(unit);
    return { value: number, next, start: match.index, end: match.index + whole.length };
  });
}

export function belongsToName(text: string, at: number): boolean {
  const lead = text.slice(Math.max(0, at - 2), at);
  // Chinese, Japanese and Korean write figures without a space before them.
  return (
    /[\p{L}_#@/\\]$|\p{L}[-‐‑_.]$/u.test(lead) &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}].?$/u.test(lead)
  );
}

function notations(raw: string, multiplier?: number): string[] {
  const forms = new Set<string>();
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(raw)) forms.add(raw.replaceAll(',', ''));
  else if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(raw)) forms.add(raw.replaceAll('.', '').replace(',', '.')).add(raw);
  else if (/^\d+,\d+$/.test(raw)) forms.add(raw.replace(',', '.'));
  else forms.add(raw);
  const all = [...forms].map(trimZeros);
  if (multiplier)
    for (const form of [...all])
      if (/^\d+(?:\.\d+)?$/.test(form)) all.push(trimZeros(String(Number(form) * multiplier)));
  return all;
}

function trimZeros(number: string): string {
  const short = /^\d+\.\d+$/.test(number) ? number.replace(/\.?0+$/, '') : number;
  return short.replace(/^0+(?=\d)/, '');
}

/** Arabic-Indic, Devanagari and full-width digits as ASCII ones; same length as the text. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = [0x0660, 0x06f0, 0x0966, 0xff10].find((first) => code >= first && code <= first + 9) ?? code;
    return String(code - zero);
  });
}
