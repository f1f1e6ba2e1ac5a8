import type { Finished, Journal, Made } from '../persistence/journal.ts';
import type { ChatAnswer, Clock } from '../ports.ts';
import { sha256 } from '../text/digest.ts';
import type { ToolResult } from '../tools.ts';

/** A value with the ISO 8601 instant at which it was retrieved. */
export interface Timed<T> {
  readonly value: T;
  readonly at: string;
}

/** The failure of a tool call, in words for the model and for a person. */
export interface ToolFailure {
  readonly error: string;
  readonly why: string;
}

/** A completed tool call, as {@link Calls.restore} needs it. */
export type CompletedToolCall = Extract<Finished, { kind: 'tool' }>;

/**
 * What a run has already done, by its journal: answers of models, results of tools, and everything else that a prompt depended
 * on. A resumed run takes from here what is recorded, so that it makes the same prompts and sends nothing twice.
 */
export class Replay {
  readonly #journal: Journal;
  readonly #clock: Clock;
  #failuresHold = true;
  /** Answers by the place of their call, whatever its request was. */
  readonly #byPlace = new Map<string, ChatAnswer>();

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** The recorded answer to a model call; undefined when it has to be sent. */
  modelAnswer(key: string, digest: string): ChatAnswer | undefined {
    const entry = this.#journal.find(key, digest);
    const answer = entry?.kind === 'model' ? entry.value : this.#byPlace.get(key);
    // A place matches once: the next call there is another one.
    this.#byPlace.delete(key);
    return answer;
  }

  async recordModel(key: string, digest: string, value: ChatAnswer, made: Made): Promise<void> {
    await this.#record({ key, digest, kind: 'model', value, made });
  }

  /** All completed model calls. */
  modelCalls(): Extract<Finished, { kind: 'model' }>[] {
    return [...this.#journal.entries()].filter((entry) => entry.kind === 'model');
  }

  toolResult(key: string, digest: string): Timed<ToolResult> | undefined {
    const entry = this.#journal.find(key, digest);
    return entry?.kind === 'tool' ? { value: entry.value, at: entry.at } : undefined;
  }

  async recordTool(call: CompletedToolCall): Promise<void> {
    await this.#journal.record(call);
  }

  /** All completed tool calls, in order. */
  toolCalls(): CompletedToolCall[] {
    return [...this.#journal.entries()].filter((entry) => entry.kind === 'tool');
  }

  /**
   * A value that may differ after a resume (the budget left, the user's decision): the first one counts.
   * @param about What the value belongs to: another question is another value.
   */
  async observed<T>(
    key: string,
    value: () => T | Promise<T>,
    about = 'observed',
  ): Promise<{ readonly value: T; readonly replayed: boolean }> {
    const digest = sha256(about);
    const recorded = this.#journal.find(key, digest);
    if (recorded) return { value: recorded.value as T, replayed: true };
    const seen = await value();
    await this.#record({ key, digest, kind: 'observed', value: seen });
    return { value: seen, replayed: false };
  }

  /** What {@link observed} has recorded for a key; undefined when nothing. */
  recorded(key: string): unknown {
    return this.#journal.last(key)?.value;
  }

  /** Drops a recorded value that turned out to be unusable: a resumed run asks again. */
  async forget(key: string): Promise<void> {
    await this.#record({ key, digest: 'forgotten', kind: 'observed', value: null });
  }

  /** Records the failure of a tool call, before a model sees it. */
  async recordFailure(key: string, failure: ToolFailure): Promise<void> {
    await this.#record({ key: `${key}/failed`, digest: 'failed', kind: 'observed', value: failure });
  }

  /**
   * The recorded failure of a tool call, when a completed model call has seen it: its answer fits this failure alone. Undefined
   * otherwise: the tool is called again.
   * @param hasSeen Whether the prompt of the call with this key has the failure.
   */
  usedFailure(key: string, hasSeen: (key: string) => boolean): unknown {
    const failure = this.#failuresHold ? this.recorded(`${key}/failed`) : undefined;
    if (failure === undefined) return undefined;
    for (const entry of this.#journal.entries()) if (entry.kind === 'model' && hasSeen(entry.key)) return failure;
    return undefined;
  }

  /**
   * For a run that resumes from its last checkpoint: answers match by the place of their call alone. What others found may have
   * added to a call's sources since, so that its request differs, but the call is the same.
   */
  matchByPlace(): void {
    for (const entry of this.#journal.entries()) if (entry.kind === 'model') this.#byPlace.set(entry.key, entry.value);
  }

  /** For a run that failed as a whole: the failures of its tools may be the reason, so they are called again. */
  retryFailures(): void {
    this.#failuresHold = false;
  }

  async #record(
    finished: Omit<Extract<Finished, { kind: 'model' }>, 'at'> | Omit<Extract<Finished, { kind: 'observed' }>, 'at'>,
  ) {
    await this.#journal.record({ ...finished, at: this.#clock.now().toISOString() });
  }
}
