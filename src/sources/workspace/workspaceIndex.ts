import { ResearchError } from '../../research/errors.ts';
import { mostReadBytes, unwatched, type WorkspaceFile, type WorkspacePort } from '../../research/ports.ts';
import { PassageIndex } from '../../research/text/passageIndex.ts';
import { cutPassages, kindOf, type Passage, type TextKind } from '../../research/text/passages.ts';
import { readQuery } from '../../research/text/query.ts';
import type { WordFate } from '../../research/text/wordFates.ts';
import { selectPassages, type Candidate, type Selected } from '../../research/text/selectPassages.ts';

export interface WorkspaceSearch {
  /** Best first. */
  readonly found: readonly Selected[];
  /** What the files know of the query's words. */
  readonly words: readonly WordFate[];
  readonly searchedFiles: number;
  /** Files that were left out because there is too much text in all, or too little time. */
  readonly skippedFiles: number;
  /** Files of which only the beginning was read, because they are too large. */
  readonly cutFiles: number;
}

/** Text that is indexed at most, in bytes: beyond it memory would grow past some 500 MB. */
const mostText = 300_000_000;
/**
 * The searches of a run wait no longer than this for the index, all together, and each at least a little for what has changed.
 * What is not in it by then is said, and comes with the next run.
 */
const longestBuildMs = 7_000;
const leastBuildMs = 300;
/** A large index takes a second to be written: less work than this is done again by the next run. */
const worthSavingMs = 500;
/** When there is no time for all, prose comes first: it answers most questions. */
const order: readonly TextKind[] = ['markdown', 'text', 'bibtex', 'config', 'code', 'table'];
const parallel = 16;
/** PDFs are read in threads of their own, each with a processor's work. */
const parallelPdfs = 2;
/** Candidates that are read again for one search, for each result that is wanted. */
const candidatesPerResult = 3;
/** The event loop gets its turn after this many milliseconds of work. */
const sliceMs = 20;

/**
 * Passages of the workspace's files, by their words. The index is built on first use and updated by time and size of each file;
 * it is stored with the runs, so that the next run begins with it. Texts are not held, only those of the found passages are
 * read again.
 */
export class WorkspaceIndex {
  readonly #workspace: WorkspacePort;
  #index = new PassageIndex();
  #isLoaded = false;
  #files = new Map<string, WorkspaceFile>();
  #skipped = { files: 0, cut: 0 };
  #spentMs = 0;
  /** Work that the stored index does not have. */
  #unsavedMs = 0;
  #isStored = false;
  #building: Promise<void> | undefined;

  constructor(workspace: WorkspacePort) {
    this.#workspace = workspace;
  }

  /** Builds the index, so that the first search does not have to. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#refresh(signal);
  }

  /** At most `limit` passages of files that are `within`. */
  async search(
    query: string,
    options: {
      readonly limit: number;
      /** What is worth less than this share of the best passage is left out. */
      readonly leastShare: number;
      readonly language: string;
      readonly within: (path: string) => boolean;
    },
    signal: AbortSignal,
  ): Promise<WorkspaceSearch> {
    await this.#refresh(signal);
    const read = readQuery(query, options.language);
    const { hits, words } = this.#index.search(read, options.limit * candidatesPerResult, options.within);
    const cut = new Map<string, readonly Passage[]>();
    const candidates: Candidate[] = [];
    for (const hit of hits) {
      if (!cut.has(hit.path)) cut.set(hit.path, await this.#passagesOf(hit.path, signal));
      const siblings = cut.get(hit.path)!;
      // A file that has changed since may be shorter.
      if (siblings[hit.number] !== undefined) candidates.push({ ...hit, siblings });
    }
    const selected = selectPassages(read, candidates, options.limit);
    return {
      found: selected.filter(({ score }) => score >= selected[0]!.score * options.leastShare),
      words,
      searchedFiles: this.#files.size,
      skippedFiles: this.#skipped.files,
      cutFiles: this.#skipped.cut,
    };
  }

  get #reading() {
    return this.#workspace.reading ?? unwatched;
  }

  file(path: string): WorkspaceFile | undefined {
    return this.#files.get(path);
  }

  async #passagesOf(path: string, signal: AbortSignal): Promise<readonly Passage[]> {
    const text = await this.#read(path, signal);
    return this.#reading.during({ kind: 'file', name: path }, () => cutPassages(path, text));
  }

  /** "" for what can't be read any more, or is no text. */
  async #read(path: string, signal: AbortSignal): Promise<string> {
    return this.#workspace.read(path, signal).catch((error: unknown) => {
      if (ResearchError.is(error, 'notFound', 'badRequest', 'storage')) return '';
      throw error;
    });
  }

  /** One build at a time; a caller that leaves stops it, and the next one continues with what was read. */
  async #refresh(signal: AbortSignal): Promise<void> {
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

  async #build(signal: AbortSignal): Promise<void> {
    const [listed] = await Promise.all([this.#workspace.files(signal), this.#load()]);
    const known = this.#index.stamps();
    const paths = new Set(listed.map(({ path }) => path));
    const gone = [...known.keys()].filter((path) => !paths.has(path));
    for (const path of gone) this.#index.remove(path);
    const { chosen, skipped } = withinBounds(listed);
    this.#files = new Map(chosen.map((file) => [file.path, file]));
    const changed = chosen.filter((file) => known.get(file.path) !== stampOf(file));
    const started = performance.now();
    const deadline = started + Math.max(leastBuildMs, longestBuildMs - this.#spentMs);
    let slice = started;
    let done = 0;
    while (done < changed.length && performance.now() < deadline) {
      signal.throwIfAborted();
      const batch = batchFrom(changed, done);
      const texts = await Promise.all(batch.map(({ path }) => this.#read(path, signal)));
      for (const [index, file] of batch.entries()) {
        this.#reading.during({ kind: 'file', name: file.path }, () =>
          this.#index.add(file.path, stampOf(file), cutPassages(file.path, texts[index]!)),
        );
        if (performance.now() - slice < sliceMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        slice = performance.now();
      }
      done += batch.length;
    }
    for (const { path } of changed.slice(done)) {
      this.#index.remove(path);
      this.#files.delete(path);
    }
    const cutFiles = chosen.filter(({ path, size }) => size > mostReadBytes && !isDocument(path)).length;
    this.#skipped = { files: skipped + Math.max(0, changed.length - done), cut: cutFiles };
    const ms = performance.now() - started;
    this.#spentMs += ms;
    this.#unsavedMs += ms;
    this.#index.settle();
    if (changed.length + gone.length > 0 && (!this.#isStored || this.#unsavedMs > worthSavingMs)) await this.#save();
  }

  async #save(): Promise<void> {
    this.#unsavedMs = 0;
    this.#isStored = true;
    const bytes = this.#index.save();
    if (bytes !== undefined) await this.#workspace.index?.save(bytes);
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const bytes = await this.#workspace.index?.load();
    if (bytes === undefined) return;
    try {
      this.#index = PassageIndex.load(bytes);
      this.#isStored = true;
    } catch {
      // What can't be read is built again.
      this.#index = new PassageIndex();
    }
  }
}

function withinBounds(listed: readonly WorkspaceFile[]): {
  readonly chosen: readonly WorkspaceFile[];
  readonly skipped: number;
} {
  // PDFs take the longest.
  const rankOf = ({ path }: WorkspaceFile) => (isPdf(path) ? order.length : order.indexOf(kindOf(path)));
  const rank = new Map(listed.map((file) => [file, rankOf(file)]));
  const sorted = [...listed].sort((a, b) => rank.get(a)! - rank.get(b)! || a.size - b.size);
  let total = 0;
  const chosen = sorted.filter(({ size }) => (total += Math.min(size, mostReadBytes)) <= mostText);
  return { chosen, skipped: listed.length - chosen.length };
}

/** The next files to read at once: those before the first PDF, or some PDFs. */
function batchFrom(files: readonly WorkspaceFile[], from: number): readonly WorkspaceFile[] {
  if (isPdf(files[from]!.path)) return files.slice(from, from + parallelPdfs);
  const batch = files.slice(from, from + parallel);
  const pdf = batch.findIndex(({ path }) => isPdf(path));
  return pdf === -1 ? batch : batch.slice(0, pdf);
}

function isPdf(path: string): boolean {
  return /\.pdf$/i.test(path);
}

/** Whether the size of a file says nothing of its text. */
function isDocument(path: string): boolean {
  return /\.(?:pdf|ipynb)$/i.test(path);
}

function stampOf({ modified, size }: WorkspaceFile): string {
  return `${modified} ${size}`;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
