import { trimEnd, trimBoth } from '../../research/text/trimEnd.ts';
/** A path as a model wrote it, read as one of the listed paths. */
export type ReadPath =
  | {
      readonly kind: 'found';
      readonly path: string;
      readonly lines?: { readonly first: number; readonly last: number };
    }
  | { readonly kind: 'outside' }
  | { readonly kind: 'unknown'; readonly similar: readonly string[] };

/**
 * Takes only what is listed. `./a.md`, `a\b.md`, `a.md#L10-L20` and a wrong case are taken as meant; absolute paths, `..`,
 * home folders and URLs are `outside`, even where they would end up inside.
 */
export function readWorkspacePath(asked: string, listed: readonly string[]): ReadPath {
  const text = trimBoth(asked.trim(), '"\'`');
  if (listed.includes(text)) return { kind: 'found', path: text };
  const [, bare = text, from, to] = /^(.*?)(?:#L?|:)(\d+)(?:-L?(\d+))?$/is.exec(text) ?? [];
  const lines = from === undefined ? {} : { lines: { first: Number(from), last: Number(to ?? from) } };
  const path = bare
    .replace(/\\/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  if (isOutside(text) || isOutside(path)) return { kind: 'outside' };
  if (listed.includes(path)) return { kind: 'found', path, ...lines };
  const lower = path.toLowerCase();
  const sameButCase = listed.filter((candidate) => candidate.toLowerCase() === lower);
  if (sameButCase.length === 1) return { kind: 'found', path: sameButCase[0]!, ...lines };
  return { kind: 'unknown', similar: similarPaths(path, listed) };
}

/** Whether a listed path lies in a folder, is a file, or matches a simple glob (`docs/**`, `*.md`). */
export function pathFilter(within: string): ((path: string) => boolean) | undefined {
  const path = within
    .trim()
    .replace(/\\/g, '/')
    .replace(/^(?:\.\/)+/, '');
  const wanted = trimEnd(path, '/');
  if (wanted === '' || wanted === '.') return () => true;
  if (isOutside(wanted) || wanted.length > 300) return undefined;
  if (!/[*?]/.test(wanted)) return (path) => path === wanted || path.startsWith(`${wanted}/`);
  const pattern = (wanted.includes('/') ? wanted : `**/${wanted}`).split('/');
  return (path) => matchesSegments(pattern, path.split('/'));
}

function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  return matches(pattern, '**', segments, (part, segment) =>
    matches([...part], '*', [...segment], (sign, character) => sign === '?' || sign === character),
  );
}

/**
 * Whether a pattern takes all parts of a path, or of a name. By a table over both, so that a hostile pattern costs no more than its length.
 * @param any What takes any number of parts.
 */
function matches(
  pattern: readonly string[],
  any: string,
  parts: readonly string[],
  fits: (wanted: string, part: string) => boolean,
): boolean {
  // reached[n]: the pattern so far can take the first n parts.
  let reached = [true, ...parts.map(() => false)];
  for (const wanted of pattern) {
    const first = reached.indexOf(true);
    if (first === -1) return false;
    reached = reached.map((_, n) =>
      wanted === any ? n >= first : n > 0 && reached[n - 1]! && fits(wanted, parts[n - 1]!),
    );
  }
  return reached.at(-1) === true;
}

function isOutside(path: string): boolean {
  return (
    /^([/~\\]|[a-z]:|[a-z][a-z0-9+.-]*:\/\/)/i.test(path) ||
    path.split(/[/\\]/).includes('..') ||
    /\p{Cc}/u.test(path) ||
    /%2e|%2f|%5c/i.test(path)
  );
}

/** Up to three listed paths with the name of the asked one, the shortest first. */
export function similarPaths(asked: string, listed: readonly string[]): readonly string[] {
  const name = asked.slice(asked.lastIndexOf('/') + 1).toLowerCase();
  return listed
    .filter((path) => name !== '' && path.toLowerCase().includes(name))
    .sort((a, b) => a.length - b.length)
    .slice(0, 3);
}
