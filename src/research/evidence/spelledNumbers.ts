import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';
import { toCardinal as russian } from 'n2words/ru-RU';
import { fold } from '../text/tokenize.ts';

/** A number in words, and where it stands. */
export interface SpelledNumber {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Languages of reports that write words apart and count without endings of their own. */
const spellers = [english, german, french, spanish, russian];
/** Further ones are written in digits. */
const largest = 100;
const hundreds = [200, 300, 400, 500, 600, 700, 800, 900, 1_000];
/** Words of the longest: "soixante et onze", "setenta y dos". */
const following = /^\p{L}+(?:[ ‐‑-]\p{L}+){0,2}(?!\p{L})/u;
/** In UTF-16 units. */
const longest = 32;

interface Numbers {
  readonly values: ReadonlyMap<string, number>;
  readonly firstWords: ReadonlySet<string>;
}

let known: Numbers | undefined;

/** "One" is a pronoun more often than a number. */
function numbers(): Numbers {
  if (known !== undefined) return known;
  const all = [...Array.from({ length: largest - 1 }, (_, index) => index + 2), ...hundreds];
  const values = new Map(all.flatMap((number) => spellers.map((spell) => [plain(spell(number)), number] as const)));
  const firstWords = new Set([...values.keys()].map((words) => words.split(' ', 1)[0]!));
  known = { values, firstWords };
  return known;
}

function plain(words: string): string {
  return fold(words).replace(/[-‐‑]/g, ' ');
}

/** Numbers in words, from two to a hundred and in hundreds to a thousand, the longest at each place. Linear. */
export function spelledNumbers(text: string): SpelledNumber[] {
  const { values, firstWords } = numbers();
  const found: SpelledNumber[] = [];
  for (const { 0: word, index: start } of text.matchAll(/\p{L}+/gu)) {
    if (start < (found.at(-1)?.end ?? 0) || !firstWords.has(fold(word))) continue;
    const [words = ''] = following.exec(text.slice(start, start + longest)) ?? [];
    const ends = [...words.matchAll(/(?<=\p{L})(?!\p{L})/gu)].map(({ index }) => index).toReversed();
    const length = ends.find((end) => values.has(plain(words.slice(0, end))));
    if (length !== undefined)
      found.push({ value: values.get(plain(words.slice(0, length)))!, start, end: start + length });
  }
  return found;
}
