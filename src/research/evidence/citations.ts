import { BlockReader, type BlockPart } from '../../markdown/blockReader.ts';
import { MarkdownWriter } from '../../markdown/markdownWriter.ts';
import { parseInlines, type InlineState } from '../../markdown/parseInlines.ts';
import { wordsOf, type Inline } from '../../markdown/tree.ts';
import { settledLength, splitSentences } from '../text/sentences.ts';
import { Checker, type CitableEvidence, type CitationCounts } from './checker.ts';
import type { Source } from './source.ts';
import { quotedId, verbatimPassage } from './verbatim.ts';

/**
 * Turns what a model writes, source ids as markers, into the text that is shown: `[S3f9a1]` becomes `[1]`, `[2]`, … in order
 * of appearance. A pipeline of three: {@link BlockReader} scans the text into blocks and sentences, {@link Checker} decides
 * what of each may stay, {@link MarkdownWriter} writes it. Text is buffered up to the end of a sentence, list item or table row.
 * The result does not depend on how the text was cut into pieces.
 */
export class CitationWriter {
  readonly #reader = new BlockReader(cutSentences);
  readonly #checker: Checker;
  readonly #writer = new MarkdownWriter();
  /** Of the open paragraph: what its sentences cite, and whether emphasis continues from one to the next. */
  #cited: Source[] = [];
  #state: InlineState = { strongIsOpen: false };
  /** File and columns of the table that was quoted last, when nothing follows it: its next rows may. */
  #table = '';
  readonly #statements = new Set<string>();
  /** A passage that is quoted as a whole. */
  #quote: { readonly id: string; readonly lines: string[] } | undefined;

  /**
   * @param given Text whose figures and words need no source: the question, the titles of the plan, today's date.
   * @param verified Ids of sources of which a quote has been found in the text already.
   */
  constructor(evidence: CitableEvidence, given: string, verified: Iterable<string> = []) {
    this.#checker = new Checker(evidence, given, verified);
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
    return this.#statements;
  }

  /** Takes a piece of the model's text and gives what is settled by now. */
  push(piece: string): string {
    return this.#write(this.#reader.push(piece));
  }

  /** Returns the rest. The writer can continue afterwards, with a new block. */
  finish(): string {
    return this.#write(this.#reader.finish());
  }

  /** A heading of the program's own, after everything that was pushed before. */
  heading(level: number, nodes: readonly Inline[]): string {
    return this.finish() + this.#writer.heading(level, nodes);
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
    return this.#writer.unit(nodes, false) + this.#writer.endParagraph();
  }

  #write(parts: readonly BlockPart[]): string {
    let out = '';
    for (const part of parts) {
      if (!['fence', 'line', 'fenceEnd'].includes(part.type)) this.#table = '';
      out += this.#part(part);
    }
    return out;
  }

  #part(part: BlockPart): string {
    const writer = this.#writer;
    const checker = this.#checker;
    switch (part.type) {
      case 'heading':
        return writer.heading(part.level, checker.heading(parseInlines(part.text)));
      case 'start':
        this.#cited = [];
        this.#state = { strongIsOpen: false };
        writer.startParagraph(part.place);
        return '';
      case 'unit': {
        const sentence = checker.sentence(parseInlines(part.text, this.#state), this.#cited);
        this.#count([sentence]);
        return writer.unit(sentence, /\s$/.test(part.text));
      }
      case 'end':
        return writer.endParagraph();
      case 'header':
        return writer.header(
          part.cells.map((cell) => checker.heading(parseInlines(cell))),
          part.align,
        );
      case 'row': {
        const row = checker.row(part.cells.map((cell) => parseInlines(cell)));
        this.#count(row);
        return writer.row(row);
      }
      case 'fence': {
        const id = quotedId(part.info);
        if (id !== undefined) this.#quote = { id, lines: [] };
        return id === undefined ? writer.fence(part.mark, part.info, part.depth) : '';
      }
      case 'line':
        if (this.#quote === undefined) return writer.line(checker.code(part.text));
        this.#quote.lines.push(part.text);
        return '';
      case 'fenceEnd':
        return this.#quote === undefined ? writer.endFence() : this.#endQuote();
      case 'definition':
        checker.drop();
        return '';
    }
  }

  #count(cells: readonly (readonly Inline[])[]): void {
    if (!cells.some(isCiting)) return;
    const key = statementKey(cells.map(wordsOf).join(' '));
    if (key !== '') this.#statements.add(key);
  }

  #endQuote(): string {
    const { id, lines } = this.#quote!;
    this.#quote = undefined;
    const text = lines.join('\n');
    const found = this.#checker.quotation(id, text);
    if (found === undefined) return '';
    const passage = verbatimPassage(found.source, text, found.number);
    const body = passage[1]!;
    this.#statements.add(statementKey(text));
    const columns = body.startsWith('| ') ? `${found.source.file?.path}\n${lines[0]}` : '';
    const follows = columns !== '' && columns === this.#table;
    this.#table = columns;
    return follows ? this.#writer.rows(body.split('\n').slice(2)) : this.#writer.passage(passage);
  }
}

function isCiting(nodes: readonly Inline[]): boolean {
  return nodes.some((node) => node.type === 'citation' || ('children' in node && isCiting(node.children)));
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
