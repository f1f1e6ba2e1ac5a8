import { bareWords } from '../text/tokenize.ts';

/** Longest line that may still turn out to be a heading, in UTF-16 units. */
const longestHeading = 300;

/**
 * The text of one section as a model writes it, piece by piece: without a heading of its own at the beginning, other headings below
 * the section's. The result does not depend on how the text was cut into pieces.
 */
export class SectionText {
  readonly #title: string;
  #line = '';
  /** The line's beginning was returned already: the rest is returned as it arrives. */
  #passes = false;
  #hasText = false;

  constructor(title: string) {
    this.#title = bareWords(title);
  }

  push(text: string): string {
    let out = '';
    for (const piece of text.split(/(?<=\n)/)) {
      if (this.#passes) out += piece;
      else {
        this.#line += piece;
        if (this.#isOpen()) continue;
        out += this.#settled();
      }
      this.#passes = !piece.endsWith('\n');
    }
    return out;
  }

  end(): string {
    const rest = this.#line === '' ? '' : this.#settled();
    this.#passes = false;
    return rest;
  }

  /** More text may change what the line is. */
  #isOpen(): boolean {
    const line = this.#line;
    return !line.endsWith('\n') && line.length < longestHeading && (line.trim() === '' || /^ {0,3}#/.test(line));
  }

  #settled(): string {
    const line = this.#line;
    this.#line = '';
    const [, marks = '', words = ''] = /^ {0,3}(#{1,6})\s([^\n]*)/.exec(line) ?? [];
    if (
      !this.#hasText &&
      (line.trim() === '' || marks.length === 1 || (marks !== '' && bareWords(words) === this.#title))
    )
      return '';
    this.#hasText = true;
    return marks === '' ? line : line.replace(/^ {0,3}#{1,6}/, marks.length <= 3 ? '###' : '####');
  }
}

/** {@link SectionText} of a whole text. */
export function sectionText(title: string, text: string): string {
  const section = new SectionText(title);
  return (section.push(text) + section.end()).trim();
}
