import { everyCommand, flag, helpText, parseOptions, text } from '../node/cliArguments.ts';
import { l10n } from '../node/l10n.ts';
import { ResearchError } from '../research/errors.ts';
import { queueOf } from './batchArguments.ts';

export type ScheduleArguments = ReturnType<typeof readScheduleArguments>;

export function scheduleUsage(): string {
  return helpText({
    synopsis: [
      'deep-research schedule "CRON" --follow-up RUN --refresh [options]',
      'deep-research schedule "CRON" --batch FILE [options]',
      'deep-research schedule --list [--json] | --remove NAME [options]',
      'deep-research schedule --fetch RUN [--out FILE] [options]',
    ],
    about: [
      l10n.t(
        'Refreshes reports at the times of a cron expression, by whichever worker of the queue is there: their sources are looked at again, and what changed becomes a new version of the report, as --follow-up RUN --refresh makes it. Times at which no worker was there are made up for once. A worker logs "changed" when a report has changed, and nothing else.',
      ),
      l10n.t(
        'CRON is minute, hour, day of the month, month and day of the week, in the time zone of this machine: "0 7 * * 1" is Mondays at 7:00.',
      ),
    ],
    options: [
      [
        '    --follow-up RUN --refresh',
        l10n.t(
          "the report of a run: one of workers, which results.jsonl names, or one of this machine, whose question, sources and report then go into the queue's database",
        ),
      ],
      [
        '    --batch FILE',
        l10n.t('the reports of all questions of a file; those that the queue has not are researched now'),
      ],
      ['    --list', l10n.t('print the schedules with their next time, the last refresh and the last change')],
      ['    --remove NAME', l10n.t('remove a schedule: the run, or the name of the batch, as --list prints it')],
      [
        '    --fetch RUN',
        l10n.t(
          'save the report of a run as it is now: at --out FILE, by default where the run of this machine saved it',
        ),
      ],
      ['    --run-dir DIR', l10n.t('where runs of this machine are saved')],
      ['    --queue URL', l10n.t('database of the queue; default: the variable DEEP_RESEARCH_QUEUE')],
      ['    --json', l10n.t('one JSON list for --list')],
      ['-v, --verbose', l10n.t('print more on stderr')],
      ['-h, --help', l10n.t('print this text')],
    ],
    notes: [
      l10n.t(
        'The same command with another CRON replaces a schedule. deep-research batch FILE --queue URL saves the new versions of its reports.',
      ),
      l10n.t('Exit codes: 0 done, 1 failed, 2 wrong usage.'),
    ],
  });
}

/** Reads what comes behind `deep-research schedule`. Throws `badRequest`, saying what is allowed. */
export function readScheduleArguments(argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const next = 'See deep-research schedule --help.';
  const { values, positionals } = parseOptions(argv, next, {
    ...everyCommand,
    ...{ queue: text, 'follow-up': text, batch: text, remove: text, refresh: flag, list: flag, json: flag },
    ...{ fetch: text, out: text, 'run-dir': text },
  });
  const wrong = (message: string) => new ResearchError('badRequest', message, { next });
  const { 'follow-up': run, batch, remove, list, fetch } = values;
  const [cron] = positionals;
  const queue = values.help ? '' : queueOf(values.queue, environment);
  const action = list ? 'list' : remove !== undefined ? 'remove' : fetch !== undefined ? 'fetch' : 'add';
  if (queue === undefined)
    throw new ResearchError(
      'badRequest',
      'A schedule needs the address of a queue, whose workers refresh the reports.',
      {
        next: 'Pass --queue postgres://…, or set DEEP_RESEARCH_QUEUE.',
      },
    );
  if (!values.help) {
    for (const name of ['follow-up', 'batch', 'remove', 'fetch', 'out', 'run-dir'] as const)
      if (values[name]?.trim() === '') throw wrong(`--${name} is empty.`);
    const ways = [list, ...[remove, fetch, run, batch].map((value) => value !== undefined)].filter(Boolean).length;
    if (ways !== 1)
      throw wrong('Pass one of --follow-up RUN --refresh, --batch FILE, --list, --remove NAME and --fetch RUN.');
    if (values.out !== undefined && fetch === undefined) throw wrong('--out belongs to --fetch RUN.');
    if ((run !== undefined) !== values.refresh) throw wrong('--follow-up RUN and --refresh belong together.');
    if (positionals.length > (action === 'add' ? 1 : 0))
      throw wrong(
        `"${positionals.at(-1)}" is too much. A cron expression is one argument: write it in quotation marks.`,
      );
    if (action === 'add' && cron === undefined) throw wrong('There is no cron expression.');
  }
  return {
    ...values,
    queue,
    action,
    cron: cron ?? '',
    run,
    batch: batch ?? '',
    name: remove ?? fetch ?? '',
    runsFolder: values['run-dir'],
  };
}
