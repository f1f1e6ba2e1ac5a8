import type { GatheredCall } from '../analyst/analyst.ts';
import type { CallOutcome, TurnOutcome } from './loopState.ts';

/** Calls of a look at most: three searches and two pages to open. */
export const lookCalls = 5;

/**
 * A turn of the model beside the opening of the first pages. What its calls bring is taken when all of it is there; otherwise so far
 * as it has come when it is needed, by the numbers of the calls.
 */
export class Look {
  readonly outcome: Promise<TurnOutcome>;
  isDone = false;
  readonly #chosen: Promise<readonly Promise<CallOutcome>[]>;
  readonly #done = new Set<number>();
  readonly #stop: AbortController;

  /**
   * @param turn Starts the calls; undefined when the model has chosen none.
   * @param stop Ends calls that are not waited for.
   */
  constructor(turn: Promise<readonly Promise<CallOutcome>[] | undefined>, stop: AbortController) {
    this.#stop = stop;
    this.#chosen = turn.then((calls = []) => {
      for (const [index, call] of calls.entries()) void call.then(() => this.#done.add(index)).catch(() => undefined);
      return calls;
    });
    // What it fails with is thrown where its answers are needed.
    this.#chosen.catch(() => undefined);
    this.outcome = turn.then(async (calls) => {
      const outcomes = calls && (await Promise.all(calls));
      return outcomes ? { kind: 'called', calls: outcomes, isSeed: false, hasRemarks: false } : { kind: 'over' };
    });
    this.outcome.then(
      () => (this.isDone = true),
      () => undefined,
    );
  }

  /** The numbers of the calls that have been answered when all have, or when `end` settles; the others are cancelled. */
  async until(end: Promise<unknown>): Promise<number[]> {
    await Promise.race([this.outcome, end]).catch(() => undefined);
    const done = [...this.#done].sort((a, b) => a - b);
    this.#stop.abort();
    return done;
  }

  async answersOf(numbers: readonly number[]): Promise<readonly GatheredCall[]> {
    if (numbers.length === 0) return [];
    const calls = await this.#chosen;
    const outcomes = await Promise.all(numbers.flatMap((number) => calls[number] ?? []));
    return outcomes.map(({ answer }) => answer);
  }
}
