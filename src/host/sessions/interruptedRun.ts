import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runIdPattern } from '../../protocol/runFolder.ts';
import { readBeginning } from './savedRun.ts';
import { isHeld } from './runHeld.ts';

/** How many of the newest runs are looked at: one that was cut off before the window could note it is among the last. */
const looked = 20;

/**
 * The newest run on a folder that was at work when its process went away, as far as the runs' own records tell: a host that is
 * killed in a run's first moments has not noted it in the editor's storage.
 *
 * @param workspaceFolder Absolute path of the folder that this window researches; undefined: none.
 * @param after Only runs that began after this one.
 */
export async function findInterruptedRun(
  runsFolder: string,
  workspaceFolder: string | undefined,
  after = '',
): Promise<string | undefined> {
  const names = await readdir(runsFolder).catch(() => []);
  // Ids begin with the date and time.
  const newest = names
    .filter((name) => runIdPattern.test(name) && name > after)
    .sort()
    .slice(-looked)
    .reverse();
  for (const run of newest) {
    const kept = await readBeginning(runsFolder, run);
    if (!kept || kept.workspace !== workspaceFolder) continue;
    const atWork = kept.status === 'running' || kept.status === 'waiting';
    return atWork && !isHeld(path.join(runsFolder, run)) ? run : undefined;
  }
  return undefined;
}
