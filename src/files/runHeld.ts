import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { lockStaleMs, runFiles } from '../protocol/runFolder.ts';
import { readRegularSync, recordLimit } from './regularFile.ts';

/**
 * Whether a process uses the run in `folder`: its lock is fresh and, where that can be checked, its process
 * alive.
 */
export function isHeld(folder: string, now = Date.now()): boolean {
  const file = path.join(folder, runFiles.lock);
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat || Math.abs(now - stat.mtimeMs) > lockStaleMs) return false;
    const { pid, host } = JSON.parse(readRegularSync(file, recordLimit)) as {
      readonly pid?: unknown;
      readonly host?: unknown;
    };
    return host !== hostname() || typeof pid !== 'number' || isAlive(pid);
  } catch (error) {
    // Without a lock it is free; a lock that is being written, or of a later version, is held.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
