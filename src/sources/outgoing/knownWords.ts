import { trimEnd } from '../../research/text/trimEnd.ts';
import { fold, tokensOf } from '../../research/text/tokenize.ts';
import { formsOf, hashOf, phrasesOf } from './folderWords.ts';

/** UTF-16 units of one text that are read for its words. */
const longestText = 400_000;

/** What the user asked and what public sources of this run say. */
export class KnownWords {
  readonly #forms = new Set<string>();
  readonly #phrases = new Set<number>();
  readonly #addresses = new Set<string>();

  /** Linear in the text's length. */
  add(text: string): void {
    const row: number[] = [];
    const read = text.slice(0, longestText);
    for (const token of tokensOf(read)) {
      for (const form of formsOf(token)) this.#forms.add(form);
      row.push(hashOf(fold(token)));
    }
    for (const phrase of phrasesOf(row)) this.#phrases.add(phrase);
    for (const [doi] of read.matchAll(/\b10\.\d{4,9}\/[^\s"'<>]+/g)) this.#forms.add(fold(trimEnd(doi, '.,;:!?)]')));
    this.addAddresses(read);
  }

  /** The addresses alone. */
  addAddresses(text: string): void {
    const read = text.slice(0, longestText);
    for (const [address] of read.matchAll(/\bhttps?:\/\/[^\s"'<>()[\]]+/gi)) this.#addresses.add(normalised(address));
  }

  /** @param form Folded. */
  has(form: string): boolean {
    return this.#forms.has(form);
  }

  hasPhrase(phrase: number): boolean {
    return this.#phrases.has(phrase);
  }

  hasAddress(address: string): boolean {
    return this.#addresses.has(normalised(address));
  }
}

/** Without what a sentence puts behind an address. */
function normalised(address: string): string {
  const bare = trimEnd(address.split('#', 1)[0]!, '.,;:!?)]');
  return URL.canParse(bare) ? new URL(bare).href.replace(/\/$/, '') : bare;
}
