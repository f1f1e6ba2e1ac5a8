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
  missing: ({ settings, hasWorkspace }) => {
    if (!hasWorkspace) return { why: 'No folder is open that may be read.', quiet: true };
    const forModel = settings['workspace.forModel'];
    if (forModel === 'content') return undefined;
    return { why: `The setting "deepResearch.workspace.forModel" is ${forModel}: the files are not read.` };
  },
  createTools: ({ workspace: folder }) => (folder === undefined ? [] : createWorkspaceTools(folder)),
};
