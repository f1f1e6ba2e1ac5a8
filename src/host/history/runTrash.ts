import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runIdPattern } from '../../protocol/runFolder.ts';
import { retryWhileLocked } from '../../protocol/retryWhileLocked.ts';

const dayMs = 86_400_000;

/** A run that was deleted and can still be brought back. */
export interface TrashedRun {
  readonly run: string;
  /** Absolute path of its folder in the trash. */
  readonly folder: string;
}

/**
 * Deleted runs, beside the kept ones: a delete is a rename on the same disk, and so is its undo. What this window deleted goes
 * for good when it closes; what another left behind (its host was killed) after a day.
 */
export class RunTrash {
  readonly #root: string;
  readonly #trash: string;
  readonly #rename: (from: string, to: string) => Promise<void>;
  readonly #own = new Set<string>();

  constructor(root: string, move = rename) {
    this.#root = root;
    this.#trash = path.join(root, '.trash');
    this.#rename = (from, to) => retryWhileLocked(() => move(from, to), setTimeout);
  }

  /** Undefined when the run is gone already: another window was faster. */
  async put(run: string, now = Date.now()): Promise<TrashedRun | undefined> {
    if (!runIdPattern.test(run)) return undefined;
    // The date stands in the name: a rename changes no date of what it moves.
    const folder = path.join(this.#trash, `${run}.${now}`);
    await mkdir(this.#trash, { recursive: true });
    try {
      await this.#rename(path.join(this.#root, run), folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    this.#own.add(folder);
    return { run, folder };
  }

  /** False when it is gone for good. Rejects when it cannot be moved, and when its place is taken. */
  async restore({ run, folder }: TrashedRun): Promise<boolean> {
    const place = path.join(this.#root, run);
    if (!(await exists(folder))) return false;
    if (await exists(place)) throw new Error(`${place} is there already.`);
    try {
      await this.#rename(folder, place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    this.#own.delete(folder);
    return true;
  }

  /** Removes for good what this window deleted. */
  async empty(): Promise<void> {
    const folders = [...this.#own];
    this.#own.clear();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }).catch(() => undefined)));
  }

  /** Removes for good what was deleted more than a day ago. */
  async emptyOld(now = Date.now()): Promise<void> {
    const names = await readdir(this.#trash).catch(() => []);
    const old = names.filter((name) => {
      const [run = '', at, ...rest] = name.split('.');
      return runIdPattern.test(run) && rest.length === 0 && now - Number(at) > dayMs;
    });
    await Promise.all(
      old.map((name) => rm(path.join(this.#trash, name), { recursive: true, force: true }).catch(() => undefined)),
    );
  }
}

async function exists(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}
