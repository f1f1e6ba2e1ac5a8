import { realpathSync } from 'node:fs';

/** Of folders that exist, looked up once. */
const realFolders = new Map<string, string>();

/** Whether two absolute paths are of the same folder, through links and whatever the case of the drive; no folder is no folder. */
export function isSameFolder(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && realFolder(one) === realFolder(other);
}

function realFolder(path: string): string {
  const real = realFolders.get(path) ?? resolved(path);
  if (real !== undefined) realFolders.set(path, real);
  return withDrive(real ?? path);
}

/** A path without links, and with its drive as an upper-case letter. One that is gone, or of another machine, stays as it is. */
export function realPath(path: string): string {
  return withDrive(resolved(path) ?? path);
}

function resolved(path: string): string | undefined {
  try {
    // Of another machine: looking it up would ask that.
    return /^[\\/]{2}/.test(path) ? undefined : realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function withDrive(path: string): string {
  return path.replace(/^[a-z]:[\\/]/, (drive) => drive.toUpperCase());
}
