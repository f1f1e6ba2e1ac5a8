import type { EventBody } from '../../protocol/events.ts';
import { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { untilAborted } from './waiting.ts';

/** Waits before each try of the one call that probes, in milliseconds; the last one is repeated. */
const probeWaits = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Where nobody can restart the model's server, the run continues without the model after this long, probes included. */
const longestAloneMs = 60_000;
/** What is longer than any probe is a sleep of the computer, which does not count. */
const longestProbeMs = 15_000;
/** A run that is paused for longer fails, and can be resumed later. Only waits are counted, so a sleep of the computer is not. */
const longestPauseMs = 30 * 60_000;

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly emit: (event: EventBody) => void;
  /** "Finish now" ends a pause: the report is made of what is there. */
  readonly finishSignal: AbortSignal;
  /** See `RunParts.isUnattended`. */
  readonly isUnattended?: boolean | undefined;
  /** Ends the whole run, which can be resumed. */
  readonly failRun: (error: ResearchError) => void;
  /** The connection is back: sources that could not be reached meanwhile may be tried again. */
  readonly onReconnected?: (() => void) | undefined;
}

/** The place of one call at the gate. */
export type Ticket = object;

interface Pause {
  readonly reason: 'network' | 'rateLimit';
  /** Resolves when the pause is over. */
  readonly over: Promise<void>;
  readonly end: () => void;
  /** Calls that found the connection lost, the probing one included. Without any, nothing would end the pause. */
  readonly lost: Set<Ticket>;
  /** Resolves, and is replaced, when no call probes. */
  vacancy: PromiseWithResolvers<void>;
  prober: Ticket | undefined;
  probes: number;
  waitedMs: number;
  /** Since when the last probe is under way, by the monotonic clock, and how long the probes took in all. In milliseconds. */
  probedAt: number;
  probedMs: number;
}

/**
 * The gate in front of the model. When the connection is lost it closes: all calls wait, one of them retries after growing
 * waits, and its first success lets all continue. So a run survives a tunnel, a sleep or a restarted server, and meanwhile
 * sends one request at a time.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #doubting = new Set<Ticket>();
  #cleared = Promise.withResolvers<void>();
  #pause: Pause | undefined;
  /** The connection was lost when "finish now" was requested, or for too long in an unattended run: nothing waits for it. */
  #abandoned = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.finishSignal.addEventListener('abort', () => this.#finish(), { once: true });
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  /** Whether this call is the one that probes. */
  isProbing(ticket: Ticket): boolean {
    return this.#pause?.prober === ticket;
  }

  /** Paused because the server limits requests: that it answers means nothing then. */
  get isLimited(): boolean {
    return this.#pause?.reason === 'rateLimit';
  }

  /** Whether a failed call is still worth waiting for. */
  get isPatient(): boolean {
    return !this.#abandoned && !this.#options.finishSignal.aborted;
  }

  /** False when not even quick retries are worthwhile. */
  get isHopeful(): boolean {
    return !this.#abandoned;
  }

  /** Waits while the gate is closed; the probing call passes. Rejects with `signal.reason` when aborted. */
  async pass(ticket: Ticket, signal: AbortSignal): Promise<void> {
    while (this.#pause && this.#pause.prober !== ticket) await this.#ended(this.#pause, signal);
  }

  /** A call could not reach the model and retries at once: whether the connection is lost is not known yet. */
  doubt(ticket: Ticket): void {
    this.#doubting.add(ticket);
  }

  /**
   * Closes the gate, or finds it closed. Resolves when the call should retry: as the probe, after a wait, or because another call
   * got through. Rejects with `signal.reason` when aborted, and with the error that ends the run when the pause lasts too long.
   */
  async lost(ticket: Ticket, failure: ResearchError, signal: AbortSignal): Promise<void> {
    // An aborted call proves nothing, and would leave a pause that no call probes.
    signal.throwIfAborted();
    this.#doubting.delete(ticket);
    this.#pause ??= this.#begin(failure);
    const pause = this.#pause;
    pause.lost.add(ticket);
    while (this.#pause === pause) {
      pause.prober ??= ticket;
      if (pause.prober === ticket) return await this.#wait(pause, failure, signal);
      await untilAborted(Promise.race([pause.over, pause.vacancy.promise]), signal);
    }
  }

  /** The probing call reached the server. Other calls prove nothing: they may use a connection from before. */
  reached(ticket: Ticket): void {
    this.trusted(ticket);
    if (this.#pause?.prober === ticket) this.#resume('The connection is back; the research continues.');
  }

  /** The call is over: it completed, failed or was aborted. */
  leave(ticket: Ticket): void {
    this.trusted(ticket);
    const pause = this.#pause;
    if (!pause?.lost.delete(ticket)) return;
    if (pause.prober === ticket) pause.prober = undefined;
    if (pause.prober !== undefined) return;
    pause.vacancy.resolve();
    pause.vacancy = Promise.withResolvers();
  }

  /** The server was reachable after all, or the call stopped trying. */
  trusted(ticket: Ticket): void {
    if (!this.#doubting.delete(ticket) || this.#doubting.size > 0 || this.#pause) return;
    this.#cleared.resolve();
    this.#cleared = Promise.withResolvers();
  }

  /**
   * For a network failure of something other than the model: resolves with true, once the model can be reached again, when it
   * was out of reach too, so that the other side was not at fault.
   */
  async wasLost(signal: AbortSignal): Promise<boolean> {
    let lost = false;
    while (this.isPatient && (this.#pause || this.#doubting.size > 0)) {
      lost ||= this.#pause !== undefined;
      await (this.#pause ? this.#ended(this.#pause, signal) : untilAborted(this.#cleared.promise, signal));
    }
    return lost;
  }

  /** Waits for the end of a pause, and ends one that no call can end: all that found the connection lost were aborted. */
  async #ended(pause: Pause, signal: AbortSignal): Promise<void> {
    while (this.#pause === pause) {
      signal.throwIfAborted();
      if (pause.lost.size === 0) return this.#resume('The research continues.', pause.reason);
      await untilAborted(Promise.race([pause.over, pause.vacancy.promise]), signal);
    }
  }

  #begin(failure: ResearchError): Pause {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reason = failure.reason === 'rateLimit' ? 'rateLimit' : 'network';
    // Calls that wait to learn whether the connection is lost learn it now.
    this.#cleared.resolve();
    this.#cleared = Promise.withResolvers();
    this.#options.emit({
      type: 'run/paused',
      reason,
      message: `${failure.message} The research is paused and resumes by itself.`,
      next: 'Nothing is lost. You can stop it, or finish now with what was found so far.',
    });
    return {
      reason,
      over: promise,
      end: resolve,
      lost: new Set(),
      vacancy: Promise.withResolvers(),
      prober: undefined,
      probes: 0,
      waitedMs: 0,
      probedAt: this.#options.clock.monotonic(),
      probedMs: 0,
    };
  }

  async #wait(pause: Pause, failure: ResearchError, signal: AbortSignal): Promise<void> {
    const { clock, isUnattended } = this.#options;
    pause.probedMs += Math.min(clock.monotonic() - pause.probedAt, longestProbeMs);
    const isAlone = isUnattended && pause.reason === 'network';
    const most = isAlone ? longestAloneMs - pause.waitedMs - pause.probedMs : Infinity;
    if (most <= 0) {
      this.#abandon('The research continues without the model.', 'withoutModel');
      throw failure;
    }
    const wait =
      failure.reason === 'rateLimit' && failure.retryAfterMs !== undefined
        ? failure.retryAfterMs
        : Math.min(most, probeWaits[Math.min(pause.probes, probeWaits.length - 1)]!);
    pause.probes += 1;
    pause.waitedMs += wait;
    if (pause.waitedMs > longestPauseMs) {
      const error = new ResearchError(
        pause.reason,
        `${failure.message} The run was paused for ${longestPauseMs / 60_000} minutes and has ended.`,
        {
          next: 'Resume the run when the model can be reached again; its progress is saved.',
        },
      );
      this.#options.failRun(error);
      throw error;
    }
    await clock.sleep(wait, signal);
    pause.probedAt = clock.monotonic();
  }

  #finish(): void {
    if (this.#pause) this.#abandon('The report is written from what was found so far.', 'finish');
  }

  #abandon(message: string, why: string): void {
    this.#abandoned = true;
    this.#resume(message, why);
  }

  #resume(message: string, why?: string): void {
    const pause = this.#pause;
    if (!pause) return;
    this.#pause = undefined;
    this.#options.emit({ type: 'run/resumed', reason: why ?? pause.reason, message, next: '' });
    if (why === undefined) this.#options.onReconnected?.();
    pause.end();
  }
}
