import { atMost, untilAborted } from '../../research/calls/waiting.ts';
import { ResearchError } from '../../research/errors.ts';
import {
  type IndexStorage,
  isDocument,
  mostReadBytes,
  unwatched,
  type WorkspaceFile,
  type WorkspacePort,
} from '../../research/ports.ts';
import { PassageIndex } from '../../research/text/passageIndex.ts';
import { cutPassages, isPdf, kindOf, type Passage, type TextKind } from '../../research/text/passages.ts';
import { type Query, readQuery } from '../../research/text/query.ts';
import { termsOf, tokensOf } from '../../research/text/tokenize.ts';
import { scanFiles } from './scanFiles.ts';
import type { FolderReach, WordFate } from '../../research/text/wordFates.ts';
import { type Candidate, selectPassages } from '../../research/text/selectPassages.ts';

export interface WorkspaceSearch {
  /** Best first. */
  readonly found: readonly { readonly file: WorkspaceFile; readonly passage: Passage }[];
  /** What the files know of the query's words. */
  readonly words: readonly WordFate[];
  readonly reach: Omit<FolderReach, 'isCut'>;
  /** Files on which a reader failed. */
  readonly failed: readonly string[];
}

export type OnIndexed = (files: number, of: number) => void;

/** Text that is indexed at most, in bytes: beyond it memory would grow past some 500 MB. */
const mostText = 300_000_000;
/** A search waits until this much text is indexed, in bytes, or so long; what is left is scanned for the question's words. */
const awaitedText = 30_000_000;
const awaitedMs = 10_000;
/** Documents can't be scanned: they are waited for longer, in milliseconds, those first whose names have words of the question. */
const documentsMs = 60_000;
/** The files of the best passages are read again within this time, in milliseconds, or those of the others are given. */
const readAgainMs = 30_000;
/** A large index takes a second to be written. */
const saveEveryMs = 20_000;
/** Prose comes first: it answers most questions. */
const order: readonly TextKind[] = ['markdown', 'text', 'bibtex', 'config', 'code', 'table'];
const parallel = 16;
/** PDFs are read in threads of their own, each with a processor's work. */
const parallelPdfs = 2;
/** Candidates that are read again for one search, for each result that is wanted. */
const candidatesPerResult = 3;
/** The event loop gets its turn after this many milliseconds of work. */
const sliceMs = 20;

/** The indexes of this process that are not complete yet, by where they are stored: runs that follow continue them. */
const growing = new Map<IndexStorage, WorkspaceIndex>();

/**
 * Passages of a folder's files, by their words. The index grows in the background, also after the search that began it, is updated by
 * time and size of each file, and stored with the runs. Texts are not held, only those of the found passages are read again.
 */
export class WorkspaceIndex {
  #index = new PassageIndex();
  #loading: Promise<void> | undefined;
  #growth: Growth | undefined;
  readonly #awaited: number;
  readonly #failed = new Set<string>();

  /** @param awaited Text that a search waits for, in bytes. */
  constructor(awaited = awaitedText) {
    this.#awaited = awaited;
  }

  /** The index of a folder: the one that an earlier run has begun, or a new one. */
  static of({ index }: WorkspacePort): WorkspaceIndex {
    return (index && growing.get(index)) ?? new WorkspaceIndex();
  }

  /**
   * Begins to build the index, so that the first search does not have to. A Stop ends the growth too; a search that comes later, of
   * this run or another, begins it again where it was.
   */
  async prepare(workspace: WorkspacePort, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#growth?.end(), { once: true });
    await this.#grow(workspace, signal);
  }

  /** At most `limit` passages of files that are `within`. */
  async search(
    workspace: WorkspacePort,
    query: string,
    options: {
      readonly limit: number;
      /** What is worth less than this share of the best passage is left out. */
      readonly leastShare: number;
      readonly language: string;
      readonly within: (path: string) => boolean;
      readonly onIndexed?: OnIndexed | undefined;
      /** Aborted: files that are not indexed by then are left out. */
      readonly enough?: AbortSignal | undefined;
    },
    signal: AbortSignal,
  ): Promise<WorkspaceSearch> {
    const files = await this.#grow(workspace, signal);
    const { enough = new AbortController().signal } = options;
    const read = readQuery(query, options.language);
    this.#growth?.readFirst(read);
    while (!enough.aborted && this.#growth?.isShortOf(this.#awaited))
      await this.#growth.progress(options.onIndexed, enough, signal);
    const listed = files.filter(({ path }) => options.within(path));
    const outside = listed.filter(({ path }) => !this.#index.has(path)).map(({ path }) => path);
    const scanning = scanFiles(workspace, outside, read, this.#failed, enough, signal);
    this.#growth?.hold(scanning);
    const { found: scanned, left } = await scanning;
    const cut = new Map(scanned);
    // They count as a part of the index for this search, which takes one turn of the event loop.
    for (const path of cut.keys()) if (this.#index.has(path)) cut.delete(path);
    for (const [path, passages] of cut) this.#index.add(path, '', passages);
    const byPath = new Map(listed.map((file) => [file.path, file]));
    const { hits, words } = this.#index.search(read, options.limit * candidatesPerResult, (path) => byPath.has(path));
    for (const path of cut.keys()) this.#index.remove(path);
    const again = [...new Set(hits.map(({ path }) => path))].filter((path) => !cut.has(path));
    const reading = again.map(async (path) => void cut.set(path, await this.#passagesOf(workspace, path, signal)));
    await atMost(readAgainMs, Promise.all(reading));
    if (again.length > 0 && !again.some((path) => cut.has(path))) await Promise.race(reading);
    signal.throwIfAborted();
    // A file that has changed since may be shorter.
    const candidates = hits.flatMap((hit): Candidate[] => {
      const siblings = cut.get(hit.path) ?? [];
      return siblings[hit.number] === undefined ? [] : [{ ...hit, siblings }];
    });
    const selected = selectPassages(read, candidates, options.limit);
    const best = selected.filter(({ score }) => score >= selected[0]!.score * options.leastShare);
    return {
      found: best.map(({ path, passage }) => ({ file: byPath.get(path)!, passage })),
      words,
      reach: {
        files: listed.length,
        indexed: listed.length - outside.length,
        unread: outside.filter((path) => isDocument(path) || left.has(path)).length,
      },
      failed: [...this.#failed].filter(options.within),
    };
  }

  /** Gives the folder's files, to which the index grows from now on. */
  async #grow(workspace: WorkspacePort, signal: AbortSignal): Promise<readonly WorkspaceFile[]> {
    const [listed] = await Promise.all([workspace.files(signal), (this.#loading ??= this.#load(workspace))]);
    signal.throwIfAborted();
    if (this.#growth?.isTo(listed)) return listed;
    const known = this.#index.stamps();
    const stamps = new Map(listed.map((file) => [file.path, stampOf(file)]));
    for (const [path, stamp] of known) {
      const now = stamps.get(path);
      if (now !== undefined && stamp === unreadStamp(now)) this.#failed.add(path);
      else if (stamp !== now) this.#index.remove(path);
    }
    const left = withinBounds(listed).filter(({ path }) => !this.#index.has(path));
    this.#growth?.end();
    const growth = new Growth(workspace, this.#index, listed, left, this.#failed, this.#growth?.bytes);
    this.#growth = growth;
    const { index } = workspace;
    if (index !== undefined) growing.set(index, this);
    void growth.run().then(() => {
      if (index !== undefined && this.#growth === growth && !growth.isEnded) growing.delete(index);
    });
    return listed;
  }

  async #passagesOf(workspace: WorkspacePort, path: string, signal: AbortSignal): Promise<readonly Passage[]> {
    const text = await textOf(workspace, path, this.#failed, signal);
    return cutOf(workspace, path, text, this.#failed);
  }

  async #load(workspace: WorkspacePort): Promise<void> {
    const bytes = await workspace.index?.load();
    if (bytes === undefined) return;
    try {
      this.#index = PassageIndex.load(bytes);
    } catch {
      // What can't be read is built again.
    }
  }
}

/** Adds the files of a listing to an index. */
class Growth {
  readonly files: readonly WorkspaceFile[];
  /** Bytes indexed by this process. */
  bytes: number;
  readonly #workspace: WorkspacePort;
  readonly #index: PassageIndex;
  #left: readonly WorkspaceFile[];
  /** Documents of these. */
  #documents: number;
  /** How many of these are read, or being read. */
  #begun = 0;
  readonly #failed: Set<string>;
  readonly #listeners = new Set<() => void>();
  readonly #controller = new AbortController();
  #held: Promise<unknown> = Promise.resolve();
  readonly #started = performance.now();
  #done = 0;
  #isOver = false;

  constructor(
    workspace: WorkspacePort,
    index: PassageIndex,
    files: readonly WorkspaceFile[],
    left: readonly WorkspaceFile[],
    failed: Set<string>,
    bytes = 0,
  ) {
    this.files = files;
    this.bytes = bytes;
    this.#workspace = workspace;
    this.#index = index;
    this.#left = left;
    this.#documents = left.filter(({ path }) => isDocument(path)).length;
    this.#failed = failed;
  }

  isShortOf(bytes: number): boolean {
    const ms = performance.now() - this.#started;
    const isShort = (this.bytes < bytes && ms < awaitedMs) || (this.#documents > 0 && ms < documentsMs);
    return !this.#isOver && isShort;
  }

  /** Documents whose names have words of a question come before the others. */
  readFirst({ words }: Query): void {
    const asked = new Set(words.flatMap(({ terms }) => terms));
    const left = this.#left.slice(this.#begun);
    const worth = new Map<WorkspaceFile, number>();
    for (const file of left.filter(({ path }) => isDocument(path))) {
      const named = tokensOf(file.path).flatMap(termsOf);
      worth.set(file, [...asked].filter((term) => named.includes(term)).length);
    }
    const documents = [...worth.keys()].sort((a, b) => worth.get(b)! - worth.get(a)!).values();
    const ordered = left.map((file) => (worth.has(file) ? documents.next().value! : file));
    this.#left = [...this.#left.slice(0, this.#begun), ...ordered];
  }

  get isEnded(): boolean {
    return this.#controller.signal.aborted;
  }

  isTo(files: readonly WorkspaceFile[]): boolean {
    if (this.isEnded) return false;
    const isSame = (file: WorkspaceFile, at: number): boolean =>
      file.path === files[at]!.path && stampOf(file) === stampOf(files[at]!);
    return files === this.files || (files.length === this.files.length && this.files.every(isSame));
  }

  end(): void {
    this.#controller.abort();
  }

  /** Adds nothing while a search that has waited enough works. */
  hold(search: Promise<unknown>): void {
    this.#held = Promise.all([this.#held, search.catch(() => undefined)]);
  }

  /** Resolves when files were added, none will be, there are `enough`, or the time for documents is over. */
  async progress(onIndexed: OnIndexed | undefined, enough: AbortSignal, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    onIndexed?.(this.files.length - this.#left.length + this.#done, this.files.length);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#listeners.add(resolve);
    enough.addEventListener('abort', () => resolve(), { once: true });
    const left = documentsMs - (performance.now() - this.#started);
    await atMost(Math.max(0, left), untilAborted(promise, signal));
    signal.throwIfAborted();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#controller;
    let slice = performance.now();
    let saved = slice;
    try {
      while (this.#done < this.#left.length && !signal.aborted) {
        await this.#held;
        const wasShort = this.isShortOf(awaitedText);
        const batch = batchFrom(this.#left, this.#done);
        this.#begun = this.#done + batch.length;
        for (const { path } of batch) this.#failed.delete(path);
        const texts = await Promise.all(batch.map(({ path }) => textOf(this.#workspace, path, this.#failed, signal)));
        for (const [index, file] of batch.entries()) {
          if (signal.aborted) return;
          const passages = cutOf(this.#workspace, file.path, texts[index]!, this.#failed);
          const stamp = stampOf(file);
          this.#index.add(file.path, this.#failed.has(file.path) ? unreadStamp(stamp) : stamp, passages);
          this.bytes += Math.min(file.size, mostReadBytes);
          if (performance.now() - slice < sliceMs) continue;
          await new Promise((resolve) => setImmediate(resolve));
          slice = performance.now();
        }
        this.#done += batch.length;
        this.#documents -= batch.filter(({ path }) => isDocument(path)).length;
        // A process that answers one question ends soon after it.
        if (wasShort !== this.isShortOf(awaitedText) || performance.now() - saved > saveEveryMs) {
          await this.#save();
          saved = performance.now();
        }
        this.#announce();
      }
    } catch {
      // The folder can't be read any more; the next search begins again.
    } finally {
      this.#index.settle();
      if (this.#left.length > 0 && !signal.aborted) await this.#save();
      this.#isOver = true;
      this.#announce();
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  async #save(): Promise<void> {
    const bytes = this.#index.save();
    if (bytes !== undefined) await this.#workspace.index?.save(bytes);
  }
}

/** None of a text on which the cutter fails, whatever it throws. */
function cutOf(
  { reading = unwatched }: WorkspacePort,
  path: string,
  text: string,
  failed: Set<string>,
): readonly Passage[] {
  try {
    return reading.during({ kind: 'file', name: path }, () => cutPassages(path, text));
  } catch {
    failed.add(path);
    return [];
  }
}

/** "" for what can't be read any more, is no text, or makes a reader fail. */
async function textOf(
  workspace: WorkspacePort,
  path: string,
  failed: Set<string>,
  signal: AbortSignal,
): Promise<string> {
  return workspace.read(path, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!ResearchError.is(error, 'notFound', 'badRequest', 'storage')) failed.add(path);
    return '';
  });
}

/** The files that are indexed, in order. Larger ones are read as streams by each search. */
function withinBounds(listed: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  // PDFs take the longest.
  const rankOf = ({ path }: WorkspaceFile) => (isPdf(path) ? order.length : order.indexOf(kindOf(path)));
  const rank = new Map(listed.map((file) => [file, rankOf(file)]));
  let total = 0;
  const inOrder = listed
    .filter(({ path, size }) => size <= mostReadBytes || isDocument(path))
    .sort((a, b) => rank.get(a)! - rank.get(b)! || a.size - b.size)
    .filter(({ size }) => (total += Math.min(size, mostReadBytes)) <= mostText);
  // Before the text that no search waits for.
  let text = 0;
  const scanned = new Set(inOrder.filter(({ path, size }) => !isDocument(path) && (text += size) > awaitedText));
  return [...inOrder.filter((file) => !scanned.has(file)), ...scanned];
}

/** The next files to read at once: those before the first PDF, or some PDFs. */
function batchFrom(files: readonly WorkspaceFile[], from: number): readonly WorkspaceFile[] {
  if (isPdf(files[from]!.path)) return files.slice(from, from + parallelPdfs);
  const batch = files.slice(from, from + parallel);
  const pdf = batch.findIndex(({ path }) => isPdf(path));
  return pdf === -1 ? batch : batch.slice(0, pdf);
}

function stampOf({ modified, size }: WorkspaceFile): string {
  return `${modified} ${size}`;
}

/** Of a file that could not be read: it is tried again when it has changed, and the next day. */
function unreadStamp(stamp: string): string {
  return `${stamp} unread ${new Date().toISOString().slice(0, 10)}`;
}
