import type { EventBody } from '../../protocol/events.ts';
import { Connection } from './connection.ts';
import { ResearchError } from '../errors.ts';
import type { EvidenceRegistry } from '../evidence/registry.ts';
import type { Source } from '../evidence/source.ts';
import type { Finished, Journal } from '../persistence/journal.ts';
import { ModelTries, type ModelCall } from './modelTries.ts';
import type { ChatAnswer, Clock, Log } from '../ports.ts';
import { Semaphore } from './semaphore.ts';
import { questionOf, summarizeArguments } from './toolQuestion.ts';
import { checkedResult } from './toolResult.ts';
import type { FoundDocument, ResearchTool, SourceKind, ToolContext, ToolResult } from '../tools.ts';
import { untilAborted } from './waiting.ts';
import { Watch } from './watch.ts';
import { sha256 } from '../text/digest.ts';

const concurrentToolCalls = 8;
/** No tool call lasts longer, whatever it does. */
const toolDeadlineMs = 120_000;
/** Said to whoever asks what was asked before. */
const askedBefore = 'This was asked before in this run; the answer is the same.';

export interface CallsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly registry: EvidenceRegistry;
  readonly emit: (event: EventBody) => void;
  /** Stores a source's text, before it is used. */
  readonly saveEvidence: (source: Source) => Promise<void>;
  /** Silence after which a model call is given up, in milliseconds. */
  readonly idleMs: number;
  /** "Finish now": research calls end at once, the report's go on. */
  readonly finishSignal: AbortSignal;
  /** A model answered in an earlier life of the run, so that one that can't be reached is no mistake in the settings. */
  readonly answeredBefore?: boolean;
  /** Ends the whole run, fit to be gone on with: the connection was lost for too long. */
  readonly giveUp?: (error: ResearchError) => void;
  /** The connection is back after a pause. */
  readonly onBack?: (() => void) | undefined;
  readonly random?: () => number;
  /** See `RunParts.sourceKinds`. */
  readonly sourceKinds?: ReadonlySet<SourceKind> | undefined;
}

export interface ToolRun {
  readonly key: string;
  readonly section?: string | undefined;
  readonly tool: ResearchTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

export interface ToolOutcome {
  /** Ids of the registered sources, in the tool's order. */
  readonly sources: readonly string[];
  readonly note: string;
  /** True when the same was asked before in this run and nothing was sent. */
  readonly shared?: boolean;
  readonly warnings?: readonly string[];
}

/**
 * The one wrapper around every model and tool call: journal, abort, "finish now", deadline, silence, retry, pause, concurrency,
 * usage and events. Nothing in the program calls a model or the network around it.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #models: ModelTries;
  readonly #toolSlots = new Semaphore(concurrentToolCalls);
  /** Finished and running tool calls by digest of name and arguments, final failures included: the same is asked once in a run. */
  readonly #shared = new Map<string, Promise<Timed<ToolResult>>>();
  readonly #connection: Connection;
  /** Keys of the calls that are under way: waiting, sent or sleeping before a retry. */
  readonly #underWay = new Set<string>();
  #failuresStand = true;
  /** Answers of an earlier life by the place of their call. */
  #answeredHere = new Map<string, ChatAnswer>();

  constructor(options: CallsOptions) {
    this.#options = options;
    const { clock, emit, finishSignal, onBack } = options;
    this.#connection = new Connection({
      clock,
      emit,
      finishSignal,
      giveUp: options.giveUp ?? (() => undefined),
      onBack,
    });
    this.#models = new ModelTries(options, this.#connection);
  }

  /** Whether a call below this place of the run is under way. It has limits of its own. */
  isBusy(path: string): boolean {
    for (const key of this.#underWay) if (path === '' || key.startsWith(`${path}/`)) return true;
    return false;
  }

  /** Rejects with a `ResearchError`, or with `signal.reason` when stopped. */
  async model(call: ModelCall, signal: AbortSignal): Promise<ChatAnswer> {
    const { journal, clock } = this.#options;
    // Not the model: a run that goes on with another one keeps what the first was paid for.
    const digest = sha256(JSON.stringify(call.request));
    const answered = journal.find(call.key, digest)?.value ?? this.#answeredHere.get(call.key);
    this.#answeredHere.delete(call.key);
    if (answered) {
      const answer = answered as ChatAnswer;
      this.#models.hasAnswered = true;
      call.onText?.(answer.text);
      return answer;
    }
    const answer = await this.#whileUnderWay(call.key, () => this.#models.answer(call, signal));
    await journal.record({ key: call.key, digest, at: clock.now().toISOString(), kind: 'model', value: answer });
    const { in: tokensIn, out, cached, estimated } = answer.usage;
    this.#options.emit({
      type: 'usage',
      model: call.port.model,
      role: call.role,
      phase: call.phase,
      tokens: { in: tokensIn, out, cached },
      cost: null,
      estimated,
    });
    return answer;
  }

  /** Registers what the tool returned before it gives the ids. Rejects like {@link model}. */
  async tool(call: ToolRun, signal: AbortSignal): Promise<ToolOutcome> {
    const { clock, emit } = this.#options;
    // The same question is asked once in a run: whoever asks it again gets the answer, and nothing is sent.
    const digest = sha256(questionOf(call.tool.name, call.args));
    const known = this.#shared.get(digest);
    if (known && this.#options.journal.find(call.key, digest) === undefined) {
      const shared = await this.#whileUnderWay(call.key, () => this.#sharedOutcome(known, digest, call, signal));
      if (shared) return shared;
    }
    const started = clock.monotonic();
    const about = { call: call.key, name: call.tool.name, ...(call.section ? { section: call.section } : {}) };
    emit({ type: 'tool/started', ...about, args: summarizeArguments(call.args) });
    const finish = (sources: readonly string[], error?: string): void =>
      emit({
        type: 'tool/finished',
        ...about,
        ms: Math.round(clock.monotonic() - started),
        sources: [...sources],
        ...(error === undefined ? {} : { error }),
      });
    try {
      const { value, at } = await this.#whileUnderWay(call.key, () => this.#toolResult(digest, call, signal));
      const sources = await this.#register(value.documents, at);
      finish(sources);
      return { sources, note: value.note ?? '', ...(value.warnings ? { warnings: value.warnings } : {}) };
    } catch (error) {
      const failure = signal.aborted ? ResearchError.from(signal.reason) : ResearchError.from(error);
      finish([], failure.message);
      if (signal.aborted) throw signal.reason;
      throw failure;
    }
  }

  async #sharedOutcome(
    known: Promise<Timed<ToolResult>>,
    digest: string,
    call: ToolRun,
    signal: AbortSignal,
  ): Promise<ToolOutcome | undefined> {
    try {
      const { value, at } = await untilAborted(known, signal);
      const note = value.note?.startsWith(askedBefore) ? value.note : `${askedBefore} ${value.note ?? ''}`.trim();
      // With its note: the next life of the run is to say the same to the model.
      await this.#options.journal.record(toolEntry(call, digest, { value: { ...value, note }, at }));
      const sources = await this.#register(value.documents, at);
      return { sources, note, shared: true };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = ResearchError.from(error);
      // What does not exist for one does not exist for the other; anything else is tried again.
      if (isFinal(failure)) throw failure;
      this.#options.log.debug(`${call.key}: the shared call failed (${failure.reason})`);
      return undefined;
    }
  }

  async #toolResult(digest: string, call: ToolRun, signal: AbortSignal): Promise<Timed<ToolResult>> {
    const { journal } = this.#options;
    const recorded = journal.find(call.key, digest);
    if (recorded) {
      const replayed = { value: recorded.value as ToolResult, at: recorded.at };
      this.#shared.set(digest, Promise.resolve(replayed));
      return replayed;
    }
    const result = this.#toolSlots.use(() => this.#runTool(call, signal), signal);
    this.#shared.set(digest, result);
    result.catch((error: unknown) => isFinal(ResearchError.from(error)) || this.#shared.delete(digest));
    const timed = await result;
    await journal.record(toolEntry(call, digest, timed));
    return timed;
  }

  /**
   * A value that another life of the run would find different (what others had found by then, what the user said): the first
   * one stands, so that a resumed run makes the same prompts. `about` is what the value belongs to: another question is
   * another value.
   */
  async observed<T>(
    key: string,
    value: () => T | Promise<T>,
    about = 'observed',
  ): Promise<{ readonly value: T; readonly replayed: boolean }> {
    const { journal, clock } = this.#options;
    const digest = sha256(about);
    const recorded = journal.find(key, digest);
    if (recorded) return { value: recorded.value as T, replayed: true };
    const seen = await value();
    await journal.record({ key, digest, at: clock.now().toISOString(), kind: 'observed', value: seen });
    return { value: seen, replayed: false };
  }

  /**
   * Brings back what finished tool calls of an earlier life had brought, for a run that does not begin at its start: sources
   * with their ids, and which questions were asked. `seen` hears of each call once, in order.
   */
  async restore(
    seen: (call: {
      readonly section?: string | undefined;
      readonly query?: string | undefined;
      readonly sources: readonly string[];
    }) => void,
  ): Promise<void> {
    for (const entry of [...this.#options.journal.entries()]) {
      if (entry.kind !== 'tool') continue;
      const { digest, at, section, query, value } = entry;
      const isShared = this.#shared.has(digest);
      if (!isShared) this.#shared.set(digest, Promise.resolve({ value, at }));
      const sources = await this.#register(value.documents, at);
      seen({ section, query: isShared ? undefined : query, sources });
    }
  }

  /** What {@link observed} holds for a key; undefined when it was not seen yet. */
  recorded(key: string): unknown {
    return this.#options.journal.last(key)?.value;
  }

  /** Notes what a failed tool call was told as, before it is told. */
  async recordFailure(key: string, told: unknown): Promise<void> {
    await this.#options.journal.record({
      key: `${key}/failed`,
      digest: 'failed',
      at: this.#options.clock.now().toISOString(),
      kind: 'observed',
      value: told,
    });
  }

  /**
   * What a tool call of an earlier life had failed with, when a model call whose key begins with `usedBy` was told of it: its answer
   * was paid for, and fits this failure alone. Undefined otherwise: the tool is called again.
   */
  usedFailure(key: string, usedBy: string): unknown {
    const failed = this.#failuresStand ? this.recorded(`${key}/failed`) : undefined;
    if (failed === undefined) return undefined;
    for (const entry of this.#options.journal.entries())
      if (entry.kind === 'model' && (entry.key === usedBy || entry.key.startsWith(`${usedBy}/`))) return failed;
    return undefined;
  }

  /**
   * For a run that goes on in the state in which it stopped: a call's place tells which it is. The sources that it was shown
   * may have grown since, by what others found, so that its request is not the same to the letter; it was paid for all the same.
   */
  standByPlaces(): void {
    for (const entry of this.#options.journal.entries())
      if (entry.kind === 'model') this.#answeredHere.set(entry.key, entry.value);
  }

  /** For a run that had failed as a whole: what its tools failed with may be why. */
  tryFailedAgain(): void {
    this.#failuresStand = false;
  }

  /** A recorded answer that turned out to be of no use: the next life of the run asks again. */
  async forget(key: string): Promise<void> {
    await this.#options.journal.record({
      key,
      digest: 'forgotten',
      at: this.#options.clock.now().toISOString(),
      kind: 'observed',
      value: null,
    });
  }

  async #runTool(call: ToolRun, signal: AbortSignal): Promise<Timed<ToolResult>> {
    const quitting = AbortSignal.any([signal, this.#options.finishSignal]);
    for (let isAgain = false; ; isAgain = true) {
      await this.#connection.pass(call, quitting);
      const watch = new Watch(this.#options.clock, [quitting]);
      watch.deadline(toolDeadlineMs, `${call.tool.name} took longer than ${toolDeadlineMs / 1000} s.`);
      try {
        const value = checkedResult(
          call.tool.name,
          await untilAborted(call.tool.run(call.args, call.context, watch.signal), watch.signal),
          this.#options.sourceKinds,
        );
        return { value, at: this.#options.clock.now().toISOString() };
      } catch (error) {
        if (isAgain || quitting.aborted || !ResearchError.is(error, 'network', 'timeout')) throw error;
        // A source that is down is an observation; when the model is out of reach as well, it was no fault of the source.
        if (!watch.slept && !(await this.#connection.wasLost(quitting))) throw error;
      } finally {
        watch.end();
      }
    }
  }

  async #register(documents: readonly FoundDocument[], at: string): Promise<string[]> {
    const ids: string[] = [];
    for (const document of documents) {
      const { source, isNew, changed } = this.#options.registry.add(document, at);
      if (changed) await this.#options.saveEvidence(source);
      if (isNew) {
        this.#options.emit({
          type: 'source/added',
          id: source.id,
          kind: source.kind,
          title: source.title,
          ...(source.url ? { url: source.url } : {}),
          ...(source.date ? { date: source.date } : {}),
          ...(source.file ? { file: source.file } : {}),
        });
      }
      if (!ids.includes(source.id)) ids.push(source.id);
    }
    return ids;
  }

  async #whileUnderWay<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.#underWay.add(key);
    try {
      return await work();
    } finally {
      this.#underWay.delete(key);
    }
  }
}

interface Timed<T> {
  readonly value: T;
  /** ISO 8601 instant at which it was retrieved. */
  readonly at: string;
}

function toolEntry({ key, section, args }: ToolRun, digest: string, { value, at }: Timed<ToolResult>): Finished {
  const query = args['query'];
  return {
    key,
    digest,
    at,
    kind: 'tool',
    ...(section === undefined ? {} : { section }),
    ...(typeof query === 'string' ? { query } : {}),
    value,
  };
}

function isFinal(failure: ResearchError): boolean {
  return failure.hasReason('notFound', 'badRequest');
}
