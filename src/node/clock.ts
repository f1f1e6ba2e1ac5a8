import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../research/ports.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      // The timer's own AbortError hides why it was aborted.
      throw signal.aborted ? signal.reason : error;
    }
  },
};
