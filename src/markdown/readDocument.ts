import { BlockReader, type Alignment, type BlockPart } from './blockReader.ts';
import { parseInlines } from './parseInlines.ts';
import { append, type Inline, type Parsed } from './tree.ts';

/** A block of a finished text, or of one that is read again when it has grown. */
export type Block = Heading | Paragraph | Quote | List | Table | CodeBlock;

interface Heading {
  readonly type: 'heading';
  readonly level: number;
  readonly nodes: readonly Inline[];
}
export interface Paragraph {
  readonly type: 'paragraph';
  readonly nodes: Inline[];
}
interface Quote {
  readonly type: 'quote';
  readonly blocks: Block[];
}
export interface List {
  readonly type: 'list';
  /** Number of its first item; undefined for bullets. */
  readonly start: number | undefined;
  readonly items: ListItem[];
}
export interface ListItem {
  readonly blocks: Block[];
}
export interface Cell {
  readonly nodes: readonly Inline[];
  readonly align: Alignment;
}
export interface Table {
  readonly type: 'table';
  readonly header: readonly Cell[];
  readonly rows: (readonly Cell[])[];
}
export interface CodeBlock {
  readonly type: 'code';
  readonly lines: string[];
}

/** A top-level block, and the offset in the text at which its first line begins. */
export interface TopBlock {
  readonly block: Block;
  readonly at: number;
}

/** UTF-16 units of a paragraph that are read as one. */
export const longestParagraph = 8_000;

/**
 * Reads a text that is already a report: links lead to http(s) or are words, `[3]` is a citation, and whatever is not Markdown that
 * a report may hold is text. Only the last block can change when the text grows.
 */
export function readDocument(text: string): TopBlock[] {
  const reader = new BlockReader((unit, isWhole) => (isWhole ? [unit.length] : []), longestParagraph, true);
  const builder = new Builder();
  for (const part of [...reader.push(text), ...reader.finish()]) builder.add(part);
  return builder.blocks;
}

class Builder {
  readonly blocks: TopBlock[] = [];
  #paragraph: Paragraph | undefined;
  #code: CodeBlock | undefined;
  #table: Table | undefined;
  /** The open lists, outermost first; of the quote at the end when `quotes` is set. */
  #lists: List[] = [];
  #quotes = 0;

  add(part: BlockPart): void {
    switch (part.type) {
      case 'heading':
        this.#top({ type: 'heading', level: part.level, nodes: reportInlines(part.text) }, part.at);
        return;
      case 'start':
        this.#paragraph = { type: 'paragraph', nodes: [] };
        this.#place(this.#paragraph, part);
        return;
      case 'unit':
        for (const node of reportInlines(part.text)) append(this.#paragraph!.nodes, node);
        return;
      case 'end':
        return;
      case 'header':
        this.#table = { type: 'table', header: cells(part.cells, part.align), rows: [] };
        this.#top(this.#table, part.at);
        return;
      case 'row':
        this.#table!.rows.push(
          cells(
            part.cells,
            this.#table!.header.map(({ align }) => align),
          ),
        );
        return;
      case 'fence':
        this.#code = { type: 'code', lines: [] };
        if (part.depth > 0 && this.#lists.length > 0) this.#items(part.depth).at(-1)!.blocks.push(this.#code);
        else if (part.quotes > 0) this.#quotedCode(this.#code, part.at, part.quotes);
        else this.#top(this.#code, part.at);
        return;
      case 'line':
        this.#code!.lines.push(part.text);
        return;
      case 'fenceEnd':
      case 'definition':
    }
  }

  #top(block: Block, at: number): void {
    this.blocks.push({ block, at });
    this.#lists = [];
    this.#quotes = 0;
  }

  #quotedCode(code: CodeBlock, at: number, quotes: number): void {
    const quote = this.#openQuote(quotes);
    this.#lists = [];
    this.#quotes = quotes;
    this.#addTo(quote, code, at, quotes);
  }

  /** The blocks of the quotation that the next block continues. */
  #openQuote(quotes: number): Block[] | undefined {
    const last = this.blocks.at(-1)?.block;
    return quotes > 0 && quotes === this.#quotes && last?.type === 'quote' ? last.blocks : undefined;
  }

  #place(paragraph: Paragraph, { at, place }: Extract<BlockPart, { type: 'start' }>): void {
    if (place.quotes !== this.#quotes || (place.quotes === 0 && place.depth === 0)) this.#lists = [];
    const quote = this.#openQuote(place.quotes);
    this.#quotes = place.quotes;
    if (place.depth > 0 && place.item === undefined && this.#lists.length > 0) {
      this.#items(place.depth).at(-1)!.blocks.push(paragraph);
      return;
    }
    if (place.item === undefined) {
      this.#addTo(quote, paragraph, at, place.quotes);
      return;
    }
    const item: ListItem = { blocks: [paragraph] };
    const depth = Math.min(place.depth, this.#lists.length + 1);
    const open = this.#lists[depth - 1];
    const start = place.item === 'bullet' ? undefined : place.item;
    this.#lists.length = Math.min(this.#lists.length, depth);
    if (open && (open.start === undefined) === (start === undefined)) {
      open.items.push(item);
      return;
    }
    const list: List = { type: 'list', start, items: [item] };
    this.#lists.length = depth - 1;
    if (depth > 1)
      this.#items(depth - 1)
        .at(-1)!
        .blocks.push(list);
    else this.#addTo(quote, list, at, place.quotes);
    this.#lists.push(list);
  }

  #addTo(quote: Block[] | undefined, block: Block, at: number, quotes: number): void {
    if (quote) quote.push(block);
    else if (quotes > 0) this.blocks.push({ block: { type: 'quote', blocks: [block] }, at });
    else this.blocks.push({ block, at });
  }

  /** Items of the open list at a depth, or of the deepest one there is. */
  #items(depth: number): ListItem[] {
    this.#lists.length = Math.min(this.#lists.length, depth);
    return this.#lists.at(-1)!.items;
  }
}

function cells(texts: readonly string[], align: readonly Alignment[]): Cell[] {
  return texts.map((text, index) => ({ nodes: reportInlines(text), align: align[index] ?? '' }));
}

/** The inline nodes of a report's text: links lead to http(s), `[3]` is a citation. */
export function reportInlines(markdown: string): Inline[] {
  return read(parseInlines(markdown, undefined, true), false);
}

function read(nodes: readonly Parsed[], isLinked: boolean): Inline[] {
  const all: Inline[] = [];
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
      case 'name':
        append(all, { type: 'text', text: node.text.replace(/[ \t\n\v\f\r]+/g, ' ') });
        break;
      case 'code':
        all.push(node);
        break;
      case 'ids':
        append(all, { type: 'text', text: node.raw });
        break;
      case 'numbers': {
        const isCitation = !isLinked && /^\[[1-9]\d{0,3}\]$/.test(node.raw);
        append(all, isCitation ? { type: 'citation', number: node.numbers[0]! } : { type: 'text', text: node.raw });
        break;
      }
      case 'link': {
        const { raw, children } = node;
        const isMarked = raw === undefined || /^(?:https?:\/\/|www\.)/i.test(raw);
        const href = isLinked || !isMarked ? undefined : webAddress(node.href);
        const words = children.length > 0 ? read(children, true) : [{ type: 'text' as const, text: raw ?? node.href }];
        if (href !== undefined) all.push({ type: 'link', href, children: words });
        else for (const word of words) append(all, word);
        break;
      }
      default:
        all.push({ ...node, children: read(node.children, isLinked) });
    }
  }
  return all;
}

/** An address of the web; undefined for every other scheme, for a relative one, and for one with a password. */
function webAddress(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || href.length > 4_000 || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.username === '' && url.password === '' ? href : undefined;
}
