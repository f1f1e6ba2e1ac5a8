/** Cells of a row of a Markdown table; a mark behind a backslash belongs to its cell. */
export function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

/** A line without the marks of quotations and items, which are one inside the other: an item in a quotation, a task in a list. */
export function withoutMarks(line: string): string {
  const rest = line.trim().replace(/^(?:>|[-*+•](?=\s)|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s)|\[![A-Z]{1,20}\])\s*/, '');
  return rest === line.trim() ? rest : withoutMarks(rest);
}
