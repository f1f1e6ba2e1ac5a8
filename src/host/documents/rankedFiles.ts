import { posix } from 'node:path';

/**
 * The files whose paths have all words of a query, best first: a name that begins with it, a name that has it, what is open, the
 * shorter path. No query: what is open, then the shortest. Reports of ours come after all others.
 */
export function rankedFiles<T extends { readonly path: string }>(
  query: string,
  files: readonly T[],
  isOpen: (file: T) => boolean,
  most: number,
  isReport: (file: T) => boolean = () => false,
): readonly T[] {
  const words = query
    .toLowerCase()
    .split(/[\s/\\]+/)
    .filter((word) => word !== '');
  const rank = (file: T): number => {
    const { path } = file;
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const last = words.at(-1) ?? '';
    const inName = name.startsWith(last) ? 0 : name.includes(last) ? 2 : 4;
    return (isReport(file) ? 10 : 0) + inName + (isOpen(file) ? 0 : 1);
  };
  return files
    .filter(({ path }) => {
      const lower = path.toLowerCase();
      return words.every((word) => lower.includes(word));
    })
    .map((file) => ({ file, path: file.path, rank: rank(file) }))
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ file }) => file);
}

/** Whether a file is named as a report of ours, or what is saved beside one, and is in the folder of the reports (`report.folder`). */
export function isReportPath(path: string, reportFolder: string): boolean {
  if (!/(?:^|\/)\d{4}-\d{2}-\d{2}-[^/]+\.md$/i.test(path)) return false;
  return !posix.relative(reportFolder.replaceAll('\\', '/'), path).startsWith('../');
}
