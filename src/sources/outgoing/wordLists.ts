import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';

/** Lists in `src/sources/words/`; `en`, `names` and `public` hold stems. */
export type WordList = 'en' | 'names' | 'public' | 'terms' | 'de' | 'fr' | 'ko' | 'zh';

/** A list of words, for {@link Words.has} alone. */
export interface Words {
  has(word: string): boolean;
}

/**
 * The words of a list, which is sorted and one a line, packed with Brotli. Import this module when it is needed, and never with others: a
 * chunk of its own is, like the source, in a folder beside `words/`.
 */
export async function readWords(list: WordList): Promise<Words> {
  const packed = await readFile(new URL(`../words/${list}.br`, import.meta.url));
  const lines = `\n${brotliDecompressSync(packed).toString('utf8')}\n`;
  return { has: (word) => hasLine(lines, word) };
}

/** Binary search among sorted lines, with a line feed at both ends: a set of them takes six times as long to make, and seven times the memory. */
function hasLine(lines: string, word: string): boolean {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const start = lines.lastIndexOf('\n', (low + high) >> 1);
    const end = lines.indexOf('\n', start + 1);
    const line = lines.slice(start + 1, end);
    if (line === word) return true;
    if (line < word) low = end;
    else high = start;
  }
  return false;
}
