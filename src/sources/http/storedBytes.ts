import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The content of a regular file that is no link. Rejects when it is anything else, or longer than `limit` bytes. */
export async function readBytes(path: string, limit: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > limit) throw new Error('not a stored file');
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
