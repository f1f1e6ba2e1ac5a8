import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatListener } from '../../research/ports.ts';
import type { Failure } from '../failure.ts';

/** Large models take minutes to be read from a disk: so many times the silence that is allowed between bytes. */
const longestFactor = 6;
const everyMs = 2_000;

/**
 * Waits for a server that loads its model: llama.cpp and LM Studio answer 503 meanwhile. That is no limit of requests.
 * @param idleMs Silence that is allowed between bytes, in milliseconds.
 * @returns Resolves with true after a while when a failure says so, with false for any other, and when it takes too long.
 */
export function loadingWait(listen: ChatListener, idleMs: number) {
  const longestMs = idleMs * longestFactor;
  let waitedMs = 0;
  return async (failure: Failure | undefined, signal: AbortSignal): Promise<boolean> => {
    if (failure?.status !== 503 || !/loading/i.test(failure.body) || waitedMs >= longestMs) return false;
    listen.onWaiting?.('loading');
    const ms = Math.min(everyMs, longestMs - waitedMs);
    waitedMs += ms;
    await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    return true;
  };
}
