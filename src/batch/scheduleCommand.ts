import process from 'node:process';
import { l10n } from '../node/l10n.ts';
import { stripHidden } from '../research/text/hidden.ts';
import { say } from './batchText.ts';
import { type Database, openDatabase } from './postgres/database.ts';
import { addSchedule, listSchedules, refuseUnknownRun, removeSchedule, type Schedule } from './postgres/schedules.ts';
import { SharedQueue } from './postgres/sharedQueue.ts';
import { readQuestionFile, refuseAttachments } from './questionFile.ts';
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
    } else await add(database, args, keep);
    return 0;
  } finally {
    await database.close();
  }
}

async function add(database: Database, { cron, run, batch }: ScheduleArguments, keep: number): Promise<void> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (run !== undefined) await refuseUnknownRun(database, run);
  const file = run === undefined ? await readQuestionFile(batch) : undefined;
  if (file) refuseAttachments(file);
  const name = run ?? file!.name;
  const next = await addSchedule(database, cron, name, zone);
  if (file) {
    const queue = await SharedQueue.find(database, name).catch(() => SharedQueue.open(database, name, {}, keep));
    await queue.add(file.questions);
  }
  say(l10n.t('The schedule {0} is saved. Next: {1}', name, next.toISOString()));
}

/** `NAME  CRON (ZONE)  next …, refreshed …, changed …, 2 pending, 1 failed: …` */
function lineOf({ name, cron, timeZone, next, refreshed, changed, pending, failed, error }: Schedule): string {
  const times = Object.entries({ next, refreshed, changed }).flatMap(([what, at]) =>
    at === undefined ? [] : [`${what} ${at}`],
  );
  const open = pending > 0 ? [`${pending} pending`] : [];
  const wrong = failed > 0 ? [`${failed} failed: ${stripHidden(error ?? '').replace(/\s+/g, ' ')}`] : [];
  return `${name}  ${cron} (${timeZone})  ${[...times, ...open, ...wrong].join(', ')}\n`;
}
