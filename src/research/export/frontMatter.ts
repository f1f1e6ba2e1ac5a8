/** In UTF-16 units: the front matter holds the question, which has at most 20,000. */
const longest = 64_000;

export interface ReadReport {
  /** Fields of the front matter, as text. */
  readonly fields: Readonly<Record<string, string>>;
  /** The Markdown behind it. */
  readonly markdown: string;
}

/**
 * Takes a report file apart, as a user may have edited it. Only what `reportFile` writes is read, one field a line in any
 * quotes: a whole YAML parser takes minutes for a hostile file, and nothing else is needed of it.
 */
export function readReport(text: string): ReadReport {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const head = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(plain.slice(0, longest));
  if (!head) return { fields: {}, markdown: plain };
  const fields = (head[1] ?? '').split('\n').flatMap((line) => {
    const field = /^(["']?)(\w+)\1\s*:\s+(\S.*)$/.exec(line);
    const value = field && scalar(field[3]!.trim());
    return value === undefined || value === null ? [] : [[field![2]!, value] as const];
  });
  return { fields: Object.fromEntries(fields), markdown: plain.slice(head[0].length) };
}

/** A value that ends on its line; undefined for every other. */
function scalar(text: string): string | undefined {
  const double = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/.exec(text)?.[1];
  if (double !== undefined) {
    try {
      // What we write is JSON, and all that is read of YAML's own escapes.
      return String(JSON.parse(double));
    } catch {
      return undefined;
    }
  }
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return /^["'[\]{}|>&*!%@`#]/.test(text) ? undefined : text.replace(/\s#.*$/, '').trim();
}
