// Texts as a translation might be: all letters accented, a good third longer, in brackets. What is shown without brackets is no localised
// text; what does not fit would not fit in German either.
import { panelStrings } from '../../src/protocol/strings.ts';

const accented: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'aàáâ bƀ cç dđ eèéê fƒ gĝ hĥ iìíî jĵ kķ lļ mɱ nñ oòóô pþ qɋ rŕ sš tţ uùúû vṽ wŵ xẋ yý zž'.matchAll(/(\w)(\S)/gu),
  ].map(([, plain, one]) => [plain!, one!]),
);

/** Leaves places and the words of plurals alone, not their forms. */
export function pseudo(text: string): string {
  const parts = text.split(/(\{\d(?:, plural,)?\}?| ?\b(?:one|other) \{|\}+)/);
  const changed = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replaceAll(/[a-z]/gi, (letter) => accented[letter.toLowerCase()] ?? letter),
  );
  const longer = text.replaceAll(/\{[^{}]*\}|[{}]/g, '').length * 0.4;
  // Words of a usual length, so that a line may break.
  const more = 'ẋẋẋẋẋẋ '
    .repeat(Math.ceil(longer / 7))
    .slice(0, Math.ceil(longer))
    .trimEnd();
  return `⟦${changed.join('')} ${more}⟧`;
}

export const pseudoStrings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(panelStrings).map(([key, text]) => [key, pseudo(text)]),
);

/** Of texts on a page, those with words that neither a localised text nor the data holds. */
export function notLocalised(shown: readonly string[], data: unknown): string[] {
  const known = JSON.stringify(data).toLowerCase();
  return shown.flatMap((text) => {
    // A tooltip has lines, and lists are written by Intl, in English.
    const rest = withoutBrackets(text).split(/[·()[\],:;\n]|\s{2,}|\band (?=\S+$)/);
    return rest
      .map((part) => part.trim())
      .filter((part) => /[a-z]{3}/i.test(part) && !known.includes(JSON.stringify(part).slice(1, -1).toLowerCase()));
  });
}

/** What is in brackets may hold values in brackets. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let rest = '';
  for (const character of text) {
    if (character === '⟦') depth += 1;
    rest += depth === 0 ? character : character === '⟦' ? '  ' : '';
    if (character === '⟧') depth -= 1;
  }
  return rest;
}
