import { randomBytes } from 'node:crypto';
import { link, open, rm, writeFile } from 'node:fs/promises';

/** Creates a file that must not exist yet, durably and whole or not at all, whenever the program is killed. False when it exists. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text, { flush: true });
    // A second name of the same file: unlike a rename it replaces nothing.
    await link(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS')
      return await createInPlace(path, text);
    throw error;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** The same without a second name for a moment, which some drives don't have: a program that is killed meanwhile leaves a beginning. */
export async function createInPlace(path: string, text: string): Promise<boolean> {
  let file;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await file.close();
    // It is ours. Half a report is worse than none under its name; the whole text is in the run's folder.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
  await file.close();
  return true;
}
