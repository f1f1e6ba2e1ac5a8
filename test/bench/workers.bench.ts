import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Database, openDatabase } from '../../src/batch/postgres/database.ts';
import { SharedQueue } from '../../src/batch/postgres/sharedQueue.ts';
import { startCommand } from '../support/commandLine.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { startPostgres, withoutPostgres } from '../support/postgresServer.ts';
import { busyShare, processorTimes } from '../support/processorTimes.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';

/**
 * Throughput of a queue: questions at `quick` with 1, 2, 4 and 8 worker processes of one question at a time, over an imitated model that
 * takes 0.7 s for a call. Beside it: time and rows of the database a run, and peak memory of a worker. Where the processors
 * of this machine are the limit, it says so: nothing follows from the throughput then.
 *
 *     QUESTIONS=40 WORKERS=1,2,4,8 CALL_MS=700 npm run bench -- workers
 */
const count = Number(process.env['QUESTIONS'] ?? 40);
const sizes = (process.env['WORKERS'] ?? '1,2,4,8').split(',').map(Number);
/** A run takes under 5 s with it, a quarter of that on a processor: four workers leave the processors of a small machine time. */
const callMs = Number(process.env['CALL_MS'] ?? 700);
/** Part of the processors' time from which on they are the limit. */
const busyLimit = 0.85;
const never = new AbortController().signal;

interface Used {
  /** Milliseconds of statements, by PostgreSQL. */
  readonly databaseMs: number;
  readonly statements: number;
  readonly rows: number;
}

async function usedBy(database: Database): Promise<Used> {
  // Statistics of other connections are sent when they are idle, at most every second.
  await database.query('SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()');
  const [used] = await database.query<Record<keyof Used, string>>(
    `SELECT active_time AS "databaseMs", xact_commit AS statements, tup_inserted + tup_updated + tup_deleted AS rows
    FROM pg_stat_database WHERE datname = current_database()`,
  );
  return { databaseMs: Number(used!.databaseMs), statements: Number(used!.statements), rows: Number(used!.rows) };
}

async function main(): Promise<void> {
  if (withoutPostgres) return console.log(`Skipped: ${withoutPostgres}.`);
  const folder = temporaryFolder('workers-bench');
  const [postgres, model, sources] = await Promise.all([
    startPostgres(),
    startModelServer({ delayMs: callMs }),
    startSourceServer(),
  ]);
  const database = await openDatabase(postgres.url);
  const settings = path.join(folder, 'settings.json');
  fs.writeFileSync(settings, JSON.stringify({ ...imitatedSettings(sources), depth: 'quick' }));

  const startWorker = (number: string) => {
    const usage = path.join(folder, `${number}.usage`);
    const report = `process.on('exit', () => process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage())))`;
    const args = ['worker', '--queue', postgres.url, '--at-once', '1', '--yes', '--settings', settings];
    const worker = startCommand(
      [...args, '--base-url', model.url, '--model', 'imitation-1', '--run-dir', path.join(folder, number)],
      { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` } },
    );
    return { worker, used: () => JSON.parse(fs.readFileSync(usage, 'utf8')) as NodeJS.ResourceUsage };
  };

  const measure = async (size: number) => {
    const workers = Array.from({ length: size }, (_, index) => startWorker(`${size}-${index}`));
    await Promise.all(workers.map(({ worker }) => worker.seen('"event":"started"')));
    const queue = await SharedQueue.open(database, `of-${size}`, {}, count);
    const questions = Array.from({ length: count }, (_, index) => ({
      ...{ id: String(index), priority: 0 },
      question: `How do retrieval-augmented generation systems of kind ${size}-${index} work?`,
    }));
    const [before, calls, times, began] = [await usedBy(database), model.requests.length, processorTimes(), Date.now()];
    await queue.add(questions);
    let seen: string | undefined;
    for (;;) {
      const { by } = await queue.counts();
      if (by.failed > 0) throw new Error(`${by.failed} questions failed.`);
      if (by.reported === count) break;
      seen = await queue.changed(seen, never);
    }
    const seconds = (Date.now() - began) / 1_000;
    const after = processorTimes();
    for (const { worker } of workers) worker.child.kill('SIGTERM');
    await Promise.all(workers.map(({ worker }) => worker.done));
    const now = await usedBy(database);
    const [{ stored }] = (await database.query<{ stored: string }>(
      `SELECT ((SELECT count(*) FROM research_line l JOIN research_question q ON q.run = l.run WHERE q.batch = $1)
      + (SELECT count(*) FROM research_file f JOIN research_question q ON q.run = f.run WHERE q.batch = $1)) AS stored`,
      [`of-${size}`],
    )) as [{ stored: string }];
    const used = workers.map((one) => one.used());
    return {
      ...{ size, seconds, busy: busyShare(times, after) },
      cpuS: used.reduce((sum, { userCPUTime, systemCPUTime }) => sum + userCPUTime + systemCPUTime, 0) / 1e6 / count,
      peakMb: Math.max(...used.map(({ maxRSS }) => maxRSS)) / 1_024,
      databaseMs: (now.databaseMs - before.databaseMs) / count,
      statements: (now.statements - before.statements) / count,
      rows: (now.rows - before.rows) / count,
      stored: Number(stored) / count,
      calls: (model.requests.length - calls) / count,
    };
  };

  try {
    console.log(`${count} questions, ${os.cpus().length} processors, ${callMs} ms a call`);
    console.log(
      'workers  questions/min  of linear  s a run  processors busy  cpu s a run  peak MB  db ms a run  statements  rows written  rows stored',
    );
    let first: number | undefined;
    let last: Awaited<ReturnType<typeof measure>> | undefined;
    for (const size of sizes) {
      const row = await measure(size);
      const perMinute = (count / row.seconds) * 60;
      first ??= perMinute / size;
      const isLimited = row.busy >= busyLimit;
      console.log(
        [
          String(size).padEnd(9) + perMinute.toFixed(1).padEnd(15) + (perMinute / size / first).toFixed(2).padEnd(11),
          ((row.seconds * size) / count).toFixed(1).padEnd(9) + `${Math.round(row.busy * 100)} %`.padEnd(17),
          row.cpuS.toFixed(2).padEnd(13) + row.peakMb.toFixed(0).padEnd(9) + row.databaseMs.toFixed(0).padEnd(13),
          row.statements.toFixed(0).padEnd(12) + row.rows.toFixed(0).padEnd(14) + row.stored.toFixed(0),
          isLimited ? '  processor time is the limit' : '',
        ].join(''),
      );
      if (!isLimited || last === undefined) last = row;
    }
    if (last === undefined) return;
    const runS = (last.seconds * last.size) / count;
    const perSecond = 1_000 / runS;
    console.log(
      `Extrapolated from ${last.size} workers, not measured: 1,000 workers of one question of ${runS.toFixed(1)} s would begin ` +
        `${perSecond.toFixed(0)} runs a second and ask the database for ${((perSecond * last.databaseMs) / 1_000).toFixed(1)} s of statements, ` +
        `${(perSecond * last.statements).toFixed(0)} transactions and ${(perSecond * last.rows).toFixed(0)} written rows a second, over 4,000 connections (a pooler's).`,
    );
  } finally {
    await database.close();
    await Promise.all([postgres.stop(), model.close(), sources.close()]);
    removeFolder(folder);
  }
}

await main();
