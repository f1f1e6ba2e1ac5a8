import { mkdir, stat } from 'node:fs/promises';
import { dirname, extname, join, parse } from 'node:path';
import type { ReportSink } from '../research/ports.ts';
import { createFile } from './runStore.ts';
import { storageError } from './storageError.ts';

const mostNumbers = 10_000;

/** Saves reports into a folder, which is made when it is missing. */
export function folderSink(folder: string): ReportSink {
  return { save: (fileName, markdown) => saveUnder(folder, fileName, markdown) };
}

/** Saves to the given path: a `.md` file (a number is added when it exists), else a folder. */
export function pathSink(path: string): ReportSink {
  return {
    async save(fileName, markdown) {
      const isFile = extname(path).toLowerCase() === '.md' && !(await isFolder(path));
      return isFile ? saveUnder(dirname(path), parse(path).base, markdown) : saveUnder(path, fileName, markdown);
    },
  };
}

async function saveUnder(folder: string, fileName: string, markdown: string): Promise<string> {
  const { name, ext } = parse(fileName);
  try {
    await mkdir(folder, { recursive: true });
    for (let number = 1; number <= mostNumbers; number += 1) {
      const path = join(folder, number === 1 ? fileName : `${name}-${number}${ext}`);
      if (await createFile(path, markdown)) return path;
    }
  } catch (error) {
    throw storageError(error, `save the report in ${folder}`);
  }
  throw storageError(new Error('every name is taken'), `save the report in ${folder}`);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
