import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';

/** Lists in `src/sources/words/`; `en` and `names` hold stems. */
export type WordList = 'en' | 'names' | 'de' | 'fr' | 'ko' | 'zh';

/**
 * The words of a list, which is one a line, packed with Brotli. Import this module when it is needed, and never with others: a
 * chunk of its own is, like the source, in a folder beside `words/`.
 */
export async function readWords(list: WordList): Promise<ReadonlySet<string>> {
  const packed = await readFile(new URL(`../words/${list}.br`, import.meta.url));
  return new Set(brotliDecompressSync(packed).toString('utf8').split('\n'));
}
