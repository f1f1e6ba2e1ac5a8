import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { retryWhileLocked } from '../../files/retryWhileLocked.ts';
import { runIdPattern } from '../../protocol/runFolder.ts';

const suffix = '.deleted';
const dayMs = 86_400_000;

/**
 * Deletes runs so that it can be undone: the folder is renamed to `ID.deleted`, which no reader takes for a run, and
 * renamed back on undo. Not the system's trash: an extension can't restore from it, and remote and served editors have
 * none.
 */
export class DeletedRuns {
  readonly #root: string;
  readonly #rename: (from: string, to: string) => Promise<void>;
  /** Deleted in this window, and not restored. */
  readonly #own = new Set<string>();

  constructor(root: string, move = rename) {
    this.#root = root;
    this.#rename = (from, to) => retryWhileLocked(() => move(from, to));
  }

  /** False when the run is gone already. Rejects when its folder can't be renamed. */
  async delete(run: string, now = new Date()): Promise<boolean> {
    const deleted = this.#folder(run) + suffix;
    if (!runIdPattern.test(run) || !(await this.#move(this.#folder(run), deleted))) return false;
    this.#own.add(run);
    await utimes(deleted, now, now);
    return true;
  }

  /** False when the run is gone for good. Rejects when its folder can't be renamed, or its place is taken. */
  async restore(run: string): Promise<boolean> {
    const restored = await this.#move(this.#folder(run) + suffix, this.#folder(run));
    this.#own.delete(run);
    return restored;
  }

  /** Removes for good what this window deleted: it closes. */
  async close(): Promise<void> {
    await Promise.all([...this.#own].map((run) => this.#remove(run + suffix)));
  }

  /** Removes for good what a window that was killed left behind more than a day ago. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#root).catch(() => [])) {
      if (!name.endsWith(suffix) || !runIdPattern.test(name.slice(0, -suffix.length))) continue;
      const at = await stat(path.join(this.#root, name)).catch(() => undefined);
      if (at && now - at.mtimeMs > dayMs) await this.#remove(name);
    }
  }

  #folder(run: string): string {
    return path.join(this.#root, run);
  }

  async #remove(name: string): Promise<void> {
    await rm(path.join(this.#root, name), { recursive: true, force: true }).catch(() => undefined);
  }

  async #move(from: string, to: string): Promise<boolean> {
    try {
      await this.#rename(from, to);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }
}
