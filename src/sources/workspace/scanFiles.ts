import type { WorkspacePort } from '../../research/ports.ts';
import { cutPassages, kindOf, type Passage } from '../../research/text/passages.ts';
import type { Query } from '../../research/text/query.ts';

/** Lines with a word that are read at least, and with the same number of words at most. */
const leastOfWord = 8;
const mostAlike = 24;
/** Words that are looked for: the number of a line's words is counted in the bits of an integer. */
const mostWords = 24;
const atOnce = 4;

/**
 * The passages of files that hold words of a question, for files that are in no index: all that hold many of its words, and of
 * each word some. The files are read as streams, a block at a time, so that their size takes time alone. Files on which a reader
 * fails are added to `failed`; `left` are those that were not read when there was `enough`.
 */
export async function scanFiles(
  workspace: WorkspacePort,
  paths: readonly string[],
  { words }: Query,
  failed: Set<string>,
  enough: AbortSignal,
  signal: AbortSignal,
): Promise<{ readonly found: ReadonlyMap<string, readonly Passage[]>; readonly left: ReadonlySet<string> }> {
  const wanted = words.slice(0, mostWords).map(({ word, terms }) => {
    // A term that is a word's beginning is in each of its forms; a name in parts may be written as one.
    const lower = word.toLowerCase();
    return [...new Set(terms.length === 1 ? [terms[0]!, lower] : [lower, terms.at(-1)!])];
  });
  const search = new LineSearch(wanted);
  const found = new Map<string, readonly Passage[]>();
  const left = new Set(paths);
  const ended = AbortSignal.any([enough, signal]);
  const files = paths.values();
  const next = async (): Promise<void> => {
    for (const path of files) {
      if (ended.aborted) return;
      const passages = await scanFile(workspace, path, search, ended).catch(() => {
        if (!ended.aborted) failed.add(path);
        return [];
      });
      if (ended.aborted) return;
      left.delete(path);
      if (passages.length > 0) found.set(path, passages);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  signal.throwIfAborted();
  return { found, left };
}

async function scanFile(
  workspace: WorkspacePort,
  path: string,
  search: LineSearch,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const passages: Passage[] = [];
  let head: string | undefined;
  let lines: readonly number[] = [];
  const take = (text: string, firstLine: number): boolean => {
    if (kindOf(path) === 'table' && firstLine === 1) head = text.slice(0, text.indexOf('\n'));
    lines = search.linesOf(text).map((line) => line + firstLine);
    return lines.length > 0;
  };
  for await (const { text, firstLine } of workspace.blocks(path, take, signal)) {
    const isTable = head !== undefined && firstLine > 1;
    const shift = firstLine - 1 - Number(isTable);
    for (const passage of cutPassages(path, isTable ? `${head}\n${text}` : text)) {
      const [first, last] = [passage.firstLine + shift, passage.lastLine + shift];
      if (lines.some((line) => line >= first && line <= last))
        passages.push({ ...passage, firstLine: first, lastLine: last });
    }
  }
  return passages;
}

/** Chooses lines by the words that they and their neighbours hold, while they pass. */
class LineSearch {
  readonly #words: readonly (readonly string[])[];
  /** Lines chosen so far, by word and by number of words. */
  readonly #ofWord: number[];
  readonly #ofCount: number[];

  constructor(words: readonly (readonly string[])[]) {
    this.#words = words;
    this.#ofWord = words.map(() => 0);
    this.#ofCount = words.map(() => 0);
  }

  /** Of a block: its lines that are worth reading, from 0. */
  linesOf(text: string): readonly number[] {
    const lower = text.toLowerCase();
    const places: [at: number, word: number][] = [];
    for (const [word, forms] of this.#words.entries())
      for (const form of forms)
        for (let at = lower.indexOf(form); at >= 0;) {
          // A short word is in many others.
          if (form.length > 3 || !/[a-z]/.test(lower[at - 1] ?? '')) places.push([at, word]);
          const end = lower.indexOf('\n', at);
          at = end < 0 ? -1 : lower.indexOf(form, end);
        }
    return places.length === 0 ? [] : this.#chosen(places, lower);
  }

  #chosen(places: [at: number, word: number][], text: string): readonly number[] {
    const held = new Map<number, number>();
    let [line, from] = [0, 0];
    for (const [at, word] of places.sort((a, b) => a[0] - b[0])) {
      for (let end = text.indexOf('\n', from); end >= 0 && end < at; end = text.indexOf('\n', from)) {
        line += 1;
        from = end + 1;
      }
      held.set(line, (held.get(line) ?? 0) | (1 << word));
    }
    return [...held].flatMap(([at, own]) => {
      const near = own | (held.get(at - 1) ?? 0) | (held.get(at + 1) ?? 0);
      const words = this.#words.flatMap((_, word) => (near & (1 << word) ? [word] : []));
      const isRare = words.some((word) => this.#ofWord[word]! < leastOfWord);
      if (!isRare && this.#ofCount[words.length - 1]! >= mostAlike) return [];
      for (const word of words) this.#ofWord[word]! += 1;
      this.#ofCount[words.length - 1]! += 1;
      return [at];
    });
  }
}
