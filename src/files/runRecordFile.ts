import { join } from 'node:path';
import { parseJson } from '../protocol/json.ts';
import { runFiles } from '../protocol/runFolder.ts';
import { type RunRecord, runRecordSchema } from '../protocol/runRecord.ts';
import { readRegular, recordLimit } from './regularFile.ts';

export interface ReadRecord {
  readonly record: RunRecord;
  /** With the fields that this version does not know. */
  readonly raw: object;
}

/** The record in a run's folder; undefined when it is missing, damaged or of another version. */
export async function readRecordFile(folder: string): Promise<ReadRecord | undefined> {
  const raw = parseJson(await readRegular(join(folder, runFiles.record), recordLimit).catch(() => ''));
  const { data } = runRecordSchema.safeParse(raw);
  return data && { record: data, raw: raw as object };
}
