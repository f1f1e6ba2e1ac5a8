import { Command, INTERRUPT, isInterrupted, START } from '@langchain/langgraph';
import type { Dialogue, EditedPlan } from '../../protocol/ports.ts';
import { atMost } from '../calls/waiting.ts';
import { buildGraph } from '../graph.ts';
import { givenPlan } from '../plan/givenPlan.ts';
import type { RunRecord } from '../ports.ts';
import type { ResearchStateType } from '../state.ts';
import type { ResearchTool } from '../tools.ts';
import type { Run } from './createRun.ts';
import { answer, repeatProposal } from './dialogue.ts';
import { settlingMs } from './ending.ts';
import type { Interrupt } from '../nodes/interrupts.ts';
import type { CallPort, LimitPort, RunContext } from '../run/runContext.ts';
import { belongsToStep } from '../languages/warning.ts';
import type { CheckpointLog } from '../persistence/checkpointLog.ts';
import { sectionsSchema, sourcesOf, stateSchema } from '../stateSchema.ts';

/** A plan of 30 sections, sent back five times, with every interrupt, stays far below. */
const recursionLimit = 1_000;
/** Tools get ready this long after the first request was sent, in milliseconds. */
const prepareAfterMs = 20;

export interface DriveInput extends Dialogue {
  readonly resume?: {
    readonly status: RunRecord['status'];
    readonly otherVersion?: boolean;
    readonly damaged?: boolean;
  };
}

/** Runs the graph to its end, answering its interrupts. Resumes at the last checkpoint where there is one to resume from. */
export async function drive(
  run: Pick<Run, 'context' | 'checkpoints' | 'finishAgain' | 'forgetWarnings'>,
  input: DriveInput,
  begin: { readonly question: string; readonly language: string; readonly plan?: EditedPlan },
  saveStatus: (status: RunRecord['status']) => Promise<void>,
): Promise<ResearchStateType> {
  const { context, checkpoints } = run;
  const graph = buildGraph(context, checkpoints);
  const config = { configurable: { thread_id: context.run }, recursionLimit, signal: context.signal };
  const step = (what: Parameters<typeof graph.invoke>[0]): Promise<unknown> =>
    settled(context, graph.invoke(what, config));
  const resumes = await prepareResume(run, input);
  const { question: originalQuery, language } = begin;
  const given = begin.plan && givenPlan(context, originalQuery, begin.plan);
  const start = { originalQuery, today: context.created.slice(0, 10), language, ...given };
  let state = await step(resumes ? null : start);
  if (resumes) repeatProposal(state, context);
  while (isInterrupted<Interrupt>(state)) {
    await saveStatus('waiting');
    const resume = await answer(context, input, state[INTERRUPT][0]!.value!);
    await saveStatus('running');
    state = await step(new Command({ resume }));
  }
  return state as ResearchStateType;
}

/**
 * Prepares a resumed run. True when it continues at its last checkpoint; otherwise, and always after a failure, it restarts
 * with its journal, so that what failed is tried again.
 */
async function prepareResume(
  { context, checkpoints, finishAgain, forgetWarnings }: Parameters<typeof drive>[0],
  { resume }: DriveInput,
): Promise<boolean> {
  if (!resume) return false;
  const { replay } = context;
  if (resume.status !== 'failed' && (await resumePoint(context, checkpoints))) {
    // After a damaged journal calls are repeated and may be answered differently; another version may ask differently.
    if (!resume.otherVersion && !resume.damaged) replay.matchByPlace();
    if (replay.recorded('finish') === true) finishAgain();
    return true;
  }
  if (resume.status === 'failed') {
    replay.retryFailures();
    // Nothing had been found when it was requested: a user who resumes wants the research.
    await replay.forget('finish');
    forgetWarnings(() => true);
  } else {
    // The repeated steps have not failed so far; a recorded failure of a source still holds.
    forgetWarnings(belongsToStep);
  }
  await checkpoints.deleteThread(context.run);
  return false;
}

/** Lets the tools get ready while the model reads the first prompt. What it returns lets them continue after the run. */
export function prepareTools({ tools, signal }: CallPort & LimitPort): () => void {
  const preparing = new AbortController();
  const timer = setTimeout(() => tools.forEach((tool) => void prepared(tool, preparing.signal)), prepareAfterMs);
  const stop = (): void => (clearTimeout(timer), preparing.abort(signal.reason));
  signal.addEventListener('abort', stop, { once: true });
  return () => (clearTimeout(timer), signal.removeEventListener('abort', stop));
}

/** A tool from outside may throw anything, but not end the program. */
async function prepared(tool: ResearchTool, signal: AbortSignal): Promise<void> {
  try {
    await tool.prepare?.(signal);
  } catch {
    // A failure here is repeated, and reported, when the tool is called.
  }
}

/** The result of the graph, awaited with a limit: both when the run is stopped and when all of it stalls. */
async function settled<T>(context: CallPort & LimitPort, work: Promise<T>): Promise<T> {
  const { signal } = context;
  const stopped = new AbortController();
  const stop = (): void => void atMost(settlingMs, work).then(() => stopped.abort(signal.reason));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Steps and sections have guards of their own, with shorter limits.
    return await context.watchdog.guard('', 'The research', work, { signal: stopped.signal, patience: 3 });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Prepares to resume a run at its last checkpoint: restores the sources that its state refers to. False when it can't be resumed
 * there (no checkpoint was written, its file is damaged, it does not match the journal): the run then restarts, replaying its
 * journal.
 */
async function resumePoint(context: RunContext, log: CheckpointLog): Promise<boolean> {
  const state = await readState(context, log);
  if (state === undefined) return false;
  await context.calls.restore();
  const missing = [...sourcesOf(state)].filter((id) => !context.registry.get(id));
  if (missing.length === 0) return true;
  context.log.warn(`the checkpoint refers to sources that the journal does not have: ${missing.join(', ')}`);
  context.warn({ kind: 'resume.checkpoint' });
  return false;
}

async function readState(
  context: RunContext,
  log: CheckpointLog,
): Promise<Parameters<typeof sourcesOf>[0] | undefined> {
  try {
    const tuple = await log.getTuple({ configurable: { thread_id: context.run } });
    // Before the first step there is nothing to resume.
    if (tuple === undefined || START in tuple.checkpoint.channel_values) return undefined;
    const { sections = [], ...state } = stateSchema.parse(tuple.checkpoint.channel_values);
    const finished = (tuple.pendingWrites ?? []).flatMap(([, channel, value]) =>
      channel === 'sections' ? sectionsSchema.parse(value) : [],
    );
    return { ...state, sections: [...sections, ...finished] };
  } catch (error) {
    context.log.warn(`the last checkpoint can't be used: ${error instanceof Error ? error.message : String(error)}`);
    context.warn({ kind: 'resume.checkpoint' });
    return undefined;
  }
}
