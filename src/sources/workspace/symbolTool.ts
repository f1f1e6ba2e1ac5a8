import * as z from 'zod';
import type { SymbolPlace, WorkspacePort, FoundDocument } from '../../research/ports.ts';
import { kindOf } from '../../research/text/passages.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { clampCount, defineTool } from '../toolArguments.ts';

const symbolArguments = z.object({
  name: z.string().trim().min(1).describe('Name of a function, class, type or constant, or its beginning.'),
  max_results: z.number().optional().describe('1 to 20, default 5.'),
});

/** Lines of a definition that are shown. */
const mostLines = 60;
const leastLines = 3;
/** Files whose texts are looked through when no language of the editor knows the name. */
const mostFiles = 3_000;
const longestMs = 5_000;
const mostPlaces = 200;

/** `find_symbol`: where the user's code defines a name, with its lines. */
export function symbolTool(workspace: WorkspacePort): ResearchTool {
  return defineTool('workspace', 'read', {
    name: 'find_symbol',
    description: "Finds where the user's own code defines a function, class, type or constant, and shows its lines.",
    parameters: symbolArguments,
    async run({ name, max_results }, _context, signal) {
      const files = new Map((await workspace.files(signal)).map((file) => [file.path, file]));
      const known = (await workspace.symbols?.(name.slice(0, 200), signal)) ?? [];
      const inFolder = known.filter(({ path }) => files.has(path));
      const places = inFolder.length > 0 ? inFolder : await inTexts(workspace, name, [...files.keys()], signal);
      const chosen = ordered(places, name).slice(0, clampCount(max_results, 5, 20));
      const documents: FoundDocument[] = [];
      for (const place of chosen) {
        const lines = (await workspace.read(place.path, signal)).split('\n');
        const document = documentOf(place, lines, files.get(place.path)!.modified);
        if (document) documents.push(document);
      }
      const note =
        documents.length === 0
          ? `The workspace defines nothing named "${name.slice(0, 100)}". Search its texts for it.`
          : `${documents.length} of ${places.length} definitions of "${name.slice(0, 100)}".`;
      return { documents, note };
    },
  });
}

/** The name itself before longer ones, in any case of letters last. */
function ordered(places: readonly SymbolPlace[], name: string): readonly SymbolPlace[] {
  const rank = (found: SymbolPlace): number => {
    if (found.name === name) return 0;
    return found.name.toLowerCase() === name.toLowerCase() ? 1 : found.name.startsWith(name) ? 2 : 3;
  };
  return places.toSorted((a, b) => rank(a) - rank(b) || a.path.length - b.path.length);
}

/** Words before a name that define it, in the common languages (as the patterns of Universal Ctags have them). */
const definers =
  'function\\*?|class|def|fn|func|fun|interface|type|enum|struct|union|trait|impl|const|let|var|val|module|namespace|object|record|protocol|sub|proc|macro|#define';

/** Words that begin a line which only uses a name. */
const controls =
  'if|else|elif|for|foreach|while|until|unless|switch|case|match|return|with|catch|await|yield|throw|new';

/** Lines of the code that define the name. */
async function inTexts(
  workspace: WorkspacePort,
  name: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly SymbolPlace[]> {
  const word = name.slice(0, 200).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const end = '(?![\\p{L}\\p{N}_$])';
  // `class Name`, `func (q *Queue) Name`, `int name(…) {`.
  const definition = new RegExp(
    `(?:^|[\\s(])(?:${definers})\\s{1,4}(?:\\([^)]{0,100}\\)\\s{0,4})?${word}${end}|^(?!\\s*(?:${controls})\\b)[^;=(]{0,120}(?<![\\p{L}\\p{N}_$.])${word}\\s?\\([^;]{0,300}\\)[^;]{0,60}\\{\\s{0,4}$`,
    'u',
  );
  const places: SymbolPlace[] = [];
  const deadline = performance.now() + longestMs;
  const code = paths.filter((path) => kindOf(path) === 'code').slice(0, mostFiles);
  for (const path of code) {
    if (performance.now() > deadline || places.length >= mostPlaces) break;
    const text = await workspace.read(path, signal).catch(() => '');
    signal.throwIfAborted();
    if (!text.includes(name)) continue;
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (line.length > 500 || !line.includes(name) || !definition.test(line)) continue;
      places.push({ name, kind: '', container: '', path, firstLine: index + 1, lastLine: endOf(lines, index) + 1 });
    }
  }
  return places;
}

/** The last line that belongs to a definition: before the next one that is indented no further. */
function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start]!);
  for (let index = start + 1; index < Math.min(lines.length, start + mostLines); index += 1) {
    const line = lines[index]!;
    if (line.trim() === '' || indentOf(line) > indent) continue;
    return /^\s*(?:[)}\]]|end\b)/.test(line) ? index : index - 1;
  }
  return Math.min(lines.length, start + mostLines) - 1;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function documentOf(place: SymbolPlace, lines: readonly string[], modified: number): FoundDocument | undefined {
  const firstLine = Math.max(1, Math.min(place.firstLine, lines.length));
  // Some languages give the line of the name alone.
  const wanted = Math.max(place.lastLine, firstLine + leastLines - 1);
  const lastLine = Math.min(wanted, lines.length, firstLine + mostLines - 1);
  const text = lines.slice(firstLine - 1, lastLine).join('\n');
  if (text.trim() === '') return undefined;
  const file = place.path.slice(place.path.lastIndexOf('/') + 1);
  const of = place.container === '' ? '' : ` in ${place.container}`;
  return {
    kind: 'workspace',
    title: `${place.kind === '' ? '' : `${place.kind} `}${place.name}${of} (${file})`,
    authors: [],
    date: new Date(modified).toISOString().slice(0, 10),
    file: { path: place.path, firstLine, lastLine },
    text,
  };
}
