import type { BlockPlace } from './blockReader.ts';
import type { Alignment } from './tableCells.ts';
import type { Inline } from './tree.ts';
import { writeInlines } from './writeInlines.ts';

/** Names of languages that nothing draws: a fence of another language is written without its name. */
const plainLanguages = new Set(
  'bash sh shell zsh console powershell c cpp csharp cs css diff dockerfile fortran go graphql haskell hcl html ini java javascript js json jsonc jsx julia kotlin latex tex less lua makefile markdown md matlab objectivec ocaml perl php proto python py r ruby rb rust rs scala scss sql swift terraform text txt toml ts tsx typescript vb xml yaml yml zig'.split(
    ' ',
  ),
);

/** The paragraph that is being written. */
interface Paragraph {
  readonly place: BlockPlace;
  isWritten: boolean;
  /** White space that comes with the next unit. */
  space: string;
}

/**
 * The renderer: writes blocks of checked nodes as Markdown, each as soon as it is given. Between two blocks is one blank
 * line, none between items of a list and rows of a table. A paragraph of which nothing is left leaves no trace, its mark
 * of an item neither.
 */
export class MarkdownWriter {
  #last: 'none' | 'block' | 'item' | 'row' = 'none';
  #quotes = 0;
  /** Widths of the markers of the items that the next one may be nested in. */
  #widths: number[] = [];
  #paragraph: Paragraph | undefined;
  #fence = '';
  #indent = '';

  heading(level: number, nodes: readonly Inline[]): string {
    const text = writeInlines(nodes).trim();
    // A closing `#` is not part of a heading.
    return text === ''
      ? ''
      : this.#begin('block', []) + `${'#'.repeat(level)} ${text.replace(/(^|\s)(#+)$/, '$1\\$2')}\n`;
  }

  /** Blocks that were written from nodes elsewhere, one below the other. */
  passage(blocks: readonly string[]): string {
    return blocks.map((block) => `${this.#begin('block', [])}${block}\n`).join('');
  }

  /** Further rows of the table that was written last. */
  rows(rows: readonly string[]): string {
    this.#last = 'row';
    return rows.map((line) => `${line}\n`).join('');
  }

  startParagraph(place: BlockPlace): void {
    this.#paragraph = { place, isWritten: false, space: '' };
  }

  /** A sentence of the open paragraph. `space`: is there a space behind it? */
  unit(nodes: readonly Inline[], space: boolean): string {
    const paragraph = this.#paragraph!;
    const text = writeInlines(nodes, paragraph.isWritten ? 'middle' : 'start').trim();
    if (text === '') return '';
    // No space follows a Chinese full stop, but the two sides of it must not read as one address.
    const gap = paragraph.space === '' && /^[\w/\\&]/.test(text) ? ' ' : paragraph.space;
    const out = (paragraph.isWritten ? gap : this.#beginParagraph(paragraph.place)) + text;
    paragraph.isWritten = true;
    // A link behind an exclamation mark would be an image.
    paragraph.space = space || text.endsWith('!') ? ' ' : '';
    return out;
  }

  endParagraph(): string {
    const isWritten = this.#paragraph?.isWritten === true;
    this.#paragraph = undefined;
    return isWritten ? '\n' : '';
  }

  header(cells: readonly (readonly Inline[])[], align: readonly Alignment[]): string {
    const marks = align.map((side) => ({ left: ':---', center: ':---:', right: '---:', '': '---' })[side]);
    return `${this.#begin('block', [])}${row(cells)}| ${marks.join(' | ')} |\n`;
  }

  row(cells: readonly (readonly Inline[])[]): string {
    this.#last = 'row';
    return row(cells);
  }

  fence(mark: string, info: string, depth: number, quotes = 0): string {
    // A list outside a quote does not continue inside it.
    const widths = quotes === this.#quotes ? this.#widths.slice(0, depth) : [];
    const start = this.#begin('block', widths, quotes);
    this.#indent = '> '.repeat(quotes) + ' '.repeat(sum(widths));
    this.#fence = mark;
    return `${start}${this.#indent}${this.#fence}${plainLanguages.has(info) ? info : ''}\n`;
  }

  line(text: string): string {
    return `${text.trim() === '' ? this.#indent.trimEnd() : this.#indent + text}\n`;
  }

  endFence(): string {
    return `${this.#indent}${this.#fence}\n`;
  }

  #beginParagraph(place: BlockPlace): string {
    const quote = '> '.repeat(place.quotes);
    // A list outside a quote does not continue inside it.
    if (place.quotes !== this.#quotes) this.#widths = [];
    if (place.item === undefined) {
      const widths = this.#widths.slice(0, place.depth);
      return this.#begin('block', widths, place.quotes) + quote + ' '.repeat(sum(widths));
    }
    const above = this.#widths.slice(0, Math.max(0, place.depth - 1));
    const marker = place.item === 'bullet' ? '- ' : `${place.item}. `;
    return this.#begin('item', [...above, marker.length], place.quotes) + quote + ' '.repeat(sum(above)) + marker;
  }

  #begin(kind: 'block' | 'item', widths: readonly number[], quotes = 0): string {
    const isSibling = kind === 'item' && this.#last === 'item' && quotes === this.#quotes;
    const gap = this.#last === 'none' || isSibling ? '' : '\n';
    this.#last = kind;
    this.#quotes = quotes;
    this.#widths = [...widths];
    return gap;
  }
}

function row(cells: readonly (readonly Inline[])[]): string {
  return `| ${cells.map((nodes) => writeInlines(nodes, 'cell').trim()).join(' | ')} |\n`;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
