import ipaddr from 'ipaddr.js';
import { Semaphore } from '../../research/calls/semaphore.ts';
import { ResearchError } from '../../research/errors.ts';
import type { ChatListener } from '../../research/ports.ts';

/** How often a caller is told that silence means nothing, in milliseconds. At most half of its own patience. */
const tickMs = 5_000;
/** On a slow machine the first byte may take so many times the silence that is allowed between bytes. */
const firstByteFactor = 4;

/** Whether a model's server is on this machine or in its network: somebody's own, with the speed of their hardware. */
export function isLocal(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(host).range());
  return /^localhost$|\.(?:localhost|local|lan|internal|home\.arpa)$/i.test(host);
}

interface Origin {
  inFlight: number;
  /** Requests so far. */
  sent: number;
  /** It gave no first byte in time, and nothing since: the next request is not waited for as long. */
  isStalled: boolean;
  /** The server interrupts an answer when another request arrives: they are sent one after the other from then on. */
  single: Semaphore | undefined;
}

/** One request's time at a local server. */
export interface Turn {
  /** The request's signs of life, with the patience that a local server needs. */
  readonly listen: ChatListener;
  /** Whether the answer broke because another request arrived, so that it is worth sending again at once. */
  interrupted(error: unknown): boolean;
  leave(): void;
}

/**
 * Requests to servers on this machine or in its network. Most have one slot and queue; some end a running answer when another request
 * arrives (llama-cpp-python). Waiting in such a queue, or for the first byte of a slow machine, is not silence.
 */
export class Turns {
  /** Silence after which a caller ends a request, in milliseconds. */
  readonly idleMs: number;
  readonly #origins = new Map<string, Origin>();

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** Resolves when the request may be sent: at once but for a local server that takes one at a time. */
  async enter(baseUrl: string, listen: ChatListener, signal: AbortSignal): Promise<Turn> {
    if (!isLocal(baseUrl)) return { listen, interrupted: () => false, leave: () => {} };
    const { origin } = new URL(baseUrl);
    const state = this.#origins.get(origin) ?? { inFlight: 0, sent: 0, isStalled: false, single: undefined };
    this.#origins.set(origin, state);
    const free = await this.#slot(state.single, listen, signal);
    state.inFlight += 1;
    const alone = state.inFlight === 1;
    const sent = (state.sent += 1);
    const stop = state.isStalled
      ? () => {}
      : this.#tick(listen, 'firstByte', this.idleMs * firstByteFactor, () => void (state.isStalled = true));
    return {
      listen: {
        ...listen,
        onAlive: () => {
          stop();
          state.isStalled = false;
          listen.onAlive?.();
        },
      },
      interrupted: (error) => {
        const others = !alone || state.sent > sent;
        if (!others || !ResearchError.is(error, 'streamBroken')) return false;
        state.single ??= new Semaphore(1);
        return true;
      },
      leave: () => {
        stop();
        state.inFlight -= 1;
        free();
      },
    };
  }

  /** A place at a server that takes one request at a time; what it gives returns the place. */
  async #slot(single: Semaphore | undefined, listen: ChatListener, signal: AbortSignal): Promise<() => void> {
    if (!single) return () => {};
    const stop = this.#tick(listen, 'turn');
    const given = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const use = single.use(() => (given.resolve(), held.promise), signal);
    use.catch(given.reject);
    try {
      await given.promise;
    } finally {
      stop();
    }
    return held.resolve;
  }

  #tick(listen: ChatListener, why: 'turn' | 'firstByte', forMs = Infinity, onEnd = () => {}): () => void {
    const every = Math.min(tickMs, this.idleMs / 2);
    let left = forMs;
    const timer = setInterval(() => {
      left -= every;
      if (left < 0) {
        clearInterval(timer);
        onEnd();
      } else listen.onWaiting?.(why);
    }, every);
    return () => clearInterval(timer);
  }
}
