import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ResearchError } from '../research/errors.ts';
import { followUpKinds } from '../protocol/followUp.ts';
import { depths } from '../protocol/planBounds.ts';
import { l10n } from './l10n.ts';
import { columnsOf } from './terminalLine.ts';
import { wantedStrategies } from '../research/ports.ts';

export type CliArguments = ReturnType<typeof readArguments>;

/**
 * The text of `--help`.
 * @param providers Values of `--provider`.
 * @param variables Environment variables that keys are read from.
 */
export function usage(providers: readonly string[], variables: readonly string[]): string {
  const options: readonly (readonly [string, string])[] = [
    ['-q, --query TEXT', l10n.t('the question (takes precedence over the positional one)')],
    ['    --strategy NAME', l10n.list(wantedStrategies)],
    ['    --depth NAME', l10n.list(depths)],
    ['    --max-iterations N', l10n.t('rounds of review, search or supervision, depending on the strategy; 1 to 10')],
    ['-p, --provider NAME', l10n.list(providers)],
    ['    --model NAME', l10n.t('name of the model')],
    ['    --base-url URL', l10n.t("address of the model's API, up to but not including /chat/completions")],
    ['    --max-tokens N', l10n.t('budget of tokens; near it the research narrows, and a report is written')],
    ['    --max-minutes N', l10n.t('budget of minutes')],
    ['    --max-cost USD', l10n.t('budget of money, for models with a known price (deepResearch.prices)')],
    ['    --settings FILE', l10n.t('JSON file with the extension\'s settings ("deepResearch.…")')],
    ['    --workspace DIR', l10n.t('folder to research and to save into; default: the current one')],
    ['    --out PATH', l10n.t('a .md file or a folder for the report; default: research/ in the workspace')],
    ['    --yes', l10n.t('ask nothing: take recommended answers and approve the plan')],
    [
      '    --answer TEXT',
      l10n.t(
        'answer to the next question (number, label or text; of a review: yes, no, or sections like "s2: what to look for"); may be repeated',
      ),
    ],
    ['    --events', l10n.t('print one JSON event per line on stdout instead of the report')],
    ['    --run-dir DIR', l10n.t('where runs are saved')],
    ['    --resume RUN', l10n.t('resume a run; add --answer for one that is waiting')],
    [
      '    --follow-up RUN',
      l10n.t(
        'ask about the report of RUN, or change it; a change is a new version of the report, which waits (exit code 3) unless --yes accepts it',
      ),
    ],
    [
      '    --as KIND',
      l10n.t(
        'answer: on stdout, from what that run has read, without a search; research: a new section, or a deeper one, with new searches; rewrite: the same findings as the question wants them; challenge: evidence against a sentence of the report is searched, and it is corrected; without it the model decides',
      ),
    ],
    [
      '    --redo SECTION',
      l10n.t(
        'with --follow-up: research a section (its title, or number from 1) again; the question is a remark on it',
      ),
    ],
    [
      '    --refresh',
      l10n.t(
        'with --follow-up: look at the sources of the report again; what is gone, retracted, changed or newer is marked and listed, and with a model what changed is written again and what is new is added',
      ),
    ],
    [
      '    --accept [N]',
      l10n.t('with --follow-up: take version N of the report, or the only one that waits, into the report'),
    ],
    ['    --reject [N]', l10n.t('with --follow-up: reject it')],
    ['    --plan-only', l10n.t('print the plan as a Markdown file (with --out: and save it) and stop')],
    ['    --plan FILE', l10n.t('research the plan in FILE, with its question unless another is given')],
    ['    --check-sources', l10n.t('test the enabled sources and the model, say what is wrong, and stop')],
    ['-v, --verbose', l10n.t('print more on stderr')],
    ['-h, --help', l10n.t('print this text')],
    ['    --version', l10n.t('print the version')],
  ];
  const synopsis = [
    'deep-research [question] [options]',
    'deep-research batch FILE [--out DIR] [options]; deep-research batch --help',
    'deep-research worker --queue URL [options]; deep-research schedule "CRON" …; --help of each',
    'deep-research mcp [--workspace DIR] [--settings FILE] [--run-dir DIR]',
  ];
  const what = l10n.t(
    'Researches a question and writes a cited Markdown report. With mcp: serves it to agents, on stdin and stdout, by the Model Context Protocol.',
  );
  const keys = l10n.t(
    'Keys are read from {0}. Without a model the report is a digest of verbatim quotes.',
    l10n.list(variables, 'conjunction'),
  );
  const codes = l10n.t(
    'Exit codes: 0 report or plan written, 1 failed, 2 wrong usage, 3 waiting for an answer or with a new version, 4 cannot be researched, 130 stopped.',
  );
  return helpText({ synopsis, about: [what], options, notes: [keys, codes] });
}

/** The text of a command's `--help`. */
export function helpText({
  synopsis,
  about,
  options,
  notes,
}: {
  /** Its forms. */
  readonly synopsis: readonly string[];
  /** Paragraphs before the options. */
  readonly about: readonly string[];
  /** Each with what it does. */
  readonly options: readonly (readonly [string, string])[];
  /** Lines behind them. */
  readonly notes: readonly string[];
}): string {
  const usageLine = l10n.t('Usage: {0}', synopsis[0]!);
  const begin = ' '.repeat(columnsOf(usageLine) - columnsOf(synopsis[0]!));
  const rows = options.flatMap(([option, meaning]) => {
    const lines = wrapped(meaning, helpWidth - optionsWidth);
    const isLong = option.length > optionsWidth - 4;
    const first = isLong ? [`  ${option}`] : [`  ${option}`.padEnd(optionsWidth) + lines.shift()!];
    return [...first, ...lines.map((line) => ' '.repeat(optionsWidth) + line)];
  });
  const paragraphs = [
    [usageLine, ...synopsis.slice(1).map((form) => begin + form)],
    ...about.map((one) => wrapped(one, helpWidth)),
    rows,
    notes.flatMap((one) => wrapped(one, helpWidth)),
  ];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Columns of the help, and those before the text of an option. */
const helpWidth = 120;
const optionsWidth = 26;

/** A text in lines of at most so many columns, broken where its language may break. */
function wrapped(text: string, columns: number): string[] {
  const lines = [''];
  let used = 0;
  // Spaces and what follows a word without one stay with it.
  for (const [piece] of text.matchAll(/(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；：、）”]*\s*/gu)) {
    const width = columnsOf(piece.trimEnd());
    if (used > 0 && used + width > columns) {
      lines.push('');
      used = 0;
    }
    lines[lines.length - 1] += piece;
    used += columnsOf(piece);
  }
  return lines.map((line) => line.trimEnd());
}

/** Formats that a report is not saved in. A path with any other ending may be a folder. */
const otherFormats = /\.(?:txt|html?|pdf|json|docx?|markdown)$/i;

/**
 * Reads the arguments: the options by their names, beside what they mean together. `settings` are those that were given as flags, by key
 * without prefix. Throws `badRequest` for an unknown option or a bad value, saying what is allowed.
 */
export function readArguments(argv: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(argv);
  const budget = Object.entries(budgetOf(values)).map(([key, value]) => [`budget.${key}`, value] as const);
  for (const name of ['settings', 'workspace', 'out', 'run-dir', 'resume', 'plan', 'follow-up', 'redo'] as const) {
    if (values[name]?.trim() === '')
      throw new ResearchError('badRequest', l10n.t('{0} is empty.', `--${name}`), {
        next: l10n.t('Pass a value, or leave the option out. Perhaps a shell variable is not set.'),
      });
  }
  if (values.out !== undefined && otherFormats.test(values.out)) {
    throw new ResearchError('badRequest', l10n.t('--out is "{0}"; reports are saved as Markdown.', values.out), {
      next: l10n.t('Pass a path that ends in .md, or a folder.'),
    });
  }
  if (values.plan !== undefined && values.resume !== undefined) {
    const message = l10n.t('--plan and --resume exclude each other: a resumed run has its own plan.');
    throw wrong(message, l10n.t('Pass one of them.'));
  }
  checkFollowUp(values);
  const serves = positionals.length === 1 && positionals[0] === 'mcp' && values.query === undefined;
  if (serves) checkServer(values);
  // An empty positional is an empty question, which is refused with a message of its own.
  const positional = positionals.length > 0 ? positionals.join(' ') : undefined;
  const variable = 'DEEP_RESEARCH_MAX_ITERATIONS';
  return {
    ...values,
    settingsFile: values.settings,
    /** `deep-research mcp`. */
    serves,
    question: values.query ?? positional,
    settings: { ...modelSettings(values), ...Object.fromEntries(budget) },
    maxIterations:
      iterations(values['max-iterations'], '--max-iterations') ??
      iterations(environment[variable] || undefined, variable),
  };
}

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean', default: false } as const;
/** Of every command. */
export const everyCommand = { verbose: { ...flag, short: 'v' }, help: { ...flag, short: 'h' } } as const;
/** Of every command that researches. */
export const everyResearch = {
  ...everyCommand,
  ...{ provider: { ...text, short: 'p' }, model: text, 'base-url': text },
  ...{ settings: text, workspace: text, 'run-dir': text, yes: flag },
} as const;
/** Of those that are given questions. */
export const everyQuestion = {
  ...everyResearch,
  ...{ strategy: text, 'max-tokens': text, 'max-minutes': text, 'max-cost': text, out: text },
} as const;

function parse(argv: readonly string[]) {
  return parseOptions(argv, seeHelp(), {
    ...everyQuestion,
    ...{ query: { ...text, short: 'q' }, depth: text, 'max-iterations': text, resume: text, plan: text },
    ...{ 'follow-up': text, as: text, redo: text },
    ...{
      events: flag,
      refresh: flag,
      accept: flag,
      reject: flag,
      'plan-only': flag,
      'check-sources': flag,
      version: flag,
    },
    answer: { type: 'string', multiple: true, default: [] },
  });
}

/** What can't be parsed is a wrong use of the command. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  argv: readonly string[],
  help: string,
  options: T,
  allowPositionals = true,
) {
  try {
    return parseArgs({ args: [...argv], allowPositionals, options });
  } catch (error) {
    const message = error instanceof Error ? error.message.split(/\.?\n|\. /)[0]! : String(error);
    const next = message.endsWith('ambiguous')
      ? `${l10n.t('Write a value that begins with a dash as --option=-VALUE.')} ${help}`
      : help;
    throw new ResearchError('badRequest', `${message}.`, { next });
  }
}

type Given<N extends string> = { readonly [K in N]?: string | undefined };

/** The settings that the flags of a model, a strategy and a depth stand for. */
export function modelSettings(values: Given<'strategy' | 'depth' | 'provider' | 'model' | 'base-url'>) {
  return defined({
    strategy: values.strategy,
    depth: values.depth,
    'model.provider': values.provider,
    'model.name': values.model,
    'model.baseUrl': values['base-url'],
  });
}

export function budgetOf(values: Given<'max-tokens' | 'max-minutes' | 'max-cost'>) {
  return defined({
    maxTokens: positive(values['max-tokens'], '--max-tokens'),
    maxMinutes: positive(values['max-minutes'], '--max-minutes'),
    maxCost: positive(values['max-cost'], '--max-cost'),
  });
}

/** Without the flags that were not given. */
function defined<V>(values: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

const seeHelp = (): string => l10n.t('See deep-research --help.');

function wrong(message: string, next = seeHelp()): ResearchError {
  return new ResearchError('badRequest', message, { next });
}

/** What a follow-up is. */
const exclusive = ['as', 'redo', 'refresh', 'accept', 'reject'] as const;

/** A follow-up has a run, a kind, and nothing that only a report of its own has. */
function checkFollowUp(values: ReturnType<typeof parse>['values']): void {
  if (values['follow-up'] === undefined) {
    for (const name of exclusive) if (values[name]) throw wrong(l10n.t('{0} belongs to --follow-up RUN.', `--${name}`));
    return;
  }
  if (values.as !== undefined && !followUpKinds.some((kind) => kind === values.as))
    throw wrong(l10n.t('{0} is "{1}"; allowed: {2}.', '--as', values.as, l10n.list(followUpKinds)));
  const [one, two] = exclusive.filter((name) => values[name]);
  if (two !== undefined) throw wrong(l10n.t('{0} and {1} exclude each other.', `--${one}`, `--${two}`));
  const other = (['resume', 'plan', 'plan-only', 'out', 'strategy'] as const).find((name) => values[name]);
  if (other !== undefined)
    throw wrong(l10n.t('{0} and {1} exclude each other.', '--follow-up', `--${other}`), l10n.t('Pass one of them.'));
}

/** What belongs to one run has no place where agents begin them. */
function checkServer(values: ReturnType<typeof parse>['values']): void {
  const ofOneRun = [
    'out',
    'resume',
    'plan',
    'plan-only',
    'follow-up',
    'check-sources',
    'yes',
    'events',
    'max-iterations',
  ] as const;
  const other = values.answer.length > 0 ? 'answer' : ofOneRun.find((name) => values[name]);
  if (other === undefined) return;
  throw new ResearchError('badRequest', l10n.t('{0} and {1} exclude each other.', 'mcp', `--${other}`), {
    next: l10n.t('To research the question "mcp", pass it with --query.'),
  });
}

export function positive(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text.trim()) && value > 0) return value;
  throw wrong(l10n.t('{0} is "{1}"; allowed: a number greater than 0.', name, text));
}

function iterations(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && value >= 1 && value <= 10) return value;
  throw wrong(l10n.t('{0} is "{1}"; allowed: a whole number from 1 to 10.', name, text));
}
