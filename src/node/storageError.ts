import { ResearchError } from '../research/errors.ts';

const reasons: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['permission denied', 'Choose a folder that you can write to.'],
  EPERM: ['permission denied', 'Choose a folder that you can write to.'],
  EROFS: ['the file system is read-only', 'Choose another folder.'],
  ENOSPC: ['the disk is full', 'Free up some space, or choose a folder on another disk.'],
  EDQUOT: ['the disk quota is used up', 'Free up some space, or choose a folder on another disk.'],
  ENOENT: ['the folder does not exist', 'Choose a folder that exists.'],
  ENOTDIR: ['part of the path is a file, not a folder', 'Choose another folder.'],
  EISDIR: ['there is a folder where the file should be', 'Choose another name.'],
  EEXIST: ['there is a file where the folder should be', 'Choose another folder.'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter path.'],
  EMFILE: ['too many files are open', 'Close some programs and try again.'],
};

/** A failure of the file system as a `storage` error with what to do; `what` says what was tried ("save the report"). */
export function storageError(error: unknown, what: string): ResearchError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  const [why, next] = reasons[code] ?? [
    error instanceof Error ? error.message : String(error),
    'Choose another folder.',
  ];
  return new ResearchError('storage', `Could not ${what}: ${why}.`, { next, cause: error });
}
