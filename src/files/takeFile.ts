import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import process from 'node:process';
import { readRegular } from './regularFile.ts';
import { isAlive } from './runHeld.ts';

/** Makes the file with this process in it; takes one over whose process is gone, or that is too old. */
export async function takeFile(file: string, staleMs: number): Promise<boolean> {
  if (await make(file)) return true;
  const age = await stat(file).then(
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs),
    () => undefined,
  );
  if (age === undefined) return make(file);
  const written = await readRegular(file, 100).catch(() => '');
  const holder = Number(written);
  if (age <= staleMs && (holder === 0 || isAlive(holder))) return false;
  // Of several that find it dead, one renames it. What another one has made meanwhile goes back.
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await rename(file, aside).catch(() => undefined);
  const isAnothers = (await readRegular(aside, 100).catch(() => written)) !== written;
  if (isAnothers) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  return !isAnothers && (await make(file));
}

async function make(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(String(process.pid));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

export async function freeFile(file: string | undefined): Promise<void> {
  if (file !== undefined) await rm(file, { force: true }).catch(() => undefined);
}
