import { exactCheck } from '../evidence/exact.ts';
import { quantitiesOf } from '../evidence/quantities.ts';
import type { Judgement } from '../evidence/statement.ts';
import { sha256 } from '../text/digest.ts';
import { splitSentences } from '../text/sentences.ts';
import { detectLanguage } from '../text/language.ts';
import { terms } from '../text/tokenize.ts';

/** A statement whose verdict is known, because code made it from passages of the run. */
export interface Control {
  readonly text: string;
  readonly passages: readonly string[];
  readonly expected: (typeof kinds)[number];
}

/**
 * A passage's own sentence is supported, one beside passages that share no content word with it absent, one with a figure exchanged
 * contradicted.
 */
const kinds = ['supported', 'absent', 'contradicted'] as const satisfies readonly Judgement['verdict'][];

/** Of a sentence that is understood alone, in UTF-16 units and content words. */
const lengths = { least: 25, most: 320 };
const leastTerms = 4;
/** How often one sentence serves for controls of a kind, where there are few. */
const mostUses = 3;
/** Sentences of one text that are considered. */
const mostSentences = 120;

interface Text {
  readonly passages: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly language: string;
}

interface Sentence extends Text {
  readonly text: string;
}

/**
 * Controls of all three kinds, as many of each as the passages allow; where one is short the others make up for it. The same for the
 * same passages and salt.
 * @param groups Passages as statements have them.
 */
export function controlsOf(groups: readonly (readonly string[])[], count: number, salt: string): readonly Control[] {
  const sentences = shuffled(groups.flatMap(sentencesIn), salt, ({ text }) => text).slice(0, mostSentences);
  const whole = shuffled(groups.map(textOf), salt, ({ passages }) => passages.join('\n'));
  const alone = sentences.map((one) => ({ ...one, passages: [one.text] }));
  const made: Control[] = [];
  const make = (
    expected: Control['expected'],
    from: Sentence,
    variant: number,
  ): Omit<Control, 'expected'> | undefined => {
    const { text, passages } = from;
    if (expected === 'supported') return { text, passages: variant === 0 ? passages : [text] };
    if (expected === 'absent') {
      // Each begins to look at another place, so that they are spread over the passages.
      const at = made.length % whole.length;
      const beside = [...whole.slice(at), ...whole.slice(0, at), ...alone];
      const stranger = beside.find((one) => areStrangers(from, one) && isNew(text, one.passages));
      return stranger && { text, passages: stranger.passages };
    }
    const other = withOtherFigure(text, passages.join('\n'), `${salt} ${variant}`);
    return other === undefined ? undefined : { text: other, passages };
  };
  const known = new Set<string>();
  const keyOf = (text: string, passages: readonly string[]): string => [text, ...passages].join('\0');
  const isNew = (text: string, passages: readonly string[]): boolean => !known.has(keyOf(text, passages));
  const tried = new Set<string>();
  const add = (expected: Control['expected'], from: Sentence, variant: number): boolean => {
    const key = `${expected} ${variant} ${from.text}`;
    const control = tried.has(key) ? undefined : make(expected, from, variant);
    tried.add(key);
    if (control === undefined || !isNew(control.text, control.passages)) return false;
    known.add(keyOf(control.text, control.passages));
    made.push({ ...control, expected });
    return true;
  };
  const used = new Set<string>();
  // A sentence serves once, as long as there are others; the kinds that are hard to make come first.
  for (const pass of Array.from({ length: mostUses + 1 }).keys())
    for (let isMade = true; isMade && made.length < count;) {
      isMade = false;
      for (const kind of made.length < count ? kinds.toReversed() : []) {
        const from = sentences.find(
          (one) => (pass > 0 || !used.has(one.text)) && add(kind, one, Math.max(0, pass - 1)),
        );
        if (from) used.add(from.text);
        isMade ||= from !== undefined;
      }
    }
  return made.slice(0, count);
}

/** In an order that depends on a hash alone. */
export function shuffled<T>(items: readonly T[], salt: string, keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: sha256(`${salt}\n${keyOf(item)}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
    .map(({ item }) => item);
}

/** They share no content word. In another language the same thing has other words. */
function areStrangers(one: Text, other: Text): boolean {
  return one.language === other.language && ![...one.terms].some((term) => other.terms.has(term));
}

function textOf(passages: readonly string[]): Text {
  const text = passages.join('\n');
  const language = detectLanguage(text);
  return { passages, language, terms: new Set(terms(text, language)) };
}

function sentencesIn(passages: readonly string[]): Sentence[] {
  const all = passages.flatMap((passage) =>
    splitSentences(passage).map(({ text }) => text.replace(/\s+/g, ' ').trim()),
  );
  return [...new Set(all)]
    .filter(isPlain)
    .map((text) => ({ ...textOf([text]), text, passages }))
    .filter((sentence) => sentence.terms.size >= leastTerms);
}

/** By its form a whole sentence of prose. */
function isPlain(text: string): boolean {
  return (
    text.length >= lengths.least &&
    text.length <= lengths.most &&
    /^[\p{L}\p{N}"“«„「]/u.test(text) &&
    /[.!。！।۔]["”»“」)]?$/u.test(text) &&
    !/[|<>{}`]|https?:|\[…|^\S+:\s*$/u.test(text)
  );
}

/** The sentence with one figure that its passages don't have; undefined when no figure can be exchanged. */
function withOtherFigure(sentence: string, passages: string, salt: string): string | undefined {
  // One digit alone numbers a table or a step as often as it measures something.
  const figures = quantitiesOf(sentence).filter(
    ({ raw, start }) =>
      (raw.match(/\d/g)?.length ?? 0) > 1 &&
      sentence.startsWith(raw, start) &&
      !/[[(]$/.test(sentence.slice(0, start)) &&
      start > 0,
  );
  for (const { raw, start } of shuffled(figures, salt, (figure) => `${figure.start} ${figure.raw}`)) {
    // Of a year another decade would be implausible at sight.
    const at = /^(?:1[5-9]|20)\d\d$/.test(raw) ? 3 : 0;
    const shift = Number.parseInt(sha256(salt + sentence).slice(0, 4), 16);
    for (let step = 0; step < 9; step += 1) {
      const digit = (Number(raw[at]) + 1 + ((shift + step) % 9)) % 10;
      const other = `${raw.slice(0, at)}${digit}${raw.slice(at + 1)}`;
      const changed = sentence.slice(0, start) + other + sentence.slice(start + raw.length);
      if ((at > 0 || digit > 0) && !exactCheck(changed, [passages])) return changed;
    }
  }
  return undefined;
}

/** Right and made, of each kind. */
export type Tally = Readonly<Record<Control['expected'], { readonly right: number; readonly made: number }>>;

/**
 * How many a run has at least: a reader that is right nine times of ten is then kept in 97 of 100 runs. With 12 it would be 89, since
 * ten of them have to be right.
 */
export const wantedControls = 30;
/** Of an answer, which has few statements: such a reader is kept in 94 of 100. */
export const controlsOfAnswer = 15;
/** With fewer nothing can be said. */
export const leastControls = 12;
const leastRight = 0.8;
/** Of each kind of which there are so many: who never says a verdict is no reader, however rare its controls are. */
const leastOfKind = { made: 3, right: 0.5 };

/** Whether the answers to the controls are those of a reader. Those that were not answered are no part of the tally. */
export function isReader(tally: Tally): boolean {
  const all = kinds.map((kind) => tally[kind]);
  const enough = all.filter(({ made }) => made >= leastOfKind.made);
  const [right, made] = (['right', 'made'] as const).map((what) => all.reduce((sum, one) => sum + one[what], 0));
  return (
    enough.length > 1 &&
    made! >= leastControls &&
    right! >= made! * leastRight &&
    enough.every((one) => one.right >= one.made * leastOfKind.right)
  );
}
