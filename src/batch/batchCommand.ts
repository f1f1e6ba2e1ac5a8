import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import process from 'node:process';
import { readAllSettings } from '../catalogue.ts';
import type { RunOptions } from '../engine.ts';
import { batchesFolder } from '../files/dataFolder.ts';
import { l10n } from '../node/l10n.ts';
import { storageError } from '../node/storageError.ts';
import { say } from '../node/terminalLine.ts';
import { ResearchError } from '../research/errors.ts';
import type { BatchArguments } from './batchArguments.ts';
import { batchSink } from './batchSink.ts';
import { batchProgress } from './batchProgress.ts';
import { countText, resultTable, stopOnSignals } from './batchText.ts';
import { FolderQueue } from './folderQueue.ts';
import { loadQueue } from './loadQueue.ts';
import { batchNamePattern, type QuestionFile, readQuestionFile } from './questionFile.ts';
import {
  questionStatuses,
  type BatchQuestion,
  type FollowedQueue,
  type QuestionState,
  type TakenQuestion,
} from './questionQueue.ts';
import { reportNames } from './reportNames.ts';
import { attachmentOf, researchTaken, type Workplace } from './researchTaken.ts';
import { brokenLines, resultLine, type ResultLine, writeResults } from './resultFiles.ts';
import { type WorkOptions, workThrough } from './workThrough.ts';

/** A batch as its command names it. */
interface Named {
  readonly file: QuestionFile;
  /** Of reports and results. */
  readonly out: string;
  /** Of the queue's memory and the runs: apart from the reports, in the user's own data. */
  readonly folder: string;
}

/**
 * `deep-research batch …`: gives the exit code. Rejects with a `ResearchError`.
 * @param base What every run has, with the settings of the file and the flags.
 */
export async function batchCommand(args: BatchArguments, base: RunOptions): Promise<number> {
  if (args.file === '') return await listBatches(args);
  const named = await nameBatch(args, base);
  return args.action === undefined ? await research(args, base, named) : await steer(args, named);
}

async function listBatches({ queue, json }: BatchArguments): Promise<number> {
  const { openDatabase, SharedQueue } = await loadQueue();
  const database = await openDatabase(queue!);
  try {
    const batches = await SharedQueue.list(database);
    const line = ({ batch, by }: (typeof batches)[number]): string => {
      const counts = questionStatuses.filter((status) => by[status] > 0);
      return `${batch}  ${counts.map((status) => countText(status, by[status])).join(', ')}\n`;
    };
    process.stdout.write(json ? `${JSON.stringify(batches)}\n` : batches.map(line).join(''));
    return 0;
  } finally {
    await database.close();
  }
}

/** What a batch's name stands for where its file is not: its questions are in the queue. */
async function readFileOrName({ file, action, queue }: BatchArguments): Promise<QuestionFile> {
  const isName = queue !== undefined && action !== undefined && batchNamePattern.test(file) && !existsSync(file);
  return isName ? { name: file, folder: '', questions: [], broken: [], notes: [] } : await readQuestionFile(file);
}

async function nameBatch(args: BatchArguments, base: RunOptions): Promise<Named> {
  const { file: path, out, only } = args;
  const found = await readFileOrName(args);
  // A worker knows no flags of the batch.
  const isOwn = args.queue !== undefined && args.settings['strategy'] !== undefined;
  const own = isOwn ? readAllSettings(base.settings).settings.strategy : undefined;
  const read = own ? { ...found, questions: found.questions.map((one) => ({ strategy: own, ...one })) } : found;
  const questions = only === undefined ? read.questions : read.questions.filter(({ id }) => only.includes(id));
  const file = { ...read, questions, ...(only && { broken: [] }) };
  const folder = resolve(out ?? join(base.workspaceFolder ?? '.', 'research', basename(path, extname(path))));
  return { file, out: folder, folder: join(base.runsFolder, batchesFolder, read.name) };
}

async function research(args: BatchArguments, base: RunOptions, named: Named): Promise<number> {
  const { file, out, folder } = named;
  for (const { line, problem } of file.broken)
    say(l10n.t('{0}, line {1}: {2}. It is left out.', args.file, line, problem));
  for (const note of file.notes) say(note);
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw storageError(error, `make the folder ${out}`);
  });
  if (args.queue !== undefined) return await followShared(args, args.queue, base, named);
  const queue = await FolderQueue.open(folder, args.budget, base.workspaceFolder);
  const names = reportNames(file.questions);
  const place: Workplace = {
    options: { ...base, runsFolder: folder },
    ...{ flags: args.settings, folder: file.folder, yes: args.yes },
    sinkOf: (id) => batchSink(out, names.get(id)!, base.workspaceFolder),
  };
  const isOver = async (): Promise<boolean> => {
    const { by, isPaused, refused } = await queue.counts();
    return by.pending === 0 || !isPaused || refused !== undefined;
  };
  try {
    return await follow(args, queue, named, async (onLeft, stop) => {
      const left = ({ question: { id } }: TakenQuestion): void => onLeft(id);
      const work: WorkOptions['work'] = (taken, signal) => researchTaken(taken, place, signal);
      await workThrough(queue, { work, atOnce: args.atOnce, isOver, onLeft: left }, stop);
      return l10n.t('Stopped. The same command continues the batch.');
    });
  } finally {
    await queue.close();
  }
}

/** Queues the questions for workers, and saves their reports as they come. */
async function followShared(args: BatchArguments, url: string, base: RunOptions, named: Named): Promise<number> {
  const { file, out } = named;
  const { followBatch, openDatabase, shareAttachments, SharedQueue } = await loadQueue();
  const names = reportNames(file.questions);
  const database = await openDatabase(url);
  try {
    const keep = readAllSettings(base.settings).settings['runs.keep'];
    const queue = await SharedQueue.open(database, file.name, args.budget, keep);
    queue.pathOf = (id) => join(out, names.get(id) ?? '');
    say(l10n.t('In the queue this batch is called {0}.', file.name));
    const questions = await shareAttachments(database, queue, file, attachmentReader(file, base));
    return await follow(args, queue, { ...named, file: { ...file, questions } }, async (onLeft, stop) => {
      await followBatch(queue, out, names, onLeft, (path) => say(l10n.t('The report has changed: {0}', path)), stop);
      return l10n.t('Workers continue with the batch. The same command follows it again.');
    });
  } finally {
    await database.close();
  }
}

/** Reads what questions have attached, documents of several once. */
function attachmentReader({ folder }: QuestionFile, base: RunOptions) {
  const known = new Map<string, Promise<{ readonly name: string; readonly text: string }[]>>();
  return ({ id, attachments = [] }: BatchQuestion) => {
    const key = attachments.join('\n');
    const read = async () => {
      const files = await Promise.all(attachments.map((path) => attachmentOf(path, { folder, options: base })));
      const { attachedOf } = await import('../engine.ts');
      const { attached } = await attachedOf({ ...base, attached: files }, readAllSettings(base.settings).settings);
      const never = new AbortController().signal;
      return await Promise.all(
        attached!.names.map(async (name) => ({ name, text: (await attached!.read(name, never)).text })),
      );
    };
    const texts = known.get(key) ?? read();
    known.set(key, texts);
    return texts.catch((error: unknown) => {
      const { message, next } = ResearchError.from(error);
      throw new ResearchError('badRequest', `An attachment of the question "${id}": ${message}`, {
        next,
        cause: error,
      });
    });
  };
}

/**
 * Adds the questions, shows how far they are, and gives the exit code.
 * @param work Calls `onLeft` with each question that ends. Resolves when nothing is left or the signal aborts, with what a user who
 * stopped it reads.
 */
async function follow(
  args: BatchArguments,
  queue: FollowedQueue,
  named: Named,
  work: (onLeft: (id: string) => void, stop: AbortSignal) => Promise<string>,
): Promise<number> {
  const { file, out } = named;
  const stop = stopOnSignals(say);
  const progress = batchProgress(queue, () => writeResults(out, queue, file));
  let whenStopped: string;
  try {
    await queue.add(file.questions);
    const { isPaused, refused } = await queue.counts();
    if (isPaused && refused === undefined) sayPaused(args);
    progress.start();
    whenStopped = await work((id) => progress.left(id), stop);
  } finally {
    await progress.end();
  }
  const code = await conclude(args, queue, named);
  if (!stop.aborted) return code;
  say(whenStopped);
  return 130;
}

/** Prints the table, and gives the exit code. */
async function conclude(args: BatchArguments, queue: FollowedQueue, { file, out, folder }: Named): Promise<number> {
  const states: QuestionState[] = [];
  for await (const state of queue.states()) states.push(state);
  const lines = [...states.flatMap((state) => resultLine(state) ?? []), ...brokenLines(file)];
  const counts = await queue.counts();
  const { by, figures, isPaused, refused } = counts;
  if (args.json)
    process.stdout.write(
      `${JSON.stringify({ batch: file.name, out, runs: folder, ...by, ...figures, isPaused, refused, questions: listOf(states, lines) })}\n`,
    );
  else process.stdout.write(resultTable(lines, counts));
  const { pending, waiting, failed } = by;
  if (pending > 0 && args.action === undefined)
    say(
      l10n.t(
        '{0, plural, one {# question was} other {# questions were}} not researched: {1}',
        pending,
        refused?.message ?? whyPending(args),
      ),
    );
  if (refused !== undefined) sayPaused(args);
  if (waiting > 0) say(l10n.t('Answer with: {0}', `deep-research batch answer ${args.file} ID TEXT`));
  if (failed > 0) say(l10n.t('Queue what failed again with: {0}', `deep-research batch retry ${args.file}`));
  if (by.failed + by.pending + by.cancelled + by.running > 0 || file.broken.length > 0) return 1;
  return by.waiting > 0 ? 3 : 0;
}

function sayPaused({ file }: BatchArguments): void {
  say(l10n.t('The batch is paused. Continue it with: {0}', `deep-research batch resume ${file}`));
}

function whyPending({ budget }: BatchArguments): string {
  return Object.keys(budget).length > 0
    ? l10n.t("the batch's budget is used up, or it was stopped.")
    : l10n.t('the batch was stopped.');
}

function listOf(states: readonly QuestionState[], lines: readonly ResultLine[]) {
  const known = new Map(lines.map((line) => [line.id, line]));
  return states.map(({ id, status, run, figures }) => ({
    status,
    ...(known.get(id) ?? { id, run: run ?? null, ...figures }),
  }));
}

/** What a person wants of a batch, wherever it is researched. */
async function steer(args: BatchArguments, named: Named): Promise<number> {
  const { file, folder, out } = named;
  if (args.queue === undefined) {
    const queue = FolderQueue.watch(folder);
    await queue.add(file.questions);
    const how = l10n.t('Start or continue the batch with: {0}', `deep-research batch ${args.file}`);
    return await steered(args, queue, named, () => (queue.isResearched ? '' : ` ${how}`));
  }
  const { openDatabase, SharedQueue } = await loadQueue();
  const database = await openDatabase(args.queue);
  try {
    const queue = await SharedQueue.find(database, file.name);
    const names = reportNames(file.questions);
    if (file.questions.length > 0) queue.pathOf = (id) => join(out, names.get(id) ?? '');
    return await steered(args, queue, named, () => '');
  } finally {
    await database.close();
  }
}

async function steered(args: BatchArguments, queue: FollowedQueue, named: Named, how: () => string): Promise<number> {
  if (args.action === 'status') await conclude(args, queue, named);
  else {
    const said = await changed(queue, args);
    if (args.json) process.stdout.write(`${JSON.stringify(await queue.counts())}\n`);
    else say(`${said}${how()}`);
  }
  return 0;
}

async function changed(queue: FollowedQueue, { action, rest }: BatchArguments): Promise<string> {
  const ids = rest.length > 0 ? rest : undefined;
  switch (action) {
    case 'cancel':
      return l10n.t('{0, plural, one {# question is} other {# questions are}} cancelled.', await queue.cancel(ids));
    case 'retry':
      return l10n.t('{0, plural, one {# question is} other {# questions are}} queued again.', await queue.retry(ids));
    case 'answer':
      await queue.answer(rest[0]!, rest[1]!);
      return l10n.t('The answer is saved, and the question is queued.');
    case 'resume':
      await queue.resume();
      return l10n.t('The batch is no longer paused.');
    default:
      await queue.pause();
      return l10n.t('The batch is paused: no further question begins.');
  }
}
