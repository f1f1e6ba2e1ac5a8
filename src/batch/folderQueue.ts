import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isHeld } from '../files/runHeld.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import { holdRun, type HeldLock } from '../node/runLock.ts';
import { storageError } from '../node/storageError.ts';
import { ResearchError } from '../research/errors.ts';
import { type Budget, type Figures, noFigures, reserved, shareOf, sumOf } from './figures.ts';
import {
  type BatchCounts,
  type BatchQuestion,
  noneByStatus,
  type QuestionQueue,
  type QuestionState,
  type QuestionStatus,
  type TakenQuestion,
} from './questionQueue.ts';
import { type Entry, QueueLog } from './queueLog.ts';

/** How often the log is looked at for what another process wrote, in milliseconds. */
const lookMs = 500;

interface Known extends Omit<QuestionState, 'id'> {
  readonly answers: readonly string[];
}
const untouched: Known = { status: 'pending', figures: noFigures, answers: [] };

/**
 * The queue of one process. Its memory is a folder with a log, to which other processes append what a person wants of the batch: it is
 * read before anything is decided. A question that was in progress when the process was killed is taken again, with its run.
 */
export class FolderQueue implements QuestionQueue {
  readonly #log: QueueLog;
  readonly #folder: string;
  readonly #budget: Budget;
  readonly #lock: HeldLock | undefined;
  readonly #judged: FolderQueue | undefined;
  readonly #questions = new Map<string, BatchQuestion>();
  readonly #known = new Map<string, Known>();
  readonly #total = new Total();
  /** Of all questions of the log, whether or not they were added: the budget is for all. */
  readonly #spent = new Total();
  /** By priority, then by the order of the file. */
  #order: BatchQuestion[] = [];
  /** Where each of them is in the order. */
  #places = new Map<string, number>();
  /** No question before this place is ready, unless another of the judged batch has a report since this mark. */
  #next = 0;
  #seen: number | undefined;
  readonly #taken = new Map<
    string,
    { readonly controller: AbortController; readonly budget: Budget; figures: Figures }
  >();
  #pause: Extract<Entry, { type: 'paused' }> | undefined;
  #workspace: string | undefined;
  #changes = Promise.withResolvers<void>();

  /**
   * @param lock Of the process that researches; undefined: it only looks, and says what is wanted.
   * @param judged The batch whose reports its questions come after.
   */
  constructor(folder: string, budget: Budget, lock: HeldLock | undefined, judged?: FolderQueue) {
    this.#folder = folder;
    this.#log = new QueueLog(join(folder, 'queue.ndjson'));
    this.#budget = budget;
    this.#lock = lock;
    this.#judged = judged;
    this.#read();
  }

  /**
   * Opens a batch's queue to research it. Rejects with `badRequest` while another process does.
   * @param workspace The folder that is researched: the same in all processes that continue the batch.
   */
  static async open(
    folder: string,
    budget: Budget = {},
    workspace?: string,
    judged?: FolderQueue,
  ): Promise<FolderQueue> {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw storageError(error, `make the batch's folder ${folder}`);
    }
    const lock = await holdRun(folder).catch((error: unknown) => {
      if (!ResearchError.is(error, 'badRequest')) throw error;
      throw new ResearchError('badRequest', 'This batch is in progress in another terminal.', {
        next: 'Follow it there, or with deep-research batch status.',
      });
    });
    const queue = new FolderQueue(folder, budget, lock, judged);
    if (workspace === undefined || isSameFolder(queue.#workspace, workspace)) return queue;
    if (queue.#workspace === undefined) queue.#write([{ type: 'placed', workspace }]);
    else {
      await lock.release();
      throw new ResearchError('badRequest', `The batch of this file researches another folder: ${queue.#workspace}.`, {
        next: 'Continue it there (--workspace), or begin another one with a --run-dir of its own.',
      });
    }
    return queue;
  }

  /** Opens a queue to look at it and to say what is wanted, whether or not a process researches it. */
  static watch(folder: string): FolderQueue {
    return new FolderQueue(folder, {}, undefined);
  }

  add(questions: readonly BatchQuestion[]): Promise<void> {
    for (const question of questions) {
      if (this.#questions.has(question.id)) continue;
      this.#questions.set(question.id, question);
      this.#total.add(this.#at(question.id));
    }
    this.#order = [...this.#questions.values()].sort((a, b) => b.priority - a.priority);
    this.#places = new Map(this.#order.map(({ id: key }, place) => [key, place]));
    this.#next = 0;
    return Promise.resolve();
  }

  take(): Promise<TakenQuestion | undefined> {
    this.#read();
    if (this.#pause) return Promise.resolve(undefined);
    const seen = this.#judged && this.#judged.#log.offset;
    if (seen !== this.#seen) this.#next = 0;
    this.#seen = seen;
    while (this.#next < this.#order.length && !this.#isReady(this.#order[this.#next]!.id)) this.#next += 1;
    const question = this.#order[this.#next];
    const budget = question && this.#share();
    return Promise.resolve(budget && this.#lease(question, budget));
  }

  counts(): Promise<BatchCounts> {
    this.#read();
    const taken = [...this.#taken].map(([key, { figures: now }]) => minus(now, this.#at(key).figures));
    const { pending, running, ...by } = this.#total.by;
    const inProgress = this.#lock === undefined ? (this.isResearched ? running : 0) : this.#taken.size;
    return Promise.resolve({
      by: { ...by, running: inProgress, pending: pending + running - inProgress },
      figures: sumOf([this.#total.figures, ...taken]),
      isPaused: this.#pause !== undefined,
      ...(this.#pause?.failure && { refused: this.#pause.failure }),
    });
  }

  pause(): Promise<void> {
    return this.#append([{ type: 'paused' }]);
  }

  resume(): Promise<void> {
    return this.#append([{ type: 'resumed' }]);
  }

  cancel(ids?: readonly string[]): Promise<number> {
    return this.#each('cancelled', ['pending', 'running', 'waiting'], ids);
  }

  retry(ids?: readonly string[]): Promise<number> {
    return this.#each('retried', ids === undefined ? ['failed'] : ['failed', 'cancelled'], ids);
  }

  async answer(id: string, answer: string): Promise<void> {
    this.#read();
    if (this.#at(id).status !== 'waiting')
      throw new ResearchError('badRequest', `The question "${id}" does not wait for an answer.`, {
        next: 'deep-research batch status lists those that do.',
      });
    await this.#append([{ type: 'answered', id, answer }]);
  }

  async changed(since: string | undefined, signal: AbortSignal): Promise<string> {
    this.#read();
    while (this.#mark === since) {
      const done = new AbortController();
      const waited = after(lookMs, undefined, { signal: AbortSignal.any([signal, done.signal]) });
      try {
        await Promise.race([this.#changes.promise, waited]);
      } finally {
        done.abort();
      }
      this.#read();
    }
    return this.#mark;
  }

  get #mark(): string {
    return `${this.#log.offset}${this.#judged ? ` ${this.#judged.#log.offset}` : ''}`;
  }

  /** Some process takes its questions. */
  get isResearched(): boolean {
    return this.#lock !== undefined || isHeld(this.#folder);
  }

  async close(): Promise<void> {
    await this.#lock?.release();
  }

  #at(id: string): Known {
    return this.#known.get(id) ?? untouched;
  }

  /** What a judgement comes after. */
  #judgedBy(id: string): Known | undefined {
    const reported = this.#questions.get(id)?.after;
    return reported === undefined || this.#judged === undefined ? undefined : this.#judged.#at(reported);
  }

  /** One that is in progress by the log, but not here, was in progress when a process was killed. */
  #isReady(id: string): boolean {
    const { status } = this.#at(id);
    const judged = this.#judgedBy(id);
    if (judged && judged.status !== 'reported') return false;
    return (status === 'pending' || status === 'running') && !this.#taken.has(id);
  }

  async *states(): AsyncGenerator<QuestionState> {
    this.#read();
    const isHeldElsewhere = this.#lock === undefined && this.isResearched;
    yield* [...this.#questions.keys()].map((key): QuestionState => {
      const { answers: _unused, ...known } = this.#at(key);
      const taken = this.#taken.get(key);
      const isLost = known.status === 'running' && !taken && !isHeldElsewhere;
      return { id: key, ...known, ...(isLost && { status: 'pending' }), figures: taken?.figures ?? known.figures };
    });
  }

  /** What those in progress may use is theirs. */
  #share(): Budget | undefined {
    if (Object.keys(this.#budget).length === 0) return {};
    const open = [...this.#taken].map(([key, { budget, figures }]) =>
      minus(reserved(figures, budget), this.#at(key).figures),
    );
    const { by } = this.#total;
    const used = sumOf([this.#spent.figures, ...open]);
    return shareOf(this.#budget, used, by.pending + by.running - this.#taken.size);
  }

  #lease(question: BatchQuestion, budget: Budget): TakenQuestion {
    const { id: key } = question;
    const { run, answers, figures: before } = this.#at(key);
    const { run: about } = this.#judgedBy(key) ?? {};
    const taken = { controller: new AbortController(), budget, figures: before };
    this.#taken.set(key, taken);
    const end = async (entry: Entry, ...more: Entry[]): Promise<void> => {
      if (this.#taken.get(key) !== taken) return;
      this.#read();
      // Cancelled meanwhile, and perhaps queued again: only a report still counts.
      if (this.#at(key).status === 'running' || entry.type === 'reported') this.#write([entry, ...more]);
      this.#taken.delete(key);
      this.#lookAgainAt(key);
      await Promise.resolve();
    };
    this.#write([{ type: 'taken', id: key }]);
    return {
      question,
      ...(run !== undefined && { run }),
      ...(about !== undefined && { about }),
      answers,
      figures: before,
      budget,
      signal: taken.controller.signal,
      started: (began) => this.#append([{ type: 'started', id: key, run: began }]),
      answered: () => this.#append([{ type: 'given', id: key }]),
      heartbeat: (now) => {
        taken.figures = now;
        this.#read();
        return Promise.resolve();
      },
      finish: (result, now) => end({ type: 'reported', id: key, result, figures: now }),
      fail: (failure, now) => end({ type: 'failed', id: key, failure, figures: now }),
      refuse: (failure, now) => end({ type: 'released', id: key, figures: now }, { type: 'paused', failure }),
      wait: (asked, now) => end({ type: 'waiting', id: key, asked, figures: now }),
      release: (now) => end({ type: 'released', id: key, figures: now }),
    };
  }

  async #each(
    type: 'cancelled' | 'retried',
    from: readonly QuestionStatus[],
    ids?: readonly string[],
  ): Promise<number> {
    this.#read();
    const unknown = ids?.find((key) => !this.#questions.has(key));
    if (unknown !== undefined)
      throw new ResearchError('badRequest', `The batch has no question "${unknown}".`, {
        next: 'deep-research batch status lists them.',
      });
    const found = [...(ids ?? this.#questions.keys())].filter((key) => from.includes(this.#at(key).status));
    await this.#append(found.map((key) => ({ type, id: key })));
    return found.length;
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    await Promise.resolve(this.#write(entries));
  }

  #write(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#log.append(entries);
    this.#read();
  }

  /** Reads what the log has more than before. */
  #read(): void {
    if (this.#judged) this.#judged.#read();
    if (!this.#log.read((entry) => this.#fold(entry))) return;
    this.#changes.resolve();
    this.#changes = Promise.withResolvers();
  }

  #lookAgainAt(id: string): void {
    if (this.#isReady(id)) this.#next = Math.min(this.#next, this.#places.get(id) ?? 0);
  }

  #fold(entry: Entry): void {
    if (!('id' in entry)) {
      if (entry.type === 'placed') this.#workspace = entry.workspace;
      else this.#pause = entry.type === 'paused' ? entry : undefined;
      return;
    }
    const now = this.#at(entry.id);
    const { run, answers } = now;
    const base = {
      ...(run !== undefined && { run }),
      answers,
      figures: 'figures' in entry ? entry.figures : now.figures,
    };
    const sums = this.#questions.has(entry.id) ? [this.#total, this.#spent] : [this.#spent];
    for (const sum of sums) sum.add(now, -1);
    this.#known.set(entry.id, next(entry, base));
    for (const sum of sums) sum.add(this.#at(entry.id));
    this.#lookAgainAt(entry.id);
    if (entry.type === 'cancelled')
      this.#taken.get(entry.id)?.controller.abort(new DOMException('It was cancelled.', 'AbortError'));
  }
}

/** Sums over the questions, held up to date: a batch may have 100,000, and is asked for them with each. */
class Total {
  readonly by = noneByStatus();
  #figures = { tokens: 0, cost: 0, ms: 0 };
  #withoutPrice = 0;

  add({ status, figures: { tokens, cost, ms } }: Known, times: 1 | -1 = 1): void {
    this.by[status] += times;
    this.#figures.tokens += times * tokens;
    this.#figures.ms += times * ms;
    if (cost === null) this.#withoutPrice += times;
    else this.#figures.cost += times * cost;
  }

  get figures(): Figures {
    return { ...this.#figures, cost: this.#withoutPrice > 0 ? null : this.#figures.cost };
  }
}

function minus(now: Figures, before: Figures): Figures {
  const cost = now.cost === null ? null : now.cost - (before.cost ?? 0);
  return { tokens: now.tokens - before.tokens, cost, ms: now.ms - before.ms };
}

function next(entry: Extract<Entry, { id: string }>, base: Omit<Known, 'status'>): Known {
  switch (entry.type) {
    case 'taken':
      return { ...base, status: 'running' };
    case 'started':
      return { ...base, status: 'running', run: entry.run };
    case 'answered':
      return { ...base, status: 'pending', answers: [...base.answers, entry.answer] };
    case 'given':
      return { ...base, status: 'running', answers: base.answers.slice(1) };
    case 'released':
    case 'retried':
      return { ...base, status: 'pending' };
    case 'reported':
      return { ...base, status: 'reported', result: entry.result };
    case 'failed':
      return { ...base, status: 'failed', failure: entry.failure };
    case 'waiting':
      return { ...base, status: 'waiting', asked: entry.asked };
    case 'cancelled':
      return { ...base, status: 'cancelled' };
  }
}
