import { setTimeout as after } from 'node:timers/promises';
import type { QuestionQueue } from '../questionQueue.ts';
import { type Database, questionJobs } from './database.ts';
import { type SharedQuestion, takeQuestion } from './takeQuestion.ts';

/** How often a worker without work looks for some, in milliseconds. */
const lookMs = 1_000;

/** What a worker takes from: the questions of all batches of a database. */
export class SharedWork implements Pick<QuestionQueue, 'take' | 'changed'> {
  readonly #database: Database;

  readonly #onTaken: (taken: SharedQuestion) => void;
  readonly #jobs: string;

  /** @param jobs The queue of their jobs: questions to research, or judgements. */
  constructor(database: Database, onTaken: (taken: SharedQuestion) => void, jobs = questionJobs) {
    this.#database = database;
    this.#onTaken = onTaken;
    this.#jobs = jobs;
  }

  async take(signal: AbortSignal): Promise<SharedQuestion | undefined> {
    const taken = await takeQuestion(this.#database, signal, this.#jobs);
    if (taken !== undefined) this.#onTaken(taken);
    return taken;
  }

  changed(_since: string | undefined, signal: AbortSignal): Promise<string> {
    return after(lookMs, '', { signal });
  }
}
