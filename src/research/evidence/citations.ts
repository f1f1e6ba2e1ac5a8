import { BlockReader, type BlockPart } from '../../markdown/blockReader.ts';
import type { Alignment } from '../../markdown/tableCells.ts';
import { MarkdownWriter } from '../../markdown/markdownWriter.ts';
import { writeInlines } from '../../markdown/writeInlines.ts';
import type { InlineState } from '../../markdown/emphasis.ts';
import { parseInlines } from '../../markdown/parseInlines.ts';
import { wordsOf, type Inline } from '../../markdown/tree.ts';
import { settledLength, splitSentences } from '../text/sentences.ts';
import { Checker, type CitableEvidence, type CitationCounts, type Decide, type Said } from './checker.ts';
import type { Quoting } from './exact.ts';
import type { Ground } from './grounds.ts';
import type { Source } from './source.ts';
import { quotedId, verbatimPassage } from './verbatim.ts';

/** A block, or a part of one, as it may be shown: nothing that a source doesn't support, and citations by number. */
export type CheckedPart =
  | { readonly type: 'heading'; readonly level: number; readonly nodes: readonly Inline[] }
  | Extract<BlockPart, { readonly type: 'start' | 'end' | 'line' | 'fence' | 'fenceEnd' | 'definition' }>
  | { readonly type: 'unit'; readonly nodes: readonly Inline[]; readonly space: boolean; readonly said?: Said }
  | { readonly type: 'header'; readonly cells: Inline[][]; readonly align: readonly Alignment[] }
  | { readonly type: 'row'; readonly cells: Inline[][]; readonly said: readonly (Said | undefined)[] }
  | {
      readonly type: 'quote';
      readonly source: Source;
      readonly text: string;
      readonly number: number;
      readonly said: Said;
    };

/** A text that was parsed and checked, with citations by its own numbers. */
export interface CheckedText {
  readonly parts: readonly CheckedPart[];
  /** Ids of the cited sources, by number. */
  readonly order: readonly string[];
  /** Distinct sentences, items, rows and quoted passages that cite a source, without their markers. */
  readonly statements: ReadonlySet<string>;
  readonly dropped: number;
  /** Ids of sources of which a quote or figure was found. */
  readonly verified: readonly string[];
}

/**
 * Parses and checks a text, source ids as markers; {@link CitationWriter.add} writes it. `given` and `verified` are as in
 * {@link CitationWriter}.
 */
export function checkedText(
  text: string,
  evidence: CitableEvidence,
  given: string,
  verified: Iterable<string>,
  decide?: Decide,
): CheckedText {
  const reader = new BlockReader(cutSentences);
  const checker = new Checker(evidence, given, verified, decide);
  const parts = new PartChecker(checker);
  const checked = [...reader.push(`${text.trim()}\n`), ...reader.finish()].flatMap((part) => parts.check(part) ?? []);
  const { order, counts } = checker;
  return { parts: checked, order, statements: parts.statements, dropped: counts.dropped, verified: checker.verified };
}

/** Checks the parts of a text, one after another. */
class PartChecker {
  readonly #checker: Checker;
  readonly statements = new Set<string>();
  /** Of the open paragraph: what its sentences rest on, and whether emphasis continues from one to the next. */
  #before: Ground[] = [];
  #quoting: Quoting = { isOpen: false };
  #state: InlineState = { strongIsOpen: false };
  /** A passage that is quoted as a whole. */
  #quote: { readonly id: string; readonly lines: string[] } | undefined;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** Undefined where nothing is to be shown. */
  check(part: BlockPart): CheckedPart | undefined {
    const checker = this.#checker;
    switch (part.type) {
      case 'heading':
        return { type: 'heading', level: part.level, nodes: checker.heading(parseInlines(part.text)) };
      case 'start':
        this.#before = [];
        this.#quoting = { isOpen: false };
        this.#state = { strongIsOpen: false };
        return part;
      case 'unit': {
        const unit = checker.sentence(parseInlines(part.text, this.#state), this.#before, this.#quoting);
        this.#count([unit.nodes]);
        return { type: 'unit', ...unit, space: /\s$/.test(part.text) };
      }
      case 'header':
        return { ...part, cells: part.cells.map((cell) => checker.header(parseInlines(cell))) };
      case 'row': {
        const units = checker.row(part.cells.map((cell) => parseInlines(cell)));
        const cells = units.map(({ nodes }) => nodes);
        this.#count(cells);
        return { type: 'row', cells, said: units.map(({ said }) => said) };
      }
      case 'fence': {
        const id = quotedId(part.info);
        if (id === undefined) return part;
        this.#quote = { id, lines: [] };
        return undefined;
      }
      case 'line':
        if (this.#quote === undefined) return { type: 'line', text: checker.code(part.text) };
        this.#quote.lines.push(part.text);
        return undefined;
      case 'fenceEnd':
        return this.#quote === undefined ? part : this.#quoted(this.#quote);
      case 'definition':
        checker.drop();
        return part;
      case 'end':
        return part;
    }
  }

  #quoted({ id, lines }: { readonly id: string; readonly lines: readonly string[] }): CheckedPart | undefined {
    this.#quote = undefined;
    const text = lines.join('\n');
    const found = this.#checker.quotation(id, text);
    if (found === undefined) return undefined;
    this.statements.add(statementKey(text));
    return { type: 'quote', ...found, text };
  }

  #count(cells: readonly (readonly Inline[])[]): void {
    if (!cells.some((nodes) => numbersIn(nodes).length > 0)) return;
    const key = statementKey(cells.map(wordsOf).join(' '));
    if (key !== '') this.statements.add(key);
  }
}

/**
 * Turns what a model writes, source ids as markers, into the text that is shown: `[S3f9a1]` becomes `[1]`, `[2]`, … in order
 * of appearance. A pipeline of three: {@link BlockReader} scans the text into blocks and sentences, {@link Checker} decides
 * what of each may stay, {@link MarkdownWriter} writes it. Text is buffered up to the end of a sentence, list item or table row.
 * The result does not depend on how the text was cut into pieces.
 */
export class CitationWriter {
  readonly #reader = new BlockReader(cutSentences);
  readonly #checker: Checker;
  readonly #parts: PartChecker;
  readonly #writer = new MarkdownWriter();
  /** File and columns of the table that was quoted last, when nothing follows it: its next rows may. */
  #table = '';
  /** Of what was given so far, in UTF-16 units. */
  #length = 0;
  readonly #placed: Placed[] = [];

  /**
   * @param given Text whose figures and words need no source: the question, the titles of the plan, today's date.
   * @param verified Ids of sources of which a quote has been found in the text already.
   */
  constructor(evidence: CitableEvidence, given: string, verified: Iterable<string> = []) {
    this.#checker = new Checker(evidence, given, verified);
    this.#parts = new PartChecker(this.#checker);
  }

  /** Ids of the cited sources: number n is the n-th. */
  get order(): readonly string[] {
    return this.#checker.order;
  }

  get counts(): CitationCounts {
    return this.#checker.counts;
  }

  /** Distinct sentences, items, rows and quoted passages that cite a source, without their markers. */
  get statements(): ReadonlySet<string> {
    return this.#parts.statements;
  }

  /** The statements, in the order of the text. */
  get placed(): readonly Placed[] {
    return this.#placed;
  }

  /** Takes a piece of the model's text and gives what is settled by now. */
  push(piece: string): string {
    return this.#check(this.#reader.push(piece));
  }

  /** Returns the rest. The writer can continue afterwards, with a new block. */
  finish(): string {
    return this.#check(this.#reader.finish());
  }

  /** A text that was checked, after everything that was pushed before. */
  add({ parts, order, statements, dropped, verified }: CheckedText): string {
    const before = this.finish();
    const numbers = this.#checker.take(order, dropped, verified);
    for (const statement of statements) this.#parts.statements.add(statement);
    return parts.reduce((out, part) => out + this.#write(renumbered(part, numbers)), before);
  }

  /** A heading of the program's own, after everything that was pushed before. */
  heading(level: number, nodes: readonly Inline[]): string {
    return this.finish() + this.#given(this.#writer.heading(level, nodes));
  }

  /** A paragraph of the program's own. */
  paragraph(nodes: readonly Inline[]): string {
    return this.finish() + this.#own(nodes, { quotes: 0, depth: 0 });
  }

  /** An item of a list of the program's own. */
  item(nodes: readonly Inline[]): string {
    return this.finish() + this.#own(nodes, { quotes: 0, depth: 1, item: 'bullet' });
  }

  #own(nodes: readonly Inline[], place: Parameters<MarkdownWriter['startParagraph']>[0]): string {
    this.#writer.startParagraph(place);
    return this.#given(this.#writer.unit(nodes, false) + this.#writer.endParagraph());
  }

  #check(parts: readonly BlockPart[]): string {
    let out = '';
    for (const part of parts) {
      const checked = this.#parts.check(part);
      if (checked) out += this.#write(checked);
    }
    return out;
  }

  /** Counts what is given. */
  #given(text: string): string {
    this.#length += text.length;
    return text;
  }

  #write(part: CheckedPart): string {
    const from = this.#length;
    const text = this.#given(this.#written(part));
    for (const placed of placedIn(part, text, from)) this.#placed.push(placed);
    return text;
  }

  #written(part: CheckedPart): string {
    const writer = this.#writer;
    if (part.type === 'quote') return this.#quote(part);
    if (!['fence', 'line', 'fenceEnd'].includes(part.type)) this.#table = '';
    switch (part.type) {
      case 'heading':
        return writer.heading(part.level, part.nodes);
      case 'start':
        writer.startParagraph(part.place);
        return '';
      case 'unit':
        return writer.unit(part.nodes, part.space);
      case 'end':
        return writer.endParagraph();
      case 'header':
        return writer.header(part.cells, part.align);
      case 'row':
        return writer.row(part.cells);
      case 'fence':
        return writer.fence(part.mark, part.info, part.depth);
      case 'line':
        return writer.line(part.text);
      case 'fenceEnd':
        return writer.endFence();
      case 'definition':
        return '';
    }
  }

  #quote({ source, text, number }: Extract<CheckedPart, { type: 'quote' }>): string {
    const passage = verbatimPassage(source, text, number);
    const body = passage[1]!;
    const columns = body.startsWith('| ') ? `${source.file?.path}\n${text.split('\n', 1)[0]}` : '';
    const follows = columns !== '' && columns === this.#table;
    this.#table = columns;
    return follows ? this.#writer.rows(body.split('\n').slice(2)) : this.#writer.passage(passage);
  }
}

/** A statement of the text, and where its words begin in it. */
export interface Placed extends Said {
  readonly offset: number;
  readonly citations: readonly number[];
}

/** Of a passage, in UTF-16 units: a line of it holds them. */
const leadLength = 16;

function placedIn(part: CheckedPart, text: string, from: number): Placed[] {
  const place = (said: Said, nodes: readonly Inline[], within: number): Placed => {
    const at = text.indexOf(writeInlines(nodes).trim(), within);
    return { ...said, offset: from + Math.max(at, within), citations: numbersIn(nodes) };
  };
  if (part.type === 'quote') {
    // Below the heading that names its place.
    const words = text.indexOf(part.said.text.slice(0, leadLength), text.indexOf('\n') + 1);
    return [{ ...part.said, offset: from + Math.max(0, words), citations: [part.number] }];
  }
  if (part.type === 'unit') return part.said && text !== '' ? [place(part.said, part.nodes, 0)] : [];
  if (part.type !== 'row') return [];
  let within = 0;
  return part.cells.flatMap((nodes, index) => {
    const said = part.said[index];
    const found = text.indexOf(writeInlines(nodes, 'cell').trim(), within);
    within = Math.max(found, within);
    const own = numbersIn(nodes);
    return said === undefined
      ? []
      : [{ ...said, offset: from + within, citations: own.length > 0 ? own : numbersIn(part.cells.flat()) }];
  });
}

function numbersIn(nodes: readonly Inline[]): number[] {
  const numbers = nodes.flatMap((node) =>
    node.type === 'citation' ? [node.number] : 'children' in node ? numbersIn(node.children) : [],
  );
  return [...new Set(numbers)];
}

/** @param numbers Of the report, by those of the text. */
function renumbered(part: CheckedPart, numbers: readonly number[]): CheckedPart {
  const within = (nodes: readonly Inline[]): Inline[] =>
    nodes.map((node) => {
      if (node.type === 'citation') return { ...node, number: numbers[node.number - 1]! };
      return 'children' in node ? { ...node, children: within(node.children) } : node;
    });
  if ('nodes' in part) return { ...part, nodes: within(part.nodes) };
  if ('cells' in part) return { ...part, cells: part.cells.map(within) };
  return part.type === 'quote' ? { ...part, number: numbers[part.number - 1]! } : part;
}

/** The same for statements that only marks and spaces tell apart. */
export function statementKey(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}

/** Ends of the sentences that no further text can change. Stops without a word belong to the sentence behind them. */
export function cutSentences(text: string, isWhole: boolean): readonly number[] {
  const sentences = splitSentences(text);
  const settled = isWhole ? text.length : settledLength(text, sentences);
  return sentences.flatMap(({ text: sentence, end }) =>
    end <= settled && (/[\p{L}\p{N}]/u.test(sentence) || (isWhole && end === settled)) ? [end] : [],
  );
}
