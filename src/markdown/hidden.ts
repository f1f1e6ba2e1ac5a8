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

/** Scripts whose letters a non-joiner parts: words of Persian, Urdu, Uyghur and their like have it. */
const cursive =
  /(?![\u180B-\u180F])[\u064B-\u0652\u0670\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}]/u;
/** Signs behind which a joiner forms a conjunct, or before which it prevents one (Unicode's Indic_Syllabic_Category=Virama). */
const virama =
  /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u1039\u103A\u17D2\u1A60\u0F84\uA9C0\uABED]/;
const brahmic =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Meetei_Mayek}\p{Script=Tai_Tham}]/u;
/** Unassigned pictographs are none yet: they are removed themselves. */
const emojiEnd = /(?:(?!\p{Cn})\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})$/u;
const emojiStart = /^(?!\p{Cn})\p{Extended_Pictographic}/u;
/** Shown as a text without the selector; digits and the like are emoji as keycaps alone. */
const selectable = /(?!\p{Cn})(?!\p{Emoji_Presentation})\p{Extended_Pictographic}$/u;
const keycap = /^\u20E3/;
const mongolianSelector = /[\u180B-\u180F]/;

/**
 * A text without invisible characters, except those that a script or an emoji needs in that position: a joiner between
 * two letters of a script that joins, behind a sign that asks for one, or between two emoji, and the selector behind an emoji that
 * has none of its own. Line ends become `\n`.
 */
export function stripHidden(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  // Every character of a short run is checked against its neighbours.
  return lines.replace(unseen, (run: string, at: number) =>
    run.length > longestNeeded ? '' : [...run].filter((char, index) => isNeeded(char, lines, at + index)).join(''),
  );
}

function isNeeded(char: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at + 1, at + 3);
  const [last, first] = [before.slice(-1), after.slice(0, 1)];
  if (char === emojiSelector) return selectable.test(before) || (/[0-9#*]$/.test(before) && keycap.test(after));
  if (mongolianSelector.test(char)) return /\p{Script=Mongolian}/u.test(last) && !mongolianSelector.test(last);
  if (char !== zeroWidthJoiner && char !== zeroWidthNonJoiner) return false;
  if (virama.test(last)) return brahmic.test(first) || char === zeroWidthJoiner || /[\s\p{P}]|^$/u.test(first);
  if (virama.test(first)) return brahmic.test(last);
  if (char === zeroWidthNonJoiner) return cursive.test(last) && cursive.test(first);
  return emojiEnd.test(before) && emojiStart.test(after);
}

/** A text as one line of what can be seen. */
export function oneLine(text: string): string {
  return stripHidden(text).replace(/\s+/g, ' ').trim();
}
