import { settledLength, splitSentences } from '../text/sentences.ts';
import { figureSet } from './figures.ts';
import { normalizeForQuote } from './quotes.ts';
import type { Source } from './source.ts';
import { claimsOf, findSupporter, hasQuote, unsupported } from './support.ts';
import { parseUnit, visibleText, type Piece } from './unit.ts';

/** What may be cited. */
export interface CitableEvidence {
  get(id: string): Source | undefined;
  byUrl(url: string): Source | undefined;
  /** All sources that the report may lean on. */
  readonly candidates: readonly Source[];
}

export interface CitationCounts {
  /** References: distinct sources that the text cites. */
  readonly cited: number;
  /** Ids, addresses, figures and sentences that were taken out because no source of the run supports them. */
  readonly dropped: number;
  /** References of which a quote or figure was found in the stored text. */
  readonly verified: number;
}

interface Block {
  /** List or quote marker; written with the first sentence that survives. */
  readonly prefix: string;
  text: string;
  /** How much of `text` is done. */
  done: number;
  written: boolean;
  /** White space after the last sentence that was written; it comes with the next one. */
  space: string;
  /** Sources that the block's earlier sentences cite. */
  readonly cited: Source[];
}

const blockPrefix = /^(?:[ \t]*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+|>[ \t]?))+|^[ \t]+/;

/**
 * Turns what a model writes, source ids as markers, into the text that is shown: `[S3f9a1]` becomes `[1]`, `[2]`, … in order
 * of appearance. Text is held back to the end of a sentence, list item or table row; its ids, addresses, figures and
 * quotations are checked against the stored sources; what is not supported is mended (by the source that does support it)
 * or taken out, and counted. The result does not depend on how the text was cut into pieces.
 */
export class CitationWriter {
  readonly #evidence: CitableEvidence;
  readonly #allowedFigures: ReadonlySet<string>;
  readonly #allowedText: string;
  readonly #order: string[] = [];
  readonly #verified: Set<string>;
  #dropped = 0;
  #half = '';
  #line = '';
  #inProse = false;
  #block: Block | undefined;
  #fence: string | undefined;
  #tableRow = 0;
  #blankBefore = true;

  /**
   * @param given Text whose figures and words need no source: the question, the titles of the plan, today's date.
   * @param verified Ids of sources of which a quote has been found in the text already.
   */
  constructor(evidence: CitableEvidence, given: string, verified: Iterable<string> = []) {
    this.#evidence = evidence;
    this.#allowedFigures = figureSet(given);
    this.#allowedText = normalizeForQuote(given);
    this.#verified = new Set(verified);
  }

  /** Ids of the cited sources: number n is the n-th. */
  get order(): readonly string[] {
    return this.#order;
  }

  get counts(): CitationCounts {
    return {
      cited: this.#order.length,
      dropped: this.#dropped,
      verified: this.#order.filter((id) => this.#verified.has(id)).length,
    };
  }

  /** Takes a piece of the model's text and gives what is settled by now. */
  push(piece: string): string {
    let out = '';
    // Half a character says nothing about what it will be.
    const text = this.#half + piece;
    this.#half = /[\uD800-\uDBFF\r]$/.exec(text)?.[0] ?? '';
    for (const part of text
      .slice(0, text.length - this.#half.length)
      .replace(/\r\n?/g, '\n')
      .split(/(?<=\n)/)) {
      const complete = part.endsWith('\n');
      if (this.#inProse) out += this.#continueProse(part, complete);
      else {
        this.#line += part;
        out += this.#takeLine(complete);
      }
    }
    return out;
  }

  /** Gives the rest. The writer can go on afterwards, with a new block. */
  finish(): string {
    let out = '';
    this.#half = '';
    if (!this.#inProse && this.#line !== '') {
      this.#line += '\n';
      out += this.#takeLine(true);
    }
    out += this.#endBlock();
    if (this.#fence !== undefined) {
      out += `${this.#fence}\n`;
      this.#fence = undefined;
    }
    this.#inProse = false;
    return out;
  }

  /** Adds text of the program itself, which is not checked, after everything that was pushed before. */
  trusted(text: string): string {
    const out = this.finish();
    this.#blankBefore = /\n\s*\n$|^\s*$/.test(text);
    return out + text;
  }

  #takeLine(complete: boolean): string {
    const line = this.#line;
    const body = complete ? line.slice(0, -1) : line;
    if (this.#fence !== undefined) return complete ? this.#fencedLine(body) : '';
    // The first characters tell the kind of line.
    if (!complete && body.trimStart().length < 8) return '';
    const whole = /^ {0,3}(?:#{1,6}(?:\s|$)|```|~~~|\|)|^\s*$|^ {0,3}(?:[-*_=]\s*){3,}$|^ {0,3}\[[^\]]+\]:/.test(body);
    if (whole) {
      if (!complete) return '';
      this.#line = '';
      return this.#endBlock() + this.#wholeLine(body);
    }
    this.#line = '';
    let out = '';
    const prefix = blockPrefix.exec(body)?.[0] ?? '';
    const opensBlock = this.#block === undefined || /\S/.test(prefix);
    if (opensBlock) {
      out += this.#endBlock();
      this.#tableRow = 0;
      this.#block = { prefix, text: '', done: 0, written: false, space: '', cited: [] };
    }
    this.#inProse = true;
    return out + this.#continueProse(line.slice(opensBlock ? prefix.length : 0), complete);
  }

  #continueProse(part: string, complete: boolean): string {
    const block = this.#block!;
    block.text += part;
    if (complete) this.#inProse = false;
    const settled = settledLength(block.text);
    return settled > block.done ? this.#writeUnits(block, settled) : '';
  }

  #endBlock(): string {
    const block = this.#block;
    if (!block) return '';
    this.#block = undefined;
    block.text = block.text.replace(/\s+$/, '');
    const out = this.#writeUnits(block, block.text.length);
    if (!block.written) return out;
    this.#blankBefore = false;
    return `${out}\n`;
  }

  #writeUnits(block: Block, until: number): string {
    let out = '';
    for (const sentence of splitSentences(block.text.slice(block.done, until))) {
      const unit = this.#writeSentence(sentence.text, block);
      if (unit === '') continue;
      const words = unit.trimEnd();
      out += (block.written ? block.space : block.prefix) + words;
      block.space = unit.slice(words.length);
      block.written = true;
    }
    block.done = Math.max(block.done, until);
    return out;
  }

  #wholeLine(body: string): string {
    if (body.trim() === '') {
      this.#tableRow = 0;
      if (this.#blankBefore) return '';
      this.#blankBefore = true;
      return '\n';
    }
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(body)?.[1];
    // Rules, underlines of headings and definitions of links have no place in a report.
    if (/^ {0,3}(?:[-*_=]\s*){3,}$/.test(body) || /^ {0,3}\[[^\]]+\]:/.test(body)) {
      if (body.includes('[')) this.#dropped += 1;
      return '';
    }
    this.#blankBefore = false;
    if (fence) {
      this.#fence = fence;
      return `${fence}${(/^ {0,3}[`~]+\s*([\w+#.-]*)/.exec(body)?.[1] ?? '').slice(0, 30)}\n`;
    }
    const heading = /^ {0,3}(#{1,6})\s*(.*?)\s*#*\s*$/.exec(body);
    if (heading) {
      const text = this.#plainLine(heading[2]!);
      return text === '' ? '' : `${heading[1]} ${text}\n`;
    }
    return this.#tableLine(body);
  }

  #fencedLine(body: string): string {
    this.#line = '';
    const close = new RegExp(`^ {0,3}${this.#fence![0] === '`' ? '`' : '~'}{${this.#fence!.length},}\\s*$`).test(body);
    if (!close) return `${body.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')}\n`;
    const fence = this.#fence!;
    this.#fence = undefined;
    return `${fence}\n`;
  }

  /** A heading: words only. */
  #plainLine(text: string): string {
    const pieces = parseUnit(text);
    this.#dropped += pieces.filter((piece) => piece.type === 'url' || piece.type === 'invented').length;
    return tidy(visibleText(pieces)).trim();
  }

  #tableLine(body: string): string {
    this.#tableRow += 1;
    if (/^[\s|:-]+$/.test(body)) return `${body.trim()}\n`;
    const cells = body
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => parseUnit(cell.trim()));
    if (this.#tableRow === 1) return `| ${cells.map((cell) => tidy(visibleText(cell)).trim()).join(' | ')} |\n`;
    const row = this.#known(cells.flat());
    const text = cells.map((pieces) => {
      const claims = claimsOf(visibleText(pieces), this.#allowedFigures, this.#allowedText);
      if (claims.figures.length === 0 && claims.quotations.length === 0) return this.#render(pieces, []).trim();
      const open = unsupported(claims, row);
      const sentence = visibleText(cells.flat());
      const supporter =
        open.figures.length + open.quotations.length > 0
          ? findSupporter(sentence, open, this.#evidence.candidates)
          : undefined;
      if (open.figures.length + open.quotations.length > 0 && !supporter) {
        this.#dropped += 1;
        return '—';
      }
      this.#markVerified(claims, supporter ? [...row, supporter] : row);
      return this.#render(pieces, supporter ? [supporter] : []).trim();
    });
    return `| ${text.join(' | ')} |\n`;
  }

  /** One sentence, checked; "" when it has to go. */
  #writeSentence(text: string, block: Block): string {
    const pieces = parseUnit(text);
    const visible = visibleText(pieces);
    if (!/[\p{L}\p{N}]/u.test(visible)) {
      // Nothing but markers: they belong to the sentence before and count if they are known.
      return this.#known(pieces).length > 0 ? this.#render(pieces, []) : (this.#render(pieces, []), '');
    }
    const cited = this.#known(pieces);
    const claims = claimsOf(visible, this.#allowedFigures, this.#allowedText);
    const added: Source[] = [];
    let open = unsupported(claims, cited);
    if (open.figures.length + open.quotations.length > 0) {
      const earlier = cited.length === 0 ? block.cited.filter((source) => supports(open, source)) : [];
      const supporter = earlier.at(-1) ?? findSupporter(visible, open, this.#evidence.candidates);
      if (!supporter) {
        this.#dropped += 1;
        return '';
      }
      added.push(supporter);
      open = unsupported(claims, [...cited, supporter]);
    }
    this.#markVerified(claims, [...cited, ...added]);
    for (const source of cited)
      if (!this.#verified.has(source.id) && hasQuote(source, visible)) this.#verified.add(source.id);
    block.cited.push(...cited, ...added);
    return this.#render(pieces, added);
  }

  #markVerified(claims: ReturnType<typeof claimsOf>, sources: readonly Source[]): void {
    if (claims.figures.length + claims.quotations.length === 0) return;
    for (const source of sources) if (supports(claims, source)) this.#verified.add(source.id);
  }

  #known(pieces: readonly Piece[]): Source[] {
    const found = pieces.flatMap((piece) => {
      if (piece.type === 'ids') return piece.ids.map((id) => this.#evidence.get(id));
      return piece.type === 'url' ? [this.#evidence.byUrl(piece.url)] : [];
    });
    return [...new Set(found.filter((source) => source !== undefined))];
  }

  /** Writes the pieces with numbers; `added` sources are cited at the end, before the closing full stop. */
  #render(pieces: readonly Piece[], added: readonly Source[]): string {
    let out = '';
    let group: number[] = [];
    let removed = false;
    const endGroup = (): void => {
      if (group.length === 0) return;
      const space = /[\s(（]$/.test(out) || out === '' || /[\p{Script=Han}。！？]$/u.test(out) ? '' : ' ';
      out += space + [...new Set(group)].map((number) => `[${number}]`).join('');
      group = [];
    };
    for (const piece of pieces) {
      if (piece.type === 'text' || piece.type === 'code') {
        if (group.length > 0 && piece.text.trim() === '') continue;
        endGroup();
        out += piece.text;
        continue;
      }
      const sources =
        piece.type === 'ids'
          ? piece.ids.map((id) => this.#evidence.get(id))
          : piece.type === 'url'
            ? [this.#evidence.byUrl(piece.url)]
            : [undefined];
      for (const source of sources) {
        if (source) group.push(this.#number(source));
        else {
          this.#dropped += 1;
          removed = true;
        }
      }
    }
    const trailing = /\s*$/.exec(pieces.at(-1)?.type === 'text' ? (pieces.at(-1) as { text: string }).text : '')![0];
    endGroup();
    if (added.length > 0) {
      const marks = added.map((source) => `[${this.#number(source)}]`).join('');
      out = out.trimEnd().replace(/([.!?。！？]*)$/u, (stop) => ` ${marks}${stop}`);
    }
    return (
      (removed ? tidy(out.trimEnd()) : out.trimEnd()) +
      (trailing === '' && pieces.at(-1)?.type !== 'text' ? ' ' : trailing)
    );
  }

  #number(source: Source): number {
    const at = this.#order.indexOf(source.id);
    return at >= 0 ? at + 1 : this.#order.push(source.id);
  }
}

function supports(claims: ReturnType<typeof claimsOf>, source: Source): boolean {
  const open = unsupported(claims, [source]);
  return open.figures.length + open.quotations.length === 0;
}

/** Closes the gaps that removed markers leave. */
function tidy(text: string): string {
  return text
    .replace(/[(（[]\s*[,;、，]*\s*[)）\]]/gu, '')
    .replace(/[ \t]+([.,;:!?。，；：！？)])/gu, '$1')
    .replace(/(\S)[ \t]{2,}/g, '$1 ');
}
