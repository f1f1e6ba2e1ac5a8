import { Lexer, Tokenizer, type MarkedOptions, type Token, type Tokens } from 'marked';

/** A block of a text as `marked` reads it. Its inline Markdown is not read. */
export interface LexedBlock {
  readonly token: Token;
  /** Offset of its first line in the text, in UTF-16 units, line ends counted as one. */
  readonly at: number;
}

/**
 * UTF-16 units that are read at once: what costs the square of its length (`marked` has such cases) is bounded by this, so that
 * a text of any length takes linear time.
 */
const longestPiece = 20_000;
/** A longer first line of a fence or table is not repeated above the rest of it. */
const longestOpening = 2_000;
/** Levels of quotations and lists that are followed. */
const deepest = 8;
/** More marks at the beginning of a line, which cost `marked` the square of their number. A rule may be made of them. */
const tooDeep = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){9,}(?=[^-*_ \t\n]|[-*_]\S)/m;

/** Grammar of GitHub without code by indentation: in documentation, that is the body of a note or an item. */
class BoundedTokenizer extends Tokenizer {
  readsLists = true;
  #depth = 0;

  override code(): undefined {
    return undefined;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.readsLists ? this.#nested(() => super.list(src)) : undefined;
  }

  /** A comment that nothing closes hides nothing. */
  override html(src: string): Tokens.HTML | undefined {
    return /^ {0,3}<!--/.test(src) && !src.includes('-->') ? undefined : super.html(src);
  }

  #nested<T>(read: () => T): T | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

const tokenizer = new BoundedTokenizer();
const options: MarkedOptions = { gfm: true, tokenizer };

/** The blocks of a text, in order, without blank lines. */
export function* lexBlocks(markdown: string): Generator<LexedBlock> {
  const text = markdown.replace(/\r\n?/g, '\n');
  let opening = '';
  let last: LexedBlock | undefined;
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    const piece = opening + text.slice(start, end);
    let at = start - opening.length;
    tokenizer.readsLists = !tooDeep.test(piece);
    const tokens = new Lexer(options).blockTokens(piece);
    for (const token of tokens) {
      if (last !== undefined && at < start) join(last.token, token, opening);
      else if (token.type !== 'space') {
        if (last !== undefined) yield last;
        last = { token, at };
      }
      at += token.raw.length;
    }
    opening = end < text.length ? openingOf(tokens, text.slice(end - 2, end)) : '';
    start = end;
  }
  if (last !== undefined) yield last;
}

/** Adds to a fence or a table its next part, above which its opening was repeated. */
function join(block: Token, next: Token, opening: string): void {
  block.raw += next.raw.slice(opening.length);
  if (block.type === 'table') for (const one of (next as Tokens.Table).rows) (block as Tokens.Table).rows.push(one);
  else {
    const code = block as Tokens.Code;
    code.text += `${code.text.endsWith('\n') ? '' : '\n'}${(next as Tokens.Code).text}`;
  }
}

/** After the last blank line of a piece that no list continues after, else its last blank line, else its last line. */
function endOfPiece(text: string, start: number): number {
  if (text.length - start <= longestPiece) return text.length;
  const piece = text.slice(start, start + longestPiece);
  const half = longestPiece / 2;
  for (let at = piece.lastIndexOf('\n\n'); at > half; at = piece.lastIndexOf('\n\n', at - 1))
    if (/[^\s>|*+\d-]/.test(text[start + at + 2] ?? '')) return start + at + 2;
  const blank = piece.lastIndexOf('\n\n');
  if (blank > 0) return start + blank + 2;
  const line = piece.lastIndexOf('\n');
  return start + (line > 0 ? line + 1 : piece.toWellFormed() === piece ? longestPiece : longestPiece - 1);
}

/** What is repeated above the next piece, because the last block of this one continues there. */
function openingOf(tokens: readonly Token[], end: string): string {
  const last = tokens.findLast(({ type }) => type !== 'space');
  if (last?.type === 'code') {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(last.raw)?.[1] ?? '';
    const isClosed = new RegExp(String.raw`\n {0,3}${mark}${mark[0]}*[ \t]*\n*$`).test(last.raw);
    return isClosed ? '' : linesOf(last.raw, 1);
  }
  return last?.type === 'table' && end !== '\n\n' ? linesOf(last.raw, 2) : '';
}

function linesOf(raw: string, count: number): string {
  const lines = `${raw.split('\n', count).join('\n')}\n`;
  return lines.length <= longestOpening ? lines : '';
}
