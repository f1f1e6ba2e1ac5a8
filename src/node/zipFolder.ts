import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Zip, ZipDeflate } from 'fflate';
import { openRegular } from '../files/regularFile.ts';
import { ResearchError } from '../research/errors.ts';

/** A file in the archive that is not in the folder. */
export interface AddedFile {
  readonly name: string;
  readonly text: string;
}

export interface ZipOptions {
  /** Absolute. */
  readonly folder: string;
  /** The one top-level folder of the archive. */
  readonly top: string;
  readonly added: readonly AddedFile[];
  /** Given the path relative to the folder, with `/`. */
  readonly leaveOut: (path: string) => boolean;
}

interface Found {
  readonly path: string;
  readonly size: number;
  readonly modified: Date;
}

const pieceLength = 256 * 1024;
/** What the format holds without its 64-bit extension. */
const mostBytes = 0xffff_ffff;
const mostFiles = 0xffff;
/** The format counts time from 1980. */
const firstDate = new Date(1980, 0, 2);

/**
 * Writes a folder as a zip, piece by piece. Names come in one order; symbolic links and anything but regular files are left
 * out, so that nothing from elsewhere gets in. A file that grows meanwhile is included at its old size; one that vanishes is left out.
 */
export async function zipFolder(file: FileHandle, { folder, top, added, leaveOut }: ZipOptions): Promise<void> {
  const found = (await filesBelow(folder)).filter(({ path }) => !leaveOut(path));
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (bytes > mostBytes || found.length + added.length > mostFiles) {
    throw new ResearchError('badRequest', 'The folder of this run is too large for a zip (4 GB, 65,535 files).', {
      next: `Copy the folder itself: ${folder}`,
    });
  }
  const archive = new Archive(file);
  for (const each of found) await archive.copy(folder, top, each);
  for (const { name, text } of added) await archive.add(`${top}/${name}`, text);
  await archive.end();
}

class Archive {
  readonly #file: FileHandle;
  readonly #zip: Zip;
  #ready: Uint8Array[] = [];
  #failure: Error | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
    this.#zip = new Zip((error, piece) => {
      if (error) this.#failure ??= error;
      else this.#ready.push(piece);
    });
  }

  async copy(folder: string, top: string, { path, size, modified }: Found): Promise<void> {
    const source = await openRegular(join(folder, path)).catch(ignoreMissing);
    if (!source) return;
    try {
      const entry = this.#entry(`${top}/${path}`, modified);
      for (let left = size; left > 0;) {
        const { bytesRead, buffer } = await source.read(new Uint8Array(Math.min(left, pieceLength)));
        if (bytesRead === 0) break;
        left -= bytesRead;
        entry.push(buffer.subarray(0, bytesRead));
        await this.#flush();
      }
      entry.push(new Uint8Array(0), true);
      await this.#flush();
    } finally {
      await source.close();
    }
  }

  async add(name: string, text: string): Promise<void> {
    this.#entry(name, firstDate).push(new TextEncoder().encode(text), true);
    await this.#flush();
  }

  async end(): Promise<void> {
    this.#zip.end();
    await this.#flush();
  }

  #entry(name: string, modified: Date): ZipDeflate {
    const entry = new ZipDeflate(name);
    entry.mtime = modified;
    this.#zip.add(entry);
    return entry;
  }

  async #flush(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const pieces = this.#ready;
    this.#ready = [];
    for (const piece of pieces) await this.#file.write(piece);
  }
}

async function filesBelow(folder: string, below = ''): Promise<Found[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found: Found[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // A name with a backslash or a drive is a path to some unpackers.
    if (!/^\w[\w.-]*$/.test(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) for (const one of await filesBelow(folder, path)) found.push(one);
    else if (entry.isFile()) {
      const facts = await lstat(join(folder, path)).catch(ignoreMissing);
      // A second name of a file elsewhere would put that file into the archive.
      if (facts?.isFile() && facts.nlink === 1)
        found.push({ path, size: facts.size, modified: facts.mtime > firstDate ? facts.mtime : firstDate });
    }
  }
  return found;
}

/** For a file that is gone, or that a link has replaced since it was looked at. */
function ignoreMissing(error: unknown): undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ELOOP') return undefined;
  throw error;
}
