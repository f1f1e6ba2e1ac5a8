import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runIdPattern } from '../../protocol/runFolder.ts';
import { readBeginning } from './savedRun.ts';
import { isHeld } from './runHeld.ts';

/** How many of the newest runs are checked: one that was interrupted before the window recorded it is among them. */
const checked = 20;

/**
 * The newest run on a folder that was in progress when its process ended, by the runs' own records: a host that is
 * killed in a run's first moments has not recorded it in the editor's storage.
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
    .slice(-checked)
    .reverse();
  for (const run of newest) {
    const record = await readBeginning(runsFolder, run);
    if (!record || record.workspace !== workspaceFolder) continue;
    const wasInProgress = record.status === 'running' || record.status === 'waiting';
    return wasInProgress && !isHeld(path.join(runsFolder, run)) ? run : undefined;
  }
  return undefined;
}
