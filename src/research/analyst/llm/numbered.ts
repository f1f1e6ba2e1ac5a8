import type { Source } from '../../evidence/source.ts';
import { isLongEnough } from '../../evidence/quotes.ts';
import { hasQuote } from '../../evidence/support.ts';
import { splitSentences } from '../../text/sentences.ts';
import { longestQuote } from './findings.ts';
import { bare, flat, leadOf, omission, type Sentences, sentencesOf } from '../../evidence/surroundings.ts';

/** Sentences that one quote may join, and quotes that one finding may name. */
const mostJoined = 3;
const mostNamed = 4;

/**
 * Numbers the sentences of a source, so that a model names what it quotes instead of writing it out: `{12} Sentence.` The number of a
 * sentence is its place in the whole text, whichever passages a prompt shows.
 *
 * @param hidden Numbers of sentences that are not shown.
 */
export function withNumbers(source: Source, passages: string, hidden: ReadonlySet<number> = new Set()): string {
  const known = sentencesOf(source);
  const marked = (text: string): string => {
    const words = bare(text);
    const number = known.numbers.get(flat(text));
    if (number !== undefined && hidden.has(number)) return text.replace(text.trim(), omission);
    if (number === undefined || !isQuotable(known, number, words)) return text;
    return text.replace(words, () => `{${number}} ${words}`);
  };
  // A mark of what was left out is no part of a sentence.
  return passages
    .split(/^(\[….{0,200}\]\n?)/m)
    .flatMap((part) => splitSentences(part).map(({ text }) => marked(text)))
    .join('');
}

/** A figure in a few words is quoted with what it leans on. */
function isQuotable(known: Sentences, number: number, words: string): boolean {
  if (words.startsWith('#')) return false;
  if (isLongEnough(words)) return true;
  const { before, head } = leadOf(known, number);
  return /\p{N}/u.test(words) && (head !== undefined || before.length > 0);
}

/**
 * The words that a quote names by numbers, in whatever form: those of adjacent sentences as one, with what they lean on: a row
 * with the head of its table, an item with the line that leads to its list, a sentence that points back with the one before, as far as a
 * quote may be long. The quote itself without any numbers where it is written out.
 */
export function quotesNamed(
  quote: string,
  source: Source | undefined,
  hidden: ReadonlySet<number> = new Set(),
): string[] {
  const words = withoutNumbers(quote);
  if (isWrittenOut(words, source)) return [words];
  if (source === undefined) return [];
  const known = sentencesOf(source);
  const runs: { from: number; to: number }[] = [];
  for (const number of numbersIn(quote)) {
    if (hidden.has(number) || (known.sentences[number] ?? '').trim() === '') continue;
    const run = runs.find(({ from, to }) => number < from + mostJoined && number > to - mostJoined);
    if (run === undefined) runs.push({ from: number, to: number });
    else Object.assign(run, { from: Math.min(run.from, number), to: Math.max(run.to, number) });
  }
  return runs.slice(0, mostNamed).map(({ from, to }) => withLead(known, from, to, hidden));
}

function withLead(known: Sentences, first: number, last: number, hidden: ReadonlySet<number>): string {
  const named = [...known.sentences.keys()].slice(first, last + 1);
  const { before: lead, head } = leadOf(known, first);
  const before = lead.slice(lead.findLastIndex((number) => hidden.has(number)) + 1);
  const choices = [
    withHead(known, head, [...before, ...named]),
    withHead(known, head, [...before.slice(1), ...named]),
    joined(known, named),
    joined(known, named.slice(0, 1)),
  ];
  return choices.find((choice) => choice.length <= longestQuote) ?? cutAt(choices.at(-1)!);
}

/** Words that the source contains, or too many to be a way of giving a number. */
function isWrittenOut(words: string, source: Source | undefined): boolean {
  const written = withoutId(words).replace(/\d+/g, ' ').trim();
  if (isLongEnough(written)) return true;
  return /\p{L}\P{L}+\p{L}/u.test(written) && source !== undefined && hasQuote(source, words);
}

/** Sentences that a range may name. */
const longestRange = 20;

/** Integers that are no part of a word, in their order, ranges in full; those of words where there are no others. */
export function numbersIn(quote: string): number[] {
  const given = withoutId(quote.normalize('NFKC')).replace(
    /(?<![\p{L}\p{N}])(\d{1,6})\s?[-–—]\s?(\d{1,6})(?!\d)/gu,
    (range, from: string, to: string) => {
      const length = Number(to) - Number(from) + 1;
      if (length < 1 || length > longestRange) return range;
      return Array.from({ length }, (_, index) => Number(from) + index).join(' ');
    },
  );
  const alone = given.match(/(?<![\p{L}\p{N}])\d{1,6}/gu) ?? given.match(/\d{1,6}/g) ?? [];
  return alone.map(Number);
}

const withoutId = (text: string): string => text.replace(/\bS[0-9a-f]{5,64}\b/gi, ' ');

/** What is between a head and its row is left out, as {@link hasQuote} understands it. */
function withHead(known: Sentences, head: number | undefined, named: readonly number[]): string {
  if (head === undefined) return joined(known, named);
  return `${joined(known, [head])}\n…\n${joined(known, named)}`;
}

function joined({ sentences }: Sentences, named: readonly number[]): string {
  // Between sentences of some scripts there is no blank.
  return named
    .map((number) => `${flat(sentences[number]!)}${/\s$/.test(sentences[number]!) ? ' ' : ''}`)
    .join('')
    .trim();
}

/** A text of a model without the numbers that it copied. */
export function withoutNumbers(text: string): string {
  return text.replace(/\{\d{1,6}\} ?/g, '').trim();
}

function cutAt(sentence: string): string {
  const cut = sentence.slice(0, longestQuote);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longestQuote - 100)).trim();
}
