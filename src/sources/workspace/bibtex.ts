import { latexText } from '../arxiv/latexText.ts';

/** Of an entry: names in lower case, values as plain text. */
type BibFields = Readonly<Record<string, string>>;

/** Entries that are looked at, and UTF-16 units of a field's value. */
const maxEntries = 20_000;
const maxValue = 20_000;

/** The fields of the first entry of a BibTeX text. What is malformed ends at the next entry; comments and strings are passed over. */
export function bibtexFields(text: string): BibFields | undefined {
  const starts = [...text.matchAll(/^[ \t]*@([A-Za-z]+)[ \t]*[{(][ \t]*/gm)].slice(0, maxEntries);
  const first = starts.findIndex(([, type]) => !/^(?:comment|string|preamble)$/i.test(type!));
  if (first === -1) return undefined;
  const body = text.slice(starts[first]!.index + starts[first]![0].length, starts[first + 1]?.index).trimEnd();
  const comma = body.indexOf(',');
  return comma === -1 ? {} : readFields(body.slice(comma + 1));
}

/** The authors' names in the order first name, last name. */
export function authorsOf({ author, editor }: BibFields): string[] {
  return (author ?? editor ?? '')
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
