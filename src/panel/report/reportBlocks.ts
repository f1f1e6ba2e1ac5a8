import type { Token } from 'marked';
import { lexBlocks } from './markdown.ts';

export interface BlockChange {
  /** How many blocks from the start are as they were at the last call, and stay so unless the report is taken back. */
  readonly kept: number;
  /** Every block after them. The last one may still grow. */
  readonly blocks: readonly Token[];
}

/**
 * Cuts a growing Markdown text into blocks and reads each only while it can change. In Markdown a line can only change the
 * block that is open, the last one: once a line of a later block is complete, all blocks before it are frozen and never
 * read again.
 */
export class ReportBlocks {
  /** The text of the frozen blocks, with the blank lines after each. */
  private frozen = '';
  /** Where each frozen block ends in {@link frozen}, its blank lines included. */
  private ends: number[] = [];
  private last = '';

  /** `text` is the whole report so far. */
  update(text: string): BlockChange {
    if (!text.startsWith(this.last)) this.takeBack(text);
    this.last = text;
    const kept = this.ends.length;
    const settled = this.freeze(text);
    const open = lexBlocks(text.slice(this.frozen.length)).filter(isBlock);
    return { kept, blocks: [...settled, ...open] };
  }

  /**
   * A delta may replace text that was already shown: blocks that are no longer there thaw, and the one before them too,
   * because it was frozen on account of the line after it (a paragraph is a heading when `===` follows).
   */
  private takeBack(text: string): void {
    while (!text.startsWith(this.frozen)) this.thawLast();
    this.thawLast();
  }

  private thawLast(): void {
    this.ends.pop();
    this.frozen = this.frozen.slice(0, this.ends.at(-1) ?? 0);
  }

  /** Freezes what can't change any more, and gives it. Only whole lines count: half of one may turn into anything. */
  private freeze(text: string): Token[] {
    const from = this.frozen.length;
    const wholeLines = text.slice(from, text.lastIndexOf('\n') + 1);
    const tokens = lexBlocks(wholeLines);
    const last = tokens.findLastIndex(isBlock);
    const settled: Token[] = [];
    let end = from;
    for (const token of tokens.slice(0, Math.max(0, last))) {
      end += token.raw.length;
      if (isBlock(token)) {
        settled.push(token);
        this.ends.push(end);
      } else if (this.ends.length > 0) {
        this.ends[this.ends.length - 1] = end;
      }
    }
    this.frozen = text.slice(0, end);
    return settled;
  }
}

function isBlock(token: Token): boolean {
  return token.type !== 'space';
}
