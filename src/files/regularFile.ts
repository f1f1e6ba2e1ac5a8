import fs from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Bytes of a run's record, lock and the like: none of ours comes near. */
export const recordLimit = 2_000_000;
/** Bytes of a report. */
export const reportLimit = 20_000_000;
/** A file that takes longer is on a sleeping drive, or is not an ordinary file. */
const longestReadMs = 10_000;

/**
 * Neither links nor pipes are followed or waited for: a folder may have been copied from another machine. Without O_NONBLOCK,
 * opening a pipe waits for a writer.
 */
const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function refuse(stat: fs.Stats, limit: number): void {
  if (!stat.isFile()) throw new Error('not a regular file');
  if (stat.size > limit) throw new Error('the file is too large');
}

/**
 * Opens a regular file of at most so many bytes for reading. Rejects with the error of the file system, or one that says what the file
 * is instead.
 */
export async function openRegular(path: string, limit = Infinity): Promise<FileHandle> {
  const file = await open(path, flags);
  try {
    refuse(await file.stat(), limit);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first bytes of a regular file, at most `limit`. Rejects like {@link openRegular}. */
export async function readBytes(path: string, limit: number): Promise<Buffer> {
  const file = await openRegular(path);
  const deadline = performance.now() + longestReadMs;
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(limit, Math.max(size, 1)));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, Math.min(buffer.length - length, 1 << 20), length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (performance.now() > deadline) throw new Error('reading takes too long');
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** The text of a regular file of at most so many bytes. Rejects like {@link openRegular}. */
export async function readRegular(path: string, limit: number): Promise<string> {
  const bytes = await readBytes(path, limit + 1);
  if (bytes.length > limit) throw new Error('the file is too large');
  return bytes.toString('utf8');
}

/** {@link readRegular} for lists that are drawn at once. */
export function readRegularSync(path: string, limit: number): string {
  const file = fs.openSync(path, flags);
  try {
    refuse(fs.fstatSync(file), limit);
    return fs.readFileSync(file, 'utf8');
  } finally {
    fs.closeSync(file);
  }
}

/**
 * The text of a small file that configures something, below `root` once links are resolved; empty when there is none, when it is
 * larger than `limit` bytes, or when it isn't a regular file of that folder.
 */
export async function readSmallText(root: string, path: string, limit: number): Promise<string> {
  const full = join(root, path);
  try {
    const real = await realpath(full);
    if (real !== full && !real.startsWith(root.endsWith(sep) ? root : root + sep)) return '';
    return await readRegular(real, limit);
  } catch {
    return '';
  }
}
