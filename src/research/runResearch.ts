import type { Dialogue, EditedPlan, ResearchCallbacks, RunResult } from '../protocol/ports.ts';
import { atMost } from './calls/waiting.ts';
import type { Settings } from './settings/config.ts';
import { ResearchError } from './errors.ts';
import type { Source } from './evidence/source.ts';
import { boundedFolder, openedInTime } from './calls/boundedStorage.ts';
import { inMemoryRunFolder } from './persistence/inMemoryRunFolder.ts';
import type { ParentRun, ReportSink, RunFolder, RunRecord, WrittenChange } from './ports.ts';
import { readAttached, withAttached } from './run/attached.ts';
import { searchEarly } from './plan/speculativePlan.ts';
import { readNamedSources } from './runner/namedSources.ts';
import { createRun, type Run, type RunParts } from './runner/createRun.ts';
import { drive, prepareTools } from './runner/drive.ts';
import { trustedModels, trustModel } from './runner/trustModel.ts';
import { parentOf, takeSources, withOpenedPages } from './run/parentSources.ts';
import { openSupplied } from './run/openSupplied.ts';
import { endOf, failureOfRun, isClosing, settlingMs } from './runner/ending.ts';
import { readReport } from './export/frontMatter.ts';
import { openGaps } from './report/openGaps.ts';
import type { RunContext, CallPort, EventPort } from './run/runContext.ts';
import { type RunStatus, runStatus } from './runner/runStatus.ts';
import { foundNothing } from './nodes/aggregate.ts';
import { loadTexts } from './languages/texts.ts';
import { isFolderGap, leavesGap, leavesUnsearched, type Warning } from './languages/warning.ts';
import { reportedState, type ResearchStateType } from './state.ts';
import { detectLanguage } from './text/language.ts';

/** A longer question is a document and belongs in a file of the workspace. */
export const maxQuestionLength = 20_000;
const mostNearest = 3;

export interface ResearchInput extends Omit<RunParts, 'folder'>, Dialogue, Pick<ResearchCallbacks, 'steer'> {
  readonly question: string;
  readonly run: string;
  /** Makes the run's folder; for a resumed run gives the existing one. */
  readonly openFolder: (record: RunRecord) => Promise<RunFolder>;
  /** Stops the run. With a reason that has `closing: true` the run is left interrupted instead, as a killed process would. */
  readonly signal?: AbortSignal | undefined;
  /** The run's own controller; given so that the host can allow it many listeners. */
  readonly controller?: AbortController;
  /** Warnings from before the run (unknown settings, unavailable sources): emitted as its first events. */
  readonly warnings?: readonly Warning[];
  /** A plan to research; see `ResearchCallbacks`. */
  readonly plan?: EditedPlan | undefined;
  /** The finished run that is asked about, if any. */
  readonly parent?: ParentRun | undefined;
  /** For the run's record. */
  readonly workspaceFolder?: string | undefined;
  /** Version of the program, for the run's record. */
  readonly program?: string;
  /** Resumes a run whose journal, checkpoints and events are in `journal`, `checkpoints` and `events`. */
  readonly resume?: Resumed;
}

export interface Resumed extends Pick<RunRecord, 'created' | 'status'> {
  /** What differs from the time when the run began. */
  readonly changes: readonly Warning[];
  /** Another version of the program began the run, possibly with other prompts. */
  readonly otherVersion?: boolean;
  /** A file of the run was set aside at some time, so that its journal may be incomplete. */
  readonly damaged?: boolean;
}

/** What a program gets; the editor needs less. */
export interface ResearchResult extends RunResult {
  /** Name of the report's file, saved or not: `2025-03-01-what-is-rag.md`. */
  readonly fileName: string;
  /** All sources that were retrieved. */
  readonly sources: readonly Source[];
  readonly usage: { readonly in: number; readonly out: number; readonly cached: number };
  readonly warnings: RunContext['warnings'];
}

/** A question without surrounding white space. Throws `badRequest` for an empty or an overlong one. */
export function checkedQuestion(question: string): string {
  const trimmed = question.trim();
  if (trimmed === '')
    throw new ResearchError('badRequest', 'There is no question.', {
      next: 'Write what you want to know in one sentence.',
    });
  if (trimmed.length > maxQuestionLength) {
    const [length, most] = [trimmed.length, maxQuestionLength].map((count) => count.toLocaleString('en'));
    throw new ResearchError('badRequest', `The question has ${length} characters; the limit is ${most}.`, {
      next: 'Shorten the question, and put the material into a file in the workspace, where it will be searched.',
    });
  }
  return trimmed;
}

/**
 * Runs one research from the question to the saved report. Everything that happens is emitted as events; the promise rejects
 * with a `ResearchError` after `run/failed`, `run/cancelled` or `run/paused`.
 */
export async function runResearch(input: ResearchInput): Promise<ResearchResult> {
  const question = checkedQuestion(input.question);
  assertSources(input);
  const { clock, settings } = input;
  // A resumed run keeps its date: prompts contain it.
  const created = input.resume?.created ?? clock.now().toISOString();
  const language = settings['report.language'] === 'auto' ? detectLanguage(question) : settings['report.language'];
  await Promise.all([loadTexts(language), input.parent && loadTexts(input.parent.language)]);
  const record = recordOf(input, question, created);
  const { folder, problem } = await openedFolder(input, record);
  const { controller, release } = runController(input, folder);
  const run = createRun({ ...input, folder }, input.run, created, language, controller);
  const { context } = run;
  const status = runStatus(context, record);
  try {
    announce(context, input, question, problem);
    const controls = context.steering.open();
    input.steer?.(controls);
    if (input.resume) {
      await status.save('running');
      await skipStopped(context);
    }
    const report = new ReportTarget(context, status);
    // What the workspace contains may change between interruption and resume: prompts use what was found first.
    const { value: workspace } = await context.replay.observed('workspace', () => input.workspace ?? null);
    const files = await readAttached(context, input.attached, question, language);
    // Beside what is read before the first step.
    const trust = trustModel({ ...context, attached: files }, language, input.trial);
    trust.catch(() => undefined);
    const { parent, read = [], looks, tools = context.tools } = (await aboutParent(context, input)) ?? {};
    const named = parent?.refresh ? [] : await readNamedSources(context, question, language);
    await openSupplied(context, input.supplied, language);
    const known = withAttached(context, [...new Set([...files, ...named])], workspace ?? undefined);
    const attached = [...new Set([...files, ...named, ...read])];
    const about = parent && { ...parent, added: [...files, ...named] };
    const ready = { ...context, sink: report, attached, workspace: known, parent: about, looks, tools };
    const keepPrepared = prepareTools(ready);
    const { value: given } = await context.replay.observed('plan/given', () => input.plan ?? null);
    if (!input.resume && !parent && !given && input.trial && (await input.trial.known()) === undefined)
      searchEarly(ready, { originalQuery: question, today: created.slice(0, 10), language });
    const trusted = await trust;
    const analyst = run.analystOf(trusted, (await input.trial?.known()) !== undefined);
    const trials = trusted === 'quotes' ? [] : input.roleTrials;
    const running = { ...run, context: { ...ready, analyst, models: await trustedModels(ready, language, trials) } };
    for (const { title, description } of given?.sections ?? []) context.registry.asked(`${title} ${description}`);
    const begin = { question, language, ...(given && { plan: given }) };
    const end = await drive(running, input, begin, (now) => status.save(now));
    keepPrepared();
    return await finished(run, status, report.fileName, end, parent?.run);
  } catch (error) {
    throw await failed(context, status, error);
  } finally {
    release();
    context.steering.end();
    await endRun(run, controller);
    await atMost(settlingMs, folder.close());
  }
}

/** Nothing outlives the run: siblings of a branch that failed would continue to call models. What they have found meanwhile is saved. */
async function endRun({ context, flushed }: Run, controller: AbortController): Promise<void> {
  const { aborted } = controller.signal;
  await (aborted ? atMost(settlingMs, flushed()) : flushed());
  controller.abort(new ResearchError('abort', 'The run has ended.'));
  if (!aborted) await atMost(settlingMs, context.folder.saveSources(context.registry.toJson()));
}

/** The finished run that is asked about, and what it has read; of a refresh, what became of it, and tools that find what is new. */
async function aboutParent(context: RunContext, { parent, resume }: ResearchInput) {
  if (parent === undefined) return undefined;
  const known = await parentOf(context, parent);
  const read = takeSources(context, parent, resume !== undefined);
  if (parent.refresh === undefined)
    return { parent: known, read, tools: context.tools.map((tool) => withOpenedPages(tool, parent, context.registry)) };
  const { since } = parent.refresh;
  const { lookAgain, newSince } = await import('./runner/lookAgain.ts');
  const looks = await lookAgain(context, known);
  return { parent: known, read, looks, tools: context.tools.map((tool) => newSince(tool, since, context.registry)) };
}

/** Throws `config` for a run without any tool: it names why no source is available. */
function assertSources({ tools, attached, parent, warnings = [] }: ResearchInput): void {
  if (tools.length > 0 || attached !== undefined || parent !== undefined) return;
  const why = warnings.flatMap((warning) => (warning.kind === 'source.unavailable' ? ` ${warning.why}` : [])).join('');
  throw new ResearchError('config', `There is no source to search: none of the enabled ones works here.${why}`, {
    next: 'Enable one with the setting deepResearch.sources.enabled, or open a folder.',
  });
}

function recordOf(input: ResearchInput, question: string, created: string): RunRecord {
  const { run, provider, model, workspaceFolder, parent, program = '' } = input;
  // Variables and headers of servers hold keys; a resumed run takes them from today's settings.
  const settings: Settings = { ...input.settings, mcpServers: {} };
  return {
    version: 1,
    ...{ run, question, created, provider, model, settings, program },
    strategy: settings.strategy,
    status: 'running',
    ...(workspaceFolder === undefined ? {} : { workspace: workspaceFolder }),
    ...(parent === undefined ? {} : { parent: parent.run, followUp: parent.wanted }),
  };
}

/** The run's folder. A new run whose folder can't be made is not saved; that does not prevent the research. */
async function openedFolder(
  input: ResearchInput,
  record: RunRecord,
): Promise<{ folder: RunFolder; problem?: ResearchError }> {
  try {
    return { folder: boundedFolder(await openedInTime(input.openFolder(record), (late) => late.close())) };
  } catch (error) {
    if (input.resume || !ResearchError.is(error, 'storage')) throw error;
    return { folder: inMemoryRunFolder(), problem: error };
  }
}

/** The controller that ends every call of the run: on a stop by the caller, and when another window resumes the run. */
function runController(
  input: ResearchInput,
  folder: RunFolder,
): { readonly controller: AbortController; readonly release: () => void } {
  const controller = input.controller ?? new AbortController();
  const stop = (): void => controller.abort(input.signal?.reason ?? new ResearchError('abort', 'Stopped.'));
  if (input.signal?.aborted) stop();
  input.signal?.addEventListener('abort', stop, { once: true });
  const lost = (): void => controller.abort(new ResearchError('abort', 'Another window has resumed this run.'));
  folder.lost?.addEventListener('abort', lost, { once: true });
  return { controller, release: () => input.signal?.removeEventListener('abort', stop) };
}

/** Emits the run's first events. */
function announce(
  context: CallPort & EventPort,
  input: ResearchInput,
  question: string,
  problem: ResearchError | undefined,
): void {
  const { settings, provider, model, analyst, resume } = input;
  if (resume) {
    const message = 'The run resumes where it left off.';
    context.emit({ type: 'run/resumed', reason: 'resume', message, next: '' });
    context.calls.countMissed();
    for (const change of resume.changes) context.warn(change);
  } else {
    const { strategy } = settings;
    const parent = input.parent && { parent: input.parent.run };
    context.emit({ type: 'run/started', question, strategy, model, provider, analyst: analyst.kind, ...parent });
  }
  if (problem) context.warn({ kind: 'storage.notSaved', error: problem });
  for (const warning of input.warnings ?? []) context.warn(warning);
}

/** Reports what the run does without because it was stopped in it, and drops the answers of models that did. */
async function skipStopped({ reading, replay, warn }: CallPort & EventPort): Promise<void> {
  for (const [index, { kind, name }] of reading.stopped.entries()) {
    warn({ kind: 'resume.skipped', what: name });
    // Once: the answer to the same call in its place is another one.
    if (kind === 'answer') await replay.observed(`skipped/${index}`, () => replay.forget(name).then(() => name));
  }
}

/** The run's sink: remembers where the report was saved, so that a run killed right after it does not save it twice. */
class ReportTarget implements ReportSink {
  readonly #context: RunContext;
  readonly #status: RunStatus;
  #name = '';

  constructor(context: RunContext, status: RunStatus) {
    this.#context = context;
    this.#status = status;
    this.#status.path = this.#saved();
  }

  get toWorkspace(): string | undefined {
    return this.#context.sink.toWorkspace;
  }

  get fileName(): string {
    return this.#name || (this.#status.path?.split(/[\\/]/).at(-1) ?? '');
  }

  async save(name: string, markdown: string, change?: WrittenChange): Promise<string | undefined> {
    const { replay, sink } = this.#context;
    this.#name = name;
    const before = this.#saved();
    const path = before ?? (await sink.save(name, markdown, change));
    if (before === undefined && path !== undefined) await replay.observed('report/saved', () => path);
    this.#status.path = path;
    return path;
  }

  async saveBeside(report: string, ending: string, text: string): Promise<void> {
    const { replay, sink } = this.#context;
    const key = `report/beside${ending}`;
    if (replay.recorded(key) !== undefined) return;
    await sink.saveBeside?.(report, ending, text);
    await replay.observed(key, () => true);
  }

  #saved(): string | undefined {
    const path = this.#context.replay.recorded('report/saved');
    return typeof path === 'string' ? path : undefined;
  }
}

function outcomeOf(context: RunContext, end: ResearchStateType): ResearchResult['outcome'] {
  const { warnings, finishSignal } = context;
  // A refresh asks nothing.
  if (end.change?.as !== 'refresh' && foundNothing(context, end) && !warnings.some(leavesUnsearched)) return 'notFound';
  return finishSignal.aborted || warnings.some(leavesGap) ? 'partial' : 'complete';
}

async function finished(
  run: Run,
  status: RunStatus,
  fileName: string,
  last: ResearchStateType,
  parent: string | undefined,
): Promise<ResearchResult> {
  const end = reportedState(last);
  const report = end.finalReport;
  const gaps = openGaps(end);
  const { context } = run;
  const outcome = outcomeOf(context, end);
  const path = status.path === undefined ? {} : { path: status.path };
  const searched = outcome === 'notFound' ? { searched: searchedIn(context, end) } : {};
  context.emit({
    type: 'run/finished',
    outcome,
    gaps,
    ...searched,
    ...path,
    tokens: { ...context.tokens },
    ms: run.elapsedMs(),
  });
  // The front matter has the title and the number of cited sources.
  const { title, sources: cited } = readReport(report).fields;
  await status.save('finished', {
    outcome,
    ...(gaps.length === 0 ? {} : { gaps: gaps.length }),
    ...(title === undefined ? {} : { title }),
    ...(cited === undefined ? {} : { cited: Number(cited) }),
  });
  const { warnings, registry, tokens } = context;
  return {
    run: context.run,
    report,
    ...path,
    ...(parent === undefined ? {} : { parent }),
    ...(parent === undefined || status.path === undefined ? {} : { reportVersion: versionOf(status.path) }),
    fileName,
    outcome,
    gaps,
    sources: registry.all(),
    usage: { ...tokens },
    warnings,
  };
}

/** Of a path like `…/versions/3.md`. */
function versionOf(path: string): number {
  return Number.parseInt(path.split(/[\\/]/).at(-1)!, 10);
}

/** What was searched in vain, and what came nearest. */
function searchedIn({ registry, workspace, warnings }: RunContext, { sections }: ResearchStateType) {
  const sources = [...new Set(sections.flatMap(({ searched }) => searched))];
  // What was not searched is said with its number.
  const isWhole = !warnings.some(isFolderGap);
  const quoted = sections.flatMap(({ distilled }) => distilled?.findings ?? []).map(({ source }) => source);
  const titles = new Map(quoted.map((source) => [registry.get(source)?.title ?? '', source]));
  return {
    sources,
    ...(isWhole && workspace !== undefined && sources.includes('workspace') ? { files: workspace.fileCount } : {}),
    nearest: [...titles].slice(0, mostNearest).map(([title, source]) => ({ source, title })),
  };
}

/** Emits and records how the run failed, was stopped or waits; gives the error to throw. */
async function failed(context: RunContext, status: RunStatus, error: unknown): Promise<ResearchError> {
  const failure = failureOfRun(context, error);
  const { folder, log, registry, signal } = context;
  if (failure.reason === 'bug') log.error(failure.stack ?? failure.message);
  await atMost(settlingMs, folder.saveSources(registry.toJson()));
  if (isClosing(signal)) {
    log.info('the window closes: the run is left interrupted');
    return failure;
  }
  context.emit(endOf(failure, folder.location));
  const { reason, message } = failure;
  if (reason === 'abort') await atMost(settlingMs, status.save('cancelled'));
  else if (reason === 'needsAnswer') await status.save('waiting');
  else await status.save('failed', { failure: { reason, message } });
  return failure;
}
