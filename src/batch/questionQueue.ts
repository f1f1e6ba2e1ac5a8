import type { Attachment } from '../protocol/ports.ts';
import type { ReportSink, RunStore } from '../research/ports.ts';
import type { Budget, Figures } from './figures.ts';

/**
 * A batch's questions, wherever they are queued. `batch` adds to it and follows it; whoever researches takes from it. Two
 * implementations: `FolderQueue`, for the one process that is queue and worker, and one on a database that workers share.
 */
export interface QuestionQueue {
  /** Adds questions. One whose id is there is left as it is, so that the same command continues a batch. */
  add(questions: readonly BatchQuestion[]): Promise<void>;
  /** The next question, by priority and then by the order of the file; undefined: none is ready, or the batch is paused. */
  take(signal: AbortSignal): Promise<TakenQuestion | undefined>;
  counts(): Promise<BatchCounts>;
  /** Every question in the order of the file. */
  states(): AsyncIterable<QuestionState>;
  /** No further question is taken until {@link resume}; those in progress continue. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends questions that have no report, those in progress included. Default: all. Gives how many there were. */
  cancel(ids?: readonly string[]): Promise<number>;
  /** Queues failed and cancelled questions again; their runs are resumed. Default: all that failed. Gives how many there were. */
  retry(ids?: readonly string[]): Promise<number>;
  /** Answers a question that waits, and queues it. Rejects with `badRequest` for one that does not wait. */
  answer(id: string, answer: string): Promise<void>;
  /**
   * Resolves once something has changed since an earlier call gave `since`, by this process or another one; without it, at once.
   * Gives the mark to pass to the next call: what changes between two calls is not missed. Rejects when aborted.
   */
  changed(since: string | undefined, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** A batch that others research. */
export type FollowedQueue = Omit<QuestionQueue, 'take'>;

/** A question of a file, as it was checked. */
export interface BatchQuestion {
  /** Unique in its batch, 1 to 200 characters of any kind: no file is named after it as it is. */
  readonly id: string;
  readonly question: string;
  readonly depth?: string;
  readonly strategy?: string;
  /** As a user writes them. The file may come from anywhere: they count as those of a trusted folder do. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Paths, as the file has them: relative to its folder. In a database: names of texts that it has. */
  readonly attachments?: readonly string[];
  /** Higher ones are first; 0 by default. */
  readonly priority: number;
  /** Of a judgement: the question of the judged batch without whose report it is not ready. No file has it. */
  readonly after?: string;
}

export const questionStatuses = ['pending', 'running', 'waiting', 'reported', 'failed', 'cancelled'] as const;
export type QuestionStatus = (typeof questionStatuses)[number];

/** A count of questions for each status. */
export function noneByStatus(): Record<QuestionStatus, number> {
  return { pending: 0, running: 0, waiting: 0, reported: 0, failed: 0, cancelled: 0 };
}

/** What is known of a question. */
export interface QuestionState {
  readonly id: string;
  readonly status: QuestionStatus;
  /** Of its run, over all processes that had it. */
  readonly run?: string;
  readonly figures: Figures;
  /** Of `reported`. */
  readonly result?: QuestionResult;
  /** Of `failed`. */
  readonly failure?: QuestionFailure;
  /** Of `waiting`. */
  readonly asked?: AskedQuestion;
}

/** A question that has a report. */
export interface QuestionResult {
  readonly outcome: 'complete' | 'partial' | 'notFound';
  /** Absolute path of the report, where it is saved as a file. */
  readonly path?: string | undefined;
  /** Markers in the report, statements that were taken out, and markers that passed the check against their source. */
  readonly citations: { readonly cited: number; readonly dropped: number; readonly verified: number };
  /** How many sources it cites. */
  readonly sources: number;
  /** Of a refresh: how many parts of the report have changed. */
  readonly changed?: number;
  /** Of a judgement: its figures. */
  readonly judged?: Readonly<Record<string, number>>;
}

export interface QuestionFailure {
  /** Of a `ResearchError`. */
  readonly reason: string;
  readonly message: string;
}

/** What a run waits for. */
export interface AskedQuestion {
  readonly question: string;
  /** The answers that are allowed, in words; may be empty. */
  readonly allowed: string;
}

export interface BatchCounts {
  readonly by: Readonly<Record<QuestionStatus, number>>;
  /** Sums over all questions, those in progress included as far as it is known. */
  readonly figures: Figures;
  readonly isPaused: boolean;
  /** Of a pause that nobody asked for: no question could be researched. */
  readonly refused?: QuestionFailure;
}

/** A run's place while its question is taken. */
export interface PreparedRun {
  /** Folder on this machine, for this run alone. */
  readonly runsFolder: string;
  readonly store: RunStore;
  readonly saveTo: ReportSink;
  /** Saves the report that is refreshed, with its versions, as they are in the folder. */
  readonly saveRefreshed?: () => Promise<void>;
  /** Removes the folder. Never rejects. */
  remove(): Promise<void>;
}

/** A question in the hands of one who researches it, until one of the last five methods is called. None of them rejects when it is lost. */
export interface TakenQuestion {
  /** Where its run is saved, with what it has saved before; once for each attempt. Absent: in the folder of runs. */
  readonly prepare?: (runsFolder: string) => Promise<PreparedRun>;
  readonly question: BatchQuestion;
  /** What it has attached, where that is not read from files of this machine. */
  readonly attached?: () => Promise<Attachment[]>;
  /** The run whose report is refreshed. Absent: the question is researched. */
  readonly refreshes?: string;
  /** Of a judgement: the run of the report. */
  readonly about?: string;
  /** The run that it has had: it is resumed. */
  readonly run?: string;
  /** Answers that its run was not given yet, oldest first. */
  readonly answers: readonly string[];
  /** What it used before. */
  readonly figures: Figures;
  /** Its part of what is left of the batch's budget. */
  readonly budget: Budget;
  /** Aborted when it is cancelled, or taken from a worker that was silent for too long. */
  readonly signal: AbortSignal;
  /** Its run has begun. Durable when it resolves: whoever takes the question next resumes this run. */
  started(run: string): Promise<void>;
  /**
   * The first of the answers is given to the run now. Durable when it resolves: no answer is given twice, and to the next question
   * instead, when the process is killed right after.
   */
  answered(): Promise<void>;
  /** To be called every few seconds. The figures are those of the run so far. */
  heartbeat(figures: Figures): Promise<void>;
  finish(result: QuestionResult, figures: Figures): Promise<void>;
  fail(failure: QuestionFailure, figures: Figures): Promise<void>;
  /** No question can be researched as things are: a key is refused, for example. It is given back, and the batch is paused. */
  refuse(failure: QuestionFailure, figures: Figures): Promise<void>;
  /** It is released until somebody answers. */
  wait(asked: AskedQuestion, figures: Figures): Promise<void>;
  /** Gives it back as it is: the process ends. */
  release(figures: Figures): Promise<void>;
}
