import { join } from 'node:path';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import type { MergeChoice } from '../files/mergeReports.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { listVersions, readHead, versionPath } from '../files/readVersions.ts';
import { acceptVersion, mergedVersion, rejectVersion } from '../files/versions.ts';
import { ResearchError } from '../research/errors.ts';
import type { FollowUp } from '../protocol/ports.ts';
import { versionAt } from '../protocol/runFolder.ts';
import { readReport } from '../research/export/frontMatter.ts';
import { readReportFile } from './foreignReport.ts';
import { isRunId, refuseForeign } from './runStore.ts';

export type { MergeChoice };
export { rejectVersion };

export interface ChangedVersion {
  readonly isAccepted: boolean;
  /** The report is no longer where it was saved, so the version waits. */
  readonly isMoved: boolean;
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
 * Accepts a version of a run's report, in its file and in the run's folder. Rejects with `badRequest` for a file that is not that report.
 * @param choice Undefined: it is left to wait.
 * @param file The report's. Default: that of the follow-up, else where it was saved; for a report that was never saved, the run's folder alone.
 * @param isSavedLater The caller saves the report elsewhere: where it is gone the run's folder is changed alone.
 */
export async function changeVersion(
  runsFolder: string,
  run: string,
  number: number,
  choice: MergeChoice | undefined,
  { file: named, isSavedLater = false }: { readonly file?: string | undefined; readonly isSavedLater?: boolean } = {},
): Promise<ChangedVersion> {
  const folder = join(runsFolder, run);
  await refuseForeign(folder);
  const { gone = [], run: by = '' } = (await listVersions(folder)).find((one) => one.number === number) ?? {};
  const about = isRunId(by) ? (await readRecordFile(join(runsFolder, by)))?.record.followUp?.file : undefined;
  const saved = (await readRecordFile(folder))?.record.path;
  const [file] = (
    await Promise.all((named === undefined ? [about, saved] : [named]).map((at) => reportAt(at, run)))
  ).filter((one) => one !== undefined);
  if (named !== undefined && file === undefined)
    throw new ResearchError('badRequest', `${named} is not the report of the run ${run}.`, {
      next: 'Name the file of the report.',
    });
  const isMoved = saved !== undefined && file === undefined && !isSavedLater;
  const { changed, conflicts } = await mergedVersion(folder, number, file?.text ?? (await readHead(folder)), choice);
  const waits = { isAccepted: false, isMoved, path: versionPath(folder, number), changed, conflicts, gone };
  if (choice === undefined || isMoved) return waits;
  const { conflicts: left } = await acceptVersion(runsFolder, run, number, {
    ...choice,
    ...(file && {
      ...{ file: file.path, read: () => readRegular(file.path, reportLimit) },
      write: (text: string) => replaceFile(file.path, text),
    }),
  });
  return left.length > 0
    ? { ...waits, conflicts: left }
    : { ...waits, isAccepted: true, path: file?.path ?? join(folder, 'report.md') };
}

/**
 * The version that is meant: `number`, the one that a follow-up has made, else the only one that waits. Rejects with `badRequest` for an
 * unknown run, and where no such version waits.
 */
export async function waitingVersionOf(
  runsFolder: string,
  { run: named, file }: Pick<FollowUp, 'run' | 'file'>,
  number?: number,
): Promise<{ readonly run: string; readonly number: number }> {
  const id = file === undefined ? named : (await readReportFile(file)).run;
  const { record } = (isRunId(id) ? await readRecordFile(join(runsFolder, id)) : undefined) ?? {};
  if (record === undefined)
    throw new ResearchError('badRequest', `There is no run "${id.slice(0, 100)}" in ${runsFolder}.`, {
      next: 'Use the run id from its events or its report.',
    });
  const made = versionAt(record.path);
  const run = made?.run ?? id;
  await refuseForeign(join(runsFolder, run));
  const all = (await listVersions(join(runsFolder, run))).filter(({ state }) => state === 'waiting');
  const waiting = all.map((version) => version.number);
  const wanted = number ?? made?.number ?? (waiting.length === 1 ? waiting[0] : undefined);
  if (wanted !== undefined && waiting.includes(wanted)) return { run, number: wanted };
  const none = wanted === undefined ? 'A follow-up that changes the report makes one.' : 'There is none that waits.';
  const which =
    wanted === undefined ? (waiting.length === 0 ? 'No version' : 'More than one version') : `No version ${wanted}`;
  throw new ResearchError('badRequest', `${which} of the report of ${run} waits.`, {
    next: waiting.length === 0 ? none : `Name one that waits: ${waiting.join(', ')}.`,
  });
}

/** A report's file; undefined for one that is gone or names another run. */
export async function reportAt(path: string | undefined, run: string) {
  if (path === undefined) return undefined;
  const text = await readRegular(path, reportLimit).catch(() => undefined);
  return text !== undefined && readReport(text).fields['run'] === run ? { path, text } : undefined;
}
