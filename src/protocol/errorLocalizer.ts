import { fillText } from './fillText.ts';

/** The ending of the keys that are errors, in a bundle of translations by English text. */
const ending = '/error';
/** Of a text, in UTF-16 units: no message is so long. */
const longest = 1_500;
/** Of values within values, and of sentences behind each other. */
const deepest = 4;
const places = /\{\d\}/g;

/**
 * Shows what the engine says of an error in another language. The engine's texts are English in the log, in saved runs and for agents; a
 * finished one is recognised by its template, as gettext finds a text by its English: by the longest that fits, and the values at its
 * places are localised in turn. A text that fits none stays as it is.
 */
export function errorLocalizer(bundle: Readonly<Record<string, string>>): (text: string) => string {
  const templates = Object.entries(bundle)
    .filter(([key]) => key.endsWith(ending))
    .map(([key, translation]) => ({ text: key.slice(0, -ending.length), translation }))
    .map(({ text, translation }) => ({
      text,
      translation,
      words: text.replaceAll(places, ''),
      pattern: patternOf(text),
    }))
    .sort((one, other) => other.words.length - one.words.length);
  const localize = (text: string, depth: number): string => {
    const [, space = '', said = ''] = /^( ?)(.*)$/s.exec(text) ?? [];
    if (said === '' || said.length > longest || depth > deepest) return text;
    for (const { text: template, translation, words, pattern } of templates) {
      const match = pattern.exec(said);
      if (!match) continue;
      const { rest } = match.groups!;
      const given = match.slice(1, -1);
      const values = given.map((value) => localize(value, depth + 1));
      // A template of punctuation alone fits every text, one that begins with two places many.
      const isLoose = !/\p{L}/u.test(words) || /^\{\d\} \{\d\}/.test(template);
      if (isLoose && values.every((value, index) => value === given[index])) continue;
      const shown = fillText(translation, values);
      return `${isSpaced(shown) ? space : ''}${shown}${rest === undefined ? '' : localize(isSpaced(shown) ? ` ${rest}` : rest, depth + 1)}`;
    }
    return text;
  };
  return (text) => localize(text, 0);
}

/** The values in groups, in order, and the `rest`: what follows a sentence is another one. */
function patternOf(text: string): RegExp {
  const parts = text.split(places).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const end = /[.!?"]$/.test(text) ? '(?: (?<rest>.+))?' : '(?<rest>(?!))?';
  return new RegExp(`^${parts.join('(.*?)')}${end}$`, 's');
}

/** Whether the language separates words by spaces. */
function isSpaced(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u.test(text);
}
