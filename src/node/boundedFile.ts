import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A file that takes longer is on a sleeping drive, or is not an ordinary file. */
const longestReadMs = 10_000;

/**
 * The first bytes of a regular file. Neither links nor pipes, devices and folders are opened, and the size is looked at before
 * anything is read. Throws an error of the file system, or one that says what the file is instead.
 *
 * @param limit In bytes.
 */
export async function readBytes(path: string, limit: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags);
  const deadline = performance.now() + longestReadMs;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('not a regular file');
    const buffer = Buffer.alloc(Math.min(limit, Math.max(stat.size, 1)));
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

/** The text of a regular file of at most so many bytes. Throws like {@link readBytes}, and for a larger one. */
export async function readWhole(path: string, limit: number): Promise<string> {
  const bytes = await readBytes(path, limit + 1);
  if (bytes.length > limit) throw new Error('the file is too large');
  return bytes.toString('utf8');
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
    return await readWhole(real, limit);
  } catch {
    return '';
  }
}
