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
        const saved = isSaved ? await saveReport(queue, run, join(out, name)) : undefined;
        const changed = saved?.outcome === 'changed' ? saved.file : undefined;
        if (changed !== undefined) onChanged(changed);
        left.add(id);
        onLeft(id);
      }
    }
    const { by, refused } = await queue.counts();
    if (isOver || signal.aborted || (refused !== undefined && by.running === 0)) return;
  }
}

interface SavedReport {
  readonly file: string;
  readonly outcome: 'saved' | 'changed' | 'same' | 'kept';
}

/**
 * Saves a report of a worker with its evidence. One that was refreshed replaces what it was; beside one that was edited by hand it is saved
 * under its number. The report is written last: what is interrupted before is done again.
 * @returns Where the report is, and whether it was saved for the first time, again because it has changed, is the same, or was not written
 * because another file has its place; undefined where the queue has none.
 */
export async function saveReport(queue: SharedQueue, run: string, path: string): Promise<SavedReport | undefined> {
  try {
    const { '': text, ...others } = Object.fromEntries(await queue.report(run));
    // The queue has no report of this run.
    if (text === undefined) return undefined;
    const before = await readRegular(path, reportLimit).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    const versions = before === undefined || before === text ? [] : await queue.versions(run);
    const isReplaced = before !== undefined && versions.includes(before);
    const write = isReplaced ? replaceFile : createFile;
    for (const [ending, other] of Object.entries(others)) await write(path.replace(/\.md$/, ending), other);
    if (before === text) return { file: path, outcome: 'same' };
    const file = versions.length > 0 && !isReplaced ? path.replace(/\.md$/, `.version-${versions.length}.md`) : path;
    const isSaved = await write(file, text);
    return { file, outcome: isSaved === false ? 'kept' : before === undefined ? 'saved' : 'changed' };
  } catch (error) {
    throw storageError(error, `save the report ${path}`);
  }
}
