import { Slices } from '../../research/calls/slices.ts';
import type { WorkspacePort } from '../../research/ports.ts';
import type { WorkspaceFacts } from '../../research/tools.ts';
import { isPdf } from '../../research/text/passages.ts';
import { fold, termsOf, tokensOf } from '../../research/text/tokenize.ts';
import { hanNumbers } from './spellings.ts';
import { readQuietly } from '../workspaceFacts.ts';

/** Reading a folder for its words ends here. What a model is shown is known in any case. */
const longestReadMs = 10_000;
const mostBytes = 100_000_000;
const parallel = 16;
/** Tokens in a row that are a sentence of their text, not a term of the field. */
export const phraseLength = 5;
/** Bits of the filter of phrases (Bloom 1970): 8 MB, 1 % false positives at 3 million phrases. */
const filterBits = 2 ** 26;
const mostSeen = 100_000;
const isAscii = /^[\x00-\x7f]*$/;
const namesInAscii = /(?<=[a-z0-9,;:)] )[A-Z][A-Za-z]+/g;
const namesInText = /(?<=[\p{Ll}\p{N},;:)] )\p{Lu}\p{L}+/gu;

/**
 * The words, names and phrases of the user's files, as hashes: texts are not held. 32 bits, so that one word in 10,000 is
 * taken for one of the files' when they have 400,000.
 */
export class FolderWords {
  readonly #words = new Set<number>();
  /** Words with a capital within a sentence, and words without. */
  readonly #capitalised = new Set<number>();
  readonly #plain = new Set<number>();
  /** Words with a capital anywhere. */
  readonly #initial = new Set<number>();
  /** Names of several words without their joints (`ZephyrQuill`, `data_lake_omega`, the file `data_lake.sql`), and numbers written in groups. */
  readonly #joined = new Set<number>();
  /** Names of files, folders, packages and repositories. */
  readonly #names = new Set<number>();
  #phrases: Uint32Array | undefined;
  /** Tokens by their hash, most of which come again and again. */
  readonly #seen = new Map<string, number>();

  /** A text of the folder. Linear in its length. */
  add(text: string): void {
    const row: number[] = [];
    for (const token of tokensOf(text)) row.push(this.#learn(token));
    // A capital after a small letter is no beginning of a sentence; headings capitalise everything.
    const prose = text.replace(/^ {0,3}#.*$/gm, '');
    for (const [word] of prose.matchAll(isAscii.test(text) ? namesInAscii : namesInText))
      this.#capitalised.add(hashOf(fold(word)));
    for (const [groups] of text.matchAll(numberGroups)) {
      const joined = joinedForm(groups);
      // An account without the letters of its country too.
      for (const form of [joined, digitsOf(joined)]) this.#joined.add(hashOf(form));
    }
    this.#phrases ??= new Uint32Array(filterBits / 32);
    for (const phrase of phrasesOf(row)) for (const bit of bitsOf(phrase)) this.#phrases[bit >>> 5]! |= 1 << (bit & 31);
  }

  /** The hash of a token in its folded form, whose words are known from now on. */
  #learn(token: string): number {
    const seen = this.#seen.get(token);
    if (seen !== undefined) return seen;
    const whole = fold(token);
    const hash = hashOf(whole);
    for (const form of formsOf(token)) this.#words.add(hashOf(form));
    if (identifier.test(token)) this.#joined.add(hashOf(joinedForm(token)));
    if (/^[\d.,'’]{5,}$/.test(whole)) this.#words.add(hashOf(digitsOf(whole)));
    if (/^\p{Ll}/u.test(token)) this.#plain.add(hash);
    else if (/^\p{Lu}/u.test(token)) this.#initial.add(hash);
    if (this.#seen.size >= mostSeen) this.#seen.clear();
    this.#seen.set(token, hash);
    return hash;
  }

  /** The name of a file, a folder, a package or a repository. */
  addName(name: string): void {
    for (const token of tokensOf(name.replaceAll('/', ' '))) {
      for (const form of formsOf(token)) this.#words.add(hashOf(form));
      if (/[_-]|\p{Ll}\p{Lu}/u.test(token)) this.#joined.add(hashOf(joinedForm(token.replace(/\.\p{L}{1,5}$/u, ''))));
      this.#names.add(hashOf(fold(token)));
      this.#names.add(hashOf(fold(token.replace(/\.\p{L}{1,5}$/u, ''))));
    }
    this.#words.add(hashOf(fold(name)));
    this.#names.add(hashOf(fold(name)));
  }

  /** @param form Folded. */
  has(form: string): boolean {
    return this.#words.has(hashOf(form));
  }

  /** Whether these words or groups together are an identifier or a number of the files. @param joined As {@link joinedForm} gives it. */
  hasJoined(joined: string): boolean {
    return this.#joined.has(hashOf(joined));
  }

  /** Whether the files write the word without a capital: two such are no name where they are joined, as in `LoadBalancing`. */
  isWrittenPlain(form: string): boolean {
    return this.#plain.has(hashOf(form));
  }

  isName(form: string): boolean {
    return this.#names.has(hashOf(form));
  }

  /** Whether the files write the word as a name: never without a capital, and within a sentence or as a file's name too. */
  isWrittenAsName(form: string): boolean {
    const hash = hashOf(form);
    if (this.#plain.has(hash)) return false;
    return this.#capitalised.has(hash) || (this.#names.has(hash) && this.#initial.has(hash));
  }

  /** @param phrase As {@link phrasesOf} gives it. */
  hasPhrase(phrase: number): boolean {
    return (
      this.#phrases !== undefined && bitsOf(phrase).every((bit) => (this.#phrases![bit >>> 5]! >>> (bit & 31)) & 1)
    );
  }
}

/** The words of all files that may be read, and of what is known of the folder. Rejects only when aborted. */
export async function readFolderWords(
  words: FolderWords,
  workspace: WorkspacePort,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + longestReadMs;
  const slices = new Slices(signal);
  const all = [...(await workspace.files(signal))].sort((a, b) => a.size - b.size);
  for (const { path } of all) words.addName(path);
  // A PDF takes a second to read. What of it was found is a source of the run, whose words are known then.
  const files = all.filter(({ path }) => !isPdf(path));
  let bytes = 0;
  for (let from = 0; from < files.length && bytes < mostBytes && performance.now() < deadline; from += parallel) {
    signal.throwIfAborted();
    const batch = files.slice(from, from + parallel);
    for (const text of await Promise.all(batch.map((file) => readQuietly(workspace, file, signal)))) {
      bytes += text.length;
      await slices.next();
      words.add(text);
    }
  }
}

/** What the workspace says of itself, as names. */
export function addFacts(words: FolderWords, facts: WorkspaceFacts): void {
  const { name, repos, packages, githubLinks, arxivIds, topics = [] } = facts;
  for (const one of [name, ...repos, ...packages, ...githubLinks, ...arxivIds]) words.addName(one);
  for (const topic of topics) words.add(topic);
}

/** A token as a whole, its terms, and the pieces of an identifier. */
export function formsOf(token: string): string[] {
  const whole = fold(token);
  const names = whole.split(/[./:,'’]+/);
  const pieces = [...whole.split(/[^\p{L}\p{N}\p{M}]+/u), ...names].filter((piece) => piece.length > 1);
  // `qorvexdb03` for the host `qorvex-db-03.corp.local`.
  const joined = names
    .filter((piece) => piece.includes('-'))
    .map((piece) => piece.replace(/[^\p{L}\p{N}\p{M}]+/gu, ''));
  return [whole, ...pieces, ...joined, ...termsOf(token), ...hanNumbers(token)];
}

/** Of two words one with capitals is a name: `rateLimit` and `learning_rate` are mostly words of the field. Of three or more each is one. */
const identifier = /^(?:(?:\p{Lu}[\p{Ll}\d]+){2,4}|\p{Ll}+(?:\p{Lu}[\p{Ll}\d]+){2,7}|[\p{L}\d]+(?:_[\p{L}\d]+){2,7})$/u;
/** Digits in groups, as in an account: `DE89 3704 0044 0532 0130 00`. */
const numberGroups = /(?<![\p{L}\p{N}])[A-Z]{0,4}\d{2,8}(?:[ -]\d{2,8}){2,8}(?![\p{L}\p{N}])/gu;

/** Letters and digits alone, folded. */
export function joinedForm(text: string): string {
  return fold(text.replace(/[^\p{L}\p{N}\p{M}]+/gu, ''));
}

/** A number without what groups its digits and without its fraction's mark: 48,213,977 and 48213977 are one. */
export function digitsOf(number: string): string {
  return number.replace(/[^\p{N}]+/gu, '');
}

/** All rows of {@link phraseLength} tokens, each as one number, from the tokens' hashes. */
export function phrasesOf(tokens: readonly number[]): number[] {
  const phrases: number[] = [];
  for (let from = 0; from + phraseLength <= tokens.length; from += 1) {
    let mixed = 0;
    for (let index = from; index < from + phraseLength; index += 1)
      mixed = Math.imul(mixed ^ tokens[index]!, 0x9e3779b1) ^ (mixed >>> 15);
    phrases.push(mixed >>> 0);
  }
  return phrases;
}

function bitsOf(phrase: number): readonly number[] {
  return [phrase % filterBits, (Math.imul(phrase ^ (phrase >>> 16), 0x85ebca6b) >>> 0) % filterBits];
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 units, mixed at the end as MurmurHash3 does. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
