import { join, relative, resolve, sep } from 'node:path';
import { indexStorage } from '../node/indexStorage.ts';
import { openWorkspace } from '../node/workspace.ts';
import { ResearchError } from '../research/errors.ts';
import type { Reading, WorkspacePort } from '../research/ports.ts';
import type { Settings } from '../research/settings/config.ts';
import { detectLanguage } from '../research/text/language.ts';
import type { ToolResult } from '../research/tools.ts';
import { createWorkspaceTools } from '../sources/workspace/workspaceTools.ts';
import { readPdf } from './documents.ts';
import { type RunOptions, settingsOf } from './runOptions.ts';

/** The files of a folder, as the settings let them be read, with the index that its runs share. */
export function openedWorkspace(
  folder: string,
  { runsFolder, version, symbols }: Pick<RunOptions, 'runsFolder' | 'version' | 'symbols'>,
  settings: Settings,
  reading?: Reading,
): WorkspacePort {
  return openWorkspace(folder, {
    exclude: settings['workspace.exclude'],
    reportFolder: settings['report.folder'],
    reading,
    readPdf,
    ...(symbols && { symbols }),
    index: indexStorage(join(runsFolder, '.index'), folder, version),
  });
}

/** Searches the folder; the caller receives its texts. Rejects with `config` where the settings forbid that. */
export async function searchFolder(
  options: RunOptions,
  args: { readonly query: string; readonly path?: string | undefined; readonly max_results?: number | undefined },
  signal: AbortSignal,
): Promise<ToolResult> {
  const tools = createWorkspaceTools(shownWorkspace(options));
  const search = tools.find(({ kind }) => kind === 'search')!;
  return search.run(args, { focus: args.query, language: detectLanguage(args.query) }, signal);
}

/**
 * The absolute paths of files that a program asks to be read: those of the folder that a search would show, and no other. Rejects with
 * `badRequest` for one outside, and for one that is excluded or not there.
 */
export async function filesOfFolder(
  options: RunOptions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const workspace = shownWorkspace(options);
  const folder = options.workspaceFolder!;
  const known = new Set((await workspace.files(signal)).map(({ path }) => path));
  return paths.map((path) => {
    const full = resolve(folder, path);
    const below = relative(folder, full).split(sep).join('/');
    if (known.has(below)) return full;
    throw new ResearchError('badRequest', `${path.slice(0, 200)} is no file of the workspace that may be read.`, {
      next: 'Name a file by its path in the workspace, as search_workspace gives it.',
    });
  });
}

function shownWorkspace(options: RunOptions): WorkspacePort {
  const settings = settingsOf(options);
  if (options.workspaceFolder === undefined)
    throw new ResearchError('config', 'There is no workspace to read.', { next: 'Name one with --workspace.' });
  if (settings['workspace.forModel'] !== 'content')
    throw new ResearchError('config', 'The settings let no text of the workspace be shown to a model.', {
      next: 'The user may set deepResearch.workspace.forModel to content.',
    });
  return openedWorkspace(options.workspaceFolder, options, settings);
}
