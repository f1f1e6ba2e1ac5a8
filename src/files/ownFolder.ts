import { lstat, mkdir } from 'node:fs/promises';
import process from 'node:process';

/** Bits of a mode that let other users write. Windows has none of them. */
const writableByOthers = process.platform === 'win32' ? 0 : 0o022;

/**
 * Whether a folder is this user's alone: what lies in another one could be anyone's, and what is written into a link could land
 * anywhere. Rejects when there is none.
 */
export async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() && isOwn(found);
}

export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === (process.getuid?.() ?? uid) && (mode & writableByOthers) === 0;
}

/** Makes a folder for this user alone. Rejects where it is another's. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (!(await isOwnFolder(path))) throw new Error('not a folder of this user alone');
}
