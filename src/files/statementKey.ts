import { mark } from './references.ts';

/** The letters and digits of a text as a reader sees them, without the numbers of lists. */
export function keyOf(markdown: string): string {
  return readKey(markdown).key;
}

export function lettersOf(text: string): RegExpExecArray[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)];
}

/** Of the same length; what no reader sees is bars. */
function withoutMarks(markdown: string): string {
  const bars = (found: string) => '|'.repeat(found.length);
  return markdown
    .replace(mark, bars)
    .replace(/^[> ]*\d{1,9}[.)] /gm, bars)
    .replace(/\]\([^()\s]{0,2000}\)|&\w{1,30};/g, bars);
}

/** The letters and digits of a text, and where its words are: their places in the key, and in the text, in UTF-16 units. */
export interface ReadKey {
  readonly key: string;
  readonly text: string;
  readonly words: readonly { readonly at: number; readonly start: number; readonly end: number }[];
}

export function readKey(markdown: string): ReadKey {
  const text = withoutMarks(markdown);
  let key = '';
  const words = lettersOf(text).map(({ 0: word, index: start }) => {
    const at = key.length;
    key += word.toLowerCase();
    return { at, start, end: start + word.length };
  });
  return { key, text, words };
}
