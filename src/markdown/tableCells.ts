export type Alignment = 'left' | 'center' | 'right' | '';

/** UTF-16 units of one unit, heading, cell: what is longer is cut at a space, or in the middle of a word. */
export const longestUnit = 2_000;
const mostCells = 60;

export function splitCells(row: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let from = row.startsWith('|') ? 1 : 0;
  for (let at = from; at < row.length; at += 1) {
    if (row[at] === '\\' && row[at + 1] === '|') {
      cell += `${row.slice(from, at)}|`;
      at += 1;
      from = at + 1;
    } else if (row[at] === '\\') at += 1;
    else if (row[at] === '|') {
      cells.push(cell + row.slice(from, at));
      cell = '';
      from = at + 1;
    }
  }
  const last = cell + row.slice(from);
  if (last.trim() !== '') cells.push(last);
  return fit(
    cells.map((text) => bounded(text.trim())),
    Math.min(cells.length, mostCells),
  );
}

function bounded(text: string): string {
  return text.length <= longestUnit ? text : `${text.slice(0, boundary(text.slice(0, longestUnit)))}…`;
}

/** Exactly so many cells: what is too much goes into the last one. */
export function fit(cells: readonly string[], columns: number): string[] {
  if (cells.length > columns) return [...cells.slice(0, columns - 1), bounded(cells.slice(columns - 1).join(' '))];
  return [...cells, ...Array.from({ length: columns - cells.length }, () => '')];
}

export function alignment(left: boolean, right: boolean): Alignment {
  return left && right ? 'center' : right ? 'right' : left ? 'left' : '';
}

/** Where a text that is too long is cut: at its last space, else before half a character. */
export function boundary(text: string): number {
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
  if (space > text.length / 2) return space + 1;
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
