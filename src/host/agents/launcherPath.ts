import path from 'node:path';

/** Absolute path of the script that agents start: the same for every version of the extension. */
export function launcherPath(storage: string): string {
  return path.join(storage, 'agents', 'deep-research.mjs');
}
