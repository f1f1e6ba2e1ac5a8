import { parseJson } from '../../protocol/json.ts';
import { runIdPattern } from '../../protocol/runFolder.ts';

/**
 * How much of a document is looked at, in UTF-16 units: a front matter holds the question, which has at most 20,000.
 */
export const reportHeadLength = 24_000;

/** True for the text of a report of ours: its front matter names the question, the strategy and the run. */
export function isReport(text: string): boolean {
  const lines = frontMatterLines(text);
  return ['question', 'strategy', 'run'].every((key) => lines.some((line) => line.startsWith(`${key}:`)));
}

/**
 * The run that wrote a report, as its front matter says; undefined when it names none. Fields that were added, other
 * quotes and line ends do not matter. The first {@link reportHeadLength} units of the text are enough.
 */
export function runOfReport(text: string): string | undefined {
  for (const line of frontMatterLines(text)) {
    const field = /^(["']?)run\1\s*:\s+(?:"([^"]*)"|'([^']*)'|([^\s"'#]+))\s*(?:#.*)?$/.exec(line);
    const run = field?.[2] ?? field?.[3] ?? field?.[4];
    // It becomes the name of a folder, so nothing but an id is accepted.
    if (run !== undefined && runIdPattern.test(run)) return run;
  }
  return undefined;
}

/** A field of the front matter, as code writes it: a JSON string, or a bare word or number; undefined without it. */
export function fieldOf(text: string, name: string): string | undefined {
  const value = frontMatterLines(text)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();
  const parsed = value?.startsWith('"') ? parseJson(value) : undefined;
  return typeof parsed === 'string' ? parsed : value;
}

/** A report without its front matter. */
export function bodyOf(text: string): string {
  if (frontMatterLines(text).length === 0) return text;
  return text.replace(/^\uFEFF?---[ \t]*\r?\n[^]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)\s*/, '');
}

/** The lines between the marks; none when the text does not begin with a front matter, or it does not end. */
function frontMatterLines(text: string): readonly string[] {
  const [first, ...lines] = text
    .slice(0, reportHeadLength)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const end = /^---[ \t]*$/.test(first ?? '') ? lines.findIndex((line) => /^(?:---|\.\.\.)[ \t]*$/.test(line)) : -1;
  return lines.slice(0, Math.max(end, 0));
}

/** A file name for a report: its date and title without what a file system refuses. */
export function proposedName(text: string): string {
  const date = /^created: ["']?(\d{4}-\d{2}-\d{2})/m.exec(text)?.[1];
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'report';
  const words = title
    .replace(/[\p{Cc}<>:"/\\|?*.]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${[date, [...words].slice(0, 80).join('').trim() || 'report'].filter(Boolean).join(' ')}.md`;
}
