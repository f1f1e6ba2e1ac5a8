import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** Entries of a file, the latest. */
const mostEntries = 1_000;

/**
 * What is remembered by name in one private file beside the runs. A file that can't be read or written is as none, as is an empty
 * `runsFolder`.
 */
export function remembered<T>(runsFolder: string, name: string, schema: z.ZodType<T>) {
  const file = join(runsFolder, name);
  const read = async (): Promise<Readonly<Record<string, T>>> => {
    try {
      return z.record(z.string(), schema).parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    read,
    async add(entries: Readonly<Record<string, T>>): Promise<void> {
      if (runsFolder === '') return;
      const temporary = `${file}.${process.pid}`;
      const others = Object.entries(await read()).filter(([key]) => !Object.hasOwn(entries, key));
      const latest = [...others, ...Object.entries(entries)].slice(-mostEntries);
      try {
        await mkdir(runsFolder, { recursive: true, mode: 0o700 });
        await writeFile(temporary, JSON.stringify(Object.fromEntries(latest), null, 1), { mode: 0o600 });
        await rename(temporary, file);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}
