import {
  headingOf,
  isDefinition,
  type Line,
  longestDefinition,
  longestHeading,
  longestRow,
  mayBeWhole,
  readPrefix,
  withoutMarks,
  withoutQuotes,
} from './blockLine.ts';
import { stripHidden } from './hidden.ts';
import { type Alignment, alignment, boundary, fit, longestUnit, splitCells } from './tableCells.ts';

/** Nesting of a paragraph: its depth in quotes and lists, and whether it is an item of the innermost one. */
export interface BlockPlace {
  /** Number of `>` before it. */
  readonly quotes: number;
  /** 0 for a paragraph outside of lists; 1 for an item of the outermost list, and for other content of it. */
  readonly depth: number;
  /** Set when it begins an item: its number in an ordered list, `bullet` otherwise. */
  readonly item?: 'bullet' | number;
}

/** What a reader gives in the order of the text. Texts are inline Markdown, not yet read; `at` is where a block's first line begins. */
export type BlockPart =
  | { readonly type: 'heading'; readonly at: number; readonly level: number; readonly text: string }
  | { readonly type: 'start'; readonly at: number; readonly place: BlockPlace }
  /** A unit of the open paragraph: a sentence, with the white space behind it. */
  | { readonly type: 'unit'; readonly text: string }
  | { readonly type: 'end' }
  | {
      readonly type: 'header';
      readonly at: number;
      readonly cells: readonly string[];
      readonly align: readonly Alignment[];
    }
  | { readonly type: 'row'; readonly cells: readonly string[] }
  /** `mark`: the fence itself, which no line of the code can close. */
  | {
      readonly type: 'fence';
      readonly at: number;
      readonly mark: string;
      readonly info: string;
      readonly quotes: number;
      readonly depth: number;
    }
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'fenceEnd' }
  /** A definition of a link or footnote, which has no place in a report. */
  | { readonly type: 'definition' };

/**
 * Gives the lengths of the units at the beginning of a text that no further text can change; `isWhole` when there is no
 * further text. The cuts must be the same for any text that begins with this one.
 */
export type CutUnits = (text: string, isWhole: boolean) => readonly number[];

const longSentence = 400;
const mostPrefix = 200;
const mostDepth = 6;

interface OpenBlock {
  readonly place: BlockPlace;
  rest: string;
  /**
   * Length of `rest` when it was last cut; it is cut again when it has grown by an eighth, and by a half when it is longer than
   * sentences are, so that cutting stays linear.
   */
  looked: number;
}

/**
 * The scanner: reads Markdown that may still be growing into blocks and units. A paragraph comes in units as soon as they are
 * settled, everything else when its line is complete. Its invariant, on which everything behind it relies: the parts
 * do not depend on how the text was cut into pieces; every unit, heading and cell is at most {@link longestUnit} long; and
 * reading costs time in proportion to the text. Forms of Markdown that a report has no use for are read as paragraphs:
 * HTML, code by indentation, underlined headings; rules are left out.
 */
export class BlockReader {
  readonly #cut: CutUnits;
  readonly #longest: number;
  readonly #readsQuotedCode: boolean;
  #half = '';
  /** How much was taken before this piece. */
  #pushed = 0;
  #line = '';
  #inProse = false;
  #open: OpenBlock | undefined;
  #wasBlank = true;
  /** Columns of the markers of the lists that are open. */
  #lists: number[] = [];
  #quotes = 0;
  #fence:
    { readonly mark: string; readonly length: number; readonly indent: number; readonly quotes: number } | undefined;
  /** The last line, if it may be the header of a table. */
  #header: { readonly at: number; readonly cells: readonly string[] } | undefined;
  /** Where the current line begins, line ends counted as one. */
  #at = 0;
  #columns = 0;
  #parts: BlockPart[] = [];

  /** @param readsQuotedCode Fences inside quotations are code; else they are read as text. */
  constructor(cut: CutUnits, longest = longestUnit, readsQuotedCode = false) {
    this.#cut = cut;
    this.#longest = longest;
    this.#readsQuotedCode = readsQuotedCode;
  }

  /** Takes the next piece of the text and gives the parts that are settled by now. */
  push(piece: string): BlockPart[] {
    const text = this.#half + piece;
    // Half a character, or half a line end, says nothing about what it will be.
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last === 13 || (last >= 0xd800 && last <= 0xdbff);
    this.#half = isHalf ? text.slice(-1) : '';
    const whole = (isHalf ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
    for (let from = 0; from < whole.length;) {
      const end = whole.indexOf('\n', from);
      this.#take(whole.slice(from, end < 0 ? undefined : end), end >= 0);
      if (end >= 0) this.#at = this.#pushed + end + 1;
      from = end < 0 ? whole.length : end + 1;
    }
    this.#pushed += whole.length;
    return this.#given();
  }

  /** Gives the rest. Another text may be pushed afterwards. */
  finish(): BlockPart[] {
    this.#half = '';
    if (this.#line !== '' || this.#inProse) this.#take('', true);
    this.#endHeader();
    this.#endBlock();
    if (this.#fence) this.#parts.push({ type: 'fenceEnd' });
    this.#fence = undefined;
    this.#lists = [];
    this.#columns = 0;
    this.#wasBlank = true;
    return this.#given();
  }

  #given(): BlockPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #take(text: string, isComplete: boolean): void {
    if (this.#inProse) {
      this.#prose(text, isComplete);
      return;
    }
    this.#line += text;
    // Only the beginning of what is blank matters.
    if (this.#line.length > mostPrefix && text.trim() === '' && this.#line.trim() === '' && !this.#fence)
      this.#line = this.#line.slice(0, mostPrefix);
    if (this.#fence) {
      if (!isComplete) return;
      const line = this.#line;
      this.#line = '';
      this.#fencedLine(line);
      return;
    }
    const line = this.#line;
    if (isComplete && line.trim() === '') {
      this.#line = '';
      this.#blank();
      return;
    }
    const read = readPrefix(line.slice(0, mostPrefix));
    const rest = read.text === '' ? line.slice(mostPrefix).trimStart() : read.text + line.slice(mostPrefix);
    if (isComplete && rest === '' && read.item === undefined) {
      // A line that only continues its quote.
      this.#line = '';
      this.#blank();
      return;
    }
    const whole = isComplete ? this.#wholeLine(read, rest) : mayBeWhole(rest);
    if (whole) {
      if (isComplete) this.#line = '';
      return;
    }
    this.#line = '';
    this.#endHeader();
    this.#columns = 0;
    this.#beginProse(read);
    this.#prose(withoutMarks(rest), isComplete);
  }

  #blank(): void {
    this.#endHeader();
    this.#endBlock();
    this.#columns = 0;
    this.#wasBlank = true;
  }

  /** Takes a complete line that is more than prose; false when it is prose. */
  #wholeLine(line: Line, rest: string): boolean {
    const isShort = rest.length <= longestHeading;
    const marked = line.quotes > 0 || line.item !== undefined;
    if (rest.startsWith('|') && rest.length <= longestRow && !marked) {
      this.#tableLine(rest);
      return true;
    }
    if (isShort && !marked && /^(?:[-*_=][ \t]*){3,}$/.test(rest)) {
      this.#endHeader();
      this.#endBlock();
      this.#wasBlank = true;
      return true;
    }
    if (isShort && line.item !== undefined && /^(?:[-*_][ \t]*){2,}$/.test(rest)) return true;
    const mayFence = isShort && (line.quotes === 0 || this.#readsQuotedCode);
    const fence = mayFence ? /^(`{3,20}(?!`)|~{3,20}(?!~))([^`]*)$/.exec(rest) : null;
    if (fence) {
      this.#startBlock(line);
      const info = /^[ \t]*([\w+#.-]{1,30})[ \t]*$/.exec(fence[2]!)?.[1] ?? '';
      this.#fence = {
        mark: fence[1]![0]!,
        length: fence[1]!.length,
        indent: line.quotes > 0 ? 0 : line.indent,
        quotes: line.quotes,
      };
      this.#parts.push({
        type: 'fence',
        at: this.#at,
        mark: fence[1]!,
        info: info.toLowerCase(),
        quotes: line.quotes,
        depth: this.#lists.length,
      });
      return true;
    }
    const heading = !marked && line.indent < 4 ? headingOf(rest) : undefined;
    if (heading) {
      this.#endHeader();
      this.#endBlock();
      this.#lists = [];
      this.#columns = 0;
      this.#wasBlank = true;
      this.#parts.push({ type: 'heading', at: this.#at, ...heading });
      return true;
    }
    if (rest.length <= longestDefinition && !marked && isDefinition(rest)) {
      this.#parts.push({ type: 'definition' });
      return true;
    }
    return false;
  }

  #tableLine(rest: string): void {
    const cells = splitCells(rest);
    const delimiters = cells.map((cell) => /^(:?)-+(:?)$/.exec(cell.trim()));
    const isDelimiter = delimiters.every((cell) => cell !== null);
    if (this.#columns > 0) {
      if (!isDelimiter) this.#parts.push({ type: 'row', cells: fit(cells, this.#columns) });
      return;
    }
    const header = this.#header;
    if (header && (isDelimiter || (cells.length === header.cells.length && cells.length > 1))) {
      this.#header = undefined;
      this.#columns = header.cells.length;
      const align = isDelimiter ? delimiters.map((cell) => alignment(cell[1] !== '', cell[2] !== '')) : [];
      this.#parts.push({
        type: 'header',
        at: header.at,
        cells: header.cells,
        align: header.cells.map((_, index) => align[index] ?? ''),
      });
      if (!isDelimiter) this.#parts.push({ type: 'row', cells: fit(cells, this.#columns) });
      return;
    }
    this.#endHeader();
    this.#endBlock();
    this.#lists = [];
    this.#wasBlank = true;
    if (!isDelimiter) this.#header = { at: this.#at, cells };
  }

  /** A row without a table: a paragraph. */
  #endHeader(): void {
    const header = this.#header;
    this.#header = undefined;
    if (!header) return;
    this.#parts.push({ type: 'start', at: header.at, place: { quotes: 0, depth: 0 } });
    for (const cell of header.cells) this.#parts.push({ type: 'unit', text: `${cell} ` });
    this.#parts.push({ type: 'end' });
  }

  #fencedLine(whole: string): void {
    const fence = this.#fence!;
    const line = withoutQuotes(whole, fence.quotes);
    if (line === undefined) {
      // The quotation ends, and with it the code.
      this.#fence = undefined;
      this.#wasBlank = true;
      this.#parts.push({ type: 'fenceEnd' });
      this.#take(whole, true);
      return;
    }
    const close = /^[ \t]{0,20}(`+|~+)[ \t]*$/.exec(line)?.[1];
    if (close?.[0] === fence.mark && close.length >= fence.length) {
      this.#fence = undefined;
      this.#wasBlank = true;
      this.#parts.push({ type: 'fenceEnd' });
      return;
    }
    let from = 0;
    while (from < fence.indent && line[from] === ' ') from += 1;
    this.#parts.push({ type: 'line', text: stripHidden(line.slice(from)) });
  }

  #beginProse(line: Line): void {
    const marked = line.quotes > 0 || line.item !== undefined;
    const isContinued =
      this.#open !== undefined && (!marked || (line.item === undefined && line.quotes === this.#open.place.quotes));
    if (!isContinued) this.#startBlock(line, true);
    this.#inProse = true;
  }

  /** Ends the open block, and finds how deep the next one is. */
  #startBlock(line: Line, isProse = false): void {
    this.#endHeader();
    this.#endBlock();
    this.#columns = 0;
    // A list outside a quote does not continue inside it.
    if (line.quotes !== this.#quotes) this.#lists = [];
    this.#quotes = line.quotes;
    const lists = this.#lists;
    if (line.item !== undefined) {
      while (lists.length > 0 && line.indent < lists.at(-1)!) lists.pop();
      const isSibling = lists.length > 0 && line.indent < lists.at(-1)! + 2;
      if (isSibling || lists.length >= mostDepth) lists[lists.length - 1] = line.indent;
      else lists.push(line.indent);
    } else if (this.#wasBlank || !isProse) {
      while (lists.length > 0 && line.indent < lists.at(-1)! + 2) lists.pop();
    }
    this.#wasBlank = false;
    if (!isProse) return;
    const place = { quotes: line.quotes, depth: lists.length, ...(line.item === undefined ? {} : { item: line.item }) };
    this.#open = { place, rest: '', looked: 0 };
    this.#parts.push({ type: 'start', at: this.#at, place });
  }

  #prose(text: string, isComplete: boolean): void {
    const block = this.#open!;
    block.rest = joinProse(block.rest, text);
    if (isComplete) {
      block.rest += '\n';
      this.#inProse = false;
    }
    const growth = block.looked >> (block.looked < longSentence ? 3 : 1);
    if (block.rest.length > block.looked + growth) this.#cutBlock(block, false);
  }

  #cutBlock(block: OpenBlock, isWhole: boolean): void {
    for (;;) {
      const window = block.rest.slice(0, this.#longest);
      const isLast = isWhole && window.length === block.rest.length;
      const ends = this.#cut(window, isLast);
      let from = 0;
      for (const end of ends) {
        if (end > from) this.#parts.push({ type: 'unit', text: window.slice(from, end) });
        from = Math.max(from, end);
      }
      if (from === 0 && window.length === this.#longest && block.rest.trimEnd().length > this.#longest) {
        from = boundary(window);
        this.#parts.push({ type: 'unit', text: window.slice(0, from) });
      }
      if (from === 0) break;
      block.rest = block.rest.slice(from);
      if (block.rest === '') break;
    }
    block.looked = block.rest.length;
  }

  #endBlock(): void {
    const block = this.#open;
    if (!block) return;
    block.rest = block.rest.trimEnd();
    this.#cutBlock(block, true);
    this.#open = undefined;
    this.#inProse = false;
    this.#parts.push({ type: 'end' });
  }
}

/** Runs of spaces mean the same as one. */
function joinProse(before: string, text: string): string {
  const spaced = text.replace(/[ \t]+/g, ' ');
  const last = before.at(-1);
  return spaced.startsWith(' ') && (last === undefined || last === ' ' || last === '\n')
    ? before + spaced.slice(1)
    : before + spaced;
}
