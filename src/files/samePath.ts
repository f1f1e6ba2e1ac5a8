import { realpathSync } from 'node:fs';

/** A path without links, and with its drive as an upper-case letter. One that is gone, or of another machine, stays as it is. */
export function realPath(path: string): string {
  const isRemote = path.startsWith('\\\\');
  try {
    return withDrive(isRemote ? path : realpathSync.native(path));
  } catch {
    return withDrive(path);
  }
}

function withDrive(path: string): string {
  return path.replace(/^[a-z]:[\\/]/, (drive) => drive.toUpperCase());
}
