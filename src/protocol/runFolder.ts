/** A run's id, and the name of its folder: `20261122-101500-1a2b3c`, sortable and unlike any name that a person gives. */
export const runIdPattern = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

/** A lock whose file was not touched for so long is free, whatever it says (milliseconds). Holders touch it three times as often. */
export const lockStaleMs = 60_000;

/** Names of the files in a run's folder. */
export const runFiles = {
  record: 'run.json',
  lock: 'run.lock',
  events: 'events.ndjson',
  sources: 'sources.json',
  evidence: 'evidence',
  journal: 'journal.ndjson',
  checkpoints: 'checkpoints.ndjson',
  stopped: 'stopped.ndjson',
  report: 'report.md',
  versions: 'versions',
} as const;

/** The version of a run's report that is the file at a path. */
export function versionAt(path = ''): { readonly run: string; readonly number: number } | undefined {
  const [, run, number] = /[\\/]([^\\/]+)[\\/]versions[\\/](\d{1,6})\.md$/.exec(path) ?? [];
  return run !== undefined && runIdPattern.test(run) ? { run, number: Number(number) } : undefined;
}
