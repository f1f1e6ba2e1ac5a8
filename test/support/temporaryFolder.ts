import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Writes files by relative path, with the folders on the way. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  remove(): Promise<void>;
}

/** A folder of its own for a test, outside of any repository. */
export async function temporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'deep-research-')));
  const write: TemporaryFolder['write'] = async (contents) => {
    for (const [name, content] of Object.entries(contents)) {
      const full = join(path, name);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
    }
  };
  await write(files);
  return { path, write, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}
