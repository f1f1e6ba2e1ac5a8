import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readRegular } from '../../files/regularFile.ts';
import { runFiles } from '../../protocol/runFolder.ts';
import { readRecord } from '../../files/amendRecord.ts';
import { readWrittenRun } from '../../runs/savedRun.ts';
import type { QuestionResult } from '../questionQueue.ts';
import type { Database } from './database.ts';
import { RunRows, savedPrefix } from './runRows.ts';
import { isOfRun, largestFile } from './sharedRunStore.ts';

/**
 * Brings a finished run of this machine into the queue, as the report of a batch of its own: all of it or nothing. False when there is no
 * such run, or the queue has another outcome of it.
 * @param keep Runs of a batch that are saved.
 */
export async function importRun(database: Database, runsFolder: string, run: string, keep: number): Promise<boolean> {
  const record = await readRecord(runsFolder, run);
  const view = record?.status === 'finished' ? await readWrittenRun(runsFolder, run) : undefined;
  if (record === undefined || view === undefined) return false;
  const location = join(runsFolder, run);
  const names = (await readdir(location, { recursive: true })).map((name) => name.split(sep).join('/'));
  const none = { cited: 0, dropped: 0, verified: 0 };
  const { checked = none, citations } = view.report;
  const result: QuestionResult = {
    outcome: view.end?.outcome ?? 'complete',
    citations: checked,
    sources: citations.length,
  };
  const batch = `run ${run}`;
  const claim = { batch, id: run, epoch: '1' };
  return await database.transaction(async (queries) => {
    await queries.query('INSERT INTO research_batch (name, budget, keep) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      batch,
      {},
      keep,
    ]);
    const added = await queries.query(
      `INSERT INTO research_question (batch, id, position, question, status, epoch, run, result)
      VALUES ($1, $2, 0, $3, 'reported', $4, $2, $5) ON CONFLICT DO NOTHING RETURNING 1`,
      [batch, run, { id: run, question: record.question, priority: 0 }, claim.epoch, result],
    );
    if (added.length === 0) return false;
    const rows = new RunRows({ ...database, ...queries, persistently: (write) => write() }, claim, run, 0);
    for (const name of names) {
      // What a run resumes from is of no use to its report.
      if (!isOfRun(name) || name === runFiles.journal || name === runFiles.checkpoints) continue;
      // A worker changes no file of its machine where the report was saved here.
      const { path: _here, ...elsewhere } = record;
      const isRecord = name === runFiles.record;
      const text = isRecord ? JSON.stringify(elsewhere) : await readRegular(join(location, name), largestFile);
      const lines = text.split('\n').filter((line) => line !== '');
      const written = name === runFiles.events ? lines.map((line) => rows.append(name, line)) : [rows.save(name, text)];
      if (name === runFiles.report) written.push(rows.save(savedPrefix, text));
      await Promise.all(written);
    }
    return true;
  });
}
