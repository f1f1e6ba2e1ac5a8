import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readRegular } from '../../files/regularFile.ts';
import { fileRunStore } from '../../node/runStore.ts';
import { storageError } from '../../node/storageError.ts';
import { parseJson } from '../../protocol/json.ts';
import { runFiles, runIdPattern } from '../../protocol/runFolder.ts';
import { ResearchError } from '../../research/errors.ts';
import type { RunFolder, RunRecord } from '../../research/ports.ts';
import { isRecord } from '../../research/text/json.ts';
import type { PreparedRun } from '../questionQueue.ts';
import type { Database } from './database.ts';
import { type Claim, readRun, RunRows, savedPrefix, type StoredRun } from './runRows.ts';

/** A write waits for a database that restarts: what a call gave is stored before it is used. */
const patienceMs = 20 * 60 * 60 * 1_000;
/** Bytes of a file of a run: `versionSink` writes none that is larger. */
export const largestFile = 64 * 1024 * 1024;

export interface SharedRun extends PreparedRun {
  /** Undefined until the run has begun. */
  readonly rows: () => RunRows | undefined;
}

/**
 * Prepares a folder of files on this machine for a run. Its every write is in the database as well before it counts: a worker that resumes
 * the run elsewhere makes the folder from there.
 *
 * @param run The run that the question has had: its folder is restored.
 * @param started Says which run has begun, durably.
 * @param refreshed The run whose report is refreshed: its folder is restored as well.
 */
export async function shareRun(
  database: Database,
  claim: Claim,
  parent: string,
  run: string | undefined,
  started: (run: string) => Promise<void>,
  refreshed?: string,
): Promise<SharedRun> {
  const runsFolder = await mkdir(parent, { recursive: true, mode: 0o700 })
    .then(() => mkdtemp(join(parent, '.queue-')))
    .catch((error: unknown) => Promise.reject(storageError(error, `make a folder for a run in ${parent}`)));
  const files = fileRunStore(runsFolder, 1);
  let rows: RunRows | undefined;
  if (run !== undefined) {
    const stored = await restoreRun(database, runsFolder, run);
    rows = new RunRows(database, claim, run, stored.seq);
  }
  return {
    runsFolder,
    rows: () => rows,
    store: {
      async create(record) {
        const folder = await files.create(record);
        try {
          await started(record.run);
          rows = new RunRows(database, claim, record.run, 0);
          const shared = sharedFolder(folder, rows);
          await shared.saveRecord(record);
          return shared;
        } catch (error) {
          await folder.close();
          throw error;
        }
      },
      async open(id) {
        const saved = await files.open(id);
        return { ...saved, folder: sharedFolder(saved.folder, rows ?? new RunRows(database, claim, id, 0)) };
      },
    },
    saveTo: {
      async save(fileName, markdown) {
        await rows?.save(savedPrefix, markdown);
        return fileName;
      },
      async saveBeside(_report, ending, text) {
        await rows?.save(savedPrefix + ending, text);
      },
    },
    ...(refreshed !== undefined && { saveRefreshed: await restoreRefreshed(database, claim, runsFolder, refreshed) }),
    remove: () => rm(runsFolder, { recursive: true, force: true }).catch(() => undefined),
  };
}

/** The lines and files of a run whose folder was restored or is new. */
function sharedFolder(folder: RunFolder, rows: RunRows): RunFolder {
  // A full disk of this machine costs the copy, not the run.
  const both = async (mine: Promise<void>, shared: Promise<void>): Promise<void> => {
    await Promise.all([mine.catch(() => undefined), shared]);
  };
  return {
    ...(folder.location !== undefined && { location: folder.location }),
    patienceMs,
    lost: folder.lost === undefined ? rows.lost : AbortSignal.any([folder.lost, rows.lost]),
    saveRecord: (record: RunRecord) =>
      both(folder.saveRecord(record), rows.save(runFiles.record, JSON.stringify(record))),
    appendEvent: (event) => both(folder.appendEvent(event), rows.append(runFiles.events, JSON.stringify(event))),
    appendCall: (line) => both(folder.appendCall(line), rows.append(runFiles.journal, line)),
    appendCheckpoint: (line) => both(folder.appendCheckpoint(line), rows.append(runFiles.checkpoints, line)),
    saveSources: (json) => both(folder.saveSources(json), rows.save(runFiles.sources, json)),
    saveEvidence: (id, text) => both(folder.saveEvidence(id, text), rows.save(`${runFiles.evidence}/${id}.txt`, text)),
    saveReport: (markdown) => both(folder.saveReport(markdown), rows.save(runFiles.report, markdown)),
    async close() {
      await rows.settled();
      await folder.close();
    },
  };
}

/** Gives what saves the run's report and its versions in the database, with the sources that they cite. */
async function restoreRefreshed(database: Database, claim: Claim, runsFolder: string, run: string) {
  const location = join(runsFolder, run);
  const stored = await restoreRun(database, runsFolder, run);
  const rows = new RunRows(database, claim, run, stored.seq);
  return async (): Promise<void> => {
    const names = (await readdir(location, { recursive: true })).map((name) => name.split(sep).join('/'));
    for (const name of names) {
      const isNew = isVersion(name) || (isEvidence(name) && !stored.files.has(name));
      if (!isNew && name !== runFiles.sources && name !== runFiles.report) continue;
      const text = await readRegular(join(location, name), largestFile);
      await Promise.all([rows.save(name, text), name === runFiles.report && rows.save(savedPrefix, text)]);
    }
  };
}

/** Makes the folder of a run as the database has it. Rejects with `storage` when it can't be written. */
export async function restoreRun(database: Database, runsFolder: string, run: string): Promise<StoredRun> {
  if (!runIdPattern.test(run))
    throw new ResearchError('storage', `The database names a run ${JSON.stringify(run)}, which no run is called.`);
  const location = join(runsFolder, run);
  const stored = await readRun(database, run);
  const { lines, files } = stored;
  try {
    await rm(location, { recursive: true, force: true });
    for (const folder of [runFiles.evidence, runFiles.versions])
      await mkdir(join(location, folder), { recursive: true, mode: 0o700 });
    for (const [file, all] of lines)
      if (isOfRun(file))
        await writeFile(join(location, file), all.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    for (const [name, data] of files)
      if (isOfRun(name))
        await writeFile(join(location, name), name === runFiles.record ? hereRecord(data) : data, { mode: 0o600 });
    return stored;
  } catch (error) {
    throw storageError(error, `restore the run's folder ${location}`);
  }
}

/** The record as it counts here: the folder that is researched has another path on each machine. */
function hereRecord(data: Buffer): string {
  const record = parseJson(data.toString());
  if (!isRecord(record)) return data.toString();
  const { workspace: _elsewhere, ...rest } = record;
  return JSON.stringify(rest);
}

/** The database is another program's to write, too: its names become no path but those of a run. */
export function isOfRun(name: string): boolean {
  const names: readonly string[] = [
    ...[runFiles.record, runFiles.events, runFiles.journal, runFiles.checkpoints, runFiles.sources, runFiles.report],
  ];
  return names.includes(name) || isEvidence(name) || isVersion(name);
}

function isEvidence(name: string): boolean {
  return /^evidence\/S[0-9a-z]{1,40}\.txt$/.test(name);
}

function isVersion(name: string): boolean {
  return /^versions\/\d{1,6}\.(?:json|md|base\.md)$/.test(name);
}
