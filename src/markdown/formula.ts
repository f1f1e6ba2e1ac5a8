/**
 * A formula between dollar signs, as pandoc reads one (`tex_math_dollars`), with a mark of TeX in it. One in which a reader without formulas
 * could find HTML, code, a link, an address or a citation is text like any other. At most 300 UTF-16 units, on one line.
 */
const formula = String.raw`\$(?=[^\s$])(?![^$\n]{0,300}\bwww\.)(?=[^$\n]{0,300}[\\^_{])(?:[^$\\\n\u0060<>[\]|&@/:]|\\[^\n\u0060<>[\]]|<(?=[\s=\d])|[>|]|[/:](?!/)){1,300}(?<=[^\s\\])\$(?!\d)`;

export const formulaStart = new RegExp(formula, 'y');

/** Text and formulas in turn; every other part is a formula. */
export function splitFormulas(text: string): string[] {
  return text.includes('$') ? text.split(new RegExp(`(${formula})`)) : [text];
}

/** Whether a line between `$$` and `$$` is nothing but a formula to any reader. */
export function isFormulaLine(line: string): boolean {
  return !/`|<[a-z/!?]|\][([:]|\[\d{1,4}\]|:\/\/|\bwww\.|@/i.test(line);
}
