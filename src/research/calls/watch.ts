import { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { AwakeTimer } from './waiting.ts';

/** A wall clock that goes this much further than a timer, in milliseconds, tells of a sleep (or was set: that does no harm). */
const sleepMs = 30_000;

/** The signal of one call: those that it was given, a deadline and a limit of silence, in one. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  /** Aborted when the call is over. */
  readonly ended = this.#end.signal;
  #deadline: AwakeTimer | undefined;
  #idle: AwakeTimer | undefined;
  #seen: number;
  /** The computer slept while the call was under way: that its connection died says nothing about the other side. */
  slept = false;

  constructor(clock: Clock, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#seen = clock.now().getTime();
    this.signal = AbortSignal.any([...signals, this.#controller.signal]);
  }

  deadline(ms: number, message: string): void {
    this.#deadline = new AwakeTimer(
      ms,
      () => this.#cut('timeout', message),
      (slice) => this.#look(slice),
    );
  }

  /** Gives the call up after so much silence. A further call replaces the limit. */
  idle(ms: number, message: string, reason: 'timeout' | 'finish' = 'timeout'): void {
    this.#idle?.end();
    this.#idle = new AwakeTimer(ms, () => this.#cut(reason, message));
  }

  /** A sign of life: silence is counted anew. */
  alive(): void {
    this.#idle?.restart();
  }

  end(): void {
    this.#deadline?.end();
    this.#idle?.end();
    this.#end.abort();
  }

  #cut(reason: 'timeout' | 'finish', message: string): void {
    this.#controller.abort(new ResearchError(reason, message));
  }

  #look(slice: number): void {
    const now = this.#clock.now().getTime();
    const passed = now - this.#seen;
    this.#seen = now;
    if (passed < slice + sleepMs) return;
    // What the call had left before the sleep it has again: the other side could not be heard meanwhile.
    this.slept = true;
    this.#deadline?.restart();
    this.#idle?.restart();
  }
}
