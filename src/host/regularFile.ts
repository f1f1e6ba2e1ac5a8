import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes of a run's record, lock and the like: none of ours comes near. */
export const recordLimit = 2_000_000;
/** Bytes of a report. */
export const reportLimit = 20_000_000;

/** Neither links nor pipes are followed or waited for: a folder of runs may have been copied from another machine. */
const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function refuse(file: string, stat: fs.Stats, limit: number): void {
  if (!stat.isFile()) throw new Error(`${file} is not a regular file`);
  if (stat.size > limit) throw new Error(`${file} is too large`);
}

/** Opens a regular file for reading. Rejects with the error of the file system, or one that says what the file is instead. */
export async function openRegular(file: string, limit = Infinity): Promise<FileHandle> {
  const handle = await open(file, flags);
  try {
    refuse(file, await handle.stat(), limit);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The text of a regular file of at most so many bytes. Rejects like {@link openRegular}. */
export async function readRegular(file: string, limit: number): Promise<string> {
  const handle = await openRegular(file, limit);
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** {@link readRegular} for lists that are drawn at once. */
export function readRegularSync(file: string, limit: number): string {
  const handle = fs.openSync(file, flags);
  try {
    refuse(file, fs.fstatSync(handle), limit);
    return fs.readFileSync(handle, 'utf8');
  } finally {
    fs.closeSync(handle);
  }
}
