/** What one line of Markdown is, by its beginning. */
export interface Line {
  readonly indent: number;
  readonly quotes: number;
  readonly item?: 'bullet' | number;
  /** Behind the marks of quotes and items. */
  readonly text: string;
}

export const longestHeading = 400;
export const longestRow = 16_000;
export const longestDefinition = 2_000;
/** This much of a line, after its markers, determines what kind of line it is. */
const tellingLength = 40;
const mostQuotes = 3;

/** Marks of quotes and items at the beginning of a line. Further items on the same line are taken as one. */
export function readPrefix(line: string): Line {
  let at = 0;
  let column = 0;
  let quotes = 0;
  let item: 'bullet' | number | undefined;
  let indent: number | undefined;
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t') {
      column += line[at] === '\t' ? 4 - (column % 4) : 1;
      at += 1;
    }
    indent ??= column;
    if (line[at] === '>') {
      quotes += 1;
      at += 1;
      column += 1;
      if (item === undefined) indent = undefined;
      continue;
    }
    const marker = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(line.slice(at, at + 12));
    if (!marker || /^(?:[-*_][ \t]*){3,}$/.test(line.slice(at))) break;
    item ??= marker[1] === undefined ? 'bullet' : Number(marker[1]);
    at += marker[0].length;
    column += marker[0].length;
  }
  return {
    indent: Math.min(indent, 100),
    quotes: Math.min(quotes, mostQuotes),
    ...(item === undefined ? {} : { item }),
    text: line.slice(at),
  };
}

/** May the beginning of a line still become one that is more than prose, or is too little of it known? */
export function mayBeWhole(rest: string): boolean {
  if (rest.length < tellingLength) return true;
  if (rest.startsWith('|')) return rest.length <= longestRow;
  if (rest.startsWith('['))
    return rest.length <= longestDefinition && (!/^\[[^\]]*\](?=[^])/.test(rest) || isDefinition(rest));
  if (/^#{1,6}(?:[ \t]|$)/.test(rest) || /^(?:`{3}|~{3})/.test(rest)) return rest.length <= longestHeading;
  return rest.length <= longestHeading && /^(?:[-*_=][ \t]*)+$/.test(rest);
}

/** `[name]: …` or `[^1]: …`; what begins with the id of a source is a sentence. */
export function isDefinition(rest: string): boolean {
  const name = /^\[([^\]]{1,300})\]:/.exec(rest)?.[1];
  return name !== undefined && !/^\s*S[0-9a-f]{5,64}\s*$/.test(name);
}

/** A heading in a quote or an item, or one that is too long, is a paragraph. */
export function withoutMarks(rest: string): string {
  return rest
    .replace(/^(?:#{1,6}[ \t]+)+/, '')
    .replace(/^\[([ xX])\](?=\s)/, (_, mark: string) => (mark === ' ' ? '☐' : '☑'));
}

/** The level and the text of a line that is a heading, without its marks. */
export function headingOf(line: string): { readonly level: number; readonly text: string } | undefined {
  const marks = line.length <= longestHeading ? /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) : null;
  if (!marks) return undefined;
  const text = line.slice(marks[0].length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return { level: marks[1]!.length, text: isClosed ? text.slice(0, end).trim() : text };
}

/** A line behind the marks of so many quotations; undefined when it has fewer. */
export function withoutQuotes(line: string, quotes: number): string | undefined {
  let rest = line;
  for (let quote = 0; quote < quotes; quote += 1) {
    const mark = /^ {0,3}> ?/.exec(rest)?.[0];
    if (mark === undefined) return undefined;
    rest = rest.slice(mark.length);
  }
  return rest;
}
