import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunOptions } from '../engine.ts';
import { isInside } from '../files/isInside.ts';
import { terminalDialogue } from '../node/terminalDialogue.ts';
import type { Attachment, Dialogue } from '../protocol/ports.ts';
import { emptyView, reduceRun } from '../protocol/reduceRun.ts';
import { versionAt } from '../protocol/runFolder.ts';
import type { RunView } from '../protocol/runView.ts';
import type { ResearchEvent } from '../protocol/events.ts';
import { type ErrorReason, ResearchError } from '../research/errors.ts';
import { readRecord } from '../files/amendRecord.ts';
import { readWrittenRun } from '../runs/savedRun.ts';
import type { Figures } from './figures.ts';
import type { PreparedRun, QuestionResult, TakenQuestion } from './questionQueue.ts';

/** What the runs of a batch share. */
export interface Workplace {
  /** Without what a question has of its own. */
  readonly options: RunOptions;
  /** Settings of the command's flags, which count more than a question's fields. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Where paths of attachments begin. */
  readonly folder: string;
  /** Takes recommended answers, and approves plans. */
  readonly yes: boolean;
  /** Where the report of a question is saved. */
  readonly sinkOf: (id: string) => NonNullable<RunOptions['saveTo']>;
  readonly onEvent?: (event: ResearchEvent) => void;
}

const heartbeatMs = 2_000;
/** Failures of a disk that are about this machine, not about the question. */
const ofMachine = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST'];
/** Why every further question would fail too: of the model's key. */
const refusing: readonly ErrorReason[] = ['auth', 'quota'];

/**
 * Researches a question or refreshes its report, or resumes the run that does, and says what became of it. Gives the result when there is
 * one. Rejects when that can't be written, and when this machine can't save runs of a queue: others may.
 * @param signal The process ends: the run is left so that it can be resumed.
 */
export async function researchTaken(
  taken: TakenQuestion,
  place: Workplace,
  signal: AbortSignal,
): Promise<QuestionResult | undefined> {
  const begun = performance.now();
  let prepared: PreparedRun | undefined;
  try {
    prepared = await taken.prepare?.(place.options.runsFolder);
  } catch (error) {
    const failure = ResearchError.from(error);
    if (isOfMachine(failure)) return await giveBack(taken, failure, taken.figures);
    await taken.fail({ reason: failure.reason, message: failure.message }, taken.figures);
    return undefined;
  }
  try {
    return await researchIn(prepared, taken, place, begun, signal);
  } finally {
    await prepared?.remove();
  }
}

async function researchIn(
  prepared: PreparedRun | undefined,
  taken: TakenQuestion,
  place: Workplace,
  begun: number,
  signal: AbortSignal,
): Promise<QuestionResult | undefined> {
  const { runsFolder } = prepared ?? place.options;
  const record = taken.run === undefined ? undefined : await readRecord(runsFolder, taken.run);
  let view = (record && (await readWrittenRun(runsFolder, record.run))) ?? emptyView();
  // Its process was killed between the end of the run and the word of it.
  if (record?.status === 'finished') {
    const result = await resultOf(view, record.path, taken, prepared);
    await taken.finish(result, figuresOf(view, taken.figures.ms));
    return result;
  }
  const figures = (): Figures => figuresOf(view, taken.figures.ms + performance.now() - begun);
  const heartbeat = setInterval(() => void taken.heartbeat(figures()).catch(() => undefined), heartbeatMs);
  const unwritten = new AbortController();
  const closing = AbortSignal.any([signal, unwritten.signal]);
  const leave = new AbortController();
  closing.addEventListener('abort', () => leave.abort(leaving()), { once: true });
  if (closing.aborted) leave.abort(leaving());
  try {
    const { research } = await import('../engine.ts');
    const { path } = await research({
      ...(await optionsOf(taken, place)),
      ...(prepared && { store: prepared.store, saveTo: prepared.saveTo }),
      ...(prepared?.saveRefreshed && { parents: { runsFolder, versionSaved: prepared.saveRefreshed } }),
      ...dialogueOf(taken, place.yes),
      ...(record === undefined ? beginning(taken) : { resume: record.run, sameModel: true }),
      signal: AbortSignal.any([leave.signal, taken.signal]),
      onEvent: (event) => {
        view = reduceRun(view, event);
        place.onEvent?.(event);
        if (event.type === 'run/started')
          void taken.started(event.run).catch((error: unknown) => unwritten.abort(error));
      },
    });
    const result = await resultOf(view, path, taken, prepared);
    await taken.finish(result, figures());
    return result;
  } catch (error) {
    if (unwritten.signal.aborted) throw unwritten.signal.reason;
    const failure = ResearchError.from(error);
    if (leave.signal.aborted) await taken.release(figures());
    else if (prepared && isOfMachine(failure)) await giveBack(taken, failure, figures());
    else if (failure.reason === 'needsAnswer')
      await taken.wait({ question: failure.message, allowed: failure.next }, figures());
    else {
      const why = { reason: failure.reason, message: `${failure.message} ${failure.next}`.trim() };
      await (refusing.includes(failure.reason) ? taken.refuse(why, figures()) : taken.fail(why, figures()));
    }
    return undefined;
  } finally {
    clearInterval(heartbeat);
  }
}

function isOfMachine({ reason, cause }: ResearchError): boolean {
  return reason === 'storage' && ofMachine.includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

async function giveBack(taken: TakenQuestion, failure: ResearchError, figures: Figures): Promise<never> {
  await taken.release(figures);
  throw failure;
}

function beginning({ refreshes, question: { question } }: TakenQuestion) {
  return refreshes === undefined ? { question } : { followUp: { run: refreshes, refresh: true } };
}

/** As a killed process leaves a run. */
function leaving(): Error {
  return Object.assign(new Error('The batch stops.'), { name: 'AbortError', closing: true });
}

/** A question's own fields count as the user's choice; its settings, which may come from anywhere, as those of a folder. */
async function optionsOf(
  { question, budget, attached: given }: TakenQuestion,
  place: Workplace,
): Promise<RunOptions & { attached?: Attachment[] }> {
  const { id, depth, strategy, settings = {}, attachments = [] } = question;
  const { options, flags } = place;
  const bounds = Object.entries(budget).map(([key, value]: [string, number]) => [`budget.${key}`, value] as const);
  const attached = await (given?.() ?? Promise.all(attachments.map((path) => attachmentOf(path, place))));
  return {
    ...options,
    settings: { ...options.settings, ...(depth && { depth }), ...(strategy && { strategy }), ...flags },
    folderSettings: { ...settings, ...Object.fromEntries(bounds) },
    saveTo: place.sinkOf(id),
    isUnattended: true,
    ...(attached.length > 0 && { attached }),
  };
}

/** A document beside the file of questions or in the workspace; what else the file names is not the user's choice. */
export async function attachmentOf(
  path: string,
  { folder, options }: { readonly folder: string; readonly options: Pick<RunOptions, 'workspaceFolder'> },
): Promise<Attachment> {
  const real = (name: string): Promise<string> => realpath(name).catch(() => resolve(name));
  const full = await real(resolve(folder, path));
  const allowed = await Promise.all([folder, options.workspaceFolder ?? folder].map(real));
  if (allowed.some((root) => isInside(root, full))) {
    if (existsSync(full)) return { path: full };
    throw new ResearchError('badRequest', `The attachment ${path} does not exist.`, { next: `It would be ${full}.` });
  }
  throw new ResearchError('badRequest', `The attachment ${path} lies outside the workspace and the file's folder.`, {
    next: 'Move it there.',
  });
}

/** Answers with what was given while the question waited, each once. */
function dialogueOf(taken: TakenQuestion, yes: boolean): Required<Dialogue> {
  const answers = [...taken.answers];
  const next = async (): Promise<Required<Dialogue>> => {
    const given = answers.shift();
    if (given !== undefined) await taken.answered();
    const none = { input: process.stdin, output: process.stderr, signal: taken.signal };
    const own = { answers: given === undefined ? [] : [given], wasAsked: true };
    return terminalDialogue({ yes, ...own, interactive: false, ...none });
  };
  return {
    answer: async (asked) => (await next()).answer(asked),
    approveEntities: async (found) => (await next()).approveEntities(found),
    approve: async (plan) => (await next()).approve(plan),
    decideReview: async (review) => (await next()).decideReview(review),
  };
}

/** The result of a run that has ended. The version that a refresh has made of a report is taken into it. */
async function resultOf(
  { report, end }: RunView,
  path: string | undefined,
  { refreshes }: TakenQuestion,
  prepared: PreparedRun | undefined,
): Promise<QuestionResult> {
  let changed = 0;
  const version = refreshes === undefined ? undefined : versionAt(path);
  if (version && prepared) {
    const { changeVersion } = await import('../node/changeVersion.ts');
    const elsewhere = { isSavedLater: true };
    changed = (await changeVersion(prepared.runsFolder, version.run, version.number, {}, elsewhere)).changed.length;
    await prepared.saveRefreshed?.();
  }
  return {
    outcome: end?.outcome ?? 'complete',
    path,
    citations: report.checked ?? { cited: 0, dropped: 0, verified: 0 },
    sources: report.citations.length,
    ...(refreshes !== undefined && { changed }),
  };
}

function figuresOf({ tokens, cost, usage }: RunView, ms: number): Figures {
  const isPriced = usage.every((one) => one.cost !== null);
  return { tokens: tokens.in + tokens.out, cost: isPriced ? (cost ?? 0) : null, ms: Math.round(ms) };
}
