import { Semaphore } from '../../research/calls/semaphore.ts';
import type { Clock } from '../../research/ports.ts';
import type { Pacing } from './limits.ts';

/** The queue and the quota of a request. */
export interface Place {
  /** Requests of one group share its places and intervals. */
  readonly group: string;
  readonly pacing: Pacing;
  /** What the request draws on; several quotas may belong to one group. */
  readonly quota: string;
}

/** Lets requests to one host through: in order, at most `concurrency` at a time, starts at least `intervalMs` apart. */
class Gate {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #places: Semaphore;
  readonly #starts = new Semaphore(1);
  #lastStart = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, { concurrency, intervalMs }: Pacing) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#places = new Semaphore(concurrency);
  }

  /** Waits for a place; gives the function that frees it. Rejects with `signal.reason` at once when aborted while waiting. */
  async enter(signal: AbortSignal): Promise<() => void> {
    const release = await this.#places.enter(signal);
    try {
      await this.#starts.use(() => this.#start(signal), signal);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #start(signal: AbortSignal): Promise<void> {
    const leftMs = (): number => this.#lastStart + this.#intervalMs - this.#clock.monotonic();
    while (leftMs() > 0) await this.#clock.sleep(leftMs(), signal);
    this.#lastStart = this.#clock.monotonic();
  }
}

/** Paces the requests of all runs: places at a host, and quotas that are used up. */
export class Pacer {
  readonly #clock: Clock;
  readonly #longestWaitMs: number;
  readonly #gates = new Map<string, Gate>();
  /** Monotonic time until which a quota is used up. */
  readonly #blockedUntil = new Map<string, number>();

  constructor(clock: Clock, longestWaitMs: number) {
    this.#clock = clock;
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Waits for the quota and for a place; gives the function that frees the place. Rejects with `refuse(ms)` when the quota
   * is used up for too long, and with `signal.reason` when aborted.
   */
  async enter(place: Place, refuse: (waitMs: number) => Error, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const waitMs = this.#blockedMs(place.quota);
      if (waitMs > this.#longestWaitMs) throw refuse(waitMs);
      if (waitMs > 0) {
        await this.#clock.sleep(waitMs, signal);
        continue;
      }
      const release = await this.#gateOf(place).enter(signal);
      // Another request may have used the quota up while this one queued; the place is not held while waiting for it.
      if (this.#blockedMs(place.quota) <= 0) return release;
      release();
    }
  }

  block(quota: string, ms: number): void {
    this.#blockedUntil.set(quota, this.#clock.monotonic() + Math.max(ms, this.#blockedMs(quota)));
  }

  #blockedMs(quota: string): number {
    return (this.#blockedUntil.get(quota) ?? Number.NEGATIVE_INFINITY) - this.#clock.monotonic();
  }

  #gateOf({ group, pacing }: Place): Gate {
    const gate = this.#gates.get(group) ?? new Gate(this.#clock, pacing);
    this.#gates.set(group, gate);
    return gate;
  }
}
