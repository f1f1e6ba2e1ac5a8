import type { PoliteAnswer } from './httpSession.ts';

interface Entry {
  readonly answer: PoliteAnswer;
  /** Milliseconds of a clock that never jumps. */
  readonly storedAt: number;
  readonly size: number;
}

/** Remembers answers, the least recently used leave first. Sizes are characters of the body. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxSize: number;
  #size = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, answer: PoliteAnswer, storedAt: number): void {
    this.#remove(key);
    const size = answer.text.length + 1_000;
    // One answer never pushes out more than a quarter of the others.
    if (size > this.#maxSize / 4) return;
    this.#entries.set(key, { answer, storedAt, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
