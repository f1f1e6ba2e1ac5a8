export interface CsvRow {
  /** Of its beginning, from 1. */
  readonly line: number;
  /** Undefined: its quotes are wrong. */
  readonly cells: readonly string[] | undefined;
}

/** A row that is longer, in UTF-16 units, has lost its closing quote. */
const longestRow = 200_000;
/** One with more cells has lost a quote, too. */
const mostCells = 1_000;

/**
 * Rows of a CSV file (RFC 4180), with any of LF, CRLF and CR. Blank rows are skipped. Where quotes are wrong the row is given as broken,
 * and the next line begins a row again: one lost quote costs one row and not the rest of the file.
 */
export function* readCsv(text: string, separator: string): Generator<CsvRow> {
  let line = 1;
  for (let at = 0; at < text.length;) {
    const row = readRow(text, at, separator);
    const end = row?.end ?? lineEnd(text, at);
    const isBlank = row?.cells.length === 1 && row.cells[0]!.trim() === '';
    if (!isBlank) yield { line, cells: row?.cells };
    const next = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    for (let index = at; index < Math.min(next, text.length); index += 1)
      if (text[index] === '\n' || (text[index] === '\r' && text[index + 1] !== '\n')) line += 1;
    at = next;
  }
}

function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

function readRow(text: string, start: number, separator: string): { cells: string[]; end: number } | undefined {
  const cells: string[] = [];
  const isEnd = (at: number): boolean => at >= text.length || text[at] === '\n' || text[at] === '\r';
  for (let at = start; ; at += 1) {
    let cell = '';
    if (text[at] === '"') {
      for (;;) {
        const quote = text.indexOf('"', at + 1);
        if (quote < 0 || quote - start > longestRow) return undefined;
        cell += text.slice(at + 1, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    } else {
      const from = at;
      while (!isEnd(at) && text[at] !== separator) at += 1;
      cell = text.slice(from, at);
    }
    if (cells.push(cell) > mostCells) return undefined;
    if (isEnd(at)) return { cells, end: at };
    if (text[at] !== separator) return undefined;
  }
}

/** A row for spreadsheets, which take a text that begins like a formula for one: it gets an apostrophe. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
