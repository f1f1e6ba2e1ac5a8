import type { Words } from './wordLists.ts';

/** What anybody knows without the user's files: stems of English words, and of names of public techniques and software. */
export interface Vocabulary {
  readonly words: Words;
  readonly names: Words;
}

let loaded: Promise<Vocabulary> | undefined;

/** Loaded on first use, once a process. */
export function loadVocabulary(): Promise<Vocabulary> {
  loaded ??= import('./wordLists.ts').then(async ({ readWords }) => ({
    words: await readWords('en'),
    names: await readWords('names'),
  }));
  return loaded;
}
