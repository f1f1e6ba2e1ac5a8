import { join } from 'node:path';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import type { MergeChoice } from '../files/mergeReports.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { listVersions, readHead, versionPath } from '../files/readVersions.ts';
import { acceptVersion, mergedVersion } from '../files/versions.ts';
import { readReport } from '../research/export/frontMatter.ts';

export type { MergeChoice };

export interface ChangedVersion {
  readonly isAccepted: boolean;
  /** The report, or the version that waits. */
  readonly path: string;
  /** Headings of what the version changes; "" for the title and the summary. */
  readonly changed: readonly string[];
  /** Of these, those that were edited by hand in the same place. */
  readonly conflicts: readonly string[];
  /** References that the report cites no more. */
  readonly gone: readonly string[];
}

/**
 * Accepts a version of a run's report in its file, if that is where it was saved, and in the run's folder.
 * @param choice Undefined: it is left to wait.
 */
export async function changeVersion(
  runsFolder: string,
  run: string,
  number: number,
  choice: MergeChoice | undefined,
): Promise<ChangedVersion> {
  const folder = join(runsFolder, run);
  const file = await savedReport(folder, run);
  const { gone = [] } = (await listVersions(folder)).find((one) => one.number === number) ?? {};
  const { changed, conflicts } = await mergedVersion(folder, number, file?.text ?? (await readHead(folder)), choice);
  const waits = { isAccepted: false, path: versionPath(folder, number), changed, conflicts, gone };
  if (choice === undefined) return waits;
  await acceptVersion(runsFolder, run, number, {
    ...choice,
    ...(file && { ours: file.text, write: (text) => replaceFile(file.path, text) }),
  });
  return conflicts.length > 0 ? waits : { ...waits, isAccepted: true, path: file?.path ?? join(folder, 'report.md') };
}

/** The report's file, where it is what the run's record says: a file that names another run is none of its. */
async function savedReport(folder: string, run: string) {
  const path = (await readRecordFile(folder))?.record.path;
  const text = path === undefined ? undefined : await readRegular(path, reportLimit).catch(() => undefined);
  return path !== undefined && text !== undefined && readReport(text).fields['run'] === run
    ? { path, text }
    : undefined;
}
