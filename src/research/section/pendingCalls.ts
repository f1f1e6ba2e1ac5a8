import type { GatheredCall } from '../analyst/analyst.ts';
import { atMost } from '../calls/waiting.ts';
import type { CallOutcome, TurnOutcome } from './loopState.ts';

/** Calls of a look at most: three searches and two pages to open. */
export const lookCalls = 5;
/** How long the slower searches of a section are waited for once the others have found enough, in milliseconds. */
const patienceMs = 1_500;
/** And once what the others found is distilled: a request of arXiv is due each 3 s, and takes some seconds. */
export const graceMs = 5_000;

/**
 * Calls that nothing waits for: the model's look beside the opening of the first pages, and searches that are slower than the others.
 * What they bring is taken when all of it is there; otherwise so far as it has come when it is needed, by the numbers of the calls.
 */
export class PendingCalls {
  readonly path: string;
  readonly held: number;
  readonly outcome: Promise<TurnOutcome>;
  isDone = false;
  readonly #chosen: Promise<readonly Promise<CallOutcome>[]>;
  readonly #done = new Set<number>();
  readonly #stop: AbortController;
  readonly #graceMs: number;

  /**
   * @param path Of what is journalled about them.
   * @param held Calls of the researcher's budget that are set aside for them.
   * @param turn Starts the calls; undefined when the model has chosen none.
   * @param stop Ends calls that are not waited for.
   * @param graceMs How long they are waited for when all else is done.
   */
  constructor(
    path: string,
    held: number,
    turn: Promise<readonly Promise<CallOutcome>[] | undefined>,
    stop: AbortController,
    graceMs = 0,
  ) {
    this.path = path;
    this.held = held;
    this.#graceMs = graceMs;
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

  /** The numbers of the calls that have been answered when all have, or some time after `end` settles; the others are cancelled. */
  async until(end: Promise<unknown>): Promise<number[]> {
    await Promise.race([this.outcome, end]).catch(() => undefined);
    if (this.#graceMs > 0) await atMost(this.#graceMs, this.outcome);
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

/**
 * Waits for all calls, or until some time after those that were answered suffice. Rejects when they do.
 * @param isAwaited Whether a call is waited for in any case.
 * @returns The numbers of the calls that have been answered.
 */
export async function answeredInTime(
  calls: readonly Promise<CallOutcome>[],
  isAwaited: (index: number) => boolean,
  suffices: (found: ReadonlySet<string>) => boolean,
): Promise<number[]> {
  const done: number[] = [];
  const awaited = [...calls.keys()].filter(isAwaited);
  const found = new Set<string>();
  const enough = Promise.withResolvers<void>();
  const noted = calls.map(async (call, index) => {
    const { answer } = await call;
    done.push(index);
    for (const id of answer.sources) found.add(id);
    const isLate = done.length < calls.length && awaited.every((one) => done.includes(one));
    if (isLate && suffices(found)) enough.resolve();
  });
  const all = Promise.all(noted);
  await Promise.race([all, enough.promise]);
  await atMost(patienceMs, all);
  return done.toSorted((a, b) => a - b);
}
