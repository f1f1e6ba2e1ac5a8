import type { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { untilAborted } from './waiting.ts';

/** A call's turn at a model. It ends in one of three ways. */
export interface Turn {
  answered(): void;
  /**
   * The server limits requests: how long all calls wait, in milliseconds; undefined when waiting has not helped often enough, and
   * every waiting call fails with this one.
   */
  refused(failure: ResearchError): number | undefined;
  /** It ended in any other way. */
  left(): void;
}

/** How often the waits may double before the limit is final: 1, 2, 4, 8 and 16 s. */
const mostWaits = 5;
const firstWaitMs = 1_000;
/** A longer wait that the server asks for is the caller's to decide. */
const longestWaitMs = 60_000;
const jitterShare = 0.25;

interface Waiter {
  readonly admit: () => void;
  readonly refuse: (failure: ResearchError) => void;
}

/**
 * The queue in front of one model. While its server limits requests, all calls wait in order of arrival: after the wait one goes
 * alone, and each answer lets one more go at a time (additive increase), so that a limit does not end in a stampede.
 */
export class RateLimit {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #queue: Waiter[] = [];
  /** Waits since the limit began: the next one is twice as long. Refusals of calls that were sent together are one. */
  #waits = 0;
  /** Waits in a row after which nothing was answered. */
  #inVain = 0;
  /** Counts the refusals that closed the queue: a call knows by it whether it was sent before. */
  #epoch = 0;
  #openAt = -Infinity;
  /** How many of this epoch may be in progress, and are. */
  #most = Infinity;
  #inProgress = 0;
  #sleep: AbortController | undefined;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Waits for this call's turn. Rejects with `signal.reason` when aborted, and with the failure of the call that ended the wait. */
  async enter(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#most < Infinity) return this.#turn(await this.#wait(signal));
    this.#inProgress += 1;
    return this.#turn(this.#epoch);
  }

  /** A turn without waiting: for the report of a user who finishes now. */
  pass(): Turn {
    this.#inProgress += 1;
    return this.#turn(this.#epoch);
  }

  /** Gives the epoch in which the call was admitted. */
  async #wait(signal: AbortSignal): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    let turn: Turn | undefined;
    const admit = (): void => {
      turn = this.#turn(this.#epoch);
      resolve(this.#epoch);
    };
    const waiter: Waiter = { admit, refuse: reject };
    this.#queue.push(waiter);
    this.#admit();
    try {
      return await untilAborted(promise, signal);
    } catch (error) {
      const at = this.#queue.indexOf(waiter);
      if (at >= 0) this.#queue.splice(at, 1);
      // Aborted in the moment in which its turn came.
      turn?.left();
      if (this.#queue.length === 0) this.#sleep?.abort();
      throw error;
    }
  }

  #turn(epoch: number): Turn {
    const end = (): boolean => {
      const isCurrent = epoch === this.#epoch;
      if (isCurrent) this.#inProgress -= 1;
      return isCurrent;
    };
    return {
      answered: () => {
        // A call from before the limit proves nothing about it.
        if (!end()) return;
        this.#inVain = 0;
        if (this.#queue.length === 0) this.#open();
        else this.#most += 1;
        this.#admit();
      },
      refused: (failure) => this.#refused(failure, end()),
      left: () => {
        end();
        this.#admit();
      },
    };
  }

  #refused(failure: ResearchError, isCurrent: boolean): number | undefined {
    const asked = failure.retryAfterMs;
    if (asked !== undefined && asked > longestWaitMs) {
      this.#admit();
      return undefined;
    }
    if (isCurrent && this.#inVain >= mostWaits) {
      this.#giveUp(failure);
      return undefined;
    }
    const now = this.#clock.monotonic();
    const jitter = this.#random() * jitterShare;
    if (isCurrent) {
      const wait = asked === undefined ? firstWaitMs * 2 ** this.#waits * (1 + jitter) : asked + jitter * firstWaitMs;
      this.#waits = Math.min(mostWaits, this.#waits + 1);
      this.#inVain += 1;
      this.#close(now + wait);
    } else if (asked !== undefined) this.#openAt = Math.max(this.#openAt, now + asked);
    // The refused call may not come back, and those behind it must not wait for it.
    this.#admit();
    return Math.max(0, this.#openAt - now);
  }

  #close(openAt: number): void {
    this.#epoch += 1;
    this.#inProgress = 0;
    this.#most = 1;
    this.#openAt = Math.max(this.#openAt, openAt);
  }

  #giveUp(failure: ResearchError): void {
    this.#epoch += 1;
    this.#open();
    for (const { refuse } of this.#queue.splice(0)) refuse(failure);
    this.#sleep?.abort();
  }

  #open(): void {
    this.#waits = 0;
    this.#inVain = 0;
    this.#inProgress = 0;
    this.#most = Infinity;
    this.#openAt = -Infinity;
  }

  /** Admits the calls whose turn it is, or sleeps until then. */
  #admit(): void {
    const wait = this.#openAt - this.#clock.monotonic();
    if (this.#queue.length > 0 && wait > 0) return this.#sleepFor(wait);
    while (this.#queue.length > 0 && this.#inProgress < this.#most) {
      this.#inProgress += 1;
      this.#queue.shift()!.admit();
    }
  }

  #sleepFor(wait: number): void {
    if (this.#sleep) return;
    const sleep = new AbortController();
    this.#sleep = sleep;
    const awake = (): void => {
      this.#sleep = undefined;
      this.#admit();
    };
    void this.#clock.sleep(wait, sleep.signal).then(awake, awake);
  }
}
