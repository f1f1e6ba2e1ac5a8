import { posix } from 'node:path';

/**
 * The paths that have all words of a query, best first: a name that begins with it, a name that has it, what is open, the shorter
 * path. No query: what is open, then the shortest. Reports of ours come after all others.
 */
export function rankedPaths(
  query: string,
  paths: readonly string[],
  open: ReadonlySet<string>,
  most: number,
  isReport: (path: string) => boolean = () => false,
): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/[\s/\\]+/)
    .filter((word) => word !== '');
  const rank = (path: string): number => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const last = words.at(-1) ?? '';
    const inName = name.startsWith(last) ? 0 : name.includes(last) ? 2 : 4;
    return (isReport(path) ? 10 : 0) + inName + (open.has(path) ? 0 : 1);
  };
  return paths
    .filter((path) => {
      const lower = path.toLowerCase();
      return words.every((word) => lower.includes(word));
    })
    .map((path) => ({ path, rank: rank(path) }))
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}

/** Whether a file is named as a report of ours, or what is saved beside one, and is in the folder of the reports (`report.folder`). */
export function isReportPath(path: string, reportFolder: string): boolean {
  if (!/(?:^|\/)\d{4}-\d{2}-\d{2}-[^/]+\.md$/i.test(path)) return false;
  return !posix.relative(reportFolder.replaceAll('\\', '/'), path).startsWith('../');
}
