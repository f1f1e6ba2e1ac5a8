import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(import.meta.dirname, '..', '..');

/** A folder of its own under the system's temporary folder; the caller removes it. */
export function temporaryFolder(name: string): string {
  return fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `deep-research-${name}-`));
}

/** A copy to work in, so that no test writes into the repository. Without `from`: an empty workspace. */
export function copyWorkspace(from?: string): string {
  const folder = temporaryFolder('workspace');
  if (from !== undefined) fs.cpSync(path.resolve(root, from), folder, { recursive: true });
  return folder;
}

export function removeFolder(folder: string): void {
  // The editor's server may still be writing its last log line.
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
