import { trimEnd } from '../../research/text/trimEnd.ts';
import { latexText } from '../arxiv/latexText.ts';

export interface BibEntry {
  readonly type: string;
  readonly key: string;
  /** Names in lower case, values as plain text. */
  readonly fields: Readonly<Record<string, string>>;
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

const maxEntries = 20_000;
/** Of a key and of a field's value, in UTF-16 units. */
const maxKey = 300;
const maxValue = 20_000;

/** Reads the entries of a BibTeX file. What is malformed ends at the next entry; comments and strings are passed over. */
export function parseBibtex(text: string): BibEntry[] {
  const entries: BibEntry[] = [];
  const starts = [...text.matchAll(/^[ \t]*@([A-Za-z]+)[ \t]*[{(][ \t]*/gm)];
  let line = 1;
  let counted = 0;
  for (const [index, start] of starts.slice(0, maxEntries).entries()) {
    const end = starts[index + 1]?.index ?? text.length;
    line += countLines(text, counted, start.index);
    counted = start.index;
    const type = start[1]!.toLowerCase();
    if (type === 'comment' || type === 'string' || type === 'preamble') continue;
    const body = text.slice(start.index + start[0].length, end).trimEnd();
    const comma = body.indexOf(',');
    entries.push({
      type,
      key: trimEnd((comma === -1 ? body : body.slice(0, comma)).slice(0, maxKey), '}) \t\r\n').trim(),
      fields: comma === -1 ? {} : readFields(body.slice(comma + 1)),
      firstLine: line,
      lastLine: line + countLines(text, start.index, start.index + start[0].length + body.length),
    });
  }
  return entries;
}

/** The authors' names in the order first name, last name. */
export function authorsOf(entry: BibEntry): string[] {
  const people = entry.fields['author'] ?? entry.fields['editor'] ?? '';
  return people
    .split(/\sand\s/i)
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'others')
    .map((name) =>
      (/^[^,]+,[^,]+$/.test(name) ? name.split(',').reverse().join(' ').trim() : name).replace(/\s+/g, ' '),
    );
}

/** `name = {value}`, `"value"`, a number or a macro's name. */
function readFields(body: string): Record<string, string> {
  const fields: Record<string, string> = {};
  const pattern = /([A-Za-z][\w-]*)\s*=\s*/y;
  let at = 0;
  for (;;) {
    while (at < body.length && /[\s,]/.test(body[at]!)) at += 1;
    pattern.lastIndex = at;
    const name = pattern.exec(body);
    if (name === null) return fields;
    const { value, end } = readValue(body, pattern.lastIndex);
    fields[name[1]!.toLowerCase()] ??= latexText(value.slice(0, maxValue)).replace(/[{}]/g, '');
    at = end;
  }
}

function readValue(body: string, from: number): { readonly value: string; readonly end: number } {
  const open = body[from];
  if (open !== '{' && open !== '"') {
    const [plain] = /^[^,}\n]*/.exec(body.slice(from, from + 500)) ?? [''];
    return { value: plain.trim(), end: from + plain.length };
  }
  let depth = 0;
  for (let at = from; at < body.length; at += 1) {
    const character = body[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    const closed = open === '{' ? depth === 0 : character === '"' && depth === 0 && at > from;
    if (closed) return { value: body.slice(from + 1, at), end: at + 1 };
  }
  return { value: body.slice(from + 1), end: body.length };
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
