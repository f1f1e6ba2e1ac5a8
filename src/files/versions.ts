import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRecord, parseJson } from '../protocol/json.ts';
import { largest } from '../protocol/numbers.ts';
import type { ReportVersion } from '../protocol/reportVersion.ts';
import { lockStaleMs, runFiles, runIdPattern } from '../protocol/runFolder.ts';
import { changedSections, type MergeChoice, mergeReports, type Merged } from './mergeReports.ts';
import { findVersion, knownOfReport, listVersions, readHead, readVersion, versionPath } from './readVersions.ts';
import { amendRecord } from './amendRecord.ts';
import { createFile } from './createFile.ts';
import { readRegular, recordLimit } from './regularFile.ts';
import { replaceFile } from './replaceFile.ts';
import { updateSidecar } from './sidecar.ts';
import { freeFile, takeFile } from './takeFile.ts';

/** Bytes of the text of one source. */
const sourceLimit = 10_000_000;

/** What a version consists of, beside its number. */
export type NewVersion = Omit<ReportVersion, 'version' | 'number' | 'at'> & {
  readonly text: string;
  /** The text that it was made from. */
  readonly base: string;
};

/** Two windows change one report rarely, and for milliseconds. */
const pollMs = 20;

/**
 * Reads and changes the versions of a run's report while no other window or program does: numbers of citations and the report itself
 * follow from what is there.
 */
export async function alone<T>(folder: string, change: () => Promise<T>): Promise<T> {
  // A run that was deleted meanwhile does not come back.
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) throw new Error(`There is no run at ${folder}.`);
  await makeFolder(folder);
  const lock = join(folder, runFiles.versions, runFiles.lock);
  while (!(await takeFile(lock, lockStaleMs))) await setTimeout(pollMs);
  try {
    return await change();
  } finally {
    await freeFile(lock);
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(join(folder, runFiles.versions), { recursive: true, mode: 0o700 });
  await refuseLink(folder, runFiles.versions);
}

/** Adds a version; before the first one the report as its run wrote it. See {@link alone}. @returns Its number. */
export async function addVersion(folder: string, { text, base, ...made }: NewVersion): Promise<number> {
  await makeFolder(folder);
  if ((await listVersions(folder)).length === 0) await addFirst(folder);
  const number = await write(folder, made, text);
  await replaceFile(versionPath(folder, number, 'base.md'), base);
  return number;
}

async function addFirst(folder: string): Promise<void> {
  const { sources } = await knownOfReport(folder);
  await createFile(versionPath(folder, 1), await readHead(folder));
  const first = { kind: 'first', title: '', state: 'accepted', gone: [], statements: [] } as const;
  const at = new Date().toISOString();
  await save(folder, { version: 1, number: 1, at, ...first, sources: Object.fromEntries(sources) });
}

async function write(folder: string, made: Omit<NewVersion, 'text' | 'base'>, text: string): Promise<number> {
  const names = await readdir(join(folder, runFiles.versions));
  let number = 1 + largest(names.map((name) => Number.parseInt(name, 10) || 0));
  while (!(await createFile(versionPath(folder, number), text))) number += 1;
  await save(folder, { version: 1, number, at: new Date().toISOString(), ...made });
  return number;
}

/** What is written through a link lands elsewhere. */
async function refuseLink(folder: string, name: string): Promise<void> {
  const entry = await lstat(join(folder, name)).catch(() => undefined);
  if (entry && !entry.isDirectory()) throw new Error(`${join(folder, name)} is no folder of its own.`);
}

async function save(folder: string, version: ReportVersion): Promise<void> {
  await refuseLink(folder, runFiles.versions);
  await replaceFile(join(folder, runFiles.versions, `${version.number}.json`), JSON.stringify(version, undefined, 1));
}

export interface VersionChoice extends MergeChoice {
  /** It replaces what came after it. Default: what it was made from is compared with it. */
  readonly restores?: boolean;
}

/** A version as it would be after its acceptance, beside the report as it is. */
export async function mergedVersion(
  folder: string,
  number: number,
  ours: string,
  { restores = false, ...choice }: VersionChoice = {},
): Promise<Merged & { readonly changed: readonly string[] }> {
  const [base, theirs, versions] = await Promise.all([
    restores ? readHead(folder) : readVersion(folder, number, 'base.md'),
    readVersion(folder, number),
    listVersions(folder),
  ]);
  const known = versions.filter((one) => one.number === number || one.state === 'accepted');
  const renamed = known.flatMap((one) => Object.entries(one.renamed ?? {}));
  return {
    ...mergeReports(base, ours, theirs, { ...choice, renamed }),
    changed: changedSections(base, theirs, renamed),
  };
}

/**
 * Takes a version, or some of its sections, into the report. What was edited by hand stays, and is saved as a version before it is
 * merged with. Where both changed the same words the report stays as it is, and so does the version: it waits.
 *
 * @param read The report as it is. Default: as its run left it.
 * @param write Saves the report.
 * @param file Of the report: the evidence beside it is updated.
 */
export function acceptVersion(runsFolder: string, run: string, number: number, how: Acceptance): Promise<Merged> {
  return alone(join(runsFolder, run), () => accepted(runsFolder, run, number, how));
}

interface Acceptance extends VersionChoice {
  readonly read?: () => Promise<string>;
  readonly write?: (text: string) => Promise<void>;
  readonly file?: string | undefined;
}

async function accepted(
  runsFolder: string,
  run: string,
  number: number,
  { read, write: saveReport, file, ...choice }: Acceptance,
): Promise<Merged> {
  const folder = join(runsFolder, run);
  const version = await findVersion(folder, number);
  if (!version) throw new Error(`There is no version ${number}.`);
  // Another window may have decided while this one waited.
  if (!choice.restores && version.state !== 'waiting') throw new Error(`Version ${number} is no longer waiting.`);
  const head = await readHead(folder);
  const ours = await read?.();
  const merged = await mergedVersion(folder, number, ours ?? head, choice);
  if (ours !== undefined && ours !== merged.text && ours.trim() !== head.trim()) {
    const { sources } = version;
    const edited = { kind: 'edited', title: '', state: 'accepted', sources, gone: [], statements: [] } as const;
    await addVersion(folder, { ...edited, text: ours, base: head });
  }
  if (merged.text !== ours) await saveReport?.(merged.text);
  const { takes = () => true, restores = false } = choice;
  const taken = (heading: string) => takes(heading) && !merged.conflicts.includes(heading);
  const { text } = await mergedVersion(folder, number, head, { restores, takes: taken, replaces: () => true });
  await replaceFile(join(folder, runFiles.report), text);
  // The report is accepted, whatever becomes of the record.
  const title = titleOf(text);
  if (title !== undefined && title !== titleOf(head))
    await amendRecord(runsFolder, run, { title }).catch(() => undefined);
  if (version.run !== undefined) await takeSources(folder, join(runsFolder, version.run));
  if (merged.conflicts.length === 0) await save(folder, { ...version, state: 'accepted' });
  // The version is accepted, whatever becomes of the file beside the report: here, its run has the evidence.
  if (file !== undefined) await updateSidecar(file, folder, merged.text, version).catch(() => undefined);
  return merged;
}

/** The title in a report's front matter, as our writer writes it. */
function titleOf(report: string): string | undefined {
  const front = /^---\n[\s\S]*?\n---\n/.exec(report)?.[0] ?? '';
  const title = parseJson(/^title: (".*")$/m.exec(front)?.[1] ?? '');
  return typeof title === 'string' ? title : undefined;
}

export function rejectVersion(folder: string, number: number): Promise<void> {
  return alone(folder, async () => {
    const version = await findVersion(folder, number);
    if (version) await save(folder, { ...version, state: 'rejected' });
  });
}

/** What a follow-up found becomes part of the run, so that it outlives the follow-up. */
async function takeSources(folder: string, from: string): Promise<void> {
  const sourcesOf = async (of: string): Promise<readonly unknown[]> => {
    const json = parseJson(await readRegular(join(of, runFiles.sources), 10 * recordLimit).catch(() => ''));
    return isRecord(json) && Array.isArray(json['sources']) ? (json['sources'] as unknown[]) : [];
  };
  const idOf = (source: unknown) => (isRecord(source) && typeof source['id'] === 'string' ? source['id'] : '');
  const [own, found] = await Promise.all([sourcesOf(folder), sourcesOf(from)]);
  const known = new Set(own.map(idOf));
  const fresh = found.filter((source) => /^S[0-9a-f]{5,64}$/.test(idOf(source)) && !known.has(idOf(source)));
  if (own.length === 0 || fresh.length === 0 || !runIdPattern.test(from.split(/[\\/]/).at(-1)!)) return;
  await refuseLink(folder, runFiles.evidence);
  for (const source of fresh) {
    const file = join(runFiles.evidence, `${idOf(source)}.txt`);
    const text = await readRegular(join(from, file), sourceLimit).catch(() => '');
    if (text !== '') await replaceFile(join(folder, file), text);
  }
  await replaceFile(join(folder, runFiles.sources), JSON.stringify({ version: 1, sources: [...own, ...fresh] }));
}
