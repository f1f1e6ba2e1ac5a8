/** Lines of a record at most: a quotation mark that none of them closes is a letter. */
const mostLines = 40;

/** What separates the cells of a table, by its head. */
export function delimiterOf(head: string): string {
  const count = (delimiter: string): number => head.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best), ',');
}

/** The records of a table from a line on, as indexes of their first and last line: a quoted cell may have line ends (RFC 4180). */
export function recordsOf(
  lines: readonly string[],
  from: number,
  delimiter: string,
): { first: number; last: number }[] {
  const records: { first: number; last: number }[] = [];
  for (let first = from; first < lines.length; first = records.at(-1)!.last + 1) {
    let last = first;
    let isOpen = endsQuoted(lines[first]!, delimiter, false);
    while (isOpen && last + 1 < lines.length && last - first < mostLines)
      isOpen = endsQuoted(lines[(last += 1)]!, delimiter, true);
    records.push({ first, last: isOpen ? first : last });
  }
  return records;
}

function endsQuoted(line: string, delimiter: string, isQuoted: boolean): boolean {
  if (!line.includes('"')) return isQuoted;
  return readCells(line, delimiter, isQuoted).isQuoted;
}

/** Cells of a record; a delimiter inside quotation marks belongs to its cell, and a doubled mark is one. */
export function cellsOf(record: string, delimiter: string): string[] {
  return readCells(record, delimiter, false).cells;
}

function readCells(text: string, delimiter: string, isOpen: boolean): { cells: string[]; isQuoted: boolean } {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = isOpen;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return { cells: [...cells, cell], isQuoted };
}
