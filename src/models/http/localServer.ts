import ipaddr from 'ipaddr.js';
import { ResearchError } from '../../research/errors.ts';
import type { ChatListener } from '../../research/ports.ts';

/** How often `onWaiting` is called while a server is silent, in milliseconds: at most half of the caller's idle timeout. */
const tickMs = 5_000;
/** On a slow machine the first byte may take so many times the silence that is allowed between bytes. */
const firstByteFactor = 4;

/** Whether a model's server is on this machine or in its network: the user's own, with the speed of its hardware. */
export function isLocal(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(host).range());
  return /^localhost$|\.(?:localhost|local|lan|internal|home\.arpa)$/i.test(host);
}

/** A second request is tried so often before a server counts as one that answers no more at a time. */
const mostMisses = 3;

/** A probe is in vain when it waited for so many times what a request alone waits for its first piece. */
const inVain = 1.5;
/** An answer that begins so soon after another one ended did not wait for it, in what a request alone waits for its first piece. */
const sideBySide = 0.25;

/** One request as its server sees it. */
interface Sent {
  /** By the clock; set when it is sent. */
  at: number;
  /** Its text is shown: it must not be interrupted. */
  readonly isShown: boolean;
  /** It was sent to find out whether the server takes one more at a time. */
  isProbe: boolean;
  /** When its answer began to stream, in pieces of all answers; undefined: not yet. */
  begun: number | undefined;
  /** When another answer ended before this one began, by the clock. */
  passedAt: number | undefined;
}

interface Origin {
  readonly active: Set<Sent>;
  readonly waiting: (() => void)[];
  /** Streams that have really run side by side. */
  slots: number;
  /** Probes whose answer had not begun when another one ended. */
  misses: number;
  /** It ends a running answer when another request arrives. */
  interrupts: boolean;
  /** Signs of life so far: bytes of any answer. */
  bytes: number;
  pieces: number;
  /** The longest and the shortest that a request without others beside it waited for its first piece, in milliseconds. */
  firstPieceMs: number;
  soonestPieceMs: number;
  /** It gave no first byte in time, and nothing since: the next request is not waited for as long. */
  isStalled: boolean;
}

/** The callbacks for a request's answer. */
export interface TurnListener extends ChatListener {
  /** The answer can't begin again once some of it has arrived. Default: when its text is listened to. */
  readonly isShown?: boolean;
}

/** One request's time at a local server. */
export interface Turn {
  /** The request's signs of life, with the patience that a local server needs. */
  readonly listen: ChatListener;
  /** A piece of its answer arrived. */
  streamed(): void;
  /** Whether the answer broke because another request arrived, so that it is worth sending again at once. */
  interrupted(error: unknown): boolean;
  leave(): void;
}

/**
 * Requests to servers on this machine or in its network. Most have one slot and queue; some end a running answer
 * when another request arrives (llama-cpp-python). So they get one at a time, and one more as a probe: when both
 * streams continue side by side, or one answer begins as soon as the other has ended (a server that sends answers
 * whole), so many may. After a probe that waited in vain, another is made only while all other answers stream.
 * Waiting for a turn or for the first byte of a slow machine is not silence, and any byte of the server is a sign of
 * life for all that wait for it.
 */
export class Turns {
  /** Silence after which a caller ends a request, in milliseconds. */
  readonly idleMs: number;
  readonly #origins = new Map<string, Origin>();
  readonly #now: () => number;

  /** @param now Milliseconds since any moment. */
  constructor(idleMs: number, now = () => performance.now()) {
    this.idleMs = idleMs;
    this.#now = now;
  }

  /**
   * Resolves when the request may be sent: at once but for a local server.
   * @param responds Whether the server answers anything at all.
   */
  async enter(
    baseUrl: string,
    listen: TurnListener,
    responds: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<Turn> {
    if (!isLocal(baseUrl)) return { listen, streamed: () => {}, interrupted: () => false, leave: () => {} };
    const origin = this.#originOf(baseUrl);
    const sent: Sent = {
      at: 0,
      isShown: listen.isShown ?? listen.onText !== undefined,
      isProbe: false,
      begun: undefined,
      passedAt: undefined,
    };
    await this.#admitted(origin, sent, listen, signal);
    let own = 0;
    const stop = this.#tick(listen, origin, responds, () => own);
    return {
      listen: {
        ...listen,
        onAlive: (received) => {
          own += 1;
          origin.bytes += 1;
          origin.isStalled = false;
          listen.onAlive?.(received);
        },
      },
      streamed: () => this.#streamed(origin, sent),
      interrupted: (error) => {
        if (origin.active.size < 2 || !ResearchError.is(error, 'streamBroken')) return false;
        origin.interrupts = true;
        origin.slots = 1;
        return true;
      },
      leave: () => {
        stop();
        origin.active.delete(sent);
        for (const other of origin.active) {
          if (other.begun !== undefined) continue;
          other.passedAt ??= this.#now();
          if (this.#now() - other.at >= inVain * origin.firstPieceMs) this.#missed(origin, other);
        }
        this.#admit(origin);
      },
    };
  }

  #originOf(baseUrl: string): Origin {
    const { origin } = new URL(baseUrl);
    const known = this.#origins.get(origin);
    if (known) return known;
    const counts = { slots: 1, misses: 0, bytes: 0, pieces: 0, firstPieceMs: 0, soonestPieceMs: Infinity };
    const state: Origin = { active: new Set(), waiting: [], ...counts, interrupts: false, isStalled: false };
    this.#origins.set(origin, state);
    return state;
  }

  async #admitted(origin: Origin, sent: Sent, listen: ChatListener, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const enter = (): void => {
      sent.at = this.#now();
      sent.isProbe = origin.active.size >= origin.slots;
      origin.active.add(sent);
      turn.resolve();
    };
    origin.waiting.push(enter);
    this.#admit(origin);
    if (origin.active.has(sent)) return;
    const timer = setInterval(() => listen.onWaiting?.('turn'), this.#everyMs);
    const leave = (): void => {
      // At once: until the rejection is seen, another request could pass the turn on to this one.
      const at = origin.waiting.indexOf(enter);
      if (at < 0) return;
      origin.waiting.splice(at, 1);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /** Sends the requests whose turn it is. */
  #admit(origin: Origin): void {
    while (origin.waiting.length > 0 && hasRoom(origin)) origin.waiting.shift()!();
  }

  #streamed(origin: Origin, sent: Sent): void {
    origin.pieces += 1;
    if (sent.begun === undefined) {
      sent.begun = origin.pieces;
      this.#began(origin, sent);
    } else {
      const beside = [...origin.active].filter(({ begun }) => begun !== undefined && begun > sent.begun!).length;
      this.#ranAtOnce(origin, beside + 1);
    }
    this.#admit(origin);
  }

  #began(origin: Origin, sent: Sent): void {
    const now = this.#now();
    // Without a request that was answered alone there is nothing to compare with.
    if (sent.isProbe && sent.passedAt !== undefined && origin.soonestPieceMs < Infinity) {
      if (now - sent.passedAt < sideBySide * origin.soonestPieceMs) this.#ranAtOnce(origin, origin.slots + 1);
      else this.#missed(origin, sent);
    }
    if (sent.isProbe || sent.passedAt !== undefined) return;
    origin.firstPieceMs = Math.max(origin.firstPieceMs, now - sent.at);
    origin.soonestPieceMs = Math.min(origin.soonestPieceMs, now - sent.at);
  }

  #ranAtOnce(origin: Origin, count: number): void {
    if (count <= origin.slots || origin.interrupts) return;
    origin.slots = count;
    origin.misses = 0;
  }

  #missed(origin: Origin, sent: Sent): void {
    if (!sent.isProbe) return;
    sent.isProbe = false;
    origin.misses += 1;
  }

  get #everyMs(): number {
    return Math.min(tickMs, this.idleMs / 2);
  }

  /** Reports that silence is no failure: while other answers stream, and for a while before the first byte of a server that lives. */
  #tick(listen: ChatListener, origin: Origin, responds: () => Promise<boolean>, own: () => number): () => void {
    const every = this.#everyMs;
    const patience = this.idleMs * firstByteFactor;
    let seen = origin.bytes;
    let ownSeen = 0;
    let silentMs = 0;
    const timer = setInterval(() => {
      if (origin.bytes !== seen) {
        seen = origin.bytes;
        silentMs = 0;
        // Its own bytes are no wait: an answer that does not end has a deadline.
        if (own() === ownSeen) listen.onWaiting?.('turn');
        ownSeen = own();
        return;
      }
      silentMs += every;
      if (silentMs > patience) origin.isStalled = true;
      // A process that swaps or sleeps takes connections and answers nothing.
      if (silentMs >= this.idleMs && silentMs - every < this.idleMs)
        void responds().then((lives) => (origin.isStalled ||= !lives && origin.bytes === seen));
      if (own() === 0 && !origin.isStalled) listen.onWaiting?.('firstByte');
    }, every);
    return () => clearInterval(timer);
  }
}

function hasRoom({ active, slots, misses, interrupts }: Origin): boolean {
  if (active.size < slots) return true;
  if (active.size > slots || interrupts || misses >= mostMisses) return false;
  return [...active].every(({ begun, isShown }) => (begun === undefined ? misses === 0 : slots > 1 || !isShown));
}
