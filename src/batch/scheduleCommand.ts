import { resolve } from 'node:path';
import process from 'node:process';
import { commandLineRunFolders } from '../files/dataFolder.ts';
import { l10n } from '../node/l10n.ts';
import { ResearchError } from '../research/errors.ts';
import { stripHidden } from '../research/text/hidden.ts';
import { readRecord } from '../files/amendRecord.ts';
import { say } from '../node/terminalLine.ts';
import { countText } from './batchText.ts';
import { saveReport } from './followBatch.ts';
import { shareAttachments } from './postgres/attachedTexts.ts';
import { type Database, openDatabase } from './postgres/database.ts';
import { importRun } from './postgres/importRun.ts';
import { addSchedule, listSchedules, refuseUnknownRun, removeSchedule, type Schedule } from './postgres/schedules.ts';
import { SharedQueue } from './postgres/sharedQueue.ts';
import { readQuestionFile } from './questionFile.ts';
import type { BatchQuestion } from './questionQueue.ts';
import type { ScheduleArguments } from './scheduleArguments.ts';

/**
 * `deep-research schedule …`: gives the exit code. Rejects with a `ResearchError`.
 * @param keep Runs of a batch that are saved.
 */
export async function scheduleCommand(args: ScheduleArguments, keep: number): Promise<number> {
  const database = await openDatabase(args.queue);
  try {
    if (args.action === 'list') {
      const schedules = await listSchedules(database);
      process.stdout.write(args.json ? `${JSON.stringify(schedules)}\n` : schedules.map(lineOf).join(''));
    } else if (args.action === 'remove') {
      await removeSchedule(database, args.name);
      say(l10n.t('The schedule {0} is removed.', args.name));
    } else if (args.action === 'fetch') await fetchReport(database, args);
    else await add(database, args, keep);
    return 0;
  } finally {
    await database.close();
  }
}

async function add(database: Database, args: ScheduleArguments, keep: number): Promise<void> {
  const { cron, run, batch } = args;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (run !== undefined) await findRun(database, args, run, keep);
  const file = run === undefined ? await readQuestionFile(batch) : undefined;
  const name = run ?? file!.name;
  const queue =
    file && (await SharedQueue.find(database, name).catch(() => SharedQueue.open(database, name, {}, keep)));
  const questions = queue && (await shareAttachments(database, queue, file, refuseAttachments));
  const next = await addSchedule(database, cron, name, zone);
  await queue?.add(questions!);
  say(l10n.t('The schedule {0} is saved. Next: {1}', name, next.toISOString()));
}

function refuseAttachments({ id }: BatchQuestion): never {
  throw new ResearchError('badRequest', `The question "${id}" has attachments, which are not in the queue.`, {
    next: 'Queue the file first: deep-research batch FILE --queue URL',
  });
}

/** Rejects with `badRequest` when neither the queue nor this machine has a report of the run. */
async function findRun(database: Database, args: ScheduleArguments, run: string, keep: number): Promise<void> {
  try {
    await refuseUnknownRun(database, run);
  } catch (error) {
    for (const folder of runFolders(args)) {
      if (!(await importRun(database, folder, run, keep))) continue;
      say(l10n.t("The run's question, sources and report are now in the queue's database."));
      return;
    }
    throw error;
  }
}

function runFolders({ runsFolder }: ScheduleArguments): string[] {
  return runsFolder === undefined ? commandLineRunFolders() : [resolve(runsFolder)];
}

async function fetchReport(database: Database, args: ScheduleArguments): Promise<void> {
  const { name: run, out } = args;
  await refuseUnknownRun(database, run);
  const records = await Promise.all(runFolders(args).map((folder) => readRecord(folder, run)));
  const path = out ?? records.find((record) => record?.path !== undefined)?.path;
  if (path === undefined)
    throw new ResearchError('badRequest', 'No run of this machine says where its report is saved.', {
      next: 'Pass --out FILE.',
    });
  const saved = await saveReport(new SharedQueue(database, ''), run, resolve(path));
  if (saved?.outcome === 'kept' && saved.file === resolve(path))
    throw new ResearchError('badRequest', `There is another file at ${path}.`, { next: 'Pass another --out FILE.' });
  const { file = path, outcome } = saved ?? {};
  say(outcome === 'changed' ? l10n.t('The report has changed: {0}', file) : l10n.t('The report is saved: {0}', file));
}

/** `NAME  CRON (ZONE)  next …, refreshed …, changed …, 2 pending, 1 failed: …` */
function lineOf({ name, cron, timeZone, next, refreshed, changed, pending, failed, error }: Schedule): string {
  const parts = [
    next !== undefined && l10n.t('next {0}', next),
    refreshed !== undefined && l10n.t('refreshed {0}', refreshed),
    changed !== undefined && l10n.t('changed {0}', changed),
    pending > 0 && countText('pending', pending),
    failed > 0 && `${countText('failed', failed)}: ${stripHidden(l10n.error(error ?? '')).replace(/\s+/g, ' ')}`,
  ];
  return `${name}  ${cron} (${timeZone})  ${parts.filter((part) => part !== false).join(', ')}\n`;
}
