import { openWorkspace } from '../node/workspace.ts';
import { exampleQuestions as questionsOf } from '../sources/workspace/exampleQuestions.ts';
import { type RunOptions, settingsOf } from './runOptions.ts';

const offered = 3;
/** A folder on a slow disk is asked no longer, in milliseconds. */
const mostMs = 10_000;

/** See `ResearchEngine`. */
export async function exampleQuestions(options: RunOptions): Promise<readonly string[]> {
  if (options.workspaceFolder === undefined) return [];
  try {
    const settings = settingsOf(options);
    if (settings['workspace.forModel'] === 'off') return [];
    const exclude = settings['workspace.exclude'];
    const workspace = openWorkspace(options.workspaceFolder, { exclude, reportFolder: settings['report.folder'] });
    return await questionsOf(workspace, offered, AbortSignal.timeout(mostMs));
  } catch (error) {
    options.log.warn(`no example questions: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
