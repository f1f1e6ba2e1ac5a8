import { cellsOf } from './rows.ts';

/**
 * A passage of Markdown as one line of running text: without its headings, fences, footnotes and the marks of items and quotations; a row
 * of a table is its cells, each behind the head of its column.
 */
export function statementLine(text: string): string {
  const parts: string[] = [];
  let heads: readonly string[] | undefined;
  const lines = text.split('\n').filter((one) => !/^\s{0,3}(?:#{1,6}\s|```|~~~)/.test(one));
  for (const [index, one] of lines.entries()) {
    const line = withoutMarks(one);
    if (!line.startsWith('|')) {
      if (line !== '…') heads = undefined;
      parts.push(line.replace(/(?<=\S)\[\^[^\]\s]{1,40}\](?!:)/g, ''));
      continue;
    }
    if (isRule(line)) continue;
    const next = withoutMarks(lines[index + 1] ?? '');
    if (heads === undefined && (isRule(next) || next === '…')) heads = cellsOf(line);
    else parts.push(rowLine(cellsOf(line), heads ?? []));
  }
  const whole = parts.filter((part) => part !== '' && part !== '…').join(' ');
  const line = whole.replace(/\s+/g, ' ').trim();
  return line === '' ? text.replace(/\s+/g, ' ').trim() : line;
}

function rowLine(cells: readonly string[], heads: readonly string[]): string {
  return cells
    .map((cell, column) => (heads[column] && /[\p{L}\p{N}]/u.test(cell) ? `${heads[column]}: ${cell}` : cell))
    .filter((cell) => /[\p{L}\p{N}]/u.test(cell))
    .join(', ');
}

const isRule = (line: string): boolean => /^\|[\s|:+-]+$/.test(line);

/** Marks stand one inside the other: an item in a quotation, a task in a list. */
function withoutMarks(line: string): string {
  const rest = line.trim().replace(/^(?:>|[-*+•](?=\s)|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s)|\[![A-Z]{1,20}\])\s*/, '');
  return rest === line.trim() ? rest : withoutMarks(rest);
}
