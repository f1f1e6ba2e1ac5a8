import { parse } from 'yaml';

/** The head of a report: questions have at most 20,000 characters. */
const longest = 64_000;

export interface ReadReport {
  /** Fields of the front matter, as text. */
  readonly fields: Readonly<Record<string, string>>;
  /** The Markdown behind it. */
  readonly markdown: string;
}

/** Takes a report file apart, as a user may have edited it. A front matter that is no YAML (any more) has no fields. */
export function readReport(text: string): ReadReport {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const head = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(plain.slice(0, longest));
  if (!head) return { fields: {}, markdown: plain };
  return { fields: fieldsOf(head[1] ?? ''), markdown: plain.slice(head[0].length) };
}

function fieldsOf(yaml: string): Record<string, string> {
  let value: unknown;
  try {
    // The failsafe schema knows strings alone, and without aliases nothing can grow.
    value = parse(yaml, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'silent', uniqueKeys: false });
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((field): field is [string, string] => typeof field[1] === 'string'));
}
