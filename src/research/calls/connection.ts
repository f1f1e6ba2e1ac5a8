import type { EventBody } from '../../protocol/events.ts';
import { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { untilAborted } from './waiting.ts';

/** Waits before each further try of the one call that probes, in milliseconds; the last one again and again. */
const probeWaits = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** A run that is paused for longer ends, to be gone on with later. Only waits are counted, so a sleep is not. */
const longestPauseMs = 30 * 60_000;

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly emit: (event: EventBody) => void;
  /** "Finish now" ends a pause: the report is made of what is there. */
  readonly finishSignal: AbortSignal;
  /** Ends the whole run, which stays fit to be gone on with. */
  readonly giveUp: (error: ResearchError) => void;
  /** The connection is back: what was found unreachable meanwhile may be tried again. */
  readonly onBack?: (() => void) | undefined;
}

/** The place of one call at the gate. */
export type Ticket = object;

interface Pause {
  readonly reason: 'network' | 'rateLimit';
  /** Resolves when the pause is over. */
  readonly over: Promise<void>;
  readonly end: () => void;
  /** Resolves, and is made anew, when the probing call left before it knew. */
  vacancy: PromiseWithResolvers<void>;
  prober: Ticket | undefined;
  probes: number;
  waitedMs: number;
}

/**
 * The gate in front of the model. When the connection is lost it closes: all calls wait, one of them tries again after growing
 * waits, and its first success lets all go on. So a run survives a tunnel, a sleep or a restarted server, and sends no more
 * than one request at a time meanwhile.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #doubting = new Set<Ticket>();
  #cleared = Promise.withResolvers<void>();
  #pause: Pause | undefined;
  /** It was lost when "finish now" was said: nothing is waited for any more. */
  #givenUp = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.finishSignal.addEventListener('abort', () => this.#finish(), { once: true });
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** Paused because the server wants fewer requests: that it answers means nothing then. */
  get isLimited(): boolean {
    return this.#pause?.reason === 'rateLimit';
  }

  /** Whether a failed call is still worth waiting for. */
  get isPatient(): boolean {
    return !this.#options.finishSignal.aborted;
  }

  /** False when not even the quick tries are worth while. */
  get isHopeful(): boolean {
    return !this.#givenUp;
  }

  /** Waits while the gate is closed; the probing call passes. Rejects with `signal.reason` when aborted. */
  async pass(ticket: Ticket, signal: AbortSignal): Promise<void> {
    while (this.#pause && this.#pause.prober !== ticket) await untilAborted(this.#pause.over, signal);
  }

  /** A call could not reach the model and tries again at once: whether the connection is lost is not known yet. */
  doubt(ticket: Ticket): void {
    this.#doubting.add(ticket);
  }

  /**
   * Closes the gate, or finds it closed. Resolves when the call shall try again: as the probe, after a wait, or because another
   * was through. Rejects with `signal.reason` when aborted, with what the run is given up for when it lasts too long.
   */
  async lost(ticket: Ticket, failure: ResearchError, signal: AbortSignal): Promise<void> {
    this.#doubting.delete(ticket);
    this.#pause ??= this.#begin(failure);
    const pause = this.#pause;
    while (this.#pause === pause) {
      pause.prober ??= ticket;
      if (pause.prober === ticket) return await this.#wait(pause, failure, signal);
      await untilAborted(Promise.race([pause.over, pause.vacancy.promise]), signal);
    }
  }

  /** The probing call got through to the other side. Other calls say nothing: theirs may be a connection from before. */
  reached(ticket: Ticket): void {
    this.trusted(ticket);
    if (this.#pause?.prober === ticket) this.#resume('The connection is back; the research goes on.');
  }

  /** The call has no part in this any more: it is done, failed or was cut off. */
  leave(ticket: Ticket): void {
    this.trusted(ticket);
    if (this.#pause?.prober !== ticket) return;
    const { vacancy } = this.#pause;
    this.#pause.prober = undefined;
    this.#pause.vacancy = Promise.withResolvers();
    vacancy.resolve();
  }

  /** It could be reached after all, or nobody tries any more. */
  trusted(ticket: Ticket): void {
    if (!this.#doubting.delete(ticket) || this.#doubting.size > 0 || this.#pause) return;
    this.#cleared.resolve();
    this.#cleared = Promise.withResolvers();
  }

  /**
   * For what failed by the network beside the model: true when the model was out of reach too, given when it is back, so that
   * it was no fault of the other side.
   */
  async wasLost(signal: AbortSignal): Promise<boolean> {
    let lost = false;
    while (this.isPatient && (this.#pause || this.#doubting.size > 0)) {
      lost ||= this.#pause !== undefined;
      await untilAborted(this.#pause ? this.#pause.over : this.#cleared.promise, signal);
    }
    return lost;
  }

  #begin(failure: ResearchError): Pause {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reason = failure.reason === 'rateLimit' ? 'rateLimit' : 'network';
    // Whoever waits to know whether the connection is lost, knows it now.
    this.#cleared.resolve();
    this.#cleared = Promise.withResolvers();
    this.#options.emit({
      type: 'run/paused',
      reason,
      message: `${failure.message} The research waits and goes on by itself.`,
      next: 'Nothing is lost. Stop it, or finish now with what was found.',
    });
    return {
      reason,
      over: promise,
      end: resolve,
      vacancy: Promise.withResolvers(),
      prober: undefined,
      probes: 0,
      waitedMs: 0,
    };
  }

  async #wait(pause: Pause, failure: ResearchError, signal: AbortSignal): Promise<void> {
    const wait =
      failure.reason === 'rateLimit' && failure.retryAfterMs !== undefined
        ? failure.retryAfterMs
        : probeWaits[Math.min(pause.probes, probeWaits.length - 1)]!;
    pause.probes += 1;
    pause.waitedMs += wait;
    if (pause.waitedMs > longestPauseMs) {
      const error = new ResearchError(
        pause.reason,
        `${failure.message} The run waited for ${longestPauseMs / 60_000} minutes and ends here.`,
        {
          next: 'Go on with the run when the model can be reached again: what was done is kept.',
        },
      );
      this.#options.giveUp(error);
      throw error;
    }
    await this.#options.clock.sleep(wait, signal);
  }

  #finish(): void {
    if (!this.#pause) return;
    this.#givenUp = true;
    this.#resume('The report is made of what was found.', 'finish');
  }

  #resume(message: string, why?: string): void {
    const pause = this.#pause;
    if (!pause) return;
    this.#pause = undefined;
    this.#options.emit({ type: 'run/resumed', reason: why ?? pause.reason, message, next: '' });
    if (why === undefined) this.#options.onBack?.();
    pause.end();
  }
}
