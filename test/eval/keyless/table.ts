export interface Row {
  readonly name: string;
  readonly answerable: number;
  readonly answered: number;
  readonly firstFive: number;
  readonly first: number;
  readonly quotes: number;
  readonly bearing: number;
  readonly unanswerable: number;
  readonly honest: number;
  readonly seconds: number;
  readonly bm25: number;
  readonly bm25FirstFive: number;
  readonly bm25Quotes: number;
  readonly bm25Bearing: number;
}

const heads = ['', 'answered', 'within 5', 'at 1', 'precision', 'honest', 'seconds', 'BM25@10', 'BM25@5', 'precision'];

/** A Markdown table: counts of questions, shares of quotes. */
export function table(rows: readonly Row[], notes: readonly string[]): string {
  const cells = rows.map((row) => [
    row.name,
    of(row.answered, row.answerable),
    of(row.firstFive, row.answerable),
    of(row.first, row.answerable),
    share(row.bearing, row.quotes),
    of(row.honest, row.unanswerable),
    row.seconds.toFixed(2),
    of(row.bm25, row.answerable),
    of(row.bm25FirstFive, row.answerable),
    share(row.bm25Bearing, row.bm25Quotes),
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line), '', ...notes].join('\n');
}

function of(count: number, all: number): string {
  return all === 0 ? '' : `${count} of ${all}`;
}

function share(part: number, all: number): string {
  return all === 0 ? '' : `${Math.round((100 * part) / all)} %`;
}
