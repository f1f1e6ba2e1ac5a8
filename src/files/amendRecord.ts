import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, runIdPattern } from '../protocol/runFolder.ts';
import { readRecordFile, type ReadRecord } from './runRecordFile.ts';
import type { RunRecord } from '../protocol/runRecord.ts';
import { retryWhileLocked } from './retryWhileLocked.ts';

/**
 * Changes what is decided after a run has ended in its record, and nothing else: fields that this version does not know stay.
 * Undefined removes a field. False when the record is gone or can't be read; rejects when it can't be written.
 */
export async function amendRecord(
  runsFolder: string,
  run: string,
  changes: Partial<Pick<RunRecord, 'name' | 'path' | 'title'>>,
  move = rename,
): Promise<boolean> {
  const file = path.join(runsFolder, run, runFiles.record);
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  // Read again for each try: the process that had the file open may have written it.
  const amend = async (): Promise<boolean> => {
    const now = await readOwn(runsFolder, run);
    if (!now) return false;
    // JSON leaves out what is undefined.
    await writeFile(draft, JSON.stringify({ ...now.raw, ...changes }, undefined, 1));
    await move(draft, file);
    return true;
  };
  let amended = false;
  try {
    amended = await retryWhileLocked(amend);
    return amended;
  } finally {
    if (!amended) await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** A run's whole record; undefined when it is gone or can't be read. */
export async function readRecord(runsFolder: string, run: string): Promise<RunRecord | undefined> {
  return (await readOwn(runsFolder, run))?.record;
}

async function readOwn(runsFolder: string, run: string): Promise<ReadRecord | undefined> {
  const found = runIdPattern.test(run) ? await readRecordFile(path.join(runsFolder, run)) : undefined;
  return found?.record.run === run ? found : undefined;
}
