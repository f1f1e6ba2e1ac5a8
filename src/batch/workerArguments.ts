import { everyResearch, helpText, modelSettings, parseOptions, positive, text } from '../node/cliArguments.ts';
import { l10n } from '../node/l10n.ts';
import { ResearchError } from '../research/errors.ts';
import { atOnceOf, queueOf } from './batchArguments.ts';

export type WorkerArguments = ReturnType<typeof readWorkerArguments>;

export function workerUsage(): string {
  return helpText({
    synopsis: ['deep-research worker --queue URL [options]'],
    about: [
      l10n.t(
        'Researches the questions of a queue until it is stopped, beside any number of workers on other machines. What it was researching when it is stopped or killed is resumed by another one, and completed calls are not repeated.',
      ),
    ],
    options: [
      [
        '    --queue URL',
        l10n.t(
          'database of the queue: postgres://user@host/database, with ?schema=NAME for another schema than deep_research; default: the variable DEEP_RESEARCH_QUEUE',
        ),
      ],
      ['    --at-once N', l10n.t('questions in progress at a time, 1 to 64; default: 4')],
      [
        '    --requests-per-minute N, --tokens-per-minute N',
        l10n.t('what the key of the model allows: all workers together stay within it'),
      ],
      ['    --workspace DIR', l10n.t('folder to research; default: none')],
      ['    --settings FILE', l10n.t('JSON file with the extension\'s settings ("deepResearch.…")')],
      ['    --yes', l10n.t('ask nothing: take recommended answers and approve the plan')],
      ['-p, --provider NAME, --model NAME, --base-url URL', l10n.t('as for one question')],
      [
        '    --metrics DIR',
        l10n.t("write its figures to DIR every 15 seconds, as deep-research-HOST-PID.prom in Prometheus' text format"),
      ],
      ['    --run-dir DIR', l10n.t('where runs are saved while they are in progress')],
      ['-v, --verbose', l10n.t('print more on stderr')],
      ['-h, --help', l10n.t('print this text')],
    ],
    notes: [
      l10n.t(
        'Its log is on stderr, one JSON object on each line. The first Ctrl+C or SIGTERM gives its questions back, the second ends it at once.',
      ),
    ],
  });
}

/** Reads what comes behind `deep-research worker`. Throws `badRequest`, saying what is allowed. */
export function readWorkerArguments(argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const options = {
    ...everyResearch,
    ...{ queue: text, 'at-once': { ...text, default: '4' } },
    ...{ 'requests-per-minute': text, 'tokens-per-minute': text, metrics: text },
  } as const;
  const { values } = parseOptions(argv, 'deep-research worker --help', options, false);
  const queue = queueOf(values.queue, environment);
  if (queue === undefined && !values.help)
    throw new ResearchError('badRequest', 'A worker needs the address of its queue.', {
      next: 'Pass --queue postgres://…, or set DEEP_RESEARCH_QUEUE.',
    });
  return {
    ...values,
    queue: queue ?? '',
    settingsFile: values.settings,
    settings: modelSettings(values),
    atOnce: atOnceOf(values['at-once']),
    limits: {
      requestsPerMinute: whole(values['requests-per-minute'], '--requests-per-minute'),
      tokensPerMinute: whole(values['tokens-per-minute'], '--tokens-per-minute'),
    },
  };
}

function whole(text: string | undefined, name: string): number | undefined {
  const value = positive(text, name);
  return value === undefined ? undefined : Math.max(1, Math.floor(value));
}
