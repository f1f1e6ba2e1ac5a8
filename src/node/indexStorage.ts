import { createHash } from 'node:crypto';
import { type FileHandle, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isOwnFolder, ownFolder } from '../files/ownFolder.ts';
import { readBytes } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import type { IndexStorage } from '../research/ports.ts';

const digestBytes = 32;
/** Indexes of other folders that are left, newest first. */
const mostIndexes = 8;
/** A draft that is older is of a process that has ended, in milliseconds. */
const longestDraftMs = 3_600_000;
/** The same object for the same index, so that the runs of a process can share what they know of it. */
const storages = new Map<string, IndexStorage>();
/** A larger file is none of ours: its digest is not that of its beginning. */
const mostBytes = 1_500_000_000;

/**
 * The index of a folder as one private file below `storage`, named by a hash of the folder's path. It begins with a digest over the
 * program's version and its content, so that neither a damaged one nor one of another version is ever used; nor is one in a folder
 * that others may write to.
 */
export function indexStorage(storage: string, folder: string, version: string): IndexStorage {
  const name = `${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}.index`;
  const file = join(storage, name);
  const known = storages.get(`${file} ${version}`);
  if (known !== undefined) return known;
  const digestOf = (parts: readonly Uint8Array[]): Buffer => {
    const hash = createHash('sha256').update(version);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  let writing = Promise.resolve();
  const own: IndexStorage = {
    async load() {
      try {
        if (!(await isOwnFolder(storage))) return undefined;
        const bytes = await readBytes(file, mostBytes);
        const content = bytes.subarray(digestBytes);
        return digestOf([content]).equals(bytes.subarray(0, digestBytes)) ? content : undefined;
      } catch {
        return undefined;
      }
    },
    save: (parts) => (writing = writing.then(() => write(parts))),
  };
  async function write(parts: readonly Uint8Array[]): Promise<void> {
    try {
      await ownFolder(storage);
      const writeParts = async (draft: FileHandle): Promise<void> => {
        for (const part of [digestOf(parts), ...parts]) await draft.writeFile(part);
      };
      await replaceFile(file, writeParts, 0o600);
      await removeOldest(storage);
    } catch {
      // Without a stored index the next run makes its own.
    }
  }
  storages.set(`${file} ${version}`, own);
  return own;
}

/** Also drafts of processes that ended while they wrote. */
async function removeOldest(storage: string): Promise<void> {
  const names = (await readdir(storage)).filter((name) => /\.(?:index|tmp)$/.test(name));
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(storage, name))).mtimeMs })));
  const [drafts, indexes] = [dated.filter(isDraft), dated.filter((one) => !isDraft(one))];
  const old = drafts.filter(({ at }) => Date.now() - at > longestDraftMs);
  for (const { name } of [...old, ...indexes.sort((a, b) => b.at - a.at).slice(mostIndexes)])
    await rm(join(storage, name));
}

const isDraft = ({ name }: { readonly name: string }): boolean => name.endsWith('.tmp');
