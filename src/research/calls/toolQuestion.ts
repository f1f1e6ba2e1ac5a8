/** Name and arguments of a tool call in a canonical form: a search that differs in spacing or case is the same. */
export function questionOf(name: string, args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([name, sorted(args)]);
}

function sorted(args: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(args)
    .map(([key, value]): [string, unknown] => [key, typeof value === 'string' ? comparable(key, value) : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A query means the same in any case and spacing; a path does not. */
function comparable(key: string, value: string): string {
  return key === 'query' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : value.trim();
}

/** The arguments of a call on one short line. */
export function summarizeArguments(args: Readonly<Record<string, unknown>>): string {
  const text = Object.values(args)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .replace(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
