import { Command, INTERRUPT, isInterrupted } from '@langchain/langgraph';
import type { EventBody } from '../protocol/events.ts';
import type { Dialogue, RunResult } from '../protocol/ports.ts';
import { boundedFolder, openedInTime } from './persistence/boundedStorage.ts';
import { createRun, type Run, type RunParts } from './run/createRun.ts';
import { answer, repeatProposal } from './run/dialogue.ts';
import { ResearchError } from './errors.ts';
import type { Source } from './evidence/source.ts';
import { readReport } from './export/frontMatter.ts';
import { buildGraph } from './graph.ts';
import type { Interrupt } from './run/interrupts.ts';
import { nothingFoundYet } from './nodes/aggregate.ts';
import type { RunRecord } from './ports.ts';
import type { RunContext } from './run/runContext.ts';
import type { ResearchTool } from './tools.ts';
import { detectLanguage } from './text/language.ts';
import { inMemoryRunFolder } from './persistence/inMemoryRunFolder.ts';
import { atMost } from './calls/waiting.ts';
import { resumePoint } from './persistence/resumePoint.ts';

/** A longer question is a document: it belongs into a file of the workspace. */
export const maxQuestionLength = 20_000;
/** A plan of 30 sections, sent back five times, with all its waiting, stays far below. */
const recursionLimit = 1_000;
/** How long a run that was stopped waits for its own steps, and then for its files, in milliseconds. */
const settlingMs = 700;

export interface ResearchInput extends Omit<RunParts, 'folder'>, Dialogue {
  readonly question: string;
  readonly run: string;
  /** Makes the run's folder; for a resumed run gives the one that it has. */
  readonly openFolder: (record: RunRecord) => Promise<RunParts['folder']>;
  /** Stops the run. With a reason that has `closing: true` it is left as it is: cut off, not stopped. */
  readonly signal?: AbortSignal | undefined;
  /** The run's own controller; given so that the host can allow it many listeners. */
  readonly controller?: AbortController;
  /** Warnings from before the run (unknown settings, sources that are off): told as its first events. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  /** For the run's record. */
  readonly workspaceFolder?: string | undefined;
  /** Version of the program, for the run's record. */
  readonly program?: string;
  /** Goes on with a run that stopped: its journal and events stand in `journal` and `events`. */
  readonly resume?: Pick<RunRecord, 'created' | 'status'> & {
    /** What differs from the time when it began, one line each: told in the run. */
    readonly changes: readonly string[];
    /** Another version of the program began it, with other prompts maybe. */
    readonly otherVersion?: boolean;
    /** A file of it was set aside at some time, so that its journal may have holes. */
    readonly damaged?: boolean;
  };
}

/** What a program gets; the editor needs less. */
export interface ResearchResult extends RunResult {
  /** What the file is, or would be, called: `2025-03-01-what-is-rag.md`. */
  readonly fileName: string;
  /** All sources that were retrieved. */
  readonly sources: readonly Source[];
  readonly usage: { readonly in: number; readonly out: number; readonly cached: number };
  readonly warnings: RunContext['warnings'];
}

/** A question without surrounding white space. Rejects an empty or an overlong one with `badRequest`. */
export function checkedQuestion(question: string): string {
  const trimmed = question.trim();
  if (trimmed === '')
    throw new ResearchError('badRequest', 'There is no question.', {
      next: 'Write what you want to know in a sentence.',
    });
  if (trimmed.length > maxQuestionLength) {
    throw new ResearchError(
      'badRequest',
      `The question has ${trimmed.length.toLocaleString('en')} characters; at most ${maxQuestionLength.toLocaleString('en')} are taken.`,
      {
        next: 'Shorten the question and put the material into a file of the workspace, where it is searched.',
      },
    );
  }
  return trimmed;
}

/**
 * Runs one research from the question to the saved report. Everything that happens is told as events; the promise rejects
 * with a `ResearchError` after `run/failed`, `run/cancelled` or `run/paused` was told.
 */
export async function runResearch(input: ResearchInput): Promise<ResearchResult> {
  const question = checkedQuestion(input.question);
  if (input.tools.length === 0) {
    const why = (input.warnings ?? [])
      .filter(({ code }) => code.startsWith('source.'))
      .map(({ message }) => ` ${message}`)
      .join('');
    throw new ResearchError('config', `There is no source to research in: none that is enabled works here.${why}`, {
      next: 'Enable one with the setting deepResearch.sources.enabled, or open a folder.',
    });
  }
  const { clock } = input;
  const started = clock.monotonic();
  // A resumed run keeps its date: prompts name it.
  const created = input.resume?.created ?? clock.now().toISOString();
  const record: RunRecord = {
    version: 1,
    run: input.run,
    question,
    created,
    strategy: input.settings.strategy,
    provider: input.provider,
    model: input.model,
    status: 'running',
    settings: input.settings,
    ...(input.workspaceFolder === undefined ? {} : { workspace: input.workspaceFolder }),
    program: input.program ?? '',
  };
  const { folder, problem } = await openedFolder(input, record);
  const controller = input.controller ?? new AbortController();
  const stop = (): void => controller.abort(input.signal?.reason ?? new ResearchError('abort', 'Stopped.'));
  if (input.signal?.aborted) stop();
  input.signal?.addEventListener('abort', stop, { once: true });
  folder.lost?.addEventListener(
    'abort',
    () => controller.abort(new ResearchError('abort', 'Another window has gone on with this run.')),
    { once: true },
  );
  const run = createRun({ ...input, folder }, input.run, created, controller);
  const { context, flushed } = run;
  let path: string | undefined;
  let fileName = '';
  const saveStatus = (
    status: RunRecord['status'],
    ended: Pick<RunRecord, 'title' | 'outcome' | 'cited' | 'failure'> = {},
  ) =>
    folder
      .saveRecord({
        ...record,
        status,
        ...(path === undefined ? {} : { path }),
        ended: clock.now().toISOString(),
        ...ended,
      })
      .catch((error: unknown) => {
        const { message } = ResearchError.from(error);
        context.log.error(message);
        context.warn('storage', message);
      });
  try {
    if (input.resume) {
      context.emit({ type: 'run/resumed', reason: 'resume', message: 'The run goes on where it stopped.', next: '' });
      for (const [index, change] of input.resume.changes.entries()) context.warn(`resume.changed.${index}`, change);
      await saveStatus('running');
    } else {
      context.emit({
        type: 'run/started',
        question,
        strategy: input.settings.strategy,
        model: input.model,
        provider: input.provider,
        analyst: input.analyst.kind,
      });
    }
    if (problem)
      context.warn(
        'storage',
        `This run is not kept, and can't be gone on with: ${problem.plain} ${problem.next}`.trim(),
      );
    for (const { code, message } of input.warnings ?? []) context.warn(code, message);
    const sink = {
      async save(name: string, markdown: string) {
        fileName = name;
        // Killed right after it was saved: it is not saved twice.
        const before = context.calls.recorded('report/saved');
        path = typeof before === 'string' ? before : await context.sink.save(name, markdown);
        if (before === undefined && path !== undefined) await context.calls.observed('report/saved', () => path);
        return path;
      },
    };
    // What the workspace tells may change between two lives of a run: the prompts keep what it told first.
    const { value: workspace } = await context.calls.observed('workspace', () => input.workspace ?? null);
    const finalState = await drive(
      { ...run, context: { ...context, sink, workspace: workspace ?? undefined } },
      input,
      question,
      saveStatus,
    );
    // Cut off between its report and its end: nothing was left to do.
    path ??= context.calls.recorded('report/saved') as string | undefined;
    if (fileName === '') fileName = path?.split(/[\\/]/).at(-1) ?? '';
    const cutShort = context.warnings.some(({ code }) =>
      /^(?:report\.(?!unsaved)|research\.|section\.|distil\.)/.test(code),
    );
    const outcome = cutShort || context.finishSignal.aborted ? 'partial' : 'complete';
    context.emit({
      type: 'run/finished',
      outcome,
      ...(path === undefined ? {} : { path }),
      tokens: { ...context.tokens },
      ms: Math.round(clock.monotonic() - started),
    });
    await saveStatus('finished', { outcome, ...reportFacts(finalState.finalReport) });
    return {
      run: input.run,
      report: finalState.finalReport,
      ...(path === undefined ? {} : { path }),
      fileName,
      outcome,
      sources: context.registry.all(),
      usage: { ...context.tokens },
      warnings: context.warnings,
    };
  } catch (error) {
    const failure = failureOf(error, controller.signal);
    if (failure.reason === 'bug') context.log.error(failure.stack ?? failure.message);
    await atMost(settlingMs, folder.saveSources(context.registry.toJson()));
    const isLeft = isClosing(controller.signal);
    if (!isLeft) context.emit(endOf(failure, folder.location));
    const { reason, message } = failure;
    if (isLeft) context.log.info('the window closes: the run is left as it is');
    else if (reason === 'abort') await atMost(settlingMs, saveStatus('cancelled'));
    else if (reason === 'needsAnswer') await saveStatus('waiting');
    else await saveStatus('failed', { failure: { reason, message } });
    throw failure;
  } finally {
    input.signal?.removeEventListener('abort', stop);
    await (controller.signal.aborted ? atMost(settlingMs, flushed()) : flushed());
    await atMost(settlingMs, folder.close());
    // Nothing outlives the run: siblings of a branch that failed would go on calling models.
    controller.abort(new ResearchError('abort', 'The run has ended.'));
  }
}

/** The run's folder. A new run for which there is no room on the disk is not kept; that is no reason not to research. */
async function openedFolder(
  input: ResearchInput,
  record: RunRecord,
): Promise<{ folder: RunParts['folder']; problem?: ResearchError }> {
  try {
    return { folder: boundedFolder(await openedInTime(input.openFolder(record), (late) => late.close())) };
  } catch (error) {
    if (input.resume || !ResearchError.is(error, 'storage')) throw error;
    return { folder: inMemoryRunFolder(), problem: error };
  }
}

/** Runs the graph, and answers its interrupts, to the end. A run that failed begins at its start, so that what failed is tried again. */
async function drive(
  { context, checkpoints, finishAgain, forgetWarnings }: Omit<Run, 'flushed'>,
  input: ResearchInput,
  question: string,
  saveStatus: (status: RunRecord['status']) => Promise<void>,
): Promise<{ finalReport: string }> {
  const graph = buildGraph(context, checkpoints);
  const config = { configurable: { thread_id: context.run }, recursionLimit, signal: context.signal };
  const language =
    input.settings['report.language'] === 'auto' ? detectLanguage(question) : input.settings['report.language'];
  const step = (what: Parameters<typeof graph.invoke>[0]): Promise<unknown> =>
    settled(context, graph.invoke(what, config));
  const goesOn =
    input.resume !== undefined && input.resume.status !== 'failed' && (await resumePoint(context, checkpoints));
  // With a damaged journal, what is asked anew may turn out otherwise, and so what follows it; another version may ask otherwise.
  if (goesOn && !input.resume?.otherVersion && !input.resume?.damaged) context.calls.standByPlaces();
  if (goesOn && context.calls.recorded('finish') === true) finishAgain();
  if (input.resume?.status === 'failed') {
    context.calls.tryFailedAgain();
    // Nothing had been found when it was said: whoever goes on wants the research.
    await context.calls.forget('finish');
    forgetWarnings(/^/);
  }
  if (input.resume && !goesOn) {
    // Of the steps that are gone through again none has failed so far; what a source failed with may stand in the journal.
    forgetWarnings(/^(?:section|research|distil|report)\./);
    await checkpoints.deleteThread(context.run);
  }
  // Once the first request is on its way, there is time.
  const ready = setTimeout(() => context.tools.forEach((tool) => void prepared(tool, context.signal)), 20);
  context.signal.addEventListener('abort', () => clearTimeout(ready), { once: true });
  let state: unknown = await step(
    goesOn ? null : { originalQuery: question, today: context.created.slice(0, 10), language },
  );
  if (goesOn) repeatProposal(state, context, input.events ?? []);
  while (isInterrupted<Interrupt>(state)) {
    await saveStatus('waiting');
    const resume = await answer(context, input, state[INTERRUPT][0]!.value!);
    await saveStatus('running');
    state = await step(new Command({ resume }));
  }
  return state as { finalReport: string };
}

/** A tool from outside may do anything, but not end the program. */
async function prepared(tool: ResearchTool, signal: AbortSignal): Promise<void> {
  try {
    await tool.prepare?.(signal);
  } catch {
    // What fails here fails again when the tool is called, where it is told.
  }
}

/** For the run's record: what its report is called, and how many sources it cites. */
function reportFacts(file: string): Pick<RunRecord, 'title' | 'cited'> {
  const { title, sources } = readReport(file).fields;
  return { ...(title === undefined ? {} : { title }), ...(sources === undefined ? {} : { cited: Number(sources) }) };
}

/** What the graph gives. It is not waited for without end: neither when it was stopped nor when all of it stands still. */
async function settled<T>(context: RunContext, work: Promise<T>): Promise<T> {
  const { signal } = context;
  const left = new AbortController();
  const stop = (): void => void atMost(settlingMs, work).then(() => left.abort(signal.reason));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    // The nets below this one are narrower: steps, and whole sections.
    return await context.watchdog.guard('', 'The research', work, { signal: left.signal, patience: 3 });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The program goes away and nobody stopped the run: it is left as a killed one would be, to be gone on with. */
function isClosing({ aborted, reason }: AbortSignal): boolean {
  return (
    aborted &&
    typeof reason === 'object' &&
    reason !== null &&
    (reason as { readonly closing?: unknown }).closing === true
  );
}

function failureOf(error: unknown, signal: AbortSignal): ResearchError {
  // The run ended itself: its connection was lost for too long.
  if (signal.aborted && ResearchError.is(signal.reason, 'network', 'rateLimit')) return signal.reason;
  if (signal.aborted) return new ResearchError('abort', 'The run was stopped.', { cause: error });
  const failure = ResearchError.from(error);
  return failure.reason === 'finish' ? nothingFoundYet() : failure;
}

function endOf(failure: ResearchError, location: string | undefined): EventBody {
  const { reason, message, next } = failure;
  const kept = location ? `What was found is kept in ${location}.` : '';
  if (reason === 'abort')
    return { type: 'run/cancelled', reason, message, next: next || kept || 'Start again when you like.' };
  if (reason === 'needsAnswer') return { type: 'run/paused', reason, message, next };
  return { type: 'run/failed', reason, message, next: next || kept || 'Look at the log for details, and start again.' };
}
