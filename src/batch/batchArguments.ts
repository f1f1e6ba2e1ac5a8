import process from 'node:process';
import { budgetOf, everyQuestion, flag, helpText, modelSettings, parseOptions, text } from '../node/cliArguments.ts';
import { l10n } from '../node/l10n.ts';
import { ResearchError } from '../research/errors.ts';

export type BatchArguments = ReturnType<typeof readBatchArguments>;

export function batchUsage(): string {
  return helpText({
    synopsis: [
      'deep-research batch FILE [options]',
      'deep-research batch status|pause|resume FILE [options]',
      'deep-research batch cancel|retry FILE [ID …] [options]',
      'deep-research batch answer FILE ID TEXT [options]',
    ],
    about: [
      l10n.t('Researches every question of a file. The same command continues a batch that was stopped or killed.'),
      l10n.t(
        'FILE is JSONL, one {0} on each line, of which only the question is needed; or CSV with the same heads; or the query file of DeepResearch Bench.',
        '{"id", "question", "depth", "strategy", "settings", "attachments", "priority"}',
      ),
    ],
    options: [
      [
        '    --out DIR',
        l10n.t('folder for ID.md, results.jsonl and figures.csv; default: research/NAME-OF-FILE in the workspace'),
      ],
      [
        '    --queue URL',
        l10n.t(
          'the questions go into this database, from where deep-research worker takes them on any machine, with settings of its own; default: the variable DEEP_RESEARCH_QUEUE, else this process',
        ),
      ],
      ['    --at-once N', l10n.t('questions in progress at a time, 1 to 64; default: 4')],
      ['    --only ID,ID', l10n.t('these questions alone')],
      ['    --workspace DIR', l10n.t('folder to research; default: the current one')],
      ['    --settings FILE', l10n.t('JSON file with the extension\'s settings ("deepResearch.…")')],
      ['    --yes', l10n.t('ask nothing: take recommended answers and approve the plan')],
      ['    --max-tokens N', l10n.t('budget of the whole batch: each question gets an equal part of what is left')],
      ['    --max-minutes N', l10n.t('the same for minutes of research; questions in progress at once count each')],
      ['    --max-cost USD', l10n.t('the same for money')],
      ['    --strategy NAME, -p, --provider NAME, --model NAME, --base-url URL', l10n.t('as for one question')],
      ['    --run-dir DIR', l10n.t('where runs are saved')],
      ['    --json', l10n.t('one JSON object instead of the table')],
      ['-v, --verbose', l10n.t('print more on stderr')],
      ['-h, --help', l10n.t('print this text')],
    ],
    notes: [
      l10n.t(
        'status shows where a batch is, from any terminal; without FILE it lists the batches of a queue, whose names may stand for their files. pause lets no further question begin until resume. cancel ends questions; retry queues failed ones again. answer answers a question that waits. Name the same FILE, --out, --workspace and --run-dir.',
      ),
      l10n.t(
        'Exit codes: 0 every question has a report, 1 some failed or have none, 2 wrong file or usage, 3 some wait for an answer, 130 stopped.',
      ),
    ],
  });
}

const actions = ['status', 'pause', 'resume', 'cancel', 'retry', 'answer'] as const;
const mostAtOnce = 64;

/** Reads what comes behind `deep-research batch`. Throws `badRequest`, saying what is allowed. */
export function readBatchArguments(argv: readonly string[]) {
  const next = 'See deep-research batch --help.';
  const { values, positionals } = parseOptions(argv, next, {
    ...everyQuestion,
    ...{ queue: text, 'at-once': text, only: text, json: flag },
  });
  const action = actions.find((name) => name === positionals[0]);
  const [file, ...rest] = action === undefined ? positionals : positionals.slice(1);
  const wrong = (message: string) => new ResearchError('badRequest', message, { next });
  const queue = values.help ? undefined : queueOf(values.queue, process.env);
  if (!values.help) {
    const isListing = action === 'status' && queue !== undefined && file === undefined;
    if (!isListing && (file === undefined || file.trim() === '')) throw wrong('There is no file of questions.');
    const takesIds = action === 'cancel' || action === 'retry';
    if (action === 'answer' ? rest.length !== 2 : rest.length > 0 && !takesIds)
      throw wrong(
        action === 'answer'
          ? 'An answer needs the id of its question and a text.'
          : `"${rest[0]}" is too much behind the file of questions.`,
      );
  }
  // The folder is that of the reports unless that is named.
  const ofWorkers = [
    'provider',
    'model',
    'base-url',
    'yes',
    'at-once',
    ...(values.out ? (['workspace'] as const) : []),
  ] as const;
  for (const name of ofWorkers)
    if (queue !== undefined && values[name] !== undefined && values[name] !== false)
      throw wrong(`--${name} has no effect with --queue: workers have one of their own.`);
  for (const name of ['settings', 'workspace', 'out', 'run-dir', 'only'] as const)
    if (values[name]?.trim() === '') throw wrong(`--${name} is empty.`);
  return {
    ...values,
    action,
    file: file ?? '',
    rest,
    budget: budgetOf(values),
    settingsFile: values.settings,
    settings: modelSettings(values),
    only: values.only?.split(',').map((id) => id.trim()),
    atOnce: atOnceOf(values['at-once'] ?? '4'),
    queue,
  };
}

/** The address of a queue: a flag, else the variable; undefined: there is none. */
export function queueOf(flag: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (flag?.trim() === '')
    throw new ResearchError('badRequest', '--queue is empty.', {
      next: 'Pass an address like postgres://user@host/database. Perhaps a shell variable is not set.',
    });
  return flag ?? (environment['DEEP_RESEARCH_QUEUE'] || undefined);
}

export function atOnceOf(given: string): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= 1 && value <= mostAtOnce) return value;
  throw new ResearchError('badRequest', `--at-once is "${given}"; allowed: a whole number from 1 to ${mostAtOnce}.`, {
    next: 'See deep-research batch --help.',
  });
}
