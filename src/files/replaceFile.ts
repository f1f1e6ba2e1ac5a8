import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { retryWhileLocked } from './retryWhileLocked.ts';

/**
 * Replaces a file: either the old one or the whole new one is there, whenever the program is killed.
 * @param content A text, or what writes the new file.
 * @param mode Of the new file; `0o600` for one that is the user's alone.
 */
export async function replaceFile(
  path: string,
  content: string | ((draft: FileHandle) => Promise<void>),
  mode = 0o666,
): Promise<void> {
  // The name of the file may be as long as the system takes.
  const draft = join(dirname(path), `${basename(path).slice(0, 100)}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const file = await open(draft, 'wx', mode);
    try {
      await (typeof content === 'string' ? file.writeFile(content) : content(file));
    } finally {
      await file.close();
    }
    await retryWhileLocked(() => rename(draft, path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
