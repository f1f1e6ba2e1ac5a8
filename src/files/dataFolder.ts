import { readdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

/** Where the command line saves runs unless it is given another folder: below the user's data folder, by the platform's convention. */
export function commandLineRuns(): string {
  return join(dataFolder(process.env, process.platform), 'runs');
}

/** In the folder of the command line's runs: a folder for each batch, with its queue and its runs. */
export const batchesFolder = 'batches';
/** Batches whose runs are listed: each may have some hundred. */
const mostBatches = 10;

/** The folders in which the command line saves runs: those of single questions, and those of the batches that were changed last. */
export function commandLineRunFolders(): string[] {
  const runs = commandLineRuns();
  const batches = join(runs, batchesFolder);
  try {
    const folders = readdirSync(batches, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(batches, name));
    const changed = new Map(folders.map((folder) => [folder, statSync(folder).mtimeMs]));
    return [runs, ...folders.sort((a, b) => changed.get(b)! - changed.get(a)!).slice(0, mostBatches)];
  } catch {
    // There are none, or one was removed at this moment.
    return [runs];
  }
}

function dataFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'deep-research');
  const named = environment['XDG_DATA_HOME'] ?? '';
  if (platform !== 'darwin' && isAbsolute(named)) return join(named, 'deep-research');
  // A relative place would be below the current folder, where another's files may be. "All paths […] must be absolute" (XDG Base Directory).
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'deep-research');
  return join(home, '.local', 'share', 'deep-research');
}
