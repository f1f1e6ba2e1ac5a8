import { ResearchError } from '../../research/errors.ts';
import type { WorkspaceFile, WorkspacePort } from '../../research/ports.ts';
import { Bm25 } from '../../research/text/bm25.ts';
import { terms } from '../../research/text/tokenize.ts';
import { kindOf, passagesOf, type FileKind, type Passage } from './passages.ts';

export interface FoundPassage {
  readonly file: WorkspaceFile;
  readonly passage: Passage;
  readonly score: number;
}

export interface WorkspaceSearch {
  readonly found: readonly FoundPassage[];
  readonly searchedFiles: number;
  /** Files that were left out because there is too much text in all. */
  readonly skippedFiles: number;
}

/** What is read at most, in bytes: of all files, and of one. Prose comes first. */
const maxTotal = 16_000_000;
const maxFile: Readonly<Record<FileKind, number>> = {
  markdown: 1_000_000,
  text: 1_000_000,
  bibtex: 2_000_000,
  code: 300_000,
  data: 60_000,
};
/** Prose answers questions; code and data seldom do. */
const weights: Readonly<Record<FileKind, number>> = { markdown: 1, text: 0.95, bibtex: 0.9, code: 0.7, data: 0.4 };
const parallel = 16;

interface IndexedFile {
  readonly file: WorkspaceFile;
  readonly stamp: string;
  readonly passages: readonly Omit<Passage, 'text'>[];
  readonly documents: readonly (readonly string[])[];
}

interface Index {
  readonly files: ReadonlyMap<string, IndexedFile>;
  /** File and number of each passage, in the order of the ranking's documents. */
  readonly places: readonly { readonly path: string; readonly number: number }[];
  readonly ranking: Bm25;
  readonly skippedFiles: number;
}

/**
 * Finds passages of the workspace's files. The index is built on first use and kept up to date by time and size of each
 * file; texts are not held, only the found ones are read again.
 */
export class WorkspaceIndex {
  readonly #workspace: WorkspacePort;
  readonly #words = new Map<string, string>();
  readonly #indexed = new Map<string, IndexedFile>();
  #index: Index | undefined;
  #building: Promise<Index> | undefined;

  constructor(workspace: WorkspacePort) {
    this.#workspace = workspace;
  }

  /** Builds the index, so that the first search does not have to. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#refresh(signal);
  }

  /** Best passages first, at most `limit` and `perFile` of a file. `within` restricts the files. */
  async search(
    query: string,
    options: {
      readonly limit: number;
      readonly perFile: number;
      readonly language: string;
      readonly within: (path: string) => boolean;
    },
    signal: AbortSignal,
  ): Promise<WorkspaceSearch> {
    const index = await this.#refresh(signal);
    const asked = new Map(terms(query, options.language).map((term) => [term, 1]));
    const ranked = index.ranking
      .rank(asked)
      .map(({ index: place, score }) => ({ ...index.places[place]!, score }))
      .filter(({ path }) => options.within(path))
      .map((place) => ({ ...place, score: place.score * weights[kindOf(place.path)] }))
      .sort((a, b) => b.score - a.score);
    // What has but one common word of the query is not about it.
    const least = (ranked[0]?.score ?? 0) * 0.3;
    // A search within one file wants that file's passages.
    const perFile = [...index.files.keys()].filter(options.within).length === 1 ? options.limit : options.perFile;
    const taken = new Map<string, number>();
    const found: FoundPassage[] = [];
    for (const { path, number, score } of ranked) {
      if (found.length >= options.limit || score < least) break;
      if ((taken.get(path) ?? 0) >= perFile) continue;
      const passage = await this.#read(index.files.get(path)!, number, signal);
      if (passage === undefined) continue;
      taken.set(path, (taken.get(path) ?? 0) + 1);
      found.push({ file: index.files.get(path)!.file, passage, score });
    }
    return { found, searchedFiles: index.files.size, skippedFiles: index.skippedFiles };
  }

  /** The passage with its text; undefined when the file is no longer what it was. */
  async #read({ file, passages }: IndexedFile, number: number, signal: AbortSignal): Promise<Passage | undefined> {
    const text = await this.#workspace.read(file.path, signal).catch((error: unknown) => {
      if (ResearchError.is(error, 'notFound', 'badRequest', 'storage')) return undefined;
      throw error;
    });
    const known = passages[number];
    return text === undefined
      ? undefined
      : passagesOf(file.path, text).find(
          ({ firstLine, lastLine }) => firstLine === known?.firstLine && lastLine === known.lastLine,
        );
  }

  /** One build at a time; a caller that leaves stops it, and the next one goes on with what was already read. */
  async #refresh(signal: AbortSignal): Promise<Index> {
    while (this.#building !== undefined) {
      const other = this.#building;
      await Promise.race([other.catch(() => undefined), rejectOnAbort(signal)]);
      if (this.#building === other) this.#building = undefined;
    }
    this.#building = this.#build(signal).finally(() => {
      this.#building = undefined;
    });
    return this.#building;
  }

  async #build(signal: AbortSignal): Promise<Index> {
    const listed = await this.#workspace.files(signal);
    const { chosen, skipped } = choose(listed);
    const before = this.#index;
    const unchanged =
      before !== undefined &&
      chosen.length === before.files.size &&
      chosen.every((file) => before.files.get(file.path)?.stamp === stampOf(file));
    if (unchanged) return before;
    const files = new Map<string, IndexedFile>();
    for (let from = 0; from < chosen.length; from += parallel) {
      signal.throwIfAborted();
      const batch = await Promise.all(chosen.slice(from, from + parallel).map((file) => this.#indexFile(file, signal)));
      for (const indexed of batch) files.set(indexed.file.path, indexed);
    }
    for (const path of this.#indexed.keys()) if (!files.has(path)) this.#indexed.delete(path);
    const all = [...files.values()];
    this.#index = {
      files,
      places: all.flatMap(({ file, documents }) => documents.map((_, number) => ({ path: file.path, number }))),
      ranking: new Bm25(all.flatMap(({ documents }) => documents)),
      skippedFiles: skipped,
    };
    return this.#index;
  }

  async #indexFile(file: WorkspaceFile, signal: AbortSignal): Promise<IndexedFile> {
    const stamp = stampOf(file);
    const before = this.#indexed.get(file.path);
    if (before?.stamp === stamp) return before;
    const text = await this.#workspace.read(file.path, signal).catch((error: unknown) => {
      // A binary under a harmless name, or a file that has just gone.
      if (ResearchError.is(error, 'notFound', 'badRequest', 'storage')) return '';
      throw error;
    });
    const passages = passagesOf(file.path, text);
    const indexed: IndexedFile = {
      file,
      stamp,
      passages: passages.map(({ text: _, ...place }) => place),
      // Headings and the file's own name count twice: they say what the passage is about.
      documents: passages.map((passage) =>
        [...terms(passage.text), ...terms(`${passage.headings.join(' ')} ${file.path.replace(/[/_.-]+/g, ' ')}`)].map(
          (term) => this.#intern(term),
        ),
      ),
    };
    this.#indexed.set(file.path, indexed);
    return indexed;
  }

  /** One string for each word, whatever file it was cut from, so that no file's text is kept alive. */
  #intern(term: string): string {
    const known = this.#words.get(term);
    if (known !== undefined) return known;
    const own = Buffer.from(term).toString();
    this.#words.set(own, own);
    return own;
  }
}

/** What is indexed when there is more than can be: prose before code before data, what lies higher first. */
function choose(listed: readonly WorkspaceFile[]): {
  readonly chosen: readonly WorkspaceFile[];
  readonly skipped: number;
} {
  const order: readonly FileKind[] = ['markdown', 'text', 'bibtex', 'code', 'data'];
  const candidates = listed
    .filter((file) => file.size > 0 && !/\.(svg|ipynb|geojson)$/i.test(file.path))
    .map((file) => ({ file, kind: kindOf(file.path), depth: file.path.split('/').length }))
    .sort(
      (a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) || a.depth - b.depth || (a.file.path < b.file.path ? -1 : 1),
    );
  const chosen: WorkspaceFile[] = [];
  let total = 0;
  for (const { file, kind } of candidates) {
    if (file.size > maxFile[kind] || total + file.size > maxTotal) continue;
    total += file.size;
    chosen.push(file);
  }
  return { chosen, skipped: candidates.length - chosen.length };
}

function stampOf(file: WorkspaceFile): string {
  return `${file.modified} ${file.size}`;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
