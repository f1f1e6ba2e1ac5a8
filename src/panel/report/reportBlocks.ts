import { type Block, readDocument } from '../../markdown/readDocument.ts';

export interface BlockChange {
  /** How many blocks from the start are as they were at the last call, and stay so unless the report is taken back. */
  readonly kept: number;
  /** Every block after them. The last one may still grow. */
  readonly blocks: readonly Block[];
}

/** How much text is taken at a time, in UTF-16 units: some milliseconds' worth on a slow machine. */
const stepLength = 500;
/** Of the open block, which each step reads again: a long list or table takes linear time. */
const openShare = 1 / 4;

/**
 * Cuts a growing Markdown text into blocks and reads each only while it can change. In Markdown a line can only change the
 * block that is open, the last one: once a line of a later block is complete, all blocks before it are frozen and never
 * read again.
 */
export class ReportBlocks {
  /** The text of the frozen blocks, with the blank lines after each. */
  #frozen = '';
  /** Where each frozen block ends in {@link frozen}, its blank lines included. */
  #ends: number[] = [];
  #last = '';
  /** Up to where whole lines were looked at. */
  #linesSeen = 0;

  /** `text` is the whole report so far. */
  update(text: string): BlockChange {
    if (!text.startsWith(this.#last)) this.#takeBack(text);
    this.#last = text;
    const kept = this.#ends.length;
    const blocksOf = (read: readonly Ended[]) => read.map(({ block }) => block);
    // Half a line may turn into anything, and make something else of the lines before it: only whole lines settle.
    const lines = text.lastIndexOf('\n') + 1;
    if (lines <= this.#linesSeen) return { kept, blocks: blocksOf(this.#read(text.length)) };
    this.#linesSeen = lines;
    const whole = this.#read(lines);
    const settled = this.#freeze(whole);
    const open = lines === text.length ? whole.slice(settled.length) : this.#read(text.length);
    return { kept, blocks: blocksOf([...settled, ...open]) };
  }

  /** Where a step ends that begins at `from`: after a line if there is one, so that no half of a line is drawn. */
  stepEnd(text: string, from: number): number {
    const length = Math.max(stepLength, Math.floor(openShare * (from - this.#frozen.length)));
    if (text.length - from <= length) return text.length;
    const line = text.lastIndexOf('\n', from + length) + 1;
    return line > from ? line : from + length;
  }

  /** The blocks of what is not frozen, up to a place in the text. */
  #read(end: number): Ended[] {
    const from = this.#frozen.length;
    const read = readDocument(this.#last.slice(from, end));
    return read.map(({ block }, index) => ({ block, end: from + (read[index + 1]?.at ?? end - from) }));
  }

  /** Freezes all blocks but the last, and gives them. */
  #freeze(blocks: readonly Ended[]): Ended[] {
    const settled = blocks.slice(0, -1);
    for (const { end } of settled) this.#ends.push(end);
    this.#frozen = this.#last.slice(0, this.#ends.at(-1) ?? 0);
    return settled;
  }

  /**
   * A delta may replace text that was already shown: blocks that are no longer there thaw, and the one before them too,
   * because it was frozen on account of the line after it (a paragraph is a heading when `===` follows).
   */
  #takeBack(text: string): void {
    while (!text.startsWith(this.#frozen)) this.#thawLast();
    this.#thawLast();
    this.#linesSeen = this.#frozen.length;
  }

  #thawLast(): void {
    this.#ends.pop();
    this.#frozen = this.#frozen.slice(0, this.#ends.at(-1) ?? 0);
  }
}

/** A block, and where it ends in the text with the blank lines after it. */
interface Ended {
  readonly block: Block;
  readonly end: number;
}
