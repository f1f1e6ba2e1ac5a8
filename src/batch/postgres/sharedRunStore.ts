import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileRunStore } from '../../node/runStore.ts';
import { storageError } from '../../node/storageError.ts';
import { parseJson } from '../../protocol/json.ts';
import { runFiles } from '../../protocol/runFolder.ts';
import type { RunFolder, RunRecord, RunStore } from '../../research/ports.ts';
import { isRecord } from '../../research/text/json.ts';
import type { Database } from './database.ts';
import { type Claim, readRun, RunRows, type StoredRun } from './runRows.ts';

/** A write waits for a database that restarts: what a call gave is stored before it is used. */
const patienceMs = 20 * 60 * 60 * 1_000;

/**
 * The folders of a worker's runs. Each is a folder of files on this machine whose every write is in the database as well before it
 * counts: a worker that opens the run elsewhere makes the folder from there.
 *
 * @param root Folder for the one question of the claim. What is in it of the run is replaced.
 */
export function sharedRunStore(
  database: Database,
  claim: Claim,
  root: string,
  started: (run: string) => Promise<void>,
): RunStore & { readonly rows: () => RunRows | undefined } {
  const files = fileRunStore(root, 1);
  let rows: RunRows | undefined;
  const begin = (run: string, seq: number): RunRows => (rows = new RunRows(database, claim, run, seq));
  return {
    rows: () => rows,
    async create(record) {
      const folder = await files.create(record);
      try {
        await started(record.run);
        const shared = sharedFolder(folder, begin(record.run, 0));
        await shared.saveRecord(record);
        return shared;
      } catch (error) {
        await folder.close();
        throw error;
      }
    },
    async open(run) {
      const stored = await readRun(database, run);
      await restore(join(root, run), stored);
      const saved = await files.open(run);
      return { ...saved, folder: sharedFolder(saved.folder, begin(run, stored.seq)) };
    },
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

async function restore(location: string, { lines, files }: StoredRun): Promise<void> {
  try {
    await rm(location, { recursive: true, force: true });
    await mkdir(join(location, runFiles.evidence), { recursive: true, mode: 0o700 });
    for (const [file, all] of lines)
      if (isOfRun(file))
        await writeFile(join(location, file), all.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    for (const [name, data] of files)
      if (isOfRun(name))
        await writeFile(join(location, name), name === runFiles.record ? hereRecord(data) : data, { mode: 0o600 });
  } catch (error) {
    throw storageError(error, `restore the run's folder ${location}`);
  }
}

/**
 * The record as it counts on this machine: the folder that is researched has another path here, and a run that ended before its question was
 * marked as reported ends once more, without a call.
 */
function hereRecord(data: Buffer): string {
  const record = parseJson(data.toString());
  if (!isRecord(record)) return data.toString();
  const { workspace: _elsewhere, ...rest } = record;
  return JSON.stringify({ ...rest, ...(rest['status'] === 'finished' && { status: 'running' }) });
}

/** The database is another program's to write, too: its names become no path but those of a run. */
function isOfRun(name: string): boolean {
  const names: readonly string[] = [
    ...[runFiles.record, runFiles.events, runFiles.journal, runFiles.checkpoints, runFiles.sources, runFiles.report],
  ];
  return names.includes(name) || /^evidence\/S[0-9a-z]{1,40}\.txt$/.test(name);
}
