import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as after } from 'node:timers/promises';
import { readAllSettings } from '../catalogue.ts';
import type { RunOptions } from '../engine.ts';
import { l10n } from '../node/l10n.ts';
import { storageError } from '../node/storageError.ts';
import { ResearchError } from '../research/errors.ts';
import { stripHidden } from '../research/text/hidden.ts';
import type { BatchArguments } from './batchArguments.ts';
import { batchSink } from './batchSink.ts';
import { progressBar, resultTable, stopOnSignals, timeLeft } from './batchText.ts';
import type { Figures } from './figures.ts';
import { FolderQueue } from './folderQueue.ts';
import { type QuestionFile, readQuestionFile } from './questionFile.ts';
import type { FollowedQueue, QuestionState } from './questionQueue.ts';
import { reportNames } from './reportNames.ts';
import type { Workplace } from './researchTaken.ts';
import { brokenLines, resultLine, type ResultLine, writeResults } from './resultFiles.ts';
import { workThrough } from './workThrough.ts';

/** Between two looks at the queue for the bar, and between two results files, in milliseconds. */
const barMs = 1_000;

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
  const named = await nameBatch(args, base);
  return args.action === undefined ? await research(args, base, named) : await steer(args, named);
}

async function nameBatch({ file: path, out, only }: BatchArguments, base: RunOptions): Promise<Named> {
  const read = await readQuestionFile(path);
  const questions = only === undefined ? read.questions : read.questions.filter(({ id }) => only.includes(id));
  const file = { ...read, questions, ...(only && { broken: [] }) };
  const folder = resolve(out ?? join(base.workspaceFolder ?? '.', 'research', basename(path, extname(path))));
  // The same questions with another folder for their reports are another batch.
  const place = createHash('sha256').update(folder).digest('hex').slice(0, 8);
  return { file, out: folder, folder: join(base.runsFolder, 'batches', `${read.name}-${place}`) };
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
  const queue = await FolderQueue.open(folder, args.budget);
  const stop = stopOnSignals(say);
  const names = reportNames(file.questions);
  const place: Workplace = {
    options: { ...base, runsFolder: folder },
    ...{ flags: args.settings, folder: file.folder, yes: args.yes },
    sinkOf: (id) => batchSink(out, names.get(id)!, base.workspaceFolder),
  };
  const progress = new Progress(queue, args.atOnce, () => writeResults(out, queue, file));
  try {
    await queue.add(file.questions);
    if ((await queue.counts()).isPaused)
      say(l10n.t('The batch is paused. Continue it with: {0}', `deep-research batch resume ${args.file}`));
    progress.start();
    const isOver = async (): Promise<boolean> => {
      const { by, isPaused } = await queue.counts();
      return by.pending === 0 || !isPaused;
    };
    const onLeft = ({ question: { id } }: { readonly question: { readonly id: string } }) => progress.left(id);
    await workThrough(queue, place, { atOnce: args.atOnce, isOver, onLeft }, stop);
  } finally {
    await progress.end();
    await queue.close();
  }
  const code = await conclude(args, queue, named);
  if (!stop.aborted) return code;
  say(l10n.t('Stopped. The same command continues the batch.'));
  return 130;
}

/** Queues the questions for workers, and saves their reports as they come. */
async function followShared(args: BatchArguments, url: string, base: RunOptions, named: Named): Promise<number> {
  const { file, out } = named;
  const attached = file.questions.find(({ attachments = [] }) => attachments.length > 0);
  if (attached !== undefined)
    throw new ResearchError('badRequest', `The question "${attached.id}" has attachments, which workers don't have.`, {
      next: 'Put them into the folder that the workers research, or run the batch without --queue.',
    });
  const [{ openDatabase }, { SharedQueue }, { followBatch }] = await loadShared();
  const names = reportNames(file.questions);
  const database = await openDatabase(url);
  const stop = stopOnSignals(say);
  try {
    const keep = readAllSettings(base.settings).settings['runs.keep'];
    const queue = await SharedQueue.open(database, file.name, args.budget, keep);
    queue.pathOf = (id) => join(out, names.get(id) ?? '');
    const progress = new Progress(queue, args.atOnce, () => writeResults(out, queue, file));
    try {
      await queue.add(file.questions);
      if ((await queue.counts()).isPaused)
        say(l10n.t('The batch is paused. Continue it with: {0}', `deep-research batch resume ${args.file}`));
      progress.start();
      await followBatch(queue, out, names, (id) => progress.left(id), stop);
    } finally {
      await progress.end();
    }
    const code = await conclude(args, queue, named);
    if (!stop.aborted) return code;
    say(l10n.t('Workers continue with the batch. The same command follows it again.'));
    return 130;
  } finally {
    await database.close();
  }
}

/** No batch of one process loads it. */
function loadShared() {
  return Promise.all([
    import('./postgres/database.ts'),
    import('./postgres/sharedQueue.ts'),
    import('./followBatch.ts'),
  ] as const);
}

/** Prints the table, and gives the exit code. */
async function conclude(args: BatchArguments, queue: FollowedQueue, { file, out, folder }: Named): Promise<number> {
  const states: QuestionState[] = [];
  for await (const state of queue.states()) states.push(state);
  const lines = [...states.flatMap((state) => resultLine(state) ?? []), ...brokenLines(file)];
  const counts = await queue.counts();
  const { by, figures, isPaused } = counts;
  if (args.json)
    process.stdout.write(
      `${JSON.stringify({ batch: file.name, out, runs: folder, ...by, ...figures, isPaused, questions: listOf(states, lines) })}\n`,
    );
  else process.stdout.write(resultTable(lines, counts));
  const { pending, waiting, failed } = by;
  if (pending > 0 && args.action === undefined)
    say(
      l10n.t(
        '{0, plural, one {# question was} other {# questions were}} not researched: {1}',
        pending,
        whyPending(args),
      ),
    );
  if (waiting > 0) say(l10n.t('Answer with: {0}', `deep-research batch answer ${args.file} ID TEXT`));
  if (failed > 0) say(l10n.t('Queue what failed again with: {0}', `deep-research batch retry ${args.file}`));
  if (by.failed + by.pending + by.cancelled + by.running > 0 || file.broken.length > 0) return 1;
  return by.waiting > 0 ? 3 : 0;
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
  const { file, folder } = named;
  if (args.queue !== undefined) return await steerShared(args, args.queue, named);
  const queue = FolderQueue.watch(folder);
  await queue.add(file.questions);
  if (args.action === 'status') {
    await conclude(args, queue, named);
    return 0;
  }
  const said = await changed(queue, args);
  if (args.json) process.stdout.write(`${JSON.stringify(await queue.counts())}\n`);
  else {
    const how = l10n.t('Start or continue the batch with: {0}', `deep-research batch ${args.file}`);
    say(queue.isResearched ? said : `${said} ${how}`);
  }
  return 0;
}

async function steerShared(args: BatchArguments, url: string, named: Named): Promise<number> {
  const [{ openDatabase }, { SharedQueue }] = await loadShared();
  const database = await openDatabase(url);
  try {
    const queue = await SharedQueue.find(database, named.file.name);
    const names = reportNames(named.file.questions);
    queue.pathOf = (id) => join(named.out, names.get(id) ?? '');
    if (args.action === 'status') {
      await conclude(args, queue, named);
      return 0;
    }
    const said = await changed(queue, args);
    if (args.json) process.stdout.write(`${JSON.stringify(await queue.counts())}\n`);
    else say(said);
    return 0;
  } finally {
    await database.close();
  }
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

/** Shows how far a batch is, on stderr, and writes its results. */
class Progress {
  readonly #queue: FollowedQueue;
  readonly #atOnce: number;
  readonly #write: () => Promise<void>;
  readonly #hasTerminal = process.stderr.isTTY === true;
  readonly #ended: Figures[] = [];
  readonly #left = new Set<string>();
  readonly #done = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  constructor(queue: FollowedQueue, atOnce: number, write: () => Promise<void>) {
    this.#queue = queue;
    this.#atOnce = atOnce;
    this.#write = write;
  }

  start(): void {
    this.#looking = this.#lookOften();
  }

  left(id: string): void {
    this.#left.add(id);
  }

  /** Rejects when the results can't be written. */
  async end(): Promise<void> {
    this.#done.abort();
    await this.#looking;
    await this.#look();
    if (this.#hasTerminal) process.stderr.write('\n');
    await this.#write();
  }

  /** With 100,000 questions a look takes longer than the time between two of them. */
  async #lookOften(): Promise<void> {
    const { signal } = this.#done;
    for (let pause = barMs; ;) {
      await after(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const began = performance.now();
      // The last one, at the end, says what is wrong.
      await this.#look().catch(() => undefined);
      pause = Math.max(barMs, 20 * (performance.now() - began));
    }
  }

  async #look(): Promise<void> {
    const left = new Set(this.#left);
    this.#left.clear();
    if (left.size > 0) {
      for await (const state of this.#queue.states()) if (left.has(state.id)) this.#line(state);
      await this.#write();
    }
    if (!this.#hasTerminal) return;
    const counts = await this.#queue.counts();
    const bar = progressBar(counts, timeLeft(counts, this.#ended, this.#atOnce));
    process.stderr.write(`\r\u001B[K${bar.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }

  #line(state: QuestionState): void {
    const line = resultLine(state);
    if (line === undefined) return;
    this.#ended.push(state.figures);
    if (this.#hasTerminal) process.stderr.write('\r\u001B[K');
    say(
      `${line.id}: ${line.outcome}${line.error === null ? (line.path === null ? '' : `, ${line.path}`) : `, ${line.error}`}`,
    );
  }
}

/** Questions, models and services are quoted: nothing of theirs steers the terminal. */
function say(text: string): void {
  process.stderr.write(`${stripHidden(text)}\n`);
}
