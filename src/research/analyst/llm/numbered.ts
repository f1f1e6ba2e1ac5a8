import type { Source } from '../../evidence/source.ts';
import { splitSentences } from '../../text/sentences.ts';
import { isLongEnough, longestQuote } from './findings.ts';
import { bare, flat, leadOf, type Sentences, sentencesOf } from './surroundings.ts';

/** Sentences that one quote may join. */
const mostJoined = 3;

/**
 * Numbers the sentences of a source, so that a model names what it quotes instead of writing it out: `{12} Sentence.` The number of a
 * sentence is its place in the whole text, whichever passages a prompt shows.
 */
export function withNumbers(source: Source, passages: string): string {
  const known = sentencesOf(source);
  const marked = (text: string): string => {
    const words = bare(text);
    const number = known.numbers.get(flat(text));
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
 * The words that a quote names by numbers, with what they lean on: a row with the head of its table, an item with the line that leads to
 * its list, a sentence that points back with the one before, as far as a quote may be long. The quote itself without any numbers
 * where it is written out.
 */
export function quoteNamed(quote: string, source: Source | undefined): string {
  if (!/^[\s{}\d,;–-]+$/.test(quote)) return withoutNumbers(quote);
  const [first, ...rest] = [...quote.matchAll(/\d{1,6}/g)].map(([digits]) => Number(digits));
  if (first === undefined || source === undefined) return '';
  const last = rest.at(-1) ?? first;
  const known = sentencesOf(source);
  const named = [...known.sentences.keys()].slice(first, Math.min(Math.max(first, last) + 1, first + mostJoined));
  if (named.length === 0) return '';
  const { before, head } = leadOf(known, first);
  const choices = [
    withHead(known, head, [...before, ...named]),
    withHead(known, head, [...before.slice(1), ...named]),
    joined(known, named),
    joined(known, named.slice(0, 1)),
  ];
  return choices.find((choice) => choice.length <= longestQuote) ?? cutAt(choices.at(-1)!);
}

/** What stands between a head and its row is left out, as {@link hasQuote} understands it. */
function withHead(known: Sentences, head: number | undefined, named: readonly number[]): string {
  if (head === undefined) return joined(known, named);
  return `${joined(known, [head])}\n…\n${joined(known, named)}`;
}

function joined({ sentences }: Sentences, named: readonly number[]): string {
  return named.map((number) => flat(sentences[number]!)).join(' ');
}

/** A text of a model without the numbers that it copied. */
export function withoutNumbers(text: string): string {
  return text.replace(/\{\d{1,6}\} ?/g, '').trim();
}

function cutAt(sentence: string): string {
  const cut = sentence.slice(0, longestQuote);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longestQuote - 100)).trim();
}
