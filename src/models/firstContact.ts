import { once } from 'node:events';
import * as net from 'node:net';

export interface ContactTimes {
  /** Silence after which the server's reachability is looked at. */
  readonly quietMs: number;
  readonly connectMs: number;
  readonly httpMs: number;
}

/** Together, and with the call wrapper's further tries, under the 10 s within which a dead address must be reported. */
const standardTimes: ContactTimes = { quietMs: 3_000, connectMs: 1_500, httpMs: 2_500 };
/** A server that was just found unreachable is not waited for again. */
const downMs = 15_000;

/**
 * Distinguishes a server that can't be reached from one that is silent for long before its first byte. `fetch` can't: a packet that a
 * firewall swallows and a local model that is being loaded look the same to it for minutes. Only until an origin has answered
 * once; afterwards silence is the caller's idle watch.
 */
export class FirstContact {
  readonly #reached = new Set<string>();
  /** By origin: until when it counts as unreachable, in milliseconds of `performance.now()`. */
  readonly #down = new Map<string, number>();
  readonly #fetch: typeof fetch;
  readonly #times: ContactTimes;

  constructor(fetchPage: typeof fetch, times: ContactTimes = standardTimes) {
    this.#fetch = fetchPage;
    this.#times = times;
  }

  reached(baseUrl: string): void {
    const { origin } = new URL(baseUrl);
    this.#reached.add(origin);
    this.#down.delete(origin);
  }

  /** True for a while after the server was found unreachable: another try would only wait as long again. */
  isDown(baseUrl: string): boolean {
    return (this.#down.get(new URL(baseUrl).origin) ?? 0) > performance.now();
  }

  /** Calls `onUnreachable` when the server neither answers nor takes a connection. Gives a function that ends the watch. */
  watch(baseUrl: string, onUnreachable: () => void): () => void {
    if (this.#reached.has(new URL(baseUrl).origin)) return () => {};
    const ended = new AbortController();
    const timer = setTimeout(() => {
      void this.#canBeReached(baseUrl, ended.signal).then((reachable) => {
        if (reachable || ended.signal.aborted) return;
        this.#down.set(new URL(baseUrl).origin, performance.now() + downMs);
        onUnreachable();
      });
    }, this.#times.quietMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }

  async #canBeReached(baseUrl: string, signal: AbortSignal): Promise<boolean> {
    if (await takesConnection(new URL(baseUrl), this.#times.connectMs, signal)) return true;
    // Behind a proxy nothing can be connected to directly, but the host's fetch gets through.
    return responds(this.#fetch, baseUrl, AbortSignal.any([signal, AbortSignal.timeout(this.#times.httpMs)]));
  }
}

/** Whether a server answers anything at all. Never rejects. */
export async function responds(fetchPage: typeof fetch, baseUrl: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetchPage(`${baseUrl}/models`, { redirect: 'manual', signal });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

async function takesConnection(url: URL, ms: number, signal: AbortSignal): Promise<boolean> {
  const socket = net.connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) });
    return true;
  } catch {
    return false;
  } finally {
    // It may still fail.
    socket.on('error', () => undefined).destroy();
  }
}
