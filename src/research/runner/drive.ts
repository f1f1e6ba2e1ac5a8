import { Command, INTERRUPT, isInterrupted } from '@langchain/langgraph';
import type { Dialogue, EditedPlan } from '../../protocol/ports.ts';
import { atMost } from '../calls/waiting.ts';
import { buildGraph } from '../graph.ts';
import { givenPlan } from '../plan/givenPlan.ts';
import { resumePoint } from './resumePoint.ts';
import type { RunRecord } from '../ports.ts';
import type { ResearchStateType } from '../state.ts';
import type { ResearchTool } from '../tools.ts';
import type { Run, RunParts } from './createRun.ts';
import { answer, repeatProposal } from './dialogue.ts';
import { settlingMs } from './ending.ts';
import type { Interrupt } from '../nodes/interrupts.ts';
import type { CallPort, LimitPort } from '../run/runContext.ts';
import { belongsToStep } from '../languages/warning.ts';

/** A plan of 30 sections, sent back five times, with every interrupt, stays far below. */
const recursionLimit = 1_000;
/** Tools get ready this long after the first request was sent, in milliseconds. */
const prepareAfterMs = 20;

export interface DriveInput extends Dialogue, Pick<RunParts, 'events'> {
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
  prepareTools(context);
  const { question: originalQuery, language } = begin;
  const given = begin.plan && givenPlan(context, originalQuery, begin.plan);
  const start = { originalQuery, today: context.created.slice(0, 10), language, ...given };
  let state = await step(resumes ? null : start);
  if (resumes) repeatProposal(state, context, input.events ?? []);
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

/** Lets the tools get ready while the model reads the first prompt. */
function prepareTools({ tools, signal }: CallPort & LimitPort): void {
  const timer = setTimeout(() => tools.forEach((tool) => void prepared(tool, signal)), prepareAfterMs);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
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
