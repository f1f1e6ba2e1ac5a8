import { brotliDecompressSync } from 'node:zlib';

/** What anybody knows without the user's files: stems of English words, and of names of public techniques and software. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

let loaded: Promise<Vocabulary> | undefined;

/** Loaded on first use, once a process: some 20 ms and 10 MB. */
export function loadVocabulary(): Promise<Vocabulary> {
  loaded ??= import('./vocabularyData.ts').then(({ packedWords, packedNames }) => ({
    words: unpacked(packedWords),
    names: unpacked(packedNames),
  }));
  return loaded;
}

function unpacked(packed: string): ReadonlySet<string> {
  return new Set(brotliDecompressSync(Buffer.from(packed, 'base64')).toString('utf8').split('\n'));
}
