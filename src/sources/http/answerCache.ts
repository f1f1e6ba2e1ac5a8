interface Entry<Answer> {
  readonly answer: Answer;
  /** Milliseconds of a clock that never jumps. */
  readonly storedAt: number;
  readonly size: number;
}

/** Remembers answers, the least recently used leave first. Sizes are characters or bytes of the body. */
export class AnswerCache<Answer> {
  readonly #entries = new Map<string, Entry<Answer>>();
  readonly #maxSize: number;
  readonly #largest: number;
  #size = 0;

  /** @param largest A longer answer is not remembered: it would push out too many others. */
  constructor(maxSize: number, largest = maxSize / 4) {
    this.#maxSize = maxSize;
    this.#largest = largest;
  }

  get(key: string): Entry<Answer> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, answer: Answer, length: number, storedAt: number): void {
    this.#remove(key);
    const size = length + 1_000;
    if (size > this.#largest) return;
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
