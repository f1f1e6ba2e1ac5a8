import { trimBoth } from '../text/trimEnd.ts';
/** The words of a link or an image, and where it leads. No part of it can hold another's beginning, so that it is linear. */
const link = /!?\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)/g;

/**
 * Brings text to the form in which quotes are compared: NFKC, straight quotation marks and dashes, no Markdown emphasis,
 * links reduced to their text, white space collapsed, lower case.
 */
export function normalizeForQuote(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(link, '$1')
      // The words of a link may be an image.
      .replace(link, '$1')
      .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u00AD]/g, '')
      .replace(/[“”„‟«»″]/g, '"')
      .replace(/‹/g, '<')
      .replace(/[‘’‚‛′`]/g, "'")
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/(\*\*|__|\*|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}]))/gu, '')
      .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-+][ \t]+)/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
  );
}

/** In words, or characters of a script without spaces. */
const leastWords = 5;
const leastCharacters = 8;

/** Whether words say something: a few of them are in any text. */
export function isLongEnough(text: string): boolean {
  const characters = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= leastWords || (characters?.length ?? 0) >= leastCharacters;
}

export type QuoteMatch = 'exact' | 'fuzzy' | 'none';

/** Share of a quote's word pairs that must occur in the text, in order, for a fuzzy match. */
const fuzzyShare = 0.85;

/**
 * Looks a quote up in a source's text. `exact`: it occurs word for word after {@link normalizeForQuote}; an ellipsis in
 * the quote may leave words out. `fuzzy`: at least 85 % of its word pairs occur close together in the text and every figure
 * of it does. Linear in the text's length for each quote.
 */
export function matchQuote(quote: string, text: string): QuoteMatch {
  const needle = trimBoth(normalizeForQuote(quote), `"'`).trim();
  if (needle.length < 3) return 'none';
  return matchNormalized(needle, normalizeForQuote(text));
}

/** {@link matchQuote} for texts that are already normalised (a source is normalised once for many quotes). */
export function matchNormalized(needle: string, text: string): QuoteMatch {
  if (text.includes(needle)) return 'exact';
  const parts = needle.split(/\s*(?:\[\s*)?(?:\.{3}|…)(?:\s*\])?\s*/).filter((part) => part.length > 2);
  if (parts.length > 1 && inOrder(parts, text)) return 'exact';
  return isNear(needle, text) ? 'fuzzy' : 'none';
}

function inOrder(parts: readonly string[], text: string): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

function words(text: string): string[] {
  // Scripts without spaces are compared by character.
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function isNear(needle: string, text: string): boolean {
  const wanted = words(needle);
  if (wanted.length < 5) return false;
  // A word that is missing takes at least one pair with it: looking for the words rules most texts out.
  const distinct = [...new Set(wanted)];
  const mostMissing = Math.ceil(wanted.length * (1 - fuzzyShare)) + 1;
  let missing = 0;
  for (const word of distinct) {
    if (!text.includes(word)) missing += 1;
    if (missing > mostMissing) return false;
  }
  const pairs = new Map<string, number>();
  for (let i = 1; i < wanted.length; i += 1) {
    const pair = `${wanted[i - 1]} ${wanted[i]}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  const have = words(text);
  const window = Math.ceil(wanted.length * 1.3);
  const need = Math.ceil((wanted.length - 1) * fuzzyShare);
  // Sliding window over the text's word pairs: how many of the wanted pairs it holds.
  const held = new Map<string, number>();
  let matched = 0;
  for (let i = 1; i < have.length; i += 1) {
    matched += shift(held, pairs, `${have[i - 1]} ${have[i]}`, 1);
    const gone = i - window;
    if (gone >= 1) matched += shift(held, pairs, `${have[gone - 1]} ${have[gone]}`, -1);
    if (matched >= need) {
      const span = new Set(have.slice(Math.max(0, gone), i + 1));
      return wanted.every((word) => !/\p{N}/u.test(word) || span.has(word));
    }
  }
  return false;
}

/** Adds or removes one pair of the window and gives by how much the number of matched pairs changed. */
function shift(held: Map<string, number>, pairs: ReadonlyMap<string, number>, pair: string, by: 1 | -1): number {
  const wanted = pairs.get(pair);
  if (wanted === undefined) return 0;
  const before = held.get(pair) ?? 0;
  held.set(pair, before + by);
  return Math.min(before + by, wanted) - Math.min(before, wanted);
}
