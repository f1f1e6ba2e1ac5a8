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
export function isLongEnough(text: string, least = leastWords): boolean {
  const characters = text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu,
  );
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= least || (characters?.length ?? 0) >= leastCharacters;
}

/**
 * Whether a text, as {@link normalizeForQuote} gives it, holds a quote word for word; an ellipsis in the quote may leave words out. Linear in
 * the text's length.
 */
export function holdsQuote(quote: string, text: string): boolean {
  const needle = trimBoth(normalizeForQuote(quote), `"'.… `);
  if (needle.length < 3) return false;
  if (text.includes(needle)) return true;
  const parts = needle.split(/\s*(?:\[\s*)?(?:\.{3}|…)(?:\s*\])?\s*/).filter((part) => part.length > 2);
  return parts.length > 1 && inOrder(parts, text);
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
