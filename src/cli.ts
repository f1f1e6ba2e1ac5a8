import { join, resolve } from 'node:path';
import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };
import type { research, RunOptions } from './engine.ts';
import { shellWord } from './files/shellWord.ts';
import { readArguments, usage, type CliArguments } from './node/cliArguments.ts';
import { commandLineRuns } from './files/dataFolder.ts';
import { environmentSecrets } from './node/environmentSecrets.ts';
import { existingFolder, planFrom, saveTools, settingsFrom } from './node/namedFiles.ts';
import { writePlanFile } from './node/planFile.ts';
import { l10n, speak, terminalLanguage } from './node/l10n.ts';
import { listenToSignals } from './node/terminalSignals.ts';
import { columnsOf, jsonLine, say, terminalLine } from './node/terminalLine.ts';
import { progressLine } from './node/terminalProgress.ts';
import { knownStrategy } from './protocol/strategy.ts';
import { hasProxyVariable } from './protocol/proxyVariables.ts';
import { ResearchError, type ErrorReason } from './research/errors.ts';
import { readReport } from './research/export/frontMatter.ts';
import { stripHidden } from './research/text/hidden.ts';
import type { FollowUpKind } from './protocol/followUp.ts';
import type { EditedPlan, Log, ResearchEvent, SourceHealth } from './research/ports.ts';
import type { ResearchResult } from './research/runResearch.ts';

/** The command line: arguments to engine options, events to lines, errors to exit codes. */
const exitCodes: Partial<Record<ErrorReason, number>> = {
  badRequest: 2,
  config: 2,
  needsAnswer: 3,
  cannotDo: 4,
  abort: 130,
};

/** A text that is read for so long is never read to its end; Ctrl+C has no effect meanwhile. */
const stuckMs = 60_000;

async function main(): Promise<number> {
  let verbose = process.argv.includes('-v') || process.argv.includes('--verbose');
  // A reader that goes away (`| head`, a closed terminal) ends the output, not the run.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // What programs read is English: events, and what agents are answered.
  if (process.argv[2] !== 'mcp' && !process.argv.includes('--events'))
    await speak(terminalLanguage(process.env), new URL('../l10n/', import.meta.url));
  try {
    if (process.argv[2] === 'batch') return await batch(process.argv.slice(3));
    if (process.argv[2] === 'worker') return await worker(process.argv.slice(3));
    if (process.argv[2] === 'schedule') return await schedule(process.argv.slice(3));
    const args = readArguments(process.argv.slice(2), process.env);
    verbose = args.verbose;
    if (args.help) return print(await helpText());
    if (args.version) return print(`${packageJson.version}\n`);
    return await run(args);
  } catch (error) {
    const failure = ResearchError.from(error);
    const [message, next] = [failure.message, failure.next].map(l10n.error);
    say(`${terminalLine(`deep-research: ${message}`)}${next ? ` ${next}` : ''}`);
    if (verbose && failure.stack) say(failure.stack);
    // A model's server that rejects a request is not a mistake in the command.
    return failure.reason === 'badRequest' && failure.origin !== undefined ? 1 : (exitCodes[failure.reason] ?? 1);
  }
}

async function helpText(): Promise<string> {
  const { builtIn } = await import('./catalogue.ts');
  const variables = builtIn.keyServices.flatMap(({ environment }) => environment);
  const providers = builtIn.providers.filter(({ inEditor }) => inEditor !== true).map(({ name }) => name);
  return usage(['auto', ...providers], [...new Set(variables)]);
}

async function batch(argv: readonly string[]): Promise<number> {
  const { batchUsage, readBatchArguments } = await import('./batch/batchArguments.ts');
  const args = readBatchArguments(argv);
  if (args.help) return print(batchUsage());
  const { batchCommand } = await import('./batch/batchCommand.ts');
  return await batchCommand(args, { ...(await baseOf(args)), endsStuckAfterMs: stuckMs });
}

async function worker(argv: readonly string[]): Promise<number> {
  const { readWorkerArguments, workerUsage } = await import('./batch/workerArguments.ts');
  const args = readWorkerArguments(argv, process.env);
  if (args.help) return print(workerUsage());
  const { loadQueue } = await import('./batch/loadQueue.ts');
  const { workerCommand } = await loadQueue();
  const { workspaceFolder, ...base } = await baseOf(args);
  // A machine of a queue researches its current folder only when it is named.
  const folder = args.workspace === undefined ? {} : { workspaceFolder };
  return await workerCommand(args, { ...base, ...folder, endsStuckAfterMs: stuckMs });
}

async function schedule(argv: readonly string[]): Promise<number> {
  const { readScheduleArguments, scheduleUsage } = await import('./batch/scheduleArguments.ts');
  const args = readScheduleArguments(argv, process.env);
  if (args.help) return print(scheduleUsage());
  const { loadQueue } = await import('./batch/loadQueue.ts');
  const { scheduleCommand } = await loadQueue();
  const { readAllSettings } = await import('./catalogue.ts');
  return await scheduleCommand(args, readAllSettings({}).settings['runs.keep']);
}

/** What every run of a command has. */
async function baseOf(
  args: Pick<CliArguments, 'settingsFile' | 'settings' | 'workspace' | 'run-dir' | 'verbose'>,
): Promise<RunOptions & { readonly workspaceFolder: string }> {
  // Only here: the version and the help come without what a run needs.
  const { builtIn, readAllSettings } = await import('./catalogue.ts');
  const { withFolderRules } = await import('./node/folderRules.ts');
  const given = { ...(await settingsFrom(args.settingsFile)), ...args.settings };
  const workspaceFolder = await existingFolder(resolve(args.workspace ?? process.cwd()), '--workspace');
  const { settings, warnings } = await withFolderRules(given, workspaceFolder, builtIn.settings);
  // Before anything fails for it.
  for (const { text } of warnings) say(l10n.error(text));
  const { 'model.provider': wanted } = readAllSettings(settings).settings;
  return {
    ...{ settings, warnings, workspaceFolder },
    runsFolder: resolve(args['run-dir'] ?? commandLineRuns()),
    secrets: environmentSecrets(process.env, builtIn.keyServices, wanted),
    log: terminalLog(args.verbose),
    version: packageJson.version,
    // Without it Node's own fetch ignores these variables.
    behindProxy: process.env['NODE_USE_ENV_PROXY'] === '1' && hasProxyVariable(process.env),
  };
}

async function run(args: CliArguments): Promise<number> {
  const base = await baseOf(args);
  const { readAllSettings } = await import('./catalogue.ts');
  const { 'model.provider': wanted } = readAllSettings(base.settings).settings;
  const { workspaceFolder } = base;
  if (args.serves) return await serveAgents(base, repeatedFlags(args));
  const { askQuestion, askTools, terminalDialogue } = await import('./node/terminalDialogue.ts');
  const { pathSink } = await import('./node/reportSink.ts');
  const signals = listenToSignals({
    process,
    write: (text) => void process.stderr.write(text),
    mayHaveFound: args.resume !== undefined,
  });
  const interactive = process.stdin.isTTY === true;
  const terminal = {
    input: process.stdin,
    output: process.stderr,
    signal: AbortSignal.any([signals.stop, signals.finish]),
  };
  if (args['check-sources']) return await check(base, terminal.signal);
  if (args.accept || args.reject) return await decideVersion(args, base.runsFolder);
  const given = args.plan === undefined ? undefined : await planFrom(args.plan);
  const asked = args.question ?? (given?.question || args.redo);
  const hasOwn = args.resume !== undefined || args.refresh;
  const question = asked ?? (interactive && !hasOwn ? await askQuestion(terminal) : undefined);
  if (question === undefined && !hasOwn)
    throw new ResearchError('badRequest', l10n.t('There is no question, and no terminal to ask for one.'), {
      next: l10n.t('Pass it as deep-research "…" or with --query.'),
    });
  if (args.resume !== undefined && args.question !== undefined)
    say(l10n.t('The question is ignored: a resumed run has its own.'));
  const options: RunOptions = {
    ...base,
    endsStuckAfterMs: stuckMs,
    ...(args.out === undefined ? {} : { saveTo: pathSink(resolve(args.out), workspaceFolder) }),
    isUnattended: args.yes || !interactive,
    ...(interactive &&
      !args.yes && { allowTools: askTools(terminal, (...named) => saveTools(args.settingsFile, ...named)) }),
    ...(args.maxIterations === undefined ? {} : { overrides: roundsOf(args.maxIterations) }),
  };
  const about = await aboutReport(args, base.runsFolder);
  const planned = new AbortController();
  let approved: Extract<ResearchEvent, { type: 'plan/approved' }> | undefined;
  const research = researchOrExplain(args, signals.lastRun, {
    ...options,
    ...terminalDialogue({
      ...{ ...terminal, yes: args.yes, answers: args.answer, interactive },
      wasAsked: args.resume !== undefined,
    }),
    // What is printed is what would be approved.
    ...(args['plan-only'] && !interactive && args.answer.length === 0 && { approve: async (plan) => plan }),
    ...(args.resume === undefined ? { question: question ?? '' } : { resume: args.resume, sameModel: true }),
    ...(given === undefined ? {} : { plan: withStrategy(given.plan, args) }),
    ...about,
    signal: AbortSignal.any([signals.stop, planned.signal]),
    finishSignal: signals.finish,
    answerSignal: signals.answer,
    onEvent: (event) => {
      signals.onEvent(event);
      if (args['plan-only'] && event.type === 'plan/approved') {
        approved = event;
        // Nothing is researched; the run stays on disk and can be resumed.
        planned.abort(new DOMException('The plan is made.', 'AbortError'));
      }
      if (args.events) process.stdout.write(jsonLine(event));
      const line = progressLine(event, args.verbose);
      if (line !== undefined) say(line);
      if (event.type === 'run/started' && event.model === null && wanted === 'auto')
        say(
          l10n.t(
            'For a written report start Ollama or LM Studio, set a key such as OPENAI_API_KEY, or pass --provider, --model and --base-url.',
          ),
        );
    },
  });
  let result: ResearchResult;
  try {
    result = await research;
  } catch (error) {
    if (approved === undefined || signals.stop.aborted) throw error;
    const plan = writePlanFile({ question: question ?? '', plan: approved });
    if (!args.events) process.stdout.write(plan);
    const path = await options.saveTo?.save('plan.md', plan);
    if (path !== undefined) say(l10n.t('Plan: {0}', path));
    const file = path === undefined ? 'FILE' : shellWord(path, process.platform);
    const command = `deep-research --plan ${file}`;
    say(
      path === undefined
        ? l10n.t('Save this plan to a file, edit it, and research it with: {0}', command)
        : l10n.t('Edit it, and research it with: {0}', command),
    );
    return 0;
  }
  const { parent, reportVersion } = result;
  if (!args.events) process.stdout.write(parent === undefined ? result.report : readReport(result.report).markdown);
  if (reportVersion !== undefined) return await settle(args, base.runsFolder, parent!, reportVersion);
  // An answer has no file; a change that could not be saved was reported as such.
  const isUnsaved = parent === undefined || result.warnings.some(({ kind }) => kind === 'report.unsaved');
  return result.path === undefined && isUnsaved ? 1 : 0;
}

/** The report that the question is about. Without a run that answers it, or something beside it, it is attached to the question. */
async function aboutReport(
  { 'follow-up': named, as, redo, refresh }: CliArguments,
  runsFolder: string,
): Promise<Pick<Parameters<typeof research>[0], 'followUp' | 'attached'>> {
  if (named === undefined) return {};
  const { run, file } = reportOf(named);
  const kind = as as FollowUpKind | undefined;
  if (file !== undefined && redo === undefined && !refresh) {
    const { isResearchedAlone } = await import('./node/foreignReport.ts');
    if (await isResearchedAlone(runsFolder, file, kind)) {
      say(
        l10n.t('The run of this report is not on this machine: the question is researched with the report attached.'),
      );
      return { attached: [{ path: file }] };
    }
  }
  return { followUp: { run, file, as: kind, section: redo, refresh } };
}

/** What a follow-up is about: a run, or the file of a report. */
function reportOf(named: string): { readonly run: string; readonly file?: string } {
  return /\.md$/i.test(named) ? { run: '', file: resolve(named) } : { run: named };
}

/** Accepts or rejects a version that waits. */
async function decideVersion(args: CliArguments, runsFolder: string): Promise<number> {
  const { rejectVersion, waitingVersionOf } = await import('./node/changeVersion.ts');
  const [named] = /^\d{1,6}$/.exec(args.question?.trim() ?? '') ?? [];
  if (args.question !== undefined && named === undefined)
    throw new ResearchError('badRequest', l10n.t('"{0}" is no number of a version.', args.question), {
      next: l10n.t('See deep-research --help.'),
    });
  const about = reportOf(args['follow-up']!);
  const { run, number } = await waitingVersionOf(runsFolder, about, named === undefined ? undefined : Number(named));
  if (args.accept) return await settle({ ...args, yes: true }, runsFolder, run, number);
  await rejectVersion(join(runsFolder, run), number);
  say(l10n.t('Version {0} of the report of {1} is rejected.', number, run));
  return 0;
}

/** Accepts a new version of a report with --yes; else it waits. What conflicts with edits of the user's waits as well. */
async function settle(args: CliArguments, runsFolder: string, run: string, number: number): Promise<number> {
  const { changeVersion } = await import('./node/changeVersion.ts');
  const { file } = reportOf(args['follow-up'] ?? '');
  const { gone, changed, ...version } = await changeVersion(runsFolder, run, number, args.yes ? {} : undefined, {
    file,
  });
  const { plainReference, unescaped } = await import('./files/references.ts');
  const partOf = (key: string) => unescaped(key) || l10n.t('title and summary');
  say(l10n.t('Version {0} of the report of {1} changes: {2}', number, run, changed.map(partOf).join('; ')));
  for (const source of gone) say(l10n.t('No longer cited: {0}', plainReference(source)));
  for (const section of version.conflicts) say(l10n.t('Edited by hand, and left as it is: {0}', partOf(section)));
  if (version.isMoved) say(l10n.t('The report is no longer where it was saved: name its file with --follow-up.'));
  say(version.isAccepted ? l10n.t('Accepted: {0}', version.path) : l10n.t('It waits: {0}', version.path));
  if (version.isAccepted) return 0;
  // A conflict remains one until the user has edited the report.
  if (version.conflicts.length > 0) return 3;
  const about = file ?? (version.isMoved ? 'FILE' : run);
  const accept = `deep-research --follow-up ${shellWord(about, process.platform)} --accept ${number}`;
  say(l10n.t('Accept it with: {0}', `${accept}${repeated({ ...args, settings: {} })}`));
  return 3;
}

/** Prints a line for the model and each source. Exit code 1 when one of them does not work. */
async function check(options: RunOptions, signal: AbortSignal): Promise<number> {
  const { checkSources } = await import('./engine.ts');
  const found = await checkSources(options, signal);
  const named = (text: string): string => l10n.error(l10n.t(text));
  for (const { label, state, message } of found)
    process.stdout.write(stripHidden(`${stateWord(state)}${named(label)}: ${l10n.error(message)}\n`));
  return found.every(({ state }) => ['works', 'limited', 'optional'].includes(state)) ? 0 : 1;
}

/** In a column of its own. */
function stateWord(state: SourceHealth['state']): string {
  const words: Readonly<Record<typeof state, string>> = {
    works: l10n.t('works'),
    limited: l10n.t('limited'),
    wrong: l10n.t('wrong'),
    missing: l10n.t('missing'),
    unreachable: l10n.t('unreachable'),
    optional: l10n.t('optional'),
  };
  return words[state] + ' '.repeat(Math.max(1, 13 - columnsOf(words[state])));
}

/** Serves agents until the client ends the connection, or the process is asked to end. */
async function serveAgents(options: RunOptions, flags: readonly string[]): Promise<number> {
  const { protocolOutput, serve } = await import('./mcp/serve.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  await serve({ options, flags, input: process.stdin, output: protocolOutput(), stop: stop.signal });
  return 0;
}

/** Researches. The error of a run that can be resumed says how. */
async function researchOrExplain(
  args: CliArguments,
  run: () => string | undefined,
  options: Parameters<typeof research>[0],
): Promise<ResearchResult> {
  try {
    const engine = await import('./engine.ts');
    return await engine.research(options);
  } catch (error) {
    const id = run();
    if (
      id !== undefined &&
      ResearchError.is(error, 'abort', 'network', 'rateLimit', 'quota', 'timeout', 'needsAnswer')
    ) {
      const answer = error.reason === 'needsAnswer' ? ' --answer TEXT' : '';
      const how = l10n.t('Resume with: {0}', `deep-research --resume ${id}${repeated(args)}${answer}`);
      throw new ResearchError(error.reason, error.message, {
        next: `${l10n.error(error.next)}\n${how}`.trim(),
        cause: error,
      });
    }
    throw error;
  }
}

/** The flags that a resumed command must repeat: a saved run does not say where keys are sent or which folder is read. */
function repeatedFlags({ 'run-dir': runDir, workspace, settingsFile, settings }: CliArguments): string[] {
  const flags = {
    '--run-dir': runDir,
    '--workspace': workspace,
    '--settings': settingsFile,
    '--provider': settings['model.provider'],
    '--model': settings['model.name'],
    '--base-url': settings['model.baseUrl'],
  };
  return Object.entries(flags).flatMap(([flag, value]) => (typeof value === 'string' ? [flag, value] : []));
}

function repeated(args: CliArguments): string {
  return repeatedFlags(args)
    .map((word) => ` ${shellWord(word, process.platform)}`)
    .join('');
}

/** One flag for the rounds of whichever strategy runs. */
function roundsOf(rounds: number): RunOptions['overrides'] {
  return {
    'limits.maxReviewIterations': rounds,
    'limits.maxIterations': rounds,
    'limits.maxSupervisorIterations': rounds,
  };
}

/** A flag counts more than a file. */
function withStrategy(plan: EditedPlan, { settings }: CliArguments): EditedPlan {
  const strategy = knownStrategy(String(settings['strategy']));
  return strategy === undefined ? plan : { ...plan, strategy };
}

function terminalLog(verbose: boolean): Log {
  const write = (message: string): void => void (verbose && say(message));
  const quiet = (): void => undefined;
  return { trace: quiet, debug: write, info: write, warn: write, error: write };
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

process.exitCode = await main();
// Idle keep-alive connections and timers of a stopped run must not hold the process.
setTimeout(() => process.exit(), 500).unref();
