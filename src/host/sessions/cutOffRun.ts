import { readdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { readBeginning } from './keptRun.ts';

/** How many of the newest runs are looked at: one that was cut off before the window could note it is among the last. */
const looked = 20;
/** A lock whose file was not touched for so long (milliseconds) is nobody's. */
const lockStaleMs = 60_000;

/**
 * The newest run on a folder that was at work when its process went away, as far as the runs' own records tell: a host that is
 * killed in a run's first moments has not noted it in the editor's storage.
 *
 * @param workspaceFolder Absolute path of the folder that this window researches; undefined: none.
 * @param after Only runs that began after this one.
 */
export async function findCutOffRun(runsFolder: string, workspaceFolder: string | undefined, after = ''): Promise<string | undefined> {
  const names = await readdir(runsFolder).catch(() => []);
  // Ids begin with the date and time.
  const newest = names.filter((name) => /^\d{8}-\d{6}-[0-9a-f]{6}$/.test(name) && name > after).sort().slice(-looked).reverse();
  for (const run of newest) {
    const kept = await readBeginning(runsFolder, run);
    if (!kept || kept.workspace !== workspaceFolder) continue;
    const atWork = kept.status === 'running' || kept.status === 'waiting';
    return atWork && !(await isHeld(path.join(runsFolder, run, 'run.lock'))) ? run : undefined;
  }
  return undefined;
}

/** Whether a living process holds a run. */
async function isHeld(lock: string): Promise<boolean> {
  const touched = await stat(lock).catch(() => undefined);
  if (!touched || Math.abs(Date.now() - touched.mtimeMs) > lockStaleMs) return false;
  try {
    const { pid, host } = JSON.parse(await readFile(lock, 'utf8')) as { readonly pid?: unknown; readonly host?: unknown };
    return host !== hostname() || typeof pid !== 'number' || isAlive(pid);
  } catch {
    // Being written at this moment, or of a later version: somebody's.
    return true;
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
