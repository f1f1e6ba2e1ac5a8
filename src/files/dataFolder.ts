import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Where the command line saves runs unless it is given another folder: below the user's data folder, by the platform's convention. */
export function commandLineRuns(): string {
  return join(dataFolder(process.env, process.platform), 'runs');
}

function dataFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'deep-research');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'deep-research');
  return join(environment['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'deep-research');
}
