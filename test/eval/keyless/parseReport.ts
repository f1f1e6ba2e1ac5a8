import { plainMarks } from '../../support/plainMarks.ts';

export interface Quote {
  readonly text: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface ParsedReport {
  /** In the order of the report, each once. */
  readonly quotes: readonly Quote[];
  /** What the program says in its own words before the references: lines without a marker, headings excluded. */
  readonly ownLines: readonly string[];
  readonly headings: readonly string[];
}

const marker = /\[(\d+)\](?!\()/g;
const place = /^[-*] \[(\d+)\] .*?([^\s][^\n]*?)#L(\d+)(?:-L?(\d+))?/;

/**
 * A quote is the text that stands before a marker `[n]`, back to the marker before it or to the beginning of its block
 * (paragraph, list item, table cell, block quotation, code fence). A block of markers alone belongs to the block above it.
 */
export function parseReport(report: string, paths: readonly string[]): ParsedReport {
  const lines = plainMarks(report)
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split('\n');
  const places = new Map<string, Omit<Quote, 'text'>>();
  for (const line of lines) {
    const found = place.exec(line);
    if (found === null) continue;
    // Titles may hold anything: the file is the longest path of the folder that the reference names before its lines.
    const before = line.slice(0, line.lastIndexOf('#L'));
    const file = paths
      .filter((path) => before.endsWith(path) || before.endsWith(escaped(path)) || before.endsWith(encodeURI(path)))
      .sort((a, b) => b.length - a.length)[0];
    const [, number, , first, last] = found;
    const at = /#L(\d+)(?:-L?(\d+))?(?!.*#L\d)/.exec(line);
    if (file !== undefined)
      places.set(number!, { file, firstLine: Number(at?.[1] ?? first), lastLine: Number(at?.[2] ?? at?.[1] ?? last) });
  }
  const referencesAt = lines.findIndex(
    (line, index) =>
      /^#{1,3} /.test(line) &&
      lines
        .slice(index + 1)
        .find((next) => next.trim() !== '')
        ?.match(place),
  );
  const body = referencesAt < 0 ? lines : lines.slice(0, referencesAt);
  const quotes = new Map<string, Quote>();
  const ownLines: string[] = [];
  const headings: string[] = [];
  let above = '';
  for (const block of blocksOf(body)) {
    if (/^#{1,6} /.test(block)) {
      headings.push(block.replace(/^#+ /, ''));
      continue;
    }
    let from = 0;
    let text = '';
    let hasMarker = false;
    for (const found of block.matchAll(marker)) {
      const said = block.slice(from, found.index).replace(/^[\s.;,]+/, '');
      // Markers side by side, and a sentence that leads on to the same text, share it.
      if (/[\p{L}\p{N}]/u.test(said)) text = said;
      else if (text === '') text = above;
      from = found.index + found[0].length;
      const at = places.get(found[1]!);
      if (at === undefined) continue;
      hasMarker = true;
      const quote = { text: unframed(text), ...at };
      quotes.set(JSON.stringify([quote.text, quote.file, quote.firstLine]), quote);
    }
    if (!hasMarker && !block.startsWith('|')) ownLines.push(block);
    above = block;
  }
  return { quotes: [...quotes.values()], ownLines, headings };
}

/** Paragraphs, list items, cells of tables, block quotations and code fences. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let fence: string | undefined;
  const close = (): void => {
    if (open.length > 0) blocks.push(open.join('\n'));
    open = [];
  };
  for (const line of lines) {
    const mark = /^\s*(?:> ?)?\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      open.push(line);
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) fence = mark;
    if (line.trim() === '') close();
    else if (/^\s*\|.*\[\d+\]/.test(line)) {
      close();
      // A row whose markers stand in their cells gives a quote a cell; one with its marker at the end is one quote.
      const cells = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '');
      const hasMarkerCell = cells.some((cell) => /^(?:\[\d+\]\s*)+$/.test(cell));
      blocks.push(...(hasMarkerCell ? [cells.join(' ')] : cells));
    } else if (/^#{1,6} /.test(line)) {
      close();
      blocks.push(line);
    } else {
      if (/^\s*(?:[-*+]|\d+[.)]) /.test(line) && !line.startsWith('>')) close();
      open.push(line);
    }
  }
  close();
  return blocks;
}

function unframed(text: string): string {
  return text
    .replace(/^\s*(?:[-*+]|\d+[.)]) /, '')
    .replace(/^> ?/gm, '')
    .replace(/^\s*(?:`{3,}|~{3,}).*$/gm, '')
    .trim();
}

function escaped(path: string): string {
  return path.replace(/[\\`*_[\]<>]/g, '\\$&');
}
