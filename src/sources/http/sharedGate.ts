import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../research/ports.ts';
import type { Pacing } from './limits.ts';
import { ownFolder } from '../../files/ownFolder.ts';
import { readRegular } from '../../files/regularFile.ts';
import { replaceFile } from '../../files/replaceFile.ts';
import { freeFile, takeFile } from '../../files/takeFile.ts';

/** A run waits no longer than this for the others; then it continues at its own pace. */
const longestWaitMs = 15_000;
/** A request lasts 20 s at most; a place that is held for longer is free. */
const placeStaleMs = 30_000;
const lockStaleMs = 2_000;
const pollMs = 100;

/** Whose turn it is at a public service, among processes. */
export interface HostGate {
  /** Waits for a place and a start; gives the function that frees the place. Rejects with `signal.reason` when aborted. */
  enter(group: string, pacing: Pacing, signal: AbortSignal): Promise<() => void>;
  /** Remembers for all that a quota is used up. Never rejects. */
  block(quota: string, ms: number): Promise<void>;
  /** How long another process knows the quota to be used up. */
  blockedMs(quota: string): Promise<number>;
}

/**
 * Lets the requests of all windows and programs of this user through to a public service: so many at a time, so far apart, and
 * none while its quota is used up. Files in one folder: the time of the next start, a place for each request in flight, the end
 * of a block. What a dead process holds is free. Any failure of the disk, or a
 * folder that others may write to, lets the request pass.
 */
export class SharedGate implements HostGate {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async enter(group: string, pacing: Pacing, signal: AbortSignal): Promise<() => void> {
    const deadline = this.#clock.monotonic() + longestWaitMs;
    try {
      await ownFolder(this.#folder);
      const place = await this.#place(group, pacing, deadline, signal);
      try {
        if (pacing.intervalMs > 0) await this.#start(group, pacing.intervalMs, deadline, signal);
      } catch (error) {
        void freeFile(place);
        throw error;
      }
      return () => void freeFile(place);
    } catch {
      signal.throwIfAborted();
      return () => undefined;
    }
  }

  async block(quota: string, ms: number): Promise<void> {
    try {
      await ownFolder(this.#folder);
      await replaceFile(this.#file(quota, 'block'), `${Date.now()} ${Math.ceil(ms)}`, 0o600);
    } catch {
      // Then every window learns it from its own refusal.
    }
  }

  async blockedMs(quota: string): Promise<number> {
    const [begun = 0, ms = 0] = await this.#numbers(this.#file(quota, 'block'));
    const now = Date.now();
    // A clock that has been set back since says nothing about when it ends.
    return begun > now ? 0 : Math.max(0, begun + ms - now);
  }

  /** A file of this process among the places; undefined when the wait was long enough. */
  async #place(group: string, { concurrency }: Pacing, deadline: number, signal: AbortSignal) {
    for (;;) {
      for (let index = 0; index < concurrency; index += 1) {
        const file = this.#file(group, `place${index}`);
        if (await takeFile(file, placeStaleMs)) return file;
      }
      if (this.#clock.monotonic() >= deadline) return undefined;
      await this.#clock.sleep(pollMs, signal);
    }
  }

  /** Reserves the next start and waits for it. */
  async #start(group: string, intervalMs: number, deadline: number, signal: AbortSignal): Promise<void> {
    const lock = this.#file(group, 'lock');
    while (!(await takeFile(lock, lockStaleMs))) {
      if (this.#clock.monotonic() >= deadline) return;
      await this.#clock.sleep(pollMs, signal);
    }
    let waitMs = 0;
    try {
      const file = this.#file(group, 'next');
      const now = Date.now();
      const [next = 0] = await this.#numbers(file);
      // A time far ahead was written by a clock that was wrong.
      const start = next > now + longestWaitMs + intervalMs ? now : Math.max(now, next);
      await replaceFile(file, String(start + intervalMs), 0o600);
      waitMs = start - now;
    } finally {
      await freeFile(lock);
    }
    if (waitMs > 0) await this.#clock.sleep(Math.min(waitMs, longestWaitMs), signal);
  }

  async #numbers(file: string): Promise<number[]> {
    const text = await readRegular(file, 100).catch(() => '');
    return /^\d{1,16}(?: \d{1,16})?$/.test(text) ? text.split(' ').map(Number) : [];
  }

  #file(group: string, what: string): string {
    return join(this.#folder, `${createHash('sha256').update(group).digest('hex').slice(0, 24)}.${what}`);
  }
}
