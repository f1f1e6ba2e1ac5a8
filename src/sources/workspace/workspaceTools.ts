import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import {
  isDocument,
  mostFiles,
  mostReadBytes,
  type WorkspaceFile,
  type WorkspacePort,
  type FoundDocument,
} from '../../research/ports.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../../research/tools.ts';
import { clampCount, defineTool } from '../toolArguments.ts';
import { oneLine } from '../../research/text/hidden.ts';
import { readQuery } from '../../research/text/query.ts';
import { termsOf, tokensOf } from '../../research/text/tokenize.ts';
import { cutPassages, kindOf, type Passage } from '../../research/text/passages.ts';
import { authorsOf, bibtexFields } from './bibtex.ts';
import { historyTool } from './historyTool.ts';
import { withOverview } from './overview.ts';
import { symbolTool } from './symbolTool.ts';
import { WorkspaceIndex } from './workspaceIndex.ts';
import { pathFilter, readWorkspacePath, similarPaths } from './workspacePath.ts';

const searchArguments = z.object({
  query: z.string().trim().min(1).describe('Words that the passage should hold.'),
  path: z.string().optional().describe('Only this folder, file or pattern (docs, src/*.ts).'),
  max_results: z.number().optional().describe('1 to 20, default 8.'),
  least_share: z
    .number()
    .optional()
    .describe('0 to 1, default 0.3: leave out what fits less than this share of the best.'),
});

const readArguments = z.object({
  path: z.string().trim().min(1).describe('A path as the search gives it.'),
  first_line: z.number().optional().describe('Default 1.'),
  last_line: z.number().optional().describe('Default: as far as one answer goes.'),
});

const maxResults = 20;
/** What one reading gives at most. */
const maxReadLines = 400;
const maxReadLength = 24_000;
/** Files that a warning names. */
const mostNamed = 4;

/** `search_workspace` and `read_workspace_file`. A document is a range of lines of a file. */
export function createWorkspaceTools(workspace: WorkspacePort): readonly ResearchTool[] {
  const index = WorkspaceIndex.of(workspace);
  return [
    defineTool('workspace', 'search', {
      name: 'search_workspace',
      description:
        "Searches the user's own workspace (notes, documents, code, bibliographies). Gives passages with file and lines.",
      parameters: searchArguments,
      run: (args, context, signal) => search(workspace, index, args, context, signal),
      prepare: (signal) => index.prepare(workspace, signal),
    }),
    defineTool('workspace', 'read', {
      name: 'read_workspace_file',
      description: "Reads a file of the user's workspace, or some of its lines.",
      parameters: readArguments,
      run: (args, _context, signal) => read(workspace, args, signal),
    }),
    symbolTool(workspace),
    ...(workspace.commits ? [historyTool(workspace)] : []),
  ];
}

async function search(
  workspace: WorkspacePort,
  index: WorkspaceIndex,
  { query, path, max_results, least_share = 0.3 }: z.infer<typeof searchArguments>,
  { language, onIndexed, enough }: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const within = await filterOf(workspace, path, signal);
  const limit = clampCount(max_results, 8, maxResults);
  const options = { limit, leastShare: least_share, language, within, onIndexed, enough };
  const { reach, failed, ...result } = await index.search(workspace, query, options, signal);
  const isWhole = path === undefined || path === '';
  const { found, words } = isWhole
    ? await withOverview(query, language, result, await workspace.files(signal), (one) => workspace.read(one, signal))
    : result;
  const place = isWhole ? '' : ` in ${path}`;
  const missing = words.filter(({ fate }) => fate === 'missing').map(({ word }) => word);
  const unknown = missing.length === 0 ? '' : ` No file holds: ${missing.slice(0, 8).join(', ')}.`;
  const note =
    found.length === 0
      ? `Nothing in the workspace's ${reach.files} files${place} is about "${query.slice(0, 100)}". Try other words.`
      : `${found.length} passages of ${new Set(found.map(({ file }) => file.path)).size} files${place}, best first.${unknown}`;
  const asked = new Set(readQuery(query, language).words.flatMap(({ terms }) => terms));
  const isAsked = (name: string): boolean =>
    tokensOf(name).some((token) => termsOf(token).some((term) => asked.has(term)));
  const secret = ((await workspace.withheld?.(signal)) ?? []).filter((one) => within(one) && isAsked(one));
  const warnings: string[] = [];
  if (failed.length > 0) warnings.push(`Not searched, because they can't be read: ${listed(failed.map(oneLine))}.`);
  if (secret.length > 0) warnings.push(`Not searched, because of names of secrets: ${listed(secret.map(oneLine))}.`);
  return {
    documents: found.map(({ file, passage }) => documentOf(file, passage)),
    words,
    note,
    reach: { ...reach, isCut: reach.files >= mostFiles },
    warnings,
  };
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')}, and ${more} more` : names.join(', ');
}

async function filterOf(
  workspace: WorkspacePort,
  path: string | undefined,
  signal: AbortSignal,
): Promise<(path: string) => boolean> {
  if (path === undefined || path.trim() === '') return () => true;
  const filter = pathFilter(path);
  if (filter === undefined) throw outside(path);
  const files = await workspace.files(signal);
  if (files.some((file) => filter(file.path))) return filter;
  const folders = [...new Set(files.flatMap((file) => foldersOf(file.path)))];
  throw unknownPath(path, similarPaths(path, [...folders, ...files.map((file) => file.path)]));
}

async function read(
  workspace: WorkspacePort,
  { path: asked, first_line, last_line }: z.infer<typeof readArguments>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const files = await workspace.files(signal);
  const target = readWorkspacePath(
    asked,
    files.map(({ path }) => path),
  );
  if (target.kind === 'outside') throw outside(asked);
  if (target.kind === 'unknown') throw unknownPath(asked, target.similar);
  const file = files.find(({ path }) => path === target.path)!;
  const lines = await linesOf(workspace, file, first_line ?? target.lines?.first ?? 1, signal);
  const first = clampCount(first_line ?? target.lines?.first, 1, lines.length);
  const wanted = Math.max(first, clampCount(last_line ?? target.lines?.last, lines.length, lines.length));
  const last = lastThatFits(lines, first, wanted);
  const text = lines.slice(first - 1, last).join('\n');
  if (text.trim() === '')
    return { documents: [], note: `${file.path} has no text in these lines (it has ${lines.length} lines).` };
  const headings = kindOf(file.path) === 'markdown' ? headingBefore(file.path, lines, first) : [];
  const rest = last < wanted ? ` Go on with first_line ${last + 1}.` : '';
  return {
    documents: [documentOf(file, { form: 'prose', firstLine: first, lastLine: last, headings, text })],
    note: `Lines ${first} to ${last} of ${lines.length}.${rest}`,
  };
}

/** The lines of a file. Of a large one those near `first`; the others are empty. */
async function linesOf(
  workspace: WorkspacePort,
  { path, size }: WorkspaceFile,
  first: number,
  signal: AbortSignal,
): Promise<string[]> {
  let lines: string[] = [];
  if (size <= mostReadBytes || isDocument(path)) lines = (await workspace.read(path, signal)).split('\n');
  else {
    const counts = new Map<number, number>();
    const isNear = (text: string, from: number): boolean => {
      const count = text.split('\n').length;
      counts.set(from, count);
      return from + count > first && from <= first + maxReadLines;
    };
    const near = new Map<number, string>();
    for await (const { firstLine, text } of workspace.blocks(path, isNear, signal)) near.set(firstLine, text);
    lines.length = [...counts].reduce((most, [from, count]) => Math.max(most, from - 1 + count), 1);
    lines.fill('');
    for (const [from, text] of near) text.split('\n').forEach((line, at) => (lines[from - 1 + at] ||= line));
  }
  if (lines.at(-1) === '' && lines.length > 1) lines.pop();
  return lines;
}

function documentOf(file: WorkspaceFile, { form, firstLine, lastLine, headings, head, text }: Passage): FoundDocument {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const entry = kindOf(file.path) === 'bibtex' ? bibtexFields(text) : undefined;
  const heading = entry?.['title'] ?? headings.slice(-2).join(' › ');
  const isCode = form === 'code' && ['markdown', 'text'].includes(kindOf(file.path));
  const published = /^\d{4}/.exec(entry?.['year'] ?? entry?.['date'] ?? '')?.[0];
  const date = entry === undefined ? new Date(file.modified).toISOString().slice(0, 10) : published;
  return {
    kind: 'workspace',
    title: heading === '' ? name : entry === undefined ? `${heading} (${name})` : heading,
    authors: entry === undefined ? [] : authorsOf(entry),
    ...(date === undefined ? {} : { date }),
    file: { path: file.path, firstLine, lastLine, ...(isCode ? { isCode } : {}) },
    text: head === undefined ? text : `${head}\n${text}`,
  };
}

function lastThatFits(lines: readonly string[], first: number, wanted: number): number {
  let last = first;
  let length = lines[first - 1]!.length;
  while (last < wanted && last - first + 1 < maxReadLines && length + lines[last]!.length + 1 <= maxReadLength) {
    length += lines[last]!.length + 1;
    last += 1;
  }
  return last;
}

/** The headings above a line. */
function headingBefore(path: string, lines: readonly string[], line: number): readonly string[] {
  return cutPassages(path, lines.join('\n')).find(({ lastLine }) => lastLine >= line)?.headings ?? [];
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

const nextStep = 'Use a path as search_workspace gives it.';

function outside(path: string): ResearchError {
  const message = `"${path.slice(0, 120)}" is refused: only paths inside the workspace, relative to it, can be read.`;
  return new ResearchError('badRequest', message, { next: nextStep });
}

function unknownPath(path: string, similar: readonly string[]): ResearchError {
  const known = similar.length > 0 ? ` Similar: ${similar.join(', ')}.` : '';
  const message = `The workspace has nothing at "${path.slice(0, 120)}" that may be read.${known}`;
  return new ResearchError('notFound', message, { next: nextStep });
}
