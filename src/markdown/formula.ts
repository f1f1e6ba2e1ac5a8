/**
 * What TeX and its readers run, load, read, write, link or define: its primitives (TeXbook, 20, 24 and 25), the commands of LaTeX that are
 * named after them, and `^^`, which writes any of them in other characters.
 */
const commands = String.raw`(?:begin\s{0,3}\{)?[a-zA-Z@]{0,30}(?:input|includ|import|file|write|read|openin|openout|special|code|def(?![a-zA-Z])|(?<!un)defin|csname|tokens|href|url|lua|pdf|shell|loop|command|environment|package|Declare|equire)|(?:futurelet|let|global|style|class|cssId)(?![a-zA-Z])`;
const reaching = String.raw`\^\^|\\(?=${commands})`;

/**
 * A formula between dollar signs, as pandoc reads one (`tex_math_dollars`), with a mark of TeX in it. One in which a reader without formulas
 * could find HTML, code, a link, an address or a citation is text like any other, as is one that does more than to show itself. At most 300
 * UTF-16 units, on one line.
 */
const formula = String.raw`\$(?=[^\s$])(?![^$\n]{0,300}(?:\bwww\.|${reaching}))(?=[^$\n]{0,300}[\\^_{])(?:[^$\\\n\u0060<>[\]|&@/:]|\\[^\n\u0060<>[\]]|<(?=[\s=\d])|[>|]|[/:](?!/)){1,300}(?<=[^\s\\])\$(?!\d)`;

export const formulaStart = new RegExp(formula, 'y');

/** Text and formulas in turn; every other part is a formula. */
export function splitFormulas(text: string): string[] {
  return text.includes('$') ? text.split(new RegExp(`(${formula})`)) : [text];
}

/** A text, and in turn what begins a command of TeX that does more than to show something: between dollar signs Pandoc passes it on. */
export function splitCommands(text: string): string[] {
  return text.split(new RegExp(`(${reaching})`));
}

/** Whether a line between `$$` and `$$` is nothing but a formula to any reader. */
export function isFormulaLine(line: string): boolean {
  return !/`|<[a-z/!?]|\][([:]|\[\d{1,4}\]|:\/\/|\bwww\.|@|\{[{%#]/i.test(line) && splitCommands(line).length === 1;
}
