import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { runFiles, runIdPattern } from '../../protocol/runFolder.ts';
import type { Log } from '../../protocol/ports.ts';
import { isHeld } from '../sessions/runHeld.ts';
import { readSummary, unreadable } from './readSummary.ts';
import { entryOf, type RunEntry, type RunSummary, type WindowFacts } from './runEntry.ts';

/** A folder without a record is being made as long as it is younger (milliseconds). */
const makingMs = 60_000;
/** How long the list may be read before others have their turn (milliseconds). */
const sliceMs = 12;
/** Whoever waits for the list gets the newest runs after so long, and the others when they are read (milliseconds). */
const firstMs = 60;
/** The index is written again when so many records had to be read anew. */
const writeFrom = 200;
const indexVersion = 1;

interface Kept {
  /** Of the record's file: what was read from it holds as long as both stay. */
  readonly mtimeMs: number;
  readonly size: number;
  readonly summary: RunSummary;
}

/**
 * The runs below one folder. Records are read once and then only when they changed; an index file spares the reading after a
 * restart, and is believed of a record only while date and size of the record's file are the same. Reading is synchronous, in
 * slices: for thousands of small files that is several times faster than one promise each.
 */
export class RunCatalogue {
  readonly #root: string;
  readonly #indexFile: string;
  readonly #log: Log;
  #known: Map<string, Kept> | undefined;
  /** What was given out: an entry that did not change stays the same object. */
  #entries = new Map<string, RunEntry>();
  readonly #complained = new Set<string>();

  constructor(root: string, indexFile: string, log: Log) {
    this.#root = root;
    this.#indexFile = indexFile;
    this.#log = log;
  }

  /**
   * All runs, newest first. A missing folder has none; what is no run's folder is passed over.
   * @param onFirst Given the newest, once, when reading all of them takes longer.
   */
  async list(facts: WindowFacts = {}, onFirst?: (newest: RunEntry[]) => void): Promise<RunEntry[]> {
    const began = performance.now();
    const known = this.#known ?? this.#readIndex();
    const found = new Map<string, Kept>();
    const entries = () =>
      new Map([...found].map(([run, kept]) => [run, this.#entry(kept, known.get(run) === kept, facts)]));
    let anew = 0;
    let since = began;
    for (const run of this.#names()) {
      const kept = this.#look(run, known.get(run));
      if (kept) found.set(run, kept);
      if (kept && kept !== known.get(run)) anew += 1;
      if (performance.now() - since > sliceMs) {
        if (performance.now() - began > firstMs) {
          onFirst?.([...entries().values()]);
          onFirst = undefined;
        }
        await setImmediate();
        since = performance.now();
      }
    }
    this.#known = found;
    if (anew >= writeFrom) this.#writeIndex(found);
    this.#entries = entries();
    return [...this.#entries.values()];
  }

  /** One run as it stands now; undefined when its folder is gone. */
  read(run: string, facts: WindowFacts = {}): RunEntry | undefined {
    const kept = runIdPattern.test(run) ? this.#look(run, undefined) : undefined;
    return kept && this.#entry(kept, false, facts);
  }

  #entry({ summary }: Kept, isKnown: boolean, facts: WindowFacts): RunEntry {
    const entry = entryOf(summary, facts, () => isHeld(path.join(this.#root, summary.run)));
    const before = isKnown ? this.#entries.get(summary.run) : undefined;
    return before?.state === entry.state && before.elsewhere === entry.elsewhere ? before : entry;
  }

  #names(): string[] {
    try {
      // A link is not ours: whatever it leads to is left alone.
      const folders = fs
        .readdirSync(this.#root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && runIdPattern.test(entry.name));
      return folders
        .map(({ name }) => name)
        .sort()
        .reverse();
    } catch (error) {
      this.#complain(this.#root, error);
      return [];
    }
  }

  #look(run: string, known: Kept | undefined): Kept | undefined {
    const file = path.join(this.#root, run, runFiles.record);
    try {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      if (!stat) return this.#withoutRecord(run);
      const { mtimeMs, size } = stat;
      if (known && known.mtimeMs === mtimeMs && known.size === size) return known;
      const summary = readSummary(run, fs.readFileSync(file, 'utf8'));
      if (summary.status === 'damaged') this.#complain(run, 'its record cannot be read');
      return { mtimeMs, size, summary };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      this.#complain(run, error);
      return { mtimeMs: 0, size: -1, summary: unreadable(run, 'damaged') };
    }
  }

  #withoutRecord(run: string): Kept | undefined {
    const folder = fs.statSync(path.join(this.#root, run), { throwIfNoEntry: false });
    if (!folder?.isDirectory() || Date.now() - folder.mtimeMs < makingMs) return undefined;
    this.#complain(run, 'it has no record');
    return { mtimeMs: 0, size: -1, summary: unreadable(run, 'damaged') };
  }

  /** Once for each folder. A folder that is not there yet is nothing to tell. */
  #complain(what: string, error: unknown): void {
    if (this.#complained.has(what) || (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    this.#complained.add(what);
    this.#log.warn(`history: ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }

  #readIndex(): Map<string, Kept> {
    const known = new Map<string, Kept>();
    try {
      const { version, runs } = JSON.parse(fs.readFileSync(this.#indexFile, 'utf8')) as {
        version?: unknown;
        runs?: unknown;
      };
      if (version !== indexVersion || !Array.isArray(runs)) return known;
      for (const kept of runs as unknown[]) if (isKept(kept)) known.set(kept.summary.run, kept);
    } catch {
      // There is none yet, or it is damaged: the records are read instead.
    }
    return known;
  }

  #writeIndex(runs: ReadonlyMap<string, Kept>): void {
    const draft = `${this.#indexFile}.${randomBytes(4).toString('hex')}.tmp`;
    const text = JSON.stringify({ version: indexVersion, runs: [...runs.values()] });
    // Nobody waits for it, and nothing is lost without it.
    fs.promises
      .writeFile(draft, text)
      .then(() => fs.promises.rename(draft, this.#indexFile))
      .catch(() => fs.promises.rm(draft, { force: true }).catch(() => undefined));
  }
}

function isKept(value: unknown): value is Kept {
  const { mtimeMs, size, summary } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  if (typeof mtimeMs !== 'number' || typeof size !== 'number' || typeof summary !== 'object' || summary === null)
    return false;
  const { run, status, question, created, strategy, model } = summary as Record<string, unknown>;
  return (
    [run, status, question, created, strategy].every((text) => typeof text === 'string') &&
    (model === null || typeof model === 'string')
  );
}
