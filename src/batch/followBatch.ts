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
 */
export async function followBatch(
  queue: SharedQueue,
  out: string,
  names: ReadonlyMap<string, string>,
  onLeft: (id: string) => void,
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
        if (status === 'reported' && run !== undefined && name !== undefined) await save(queue, run, join(out, name));
        left.add(id);
        onLeft(id);
      }
    }
    const { by, refused } = await queue.counts();
    if (isOver || signal.aborted || (refused !== undefined && by.running === 0)) return;
  }
}

/** A report that was refreshed replaces what it was; beside one that was edited by hand it is saved under its number. */
async function saveAgain(queue: SharedQueue, run: string, path: string, text: string): Promise<void> {
  const before = await readRegular(path, reportLimit);
  if (before === text) return;
  const versions = await queue.versions(run);
  if (versions.includes(before)) await replaceFile(path, text);
  else if (versions.length > 0) await createFile(path.replace(/\.md$/, `.version-${versions.length}.md`), text);
}

async function save(queue: SharedQueue, run: string, path: string): Promise<void> {
  try {
    for (const [ending, text] of await queue.report(run)) {
      const isNew = await createFile(ending === '' ? path : path.replace(/\.md$/, ending), text);
      if (!isNew && ending === '') await saveAgain(queue, run, path, text);
    }
  } catch (error) {
    throw storageError(error, `save the report ${path}`);
  }
}
