import fs from 'node:fs';
import path from 'node:path';
import { runFiles, runIdPattern } from '../protocol/runFolder.ts';
import { runRecordSchema } from '../protocol/runRecord.ts';
import type { Log } from '../protocol/ports.ts';
import { readRegularSync, recordLimit } from '../files/regularFile.ts';
import { isHeld } from '../files/runHeld.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import { entryOf, type RunEntry, unreadableEntry, type WindowFacts } from './runEntry.ts';
import { messageOf } from './log.ts';

/** A folder without a record is still being created as long as it is younger (milliseconds). */
const creatingMs = 60_000;

/**
 * The runs below one folder, read from their records and never changed. Reading is synchronous: 200 small files take 10
 * ms so, and three times as long with a promise each.
 */
export class RunCatalogue {
  readonly #root: string;
  readonly #log: Log;
  readonly #reported = new Set<string>();

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** All runs, newest first. A missing folder has none; folders that are not runs are skipped. */
  list(facts: WindowFacts = {}): RunEntry[] {
    return this.#names().flatMap((run) => this.read(run, facts) ?? []);
  }

  /**
   * The newest run on a folder, if it was in progress when its process ended: a host that is killed in a run's first moments has
   * not recorded it in the editor's storage.
   * @param workspace Absolute path; undefined: none.
   * @param after Only runs that began after this one.
   */
  newestInterrupted(workspace: string | undefined, after: string): string | undefined {
    for (const run of this.#names()) {
      if (run <= after) return undefined;
      const entry = this.read(run);
      if (entry?.status !== undefined && isSameFolder(entry.workspace, workspace))
        return entry.state === 'interrupted' ? run : undefined;
    }
    return undefined;
  }

  /** One run in its current state; undefined when its folder is gone. */
  read(run: string, facts: WindowFacts = {}): RunEntry | undefined {
    if (!runIdPattern.test(run)) return undefined;
    const folder = path.join(this.#root, run);
    try {
      const raw: unknown = JSON.parse(readRegularSync(path.join(folder, runFiles.record), recordLimit));
      if (typeof raw !== 'object' || raw === null) throw new Error('its record is no object');
      // The settings are the larger half of a record, and nothing of them is shown.
      const { data, error } = runRecordSchema.safeParse({ ...raw, settings: {} });
      if (data?.run === run) {
        const { settings: _unused, ...record } = data;
        return entryOf(record, facts, () => isHeld(folder));
      }
      if ('version' in raw && typeof raw.version === 'number' && raw.version > 1) return unreadableEntry(run, 'newer');
      throw error ?? new Error('its record is of another run');
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isMissing && (ageMs(folder) ?? 0) < creatingMs) return undefined;
      this.#report(run, error);
      return unreadableEntry(run, 'damaged');
    }
  }

  #names(): string[] {
    try {
      // A link is not ours: whatever it leads to is left alone.
      const folders = fs.readdirSync(this.#root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      // Ids begin with the date and time.
      return folders
        .map(({ name }) => name)
        .sort()
        .reverse();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#report(this.#root, error);
      return [];
    }
  }

  /** Logs a folder that can't be read, once. */
  #report(what: string, error: unknown): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.#log.warn(`history: ${what}: ${messageOf(error)}`);
  }
}

/** Milliseconds since something in a folder was last created or removed; undefined when the folder is gone. */
function ageMs(folder: string): number | undefined {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs;
}
