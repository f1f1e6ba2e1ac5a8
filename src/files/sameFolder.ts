import { realpathSync } from 'node:fs';

/** Of folders, looked up once: a drive that is gone takes its time. */
const realFolders = new Map<string, string>();

/** Whether two absolute paths are of one folder, through links and whatever the case of the drive; two that are undefined are. */
export function isSameFolder(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && realFolder(one) === realFolder(other);
}

function realFolder(path: string): string {
  const real = realFolders.get(path) ?? realPath(path);
  realFolders.set(path, real);
  return real;
}

/** A path without links, and with its drive as an upper-case letter. One that is gone, or of another machine, stays as it is. */
export function realPath(path: string): string {
  const isRemote = /^[\\/]{2}/.test(path);
  try {
    return withDrive(isRemote ? path : realpathSync.native(path));
  } catch {
    return withDrive(path);
  }
}

function withDrive(path: string): string {
  return path.replace(/^[a-z]:[\\/]/, (drive) => drive.toUpperCase());
}
