import type { Source } from '../../evidence/source.ts';
import { PassageIndex } from '../../text/passageIndex.ts';
import { readQuery } from '../../text/query.ts';
import { splitSentences } from '../../text/sentences.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';

/** Tokens that a passage grows to before the next one begins. */
const passageTokens = 110;
/** What a mark of something left out takes, in tokens. */
const overhead = 4;
/** A passage that does not fit whole is cut to no less than this, in tokens. */
const leastCut = 40;
/** Texts are searched for passages up to here, in UTF-16 units. */
const searched = 300_000;
/** By which a source is ranked among others, in UTF-16 units. */
const beginning = 4_000;

interface Passages {
  readonly texts: readonly string[];
  /** Page and headings above each; empty when there are none. */
  readonly places: readonly string[];
  readonly tokens: readonly number[];
  readonly index: PassageIndex;
}

// A source's text never changes under one object.
const cut = new WeakMap<Source, Passages>();

/**
 * The passages of a source that bear on a query, within so many tokens, in the text's order; what was left out between them
 * is marked `[…]`, with the page and headings of the next one. The best passage comes first, then the text's beginning, which says what it is, then the others as they fit.
 */
export function selectPassages(source: Source, query: string, tokens: number): string {
  if (tokens <= 0) return '';
  if (source.text.length <= tokens || estimateTokens(source.text) <= tokens) return source.text;
  const passages = cut.get(source) ?? cutText(source.text);
  cut.set(source, passages);
  return chosenOf(passages, query, tokens);
}

/** The passages of any text that bear on a query, as {@link selectPassages} chooses them. */
export function condensed(text: string, query: string, tokens: number): string {
  if (tokens <= 0) return '';
  if (text.length <= tokens || estimateTokens(text) <= tokens) return text;
  return chosenOf(cutText(text), query, tokens);
}

/** At most so many sources, those that bear on a query; in their order, which has the best of each search first. */
export function bestSources(sources: readonly Source[], query: string, most: number): readonly Source[] {
  if (sources.length <= most) return sources;
  const index = indexOf(sources.map(({ title, text }) => `${title}. ${text.slice(0, beginning)}`));
  const ranked = index.search(readQuery(query), sources.length).hits.map(({ number }) => number);
  const chosen = new Set([...ranked, ...sources.keys()].slice(0, most));
  for (const place of sources.keys()) if (chosen.size < most) chosen.add(place);
  return sources.filter((_, place) => chosen.has(place));
}

/**
 * The entries that bear on a query, within so many tokens, in their order. What the query does not tell apart goes by its place:
 * the first ones, or the latest ones.
 */
export function bestEntries(
  entries: readonly string[],
  query: string,
  tokens: number,
  rest: 'first' | 'latest' = 'first',
): number[] {
  const sizes = entries.map((entry) => estimateTokens(entry) + 1);
  if (sizes.reduce((sum, size) => sum + size, 0) <= tokens) return [...entries.keys()];
  const index = indexOf(entries);
  const places = [...entries.keys()];
  if (rest === 'latest') places.reverse();
  const chosen = new Set<number>();
  let left = tokens;
  for (const place of [...index.search(readQuery(query), entries.length).hits.map(({ number }) => number), ...places]) {
    if (chosen.has(place) || sizes[place]! > left) continue;
    chosen.add(place);
    left -= sizes[place]!;
  }
  return [...chosen].sort((a, b) => a - b);
}

function indexOf(texts: readonly string[]): PassageIndex {
  const index = new PassageIndex();
  index.add(
    'texts',
    '',
    texts.map((text) => ({ form: 'prose', firstLine: 0, lastLine: 0, headings: [], text })),
  );
  return index;
}

function chosenOf(passages: Passages, query: string, tokens: number): string {
  const ranked = passages.index.search(readQuery(query), passages.texts.length).hits.map(({ number }) => number);
  const order = [...ranked.slice(0, 1), 0, ...ranked.slice(1), ...passages.texts.keys()];
  const chosen = new Map<number, string>();
  let left = tokens;
  for (const index of order) {
    if (chosen.has(index)) continue;
    // Filling up with passages that don't bear on the query would only distract.
    if (chosen.size > 0 && index !== 0 && !ranked.includes(index)) break;
    const size = passages.tokens[index]! + overhead + Math.ceil(passages.places[index]!.length / 3);
    if (size > left) {
      if (chosen.size === 0 || left >= leastCut)
        chosen.set(index, cutToTokens(passages.texts[index]!, left - (size - passages.tokens[index]!)));
      break;
    }
    chosen.set(index, passages.texts[index]!);
    left -= size;
  }
  return joined(passages, chosen);
}

function joined({ texts, places }: Passages, chosen: ReadonlyMap<number, string>): string {
  let text = '';
  let before = -1;
  for (const index of [...chosen.keys()].sort((a, b) => a - b)) {
    const passage = chosen.get(index)!;
    const place = places[index] === '' ? '' : ` ${places[index]}`;
    if (index > before + 1) text += text === '' ? `[…${place}]\n` : `\n[…${place}]\n`;
    text += passage;
    // A passage that was cut is followed by a gap, even when the next one comes along.
    before = passage.length < texts[index]!.length ? index - 1 : index;
  }
  return before < texts.length - 1 ? `${text.trimEnd()}\n[…]` : text.trimEnd();
}

/** Follows the headings of Markdown, and the pages that the reader of PDFs marks, through a text. */
class Place {
  name = '';
  #page = '';
  readonly #headings: { readonly level: number; readonly text: string }[] = [];

  read(sentence: string): void {
    if (!sentence.includes('#') && !sentence.includes('[Page ')) return;
    for (const line of sentence.split('\n')) {
      const page = /^\[Page (\d{1,5})\]$/.exec(line)?.[1];
      const [, marks = '', title = ''] = /^(#{1,6}) (\S.*)$/.exec(line.slice(0, 300)) ?? [];
      if (page !== undefined) this.#page = `p. ${page}`;
      if (marks === '') continue;
      while ((this.#headings.at(-1)?.level ?? 0) >= marks.length) this.#headings.pop();
      this.#headings.push({ level: marks.length, text: title.replace(/[[\]]/g, '').slice(0, 60) });
    }
    const trail = this.#headings.slice(-2).map(({ text }) => text);
    this.name = [this.#page, trail.join(' › ')].filter((part) => part !== '').join(', ');
  }
}

function cutText(text: string): Passages {
  const texts: string[] = [];
  const places: string[] = [];
  const place = new Place();
  let grown = '';
  let size = 0;
  for (const { text: sentence } of splitSentences(text.slice(0, searched))) {
    const more = estimateTokens(sentence);
    if (size > 0 && size + more > passageTokens) {
      texts.push(grown);
      grown = '';
      size = 0;
    }
    if (grown === '') places.push(place.name);
    place.read(sentence);
    grown += sentence;
    size += more;
  }
  if (grown !== '') texts.push(grown);
  return { texts, places, tokens: texts.map(estimateTokens), index: indexOf(texts) };
}

/** Shares tokens fairly: none gets more than wanted, and what some leave over goes to the others. */
export function shareTokens(wants: readonly number[], total: number): number[] {
  const shares = wants.map(() => 0);
  let open = wants.map((_, index) => index);
  let left = total;
  while (open.length > 0 && left >= open.length) {
    const each = Math.floor(left / open.length);
    const content = open.filter((index) => wants[index]! - shares[index]! <= each);
    if (content.length === 0) {
      for (const index of open) shares[index]! += each;
      break;
    }
    for (const index of content) {
      left -= wants[index]! - shares[index]!;
      shares[index] = wants[index]!;
    }
    open = open.filter((index) => !content.includes(index));
  }
  return shares;
}
