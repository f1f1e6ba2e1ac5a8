import { BlockReader, type BlockPart, type BlockPlace } from './blockReader.ts';
import type { Alignment } from './tableCells.ts';
import { parseInlines } from './parseInlines.ts';
import { append, type Citation, type Inline, type Parsed } from './tree.ts';

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
const longestParagraph = 8_000;

/**
 * Reads a text that is already a report: links lead to http(s) or are words, `[[3]](#ref-3)` is a citation, as
 * `[3]` of older reports is, and whatever is not Markdown that
 * a report may hold is text. Only the last block can change when the text grows.
 */
export function readDocument(text: string): TopBlock[] {
  const builder = new Builder();
  for (const part of reportBlocks(text)) builder.add(part);
  return builder.blocks;
}

/** The blocks of a finished report, each paragraph as one unit. */
export function reportBlocks(text: string): BlockPart[] {
  const reader = new BlockReader((unit, isWhole) => (isWhole ? [unit.length] : []), longestParagraph, true);
  return [...reader.push(text), ...reader.finish()];
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
        this.#add({ type: 'heading', level: part.level, nodes: reportInlines(part.text) }, part.at);
        return;
      case 'start':
        this.#paragraph = { type: 'paragraph', nodes: [] };
        this.#add(this.#paragraph, part.at, part.place);
        return;
      case 'unit':
        for (const node of reportInlines(part.text)) append(this.#paragraph!.nodes, node);
        return;
      case 'header':
        this.#table = { type: 'table', header: cells(part.cells, part.align), rows: [] };
        this.#add(this.#table, part.at);
        return;
      case 'row': {
        const { header, rows } = this.#table!;
        const align = header.map((cell) => cell.align);
        rows.push(cells(part.cells, align));
        return;
      }
      case 'fence':
        this.#code = { type: 'code', lines: [] };
        this.#add(this.#code, part.at, part);
        return;
      case 'line':
        this.#code!.lines.push(part.text);
        return;
      case 'end':
      case 'fenceEnd':
      case 'definition':
    }
  }

  #add(block: Block, at: number, { quotes, depth, item }: BlockPlace = { quotes: 0, depth: 0 }): void {
    const lists = this.#lists;
    if (quotes !== this.#quotes || (quotes === 0 && depth === 0)) lists.length = 0;
    const last = this.blocks.at(-1)?.block;
    const quote = quotes > 0 && quotes === this.#quotes && last?.type === 'quote' ? last.blocks : undefined;
    this.#quotes = quotes;
    const put = (outer: Block): void => {
      const blocks = lists.at(-1)?.items.at(-1)?.blocks ?? quote;
      if (blocks) blocks.push(outer);
      else this.blocks.push({ block: quotes > 0 ? { type: 'quote', blocks: [outer] } : outer, at });
    };
    lists.length = Math.min(lists.length, depth);
    if (item === undefined) {
      put(block);
      return;
    }
    const start = item === 'bullet' ? undefined : item;
    const open = lists[depth - 1];
    if (open && (open.start === undefined) === (start === undefined)) {
      open.items.push({ blocks: [block] });
      return;
    }
    const list: List = { type: 'list', start, items: [{ blocks: [block] }] };
    lists.length = Math.min(lists.length, depth - 1);
    put(list);
    lists.push(list);
  }
}

function cells(texts: readonly string[], align: readonly Alignment[]): Cell[] {
  return texts.map((text, index) => ({ nodes: reportInlines(text), align: align[index] ?? '' }));
}

/** The inline nodes of a report's text. */
export function reportInlines(markdown: string): Inline[] {
  return read(parseInlines(markdown, undefined, true), false);
}

function read(nodes: readonly Parsed[], isLinked: boolean): Inline[] {
  const all: Inline[] = [];
  for (const node of nodes) {
    const citation = isLinked ? undefined : citationOf(node);
    if (citation) {
      all.push(citation);
      continue;
    }
    switch (node.type) {
      case 'text':
      case 'name':
        append(all, { type: 'text', text: node.text.replace(/[ \t\n\v\f\r]+/g, ' ') });
        break;
      case 'code':
        all.push(node);
        break;
      case 'ids':
      case 'numbers':
        append(all, { type: 'text', text: node.raw });
        break;
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

function citationOf(node: Parsed): Citation | undefined {
  const marker = node.type === 'link' && node.children.length === 1 ? node.children[0]! : node;
  if (marker.type !== 'numbers' || !/^\[[1-9]\d{0,3}\]$/.test(marker.raw)) return undefined;
  const number = marker.numbers[0]!;
  if (node.type === 'link' && node.href !== `#ref-${number}`) return undefined;
  return { type: 'citation', number, ...(marker.isTarget ? { isTarget: true } : {}) };
}

/** An address of the web; undefined for every other scheme, for a relative one, and for one with a password. */
function webAddress(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || href.length > 4_000 || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.username === '' && url.password === '' ? href : undefined;
}
