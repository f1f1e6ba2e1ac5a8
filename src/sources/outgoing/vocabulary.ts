import { isStopword } from '../../research/text/stopwords.ts';
import { fold } from '../../research/text/tokenize.ts';
import { stem } from '../../research/text/stem.ts';
import type { Words } from './wordLists.ts';

/** Pieces of an identifier that say nothing by themselves. */
const isLetters = /^\p{Script=Latin}{1,2}$/u;
/** Shorter names of packages are abbreviations of anything: hosts are called so too. */
const leastPackage = 4;
/** Words of an identifier: humps, runs of capitals, what is between its marks. */
const humps = /\p{Lu}{1,64}(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu;

/** What anybody knows without the user's files: English words, and names of public techniques and software. */
export class Vocabulary {
  readonly #english: Words;
  readonly #names: Words;
  readonly #packages: Words;
  readonly #terms: Words;

  /**
   * @param english Stems.
   * @param names Stems.
   * @param packages Stems.
   * @param terms Words that software is described with.
   */
  constructor(english: Words, names: Words, packages: Words, terms: Words) {
    this.#english = english;
    this.#names = names;
    this.#packages = packages;
    this.#terms = terms;
  }

  isEnglish(word: string): boolean {
    return this.#english.has(stem(fold(word)));
  }

  isName(word: string): boolean {
    return this.#hasName(stem(fold(word)));
  }

  #hasName(stemmed: string): boolean {
    return this.#names.has(stemmed) || (stemmed.length >= leastPackage && this.#packages.has(stemmed));
  }

  /** A name that is no word of the dictionary: TLS, nginx. */
  isCoined(word: string): boolean {
    return this.isName(word) && !this.isEnglish(word);
  }

  /** A function word, a letter or two, or a word that software is described with. */
  isTerm(word: string): boolean {
    return isLetters.test(word) || isStopword(word) || this.#terms.has(word);
  }

  /** Whether the stem is one of a word or a name. */
  hasStem(stemmed: string): boolean {
    return this.#english.has(stemmed) || this.#hasName(stemmed);
  }

  /** Words of an identifier that is made of letters alone; undefined for one of pieces that are too short for words. */
  wordsOf(identifier: string): readonly string[] | undefined {
    const words = /^\p{L}+(?:[_/-]\p{L}+)*$/u.test(identifier) ? (identifier.match(humps) ?? []) : [];
    return words.length > 1 && hasWords(words) ? words.map(fold) : undefined;
  }
}

/** Words, rather than what is cut into letters. */
export function hasWords(parts: readonly string[]): boolean {
  return 2 * parts.filter((part) => isLetters.test(part)).length <= parts.length;
}

let loaded: Promise<Vocabulary> | undefined;

/** Loaded on first use, once a process. */
export function loadVocabulary(): Promise<Vocabulary> {
  loaded ??= import('./wordLists.ts').then(async ({ readWords }) => {
    const [english, names, packages, terms] = await Promise.all([
      readWords('en'),
      readWords('names'),
      readWords('public'),
      readWords('terms'),
    ]);
    return new Vocabulary(english, names, packages, terms);
  });
  return loaded;
}
