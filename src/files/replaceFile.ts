import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { retryWhileLocked } from './retryWhileLocked.ts';

/** Replaces a file: either the old one or the whole new one is there, whenever the program is killed. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text);
    await retryWhileLocked(() => rename(draft, path));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
