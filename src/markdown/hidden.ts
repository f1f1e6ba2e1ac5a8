/**
 * Characters that a person doesn't see: controls, bidi marks, zero-width characters, tags, variation selectors, fillers, lone
 * surrogates. Visible format characters of Arabic and its like stay (Unicode's prepended concatenation marks).
 */
const unseen =
  /(?:(?![\t\n\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Cs}\p{Cn}\u2028\u2029\u2800])+/gu;
/** No script or emoji needs more of them in a row, in UTF-16 units. */
const longestNeeded = 4;

const zeroWidthNonJoiner = '\u200C';
const zeroWidthJoiner = '\u200D';
const emojiSelector = '\uFE0F';
const textSelector = '\uFE0E';

/** Scripts whose letters joiners part or bind. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const emojiEnd = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const emojiStart = /^\p{Extended_Pictographic}/u;

/**
 * A text without invisible characters, except those that a script or an emoji needs in that position: a joiner between
 * two letters of a script that joins, or between two emoji, and the selector behind an emoji. Line ends become `\n`.
 */
export function stripHidden(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  // Every character of a short run is judged by its neighbours.
  return lines.replace(unseen, (run: string, at: number) =>
    run.length > longestNeeded ? '' : [...run].filter((char, index) => isNeeded(char, lines, at + index)).join(''),
  );
}

function isNeeded(char: string, text: string, at: number): boolean {
  if (char !== zeroWidthJoiner && char !== zeroWidthNonJoiner && char !== emojiSelector && char !== textSelector)
    return false;
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + 1, at + 3);
  if (char === emojiSelector || char === textSelector) return /\p{Emoji}$/u.test(before);
  if (joining.test(before.slice(-1)) && joining.test(after.slice(0, 1))) return true;
  return char === zeroWidthJoiner && emojiEnd.test(before) && emojiStart.test(after);
}

/** A text as one line of what can be seen. */
export function oneLine(text: string): string {
  return stripHidden(text).replace(/\s+/g, ' ').trim();
}
