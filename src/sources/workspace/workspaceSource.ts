import type { Named } from '../../research/evidence/namedIn.ts';
import type { NamedCall } from '../../research/tools.ts';
import type { SourceDefinition } from '../source.ts';
import { createWorkspaceTools } from './workspaceTools.ts';

export const workspace: SourceDefinition = {
  name: 'workspace',
  label: 'Workspace',
  documentLabel: 'Workspace file',
  icon: 'file',
  description: 'The files of the open folder.',
  pageHosts: [],
  goodFor: ['notes', 'science', 'software', 'models', 'opinion', 'news', 'reference'],
  lookUpOrder: 7,
  openNamed: openFile,
  missing: ({ settings, hasWorkspace }) => {
    if (!hasWorkspace) return { why: 'No folder is open that may be read.', quiet: true };
    const forModel = settings['workspace.forModel'];
    if (forModel === 'content') return undefined;
    return { why: `The setting "deepResearch.workspace.forModel" is ${forModel}: the files are not read.` };
  },
  createTools: ({ workspace: folder }) => (folder === undefined ? [] : createWorkspaceTools(folder)),
};

/** A passage with what is around it: lines move. */
function openFile({ identity }: Named): readonly NamedCall[] {
  const [, path, first, last] = /^file:(.+)#L(\d{1,7})-L(\d{1,7})$/.exec(identity) ?? [];
  if (path === undefined) return [];
  const lines = { first_line: Math.max(1, Number(first) - before), last_line: Number(last) + behind };
  return [{ name: 'read_workspace_file', args: { path, ...lines } }];
}
const [before, behind] = [40, 200];
