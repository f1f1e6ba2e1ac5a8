import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isOwn } from '../files/ownFolder.ts';
import { openRegular, recordLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';

/** Entries of a file, the latest. */
const mostEntries = 1_000;

/**
 * What is remembered by name in one private file beside the runs. A file that can't be read or written, or is another user's, is as
 * none, as is an empty `runsFolder`.
 */
export function remembered<T>(runsFolder: string, name: string, schema: z.ZodType<T>) {
  const file = join(runsFolder, name);
  const read = async (): Promise<Readonly<Record<string, T>>> => {
    try {
      const handle = await openRegular(file, recordLimit);
      try {
        // The folder of the runs may be one that others can write to.
        if (!isOwn(await handle.stat())) return {};
        return z.record(z.string(), schema).parse(JSON.parse(await handle.readFile('utf8')));
      } finally {
        await handle.close();
      }
    } catch {
      return {};
    }
  };
  return {
    read,
    async add(entries: Readonly<Record<string, T>>): Promise<void> {
      if (runsFolder === '') return;
      const others = Object.entries(await read()).filter(([key]) => !Object.hasOwn(entries, key));
      const latest = [...others, ...Object.entries(entries)].slice(-mostEntries);
      try {
        await mkdir(runsFolder, { recursive: true, mode: 0o700 });
        await replaceFile(file, JSON.stringify(Object.fromEntries(latest), null, 1), 0o600);
      } catch {
        // Then the user is asked again.
      }
    },
  };
}
