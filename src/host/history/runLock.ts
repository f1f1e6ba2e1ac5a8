import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { lockStaleMs, runFiles } from '../../protocol/runFolder.ts';
import { runLockSchema } from '../../protocol/runRecord.ts';

/** Whether some process is at work on a run: its lock is fresh and, where that can be asked, its process alive. */
export function isHeld(folder: string, now = Date.now()): boolean {
  const file = path.join(folder, runFiles.lock);
  try {
    const { mtimeMs } = fs.statSync(file);
    if (now - mtimeMs > lockStaleMs) return false;
    const lock = runLockSchema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
    // A fresh lock that cannot be read is being written, or is a later version's: somebody's in any case.
    return lock === undefined || lock.host !== hostname() || isAlive(lock.pid);
  } catch (error) {
    return error instanceof SyntaxError;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
