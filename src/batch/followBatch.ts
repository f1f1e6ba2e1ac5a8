import { join } from 'node:path';
import { createFile } from '../files/createFile.ts';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { storageError } from '../node/storageError.ts';
import type { SharedQueue } from './postgres/sharedQueue.ts';

/**
 * Saves the reports of a batch that workers research, as they come, until no question is pending or in progress, none can be
 * researched, or it is stopped. What is
 * saved already is left as it is, but for reports that were refreshed since.
 * @param names File names of the reports, by the questions' ids.
 * @param onLeft Called for each question that has got an outcome.
 * @param onChanged Called with the path of each report that has changed since it was saved.
 */
export async function followBatch(
  queue: SharedQueue,
  out: string,
  names: ReadonlyMap<string, string>,
  onLeft: (id: string) => void,
  onChanged: (path: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const left = new Set<string>();
  let seen: string | undefined;
  for (;;) {
    try {
      seen = await queue.changed(seen, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    let isOver = true;
    for await (const { id, status, run } of queue.states()) {
      if (status === 'pending' || status === 'running') isOver = false;
      else if (!left.has(id)) {
        const name = names.get(id);
        const isSaved = status === 'reported' && run !== undefined && name !== undefined;
        const changed = isSaved ? await save(queue, run, join(out, name)) : undefined;
        if (changed !== undefined) onChanged(changed);
        left.add(id);
        onLeft(id);
      }
    }
    const { by, refused } = await queue.counts();
    if (isOver || signal.aborted || (refused !== undefined && by.running === 0)) return;
  }
}

/**
 * A report that was refreshed replaces what it was; beside one that was edited by hand it is saved under its number.
 * @returns Where it was saved; undefined: it has not changed.
 */
async function saveAgain(queue: SharedQueue, run: string, path: string, text: string): Promise<string | undefined> {
  const before = await readRegular(path, reportLimit);
  if (before === text) return undefined;
  const versions = await queue.versions(run);
  if (versions.includes(before)) {
    await replaceFile(path, text);
    return path;
  }
  const beside = path.replace(/\.md$/, `.version-${versions.length}.md`);
  return versions.length > 0 && (await createFile(beside, text)) ? beside : undefined;
}

/** @returns Where a report that was saved before was saved again, because it has changed. */
async function save(queue: SharedQueue, run: string, path: string): Promise<string | undefined> {
  let changed: string | undefined;
  try {
    for (const [ending, text] of await queue.report(run)) {
      const file = ending === '' ? path : path.replace(/\.md$/, ending);
      if (ending !== '' && changed === path) await replaceFile(file, text);
      else if (!(await createFile(file, text)) && ending === '') changed = await saveAgain(queue, run, path, text);
    }
  } catch (error) {
    throw storageError(error, `save the report ${path}`);
  }
  return changed;
}
