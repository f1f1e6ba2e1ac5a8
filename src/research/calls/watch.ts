import { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { AwakeTimer } from './waiting.ts';

/** A wall clock that is ahead of a timer by this much, in milliseconds, means that the computer slept (or the clock was set, which is harmless). */
const sleepMs = 30_000;

/** A while, in milliseconds, and the tokens that have to arrive in it. */
interface PaceWindow {
  readonly ms: number;
  readonly least: number;
}

export interface Pace {
  readonly first: PaceWindow;
  /** Each of the others. */
  readonly next: PaceWindow;
  /** Tokens that have arrived so far. */
  readonly received: () => number;
}

/** The signal of one call: the given ones, a deadline and a limit of silence, in one. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  /** Aborted when the call is over. */
  readonly ended = this.#end.signal;
  #deadline: AwakeTimer | undefined;
  #idle: AwakeTimer | undefined;
  #pace: AwakeTimer | undefined;
  #seen: number;
  /** The computer slept during the call: that its connection died proves nothing about the other side. */
  slept = false;
  /** The deadline has ended the call. */
  isExpired = false;

  constructor(clock: Clock, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#seen = clock.now().getTime();
    this.signal = AbortSignal.any([...signals, this.#controller.signal]);
  }

  deadline(ms: number, message: string): void {
    this.#deadline = new AwakeTimer(
      ms,
      () => {
        this.isExpired = true;
        this.#abort('timeout', message);
      },
      (slice) => this.#look(slice),
    );
  }

  /** Times the call out after this much silence. A further call replaces the limit. */
  idle(ms: number, message: string): void {
    this.#idle?.end();
    this.#idle = new AwakeTimer(ms, () => this.#abort('timeout', message));
  }

  /** Ends the call with a `finish` error when too few tokens arrive in a window, whatever it waits for. */
  pace({ first, next, received }: Pace, message: string): void {
    const before = received();
    this.#pace = new AwakeTimer(first.ms, () => {
      if (received() - before < first.least) this.#abort('finish', message);
      else this.pace({ first: next, next, received }, message);
    });
  }

  /** A sign of life: the limit of silence restarts. */
  alive(): void {
    this.#idle?.restart();
  }

  /** The call waits for something that takes as long as it takes: both limits restart. */
  waiting(): void {
    this.#deadline?.restart();
    this.#idle?.restart();
  }

  /** Neither limit counts while something is awaited. */
  async hold<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => this.waiting(), 1_000);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  end(): void {
    this.#deadline?.end();
    this.#idle?.end();
    this.#pace?.end();
    this.#end.abort();
  }

  #abort(reason: 'timeout' | 'finish', message: string): void {
    this.#controller.abort(new ResearchError(reason, message));
  }

  #look(slice: number): void {
    const now = this.#clock.now().getTime();
    const passed = now - this.#seen;
    this.#seen = now;
    if (passed < slice + sleepMs) return;
    // The limits restart: the other side could not be heard during the sleep.
    this.slept = true;
    this.#deadline?.restart();
    this.#idle?.restart();
  }
}
