import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../protocol/json.ts';
import { type ReportVersion, reportVersionSchema } from '../protocol/reportVersion.ts';
import { runFiles } from '../protocol/runFolder.ts';
import { readRegular, reportLimit } from './regularFile.ts';
import { evidenceOfVersion, idOf, type RunEvidence, evidenceOfRun } from './evidence.ts';

/** Bytes of a run's events. */
const eventsLimit = 64 * 1024 * 1024;

/** A version's text, or the one that it was made from. */
export function versionPath(folder: string, number: number, which: 'md' | 'base.md' = 'md'): string {
  return join(folder, runFiles.versions, `${number}.${which}`);
}

/** The versions of a run's report, in their order; none before its first change. What is damaged is left out. */
export async function listVersions(folder: string): Promise<ReportVersion[]> {
  const names = await readdir(join(folder, runFiles.versions)).catch(() => []);
  const read = names
    .filter((name) => /^\d{1,6}\.json$/.test(name))
    .map(async (name) => {
      const json = await readRegular(join(folder, runFiles.versions, name), eventsLimit).catch(() => '');
      return reportVersionSchema.safeParse(parseJson(json)).data;
    });
  return (await Promise.all(read)).filter((one) => one !== undefined).sort((a, b) => a.number - b.number);
}

export async function findVersion(folder: string, number: number | undefined): Promise<ReportVersion | undefined> {
  return (await listVersions(folder)).find((one) => one.number === number);
}

/** The number itself while that version waits. */
export async function waitingVersion(folder: string, number: number | undefined): Promise<number | undefined> {
  return (await findVersion(folder, number))?.state === 'waiting' ? number : undefined;
}

/** The report as its run and the accepted changes left it, without what was edited by hand. */
export function readHead(folder: string): Promise<string> {
  return readRegular(join(folder, runFiles.report), reportLimit);
}

export function readVersion(folder: string, number: number, which?: 'base.md'): Promise<string> {
  return readRegular(versionPath(folder, number, which), reportLimit);
}

/**
 * What is known of the statements of a run's report, in all its versions, and which source each number is. A statement with the same
 * citations is there once: as the latest accepted version has it.
 */
export async function knownOfReport(
  folder: string,
): Promise<Pick<RunEvidence, 'evidence' | 'calls'> & { readonly sources: ReadonlyMap<number, string> }> {
  const [events, versions] = await Promise.all([
    readRegular(join(folder, runFiles.events), eventsLimit).catch(() => ''),
    listVersions(folder),
  ]);
  const { evidence, order, calls } = evidenceOfRun(events);
  const later = versions.flatMap(({ sources }) =>
    Object.entries(sources).map(([key, id]) => [Number(key), id] as const),
  );
  const isAccepted = ({ state }: ReportVersion) => state === 'accepted';
  const others = versions.filter((one) => !isAccepted(one)).flatMap(evidenceOfVersion);
  const all = [...others, ...evidence, ...versions.filter(isAccepted).flatMap(evidenceOfVersion)];
  return {
    evidence: [...new Map(all.map((one) => [idOf(one), one])).values()],
    calls,
    sources: new Map([...order.map((id, index) => [index + 1, id] as const), ...later]),
  };
}
