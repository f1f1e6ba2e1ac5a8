import { sourceSigns } from './followUp.ts';

/** A citation, as the writer of reports writes it: a link to its reference. */
export function citationMark(number: number | string): string {
  return `[[${number}]](#ref-${number})`;
}

/** The citations of a saved report, each with its number. For `matchAll` and `replace`: it is global. */
export const citationMarks = /\[\[(\d{1,4})\]\]\(#ref-\1\)/g;

/** A sign is no letter: the words of a statement are the same with it. */
export const signs = Object.values(sourceSigns).join('');

/** Citations whose source a refresh found gone, changed, withdrawn or newer, with their signs. */
export const signedMarks = new RegExp(String.raw`(\[\[\d{1,4}\]\]\(#ref-\d{1,4}\)) [${signs}]`, 'gu');
