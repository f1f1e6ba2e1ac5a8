import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Attachment } from '../../protocol/ports.ts';
import type { SourceView } from '../../protocol/runView.ts';
import { sourceTarget } from '../reports/sourceTarget.ts';

/** Kind of the sources that the user attached to a question. */
const attachedKind = 'attached';

export interface AttachedBefore {
  readonly attached: readonly Attachment[];
  /** Names of what has to be attached again by hand. */
  readonly leftOut: readonly string[];
}

/**
 * What a saved run had attached, for its rerun: whole files that are in the open folder now, links resolved. The record of a run
 * names no other file; pasted pages and selected lines are not in it. The engine checks each file like a newly attached one.
 * @param workspace The folder that the run researched, which its paths are relative to: nothing of another one is attached.
 */
export async function attachedBefore(
  sources: readonly SourceView[],
  workspace: string | undefined,
  folder: string | undefined,
): Promise<AttachedBefore> {
  const attached: Attachment[] = [];
  const leftOut: string[] = [];
  for (const source of sources) {
    if (source.kind !== attachedKind) continue;
    const file = await fileOf(source, workspace, folder);
    if (file === undefined) leftOut.push(source.title);
    else attached.push({ path: file });
  }
  return { attached, leftOut };
}

async function fileOf(
  source: SourceView,
  workspace: string | undefined,
  folder: string | undefined,
): Promise<string | undefined> {
  const target = sourceTarget(source, folder);
  if (workspace === undefined || folder === undefined || target.kind !== 'file') return undefined;
  // Selected lines bear their numbers in the title.
  if (source.title !== source.file?.path) return undefined;
  try {
    const [researched, root, file] = await Promise.all([realpath(workspace), realpath(folder), realpath(target.path)]);
    const isIn = researched === root && file.startsWith(root + path.sep);
    return isIn && (await stat(file)).isFile() ? target.path : undefined;
  } catch {
    return undefined;
  }
}
