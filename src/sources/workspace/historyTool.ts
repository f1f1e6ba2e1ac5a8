import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import type { Commit, WorkspacePort, FoundDocument } from '../../research/ports.ts';
import { PassageIndex } from '../../research/text/passageIndex.ts';
import { readQuery } from '../../research/text/query.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { clampCount, defineTool } from '../toolArguments.ts';
import { readWorkspacePath } from './workspacePath.ts';

const historyArguments = z.object({
  about: z.string().optional().describe('Words of the messages, best first. Absent: the newest commits.'),
  path: z.string().optional().describe('Only commits that changed this file.'),
  max_results: z.number().optional().describe('1 to 30, default 10.'),
});

/** `read_git_history`: commits of the user's repository whose messages say when and why something changed. */
export function historyTool(workspace: WorkspacePort): ResearchTool {
  return defineTool('workspace', 'read', {
    name: 'read_git_history',
    description:
      "Reads commit messages of the user's own repository: when and why something was changed, and by whom. By words or by file.",
    parameters: historyArguments,
    async run({ about = '', path, max_results }, { language }, signal) {
      const file = path === undefined || path.trim() === '' ? undefined : await listed(workspace, path, signal);
      const commits = (await workspace.commits?.(file, signal)) ?? [];
      const chosen = about.trim() === '' ? commits : ranked(commits, about, language);
      const documents = chosen.slice(0, clampCount(max_results, 10, 30)).map(commitDocument);
      const of = file === undefined ? 'the repository' : file;
      if (commits.length === 0) return { documents, note: `There is no history of ${of}.` };
      const what = about.trim() === '' ? 'newest first' : `about "${about.trim().slice(0, 100)}", best first`;
      return { documents, note: `${documents.length} of the last ${commits.length} commits of ${of}, ${what}.` };
    },
  });
}

/** By the ranking of the workspace's passages. */
function ranked(commits: readonly Commit[], about: string, language: string): readonly Commit[] {
  const index = new PassageIndex();
  for (const [number, { id, author, message }] of commits.entries()) {
    const lines = message.split('\n').length;
    index.add(String(number), id, [
      { form: 'prose', firstLine: 1, lastLine: lines, headings: [author], text: message },
    ]);
  }
  index.settle();
  const { hits } = index.search(readQuery(about, language), commits.length);
  return hits.map(({ path }) => commits[Number(path)]!);
}

function commitDocument({ id, author, date, message }: Commit): FoundDocument {
  const [subject = ''] = message.split('\n');
  return {
    kind: 'workspace',
    title: `${subject.slice(0, 120)} (commit ${id.slice(0, 10)})`,
    authors: author === '' ? [] : [author],
    ...(date === '' ? {} : { date }),
    text: message,
    facts: ['commit'],
    // As private as the files.
    isPrivate: true,
  };
}

async function listed(workspace: WorkspacePort, asked: string, signal: AbortSignal): Promise<string> {
  const paths = (await workspace.files(signal)).map(({ path }) => path);
  const target = readWorkspacePath(asked, paths);
  if (target.kind === 'found') return target.path;
  throw new ResearchError('notFound', `The workspace has no file "${asked.slice(0, 120)}" that may be read.`, {
    next: 'Use a path as search_workspace gives it.',
  });
}
