import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path lies below a folder; the folder itself does not. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
