import type { Source } from '../../evidence/source.ts';
import { PassageIndex } from '../../text/passageIndex.ts';
import { readQuery } from '../../text/query.ts';
import { splitSentences } from '../../text/sentences.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';

/** Tokens that a passage grows to before the next one begins. */
const passageTokens = 110;
/** What a mark of something left out takes, in tokens. */
const overhead = 4;
/** A passage that does not fit whole is cut to no less than this, in tokens. */
const leastCut = 40;
/** Texts are searched for passages up to here, in UTF-16 units. */
const searched = 300_000;

interface Passages {
  readonly texts: readonly string[];
  readonly tokens: readonly number[];
  readonly index: PassageIndex;
}

// A source's text never changes under one object.
const cut = new WeakMap<Source, Passages>();

/**
 * The passages of a source that bear on a query, within so many tokens, in the text's order; what was left out between them
 * is marked `[…]`. The best passage comes first, then the text's beginning, which says what it is, then the others as they fit.
 */
export function selectPassages(source: Source, query: string, tokens: number): string {
  if (tokens <= 0) return '';
  if (source.text.length <= tokens || estimateTokens(source.text) <= tokens) return source.text;
  const passages = passagesOf(source);
  const ranked = passages.index.search(readQuery(query), passages.texts.length).hits.map(({ number }) => number);
  const order = [...ranked.slice(0, 1), 0, ...ranked.slice(1), ...passages.texts.keys()];
  const chosen = new Map<number, string>();
  let left = tokens;
  for (const index of order) {
    if (chosen.has(index)) continue;
    // Filling up with passages that don't bear on the query would only distract.
    if (chosen.size > 0 && index !== 0 && !ranked.includes(index)) break;
    const size = passages.tokens[index]! + overhead;
    if (size > left) {
      if (chosen.size === 0 || left >= leastCut)
        chosen.set(index, cutToTokens(passages.texts[index]!, left - overhead));
      break;
    }
    chosen.set(index, passages.texts[index]!);
    left -= size;
  }
  return joined(passages.texts, chosen);
}

function joined(texts: readonly string[], chosen: ReadonlyMap<number, string>): string {
  let text = '';
  let before = -1;
  for (const index of [...chosen.keys()].sort((a, b) => a - b)) {
    const passage = chosen.get(index)!;
    if (index > before + 1) text += text === '' ? '[…]\n' : '\n[…]\n';
    text += passage;
    // A passage that was cut is followed by a gap, even when the next one comes along.
    before = passage.length < texts[index]!.length ? index - 1 : index;
  }
  return before < texts.length - 1 ? `${text.trimEnd()}\n[…]` : text.trimEnd();
}

function passagesOf(source: Source): Passages {
  const known = cut.get(source);
  if (known) return known;
  const texts: string[] = [];
  let grown = '';
  let size = 0;
  for (const { text } of splitSentences(source.text.slice(0, searched))) {
    const more = estimateTokens(text);
    if (size > 0 && size + more > passageTokens) {
      texts.push(grown);
      grown = '';
      size = 0;
    }
    grown += text;
    size += more;
  }
  if (grown !== '') texts.push(grown);
  const index = new PassageIndex();
  index.add(
    source.id,
    '',
    texts.map((text) => ({ form: 'prose', firstLine: 0, lastLine: 0, headings: [], text })),
  );
  const made: Passages = { texts, tokens: texts.map(estimateTokens), index };
  cut.set(source, made);
  return made;
}

/** Shares tokens fairly: nobody gets more than wanted, and what some leave over goes to the others. */
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
