/** A citation, as the writer of reports writes it: a link to its reference. */
export function citationMark(number: number | string): string {
  return `[[${number}]](#ref-${number})`;
}

/** The citations of a saved report, each with its number. For `matchAll` and `replace`: it is global. */
export const citationMarks = /\[\[(\d{1,4})\]\]\(#ref-\1\)/g;
