import type { Source } from '../../evidence/source.ts';
import { splitSentences } from '../../text/sentences.ts';
import { isLongEnough, longestQuote } from './findings.ts';

/** Texts are read for sentences up to here, in UTF-16 units: as far as passages are chosen from. */
const read = 300_000;
/** Sentences that one quote may join. */
const mostJoined = 3;

interface Numbered {
  readonly sentences: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

// A source's text never changes under one object.
const known = new WeakMap<Source, Numbered>();

/**
 * Numbers the sentences of a source, so that a model names what it quotes instead of writing it out: `{12} Sentence.` The number of a
 * sentence is its place in the whole text, whichever passages a prompt shows.
 */
export function withNumbers(source: Source, passages: string): string {
  const { numbers } = numberedOf(source);
  const marked = (text: string): string => {
    const bare = plain(text);
    const number = isLongEnough(bare) && !bare.startsWith('#') ? numbers.get(bare) : undefined;
    return number === undefined ? text : text.replace(bare, () => `{${number}} ${bare}`);
  };
  // A mark of what was left out is no part of a sentence.
  return passages
    .split(/^(\[….{0,200}\]\n?)/m)
    .flatMap((part) => splitSentences(part).map(({ text }) => marked(text)))
    .join('');
}

/** The words that a quote names by numbers; the quote itself without any numbers where it is written out. */
export function quoteNamed(quote: string, source: Source | undefined): string {
  if (!/^[\s{}\d,;–-]+$/.test(quote)) return withoutNumbers(quote);
  const [first, ...rest] = [...quote.matchAll(/\d{1,6}/g)].map(([digits]) => Number(digits));
  if (first === undefined || source === undefined) return '';
  const last = rest.at(-1) ?? first;
  const { sentences } = numberedOf(source);
  const named = sentences.slice(first, Math.min(Math.max(first, last) + 1, first + mostJoined));
  const [alone = '', ...more] = named.map((sentence) => plain(sentence).replace(/\s+/g, ' '));
  const joined = [alone, ...more].join(' ');
  if (joined.length <= longestQuote) return joined;
  return alone.length <= longestQuote ? alone : cutAt(alone);
}

/** A quoted sentence as a statement: a row of a table is its cells. */
export function statementOf(quote: string): string {
  if (!quote.startsWith('|')) return quote;
  const cells = quote.split('|').map((cell) => cell.trim());
  return cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell)).join(', ');
}

/** A text of a model without the numbers that it copied. */
export function withoutNumbers(text: string): string {
  return text.replace(/\{\d{1,6}\} ?/g, '').trim();
}

function numberedOf(source: Source): Numbered {
  const before = known.get(source);
  if (before) return before;
  const sentences = splitSentences(source.text.slice(0, read)).map(({ text }) => text);
  // The first of those that read the same.
  const numbers = new Map(sentences.map((text, index) => [plain(text), index] as const).toReversed());
  const made = { sentences, numbers };
  known.set(source, made);
  return made;
}

/** Without the mark of a list item or quotation, which is no part of what it says. */
function plain(sentence: string): string {
  return sentence.replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, '').trim();
}

function cutAt(sentence: string): string {
  const cut = sentence.slice(0, longestQuote);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), longestQuote - 100)).trim();
}
