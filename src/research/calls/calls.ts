import type { EventBody } from '../../protocol/events.ts';
import { estimateRequest, estimateTokens } from '../text/estimateTokens.ts';
import { ResearchError } from '../errors.ts';
import type { Admission } from '../evidence/admission.ts';
import type { EvidenceRegistry } from '../evidence/registry.ts';
import { inputOf, type Source } from '../evidence/source.ts';
import {
  type ChatAnswer,
  type ChatPort,
  type Input,
  isStopped,
  longestInput,
  type Reading,
  type TokenUsage,
  unwatched,
  type SourceKind,
} from '../ports.ts';
import type { Made } from '../persistence/journal.ts';
import type { OutgoingGuard } from '../policy/outgoing.ts';
import { costOf, type Price } from '../settings/prices.ts';
import type { RunBudget } from '../policy/runBudget.ts';
import type { ResearchTool, ToolContext, ToolResult } from '../tools.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { ModelTries, type ModelCall, type ModelTriesOptions } from './modelTries.ts';
import type { CompletedToolCall, Replay, Timed } from './replay.ts';
import { nextTurn, Slices } from './slices.ts';
import { Semaphore } from './semaphore.ts';
import { questionOf, summarizeArguments } from './toolQuestion.ts';
import { checkedResult } from './toolResult.ts';
import { untilAborted } from './waiting.ts';
import { Watch } from './watch.ts';
import { withinWindow } from './window.ts';
import { sha256 } from '../text/digest.ts';

const concurrentToolCalls = 8;
/** Limit of one tool call, whatever it does. */
const toolDeadlineMs = 120_000;
/** Between two events of progress. */
const progressMs = 1_000;
/** Added to the result of a call that was made before in the run. */
const repeatedNote = 'This was asked before in this run; the answer is the same.';

/** Reasoning takes several times the text of an answer. */
const reasoningHeadroom = 4;

export interface CallsOptions
  extends
    Omit<ModelTriesOptions, 'onProgress' | 'onLost'>,
    Pick<ConnectionOptions, 'emit' | 'onReconnected' | 'isUnattended'> {
  readonly replay: Replay;
  readonly registry: EvidenceRegistry;
  /** Stores a source's text, before it is used. */
  readonly saveEvidence: (source: Source) => Promise<void>;
  /** Limit of a prompt and its answer beside the model's own, in tokens. */
  readonly maxContextTokens?: number;
  /** Absent: none. */
  readonly budget?: RunBudget;
  /** Absent: no price is known. */
  readonly priceOf?: (port: ChatPort) => Price | undefined;
  /** Places of the calls whose usage is counted. Absent: what was recorded before is not looked at. */
  readonly counted?: ReadonlySet<string>;
  /** Ends the whole run, which can be resumed: the connection was lost for too long. */
  readonly failRun?: (error: ResearchError) => void;
  /** What of a call may leave the machine. Absent: everything. */
  readonly outgoing?: OutgoingGuard | undefined;
  /** See `ResearchCallbacks`. */
  readonly answerSignal?: AbortSignal | undefined;
  /** See `RunParts.sourceKinds`. */
  readonly sourceKinds?: ReadonlySet<SourceKind> | undefined;
  /** Default: what is read is not noted. */
  readonly reading?: Reading | undefined;
  /** Leaves out what the settings exclude. Absent: nothing. */
  readonly admission?: Admission | undefined;
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
  readonly warnings?: readonly string[];
  readonly words?: ToolResult['words'];
  readonly reach?: ToolResult['reach'];
  readonly english?: string;
}

/**
 * The one wrapper around every model and tool call: replay, abort, "finish now", deadline, silence, retry, pause, concurrency,
 * usage and events. Nothing in the program calls a model or the network around it.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #reading: Reading;
  readonly #models: ModelTries;
  readonly #toolSlots = new Semaphore(concurrentToolCalls);
  /** Completed and pending tool calls by digest of name and arguments, final failures included: each is made once in a run. */
  readonly #shared = new Map<string, Promise<Timed<ToolResult>>>();
  readonly #connection: Connection;
  /** Keys of the calls in progress: waiting, sent, or sleeping before a retry. */
  readonly #inProgress = new Set<string>();
  #indexedAt = -Infinity;
  /** Factor on the limit of answers, by model. */
  readonly #headroom = new Map<string, number>();

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#reading = options.reading ?? unwatched;
    const { clock, emit, finishSignal, onReconnected, isUnattended } = options;
    const failRun = options.failRun ?? (() => undefined);
    this.#connection = new Connection({ clock, emit, finishSignal, isUnattended, failRun, onReconnected });
    const onLost = (call: ModelCall, text: string): void => {
      const usage = { in: estimateRequest(call.request), out: estimateTokens(text), cached: 0, estimated: true };
      this.#count(call, usage);
    };
    const onProgress: ModelTriesOptions['onProgress'] = ({ key, phase }, tokens, waiting) =>
      emit({ type: 'model/progress', call: key, phase, tokens, ...(waiting && { waiting }) });
    this.#models = new ModelTries({ ...options, onLost, onProgress }, this.#connection);
  }

  /** Whether a call below this place of the run is in progress: it has limits of its own. */
  isBusy(path: string): boolean {
    for (const key of this.#inProgress) if (path === '' || key.startsWith(`${path}/`)) return true;
    return false;
  }

  /** A model has answered, now or before the run was resumed. */
  get modelHasAnswered(): boolean {
    return this.#models.hasAnswered;
  }

  /** See {@link ModelTries.noteUse}. */
  noteUse(role: string, model: string, error?: ResearchError): void {
    this.#models.noteUse(role, model, error);
  }

  /** See {@link ModelTries.refuses}. */
  refuses(error: ResearchError): boolean {
    return this.#models.refuses(error);
  }

  /** Rejects with a `ResearchError`, or with `signal.reason` when stopped. */
  async model(call: ModelCall, signal: AbortSignal): Promise<ChatAnswer> {
    const { replay } = this.#options;
    const reading = this.#reading;
    const read = named('answer', call.key);
    // Without the model's name: a run that resumes with another model keeps the answers of the first.
    const digest = sha256(JSON.stringify(call.request));
    const recorded = replay.modelAnswer(call.key, digest);
    if (recorded) {
      // Recorded answers follow each other without waiting for anything: the whole run would be read in one turn.
      await nextTurn();
      this.#models.noteAnswer(call.key);
      reading.next(read);
      call.onText?.(recorded.text);
      return recorded;
    }
    const { onText } = call;
    const shown = onText && { onText: (text: string) => (reading.next(read), onText(text)) };
    const answer = await this.#paid({ ...call, ...shown }, signal, async (given) => {
      await replay.recordModel(call.key, digest, given, this.#madeBy(call, given.usage));
    });
    reading.next(read);
    return answer;
  }

  /** Makes a call within the model's window and the run's budget, and counts what it took. */
  async #paid(
    call: ModelCall,
    signal: AbortSignal,
    record: (answer: ChatAnswer) => Promise<void>,
  ): Promise<ChatAnswer> {
    const { model } = call.port;
    const headroom = this.#headroom.get(model) ?? 1;
    const { maxTokens } = call.request;
    const roomy = { ...call.request, ...(maxTokens !== undefined && { maxTokens: maxTokens * headroom }) };
    const request = withinWindow(roomy, call.port, this.#options.maxContextTokens ?? Infinity);
    const settle = this.#options.budget?.reserve({
      ...{ model, phase: call.phase, maxTokens: request.maxTokens, price: this.#options.priceOf?.(call.port) },
      promptTokens: estimateRequest(request),
    });
    let answer: ChatAnswer | undefined;
    let isRecorded = false;
    try {
      answer = await this.#inProgressWhile(call.key, () => this.#models.answer({ ...call, request }, signal));
      // The limit was used up by reasoning alone, for which the port had not made room.
      const isCut = answer.finish === 'length' && answer.isLoop === undefined;
      const isUsedUp = isCut && answer.text.trim() === '' && answer.toolCalls.length === 0;
      if (!isUsedUp || headroom > 1 || request.maxTokens === undefined) {
        await record(answer);
        isRecorded = true;
        return answer;
      }
    } finally {
      settle?.(answer?.usage);
      if (answer) this.#count(call, answer.usage, isRecorded ? call.key : undefined);
    }
    this.#headroom.set(model, reasoningHeadroom);
    return await this.#paid(call, signal, record);
  }

  /** Counts calls that were recorded before the run was interrupted, and not counted any more. */
  countMissed(): void {
    for (const { key, value, made } of this.#options.replay.modelCalls())
      if (made && this.#options.counted?.has(key) === false) this.#emitUsage(made, value.usage, key);
  }

  #count(call: ModelCall, usage: TokenUsage, key?: string): void {
    this.#emitUsage(this.#madeBy(call, usage), usage, key);
  }

  #madeBy({ port, role, phase }: ModelCall, usage: TokenUsage): Made {
    const price = this.#options.priceOf?.(port);
    return { model: port.model, role, phase, cost: price ? costOf(usage, price) : null };
  }

  #emitUsage(made: Made, { in: tokensIn, out, cached, estimated }: TokenUsage, call: string | undefined): void {
    const tokens = { in: tokensIn, out, cached };
    this.#options.emit({ type: 'usage', ...made, tokens, estimated, ...(call !== undefined && { call }) });
  }

  /** Registers what the tool returned before it gives the ids. Rejects like {@link model}. */
  async tool(chosen: ToolRun, signal: AbortSignal): Promise<ToolOutcome> {
    const call = await this.#allowed(chosen, signal);
    const digest = sha256(questionOf(call.tool.name, call.args));
    const known = call.tool.hasEffects ? undefined : this.#shared.get(digest);
    if (known && this.#options.replay.toolResult(call.key, digest) === undefined) {
      const shared = await this.#inProgressWhile(call.key, () => this.#sharedOutcome(known, digest, call, signal));
      if (shared) return shared;
    }
    const finished = this.#startedTool(call);
    try {
      const { value, at } = await this.#inProgressWhile(call.key, () => this.#toolResult(digest, call, signal));
      const sources = await this.#register(value, at, signal);
      finished(sources);
      return { ...outcomeOf(value, sources), ...(value.warnings ? { warnings: value.warnings } : {}) };
    } catch (error) {
      const failure = signal.aborted ? ResearchError.from(signal.reason) : ResearchError.from(error);
      finished([], failure.message);
      if (signal.aborted) throw signal.reason;
      throw failure;
    }
  }

  /** Brings back the sources that completed tool calls found, with their ids, for a run that resumes from a checkpoint. */
  async restore(): Promise<void> {
    for (const { digest, at, value } of this.#options.replay.toolCalls()) {
      if (!this.#shared.has(digest)) this.#shared.set(digest, Promise.resolve({ value, at }));
      await this.#register(value, at);
    }
  }

  /** The call as it may be sent. What was decided before a resume counts: the run knew other sources then. */
  async #allowed(call: ToolRun, signal: AbortSignal): Promise<ToolRun> {
    const { outgoing, replay, warn } = this.#options;
    if (outgoing === undefined) return call;
    if (replay.toolResult(call.key, sha256(questionOf(call.tool.name, call.args))) !== undefined) return call;
    const source = call.tool.traits?.label ?? call.tool.source;
    const before = replay.recorded(`${call.key}/sent`) as Readonly<Record<string, unknown>> | undefined;
    if (before) return { ...call, args: before };
    try {
      const { args, removed, isStrict } = await this.#inProgressWhile(call.key, () =>
        outgoing.check(call.tool, call.args, signal),
      );
      if (removed.length === 0) return call;
      warn({ kind: isStrict ? 'query.unasked' : 'query.cut', source, words: removed.join(', ') });
      await replay.observed(`${call.key}/sent`, () => args);
      return { ...call, args };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = ResearchError.from(error);
      if (failure.reason === 'badRequest') warn({ kind: 'query.refused', source, error: failure });
      this.#startedTool(call)([], failure.message);
      throw failure;
    }
  }

  /** Emits the start of a tool call; what it gives emits the end. */
  #startedTool(call: ToolRun): (sources: readonly string[], error?: string) => void {
    const { clock, emit } = this.#options;
    const started = clock.monotonic();
    const about = { call: call.key, name: call.tool.name, ...(call.section ? { section: call.section } : {}) };
    emit({ type: 'tool/started', ...about, args: summarizeArguments(call.args) });
    return (sources, error) =>
      emit({
        type: 'tool/finished',
        ...about,
        ms: Math.round(clock.monotonic() - started),
        sources: [...sources],
        ...(error === undefined ? {} : { error }),
      });
  }

  async #sharedOutcome(
    known: Promise<Timed<ToolResult>>,
    digest: string,
    call: ToolRun,
    signal: AbortSignal,
  ): Promise<ToolOutcome | undefined> {
    try {
      const { value, at } = await untilAborted(known, signal);
      const note = value.note?.startsWith(repeatedNote) ? value.note : `${repeatedNote} ${value.note ?? ''}`.trim();
      // With its note, so that a resumed run gives the model the same result.
      const repeated = { ...value, note };
      await this.#options.replay.recordTool(toolEntry(call, digest, { value: repeated, at }));
      const sources = await this.#register(value, at, signal);
      return outcomeOf(repeated, sources);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = ResearchError.from(error);
      // What one researcher could not find does not exist for another either; any other failure is retried.
      if (isFinal(failure)) throw failure;
      this.#options.log.debug(`${call.key}: the shared call failed (${failure.reason})`);
      return undefined;
    }
  }

  async #toolResult(digest: string, call: ToolRun, signal: AbortSignal): Promise<Timed<ToolResult>> {
    const { replay } = this.#options;
    const reading = this.#reading;
    const recorded = replay.toolResult(call.key, digest);
    if (recorded) {
      this.#shared.set(digest, Promise.resolve(recorded));
      return recorded;
    }
    if (call.tool.hasEffects) await this.#beginOnce(call);
    const read = named('call', `${call.tool.name}: ${summarizeArguments(call.args)}`);
    if (isStopped(reading, read)) throw skipped();
    const result = this.#toolSlots.use(() => reading.call(read, () => this.#runTool(call, signal)), signal);
    this.#shared.set(digest, result);
    result.catch((error: unknown) => isFinal(ResearchError.from(error)) || this.#shared.delete(digest));
    const timed = await result;
    await replay.recordTool(toolEntry(call, digest, timed));
    return timed;
  }

  /** Records that a call with effects begins. Rejects when it began before the run was interrupted, and its result is unknown. */
  async #beginOnce({ key, tool }: ToolRun): Promise<void> {
    const { replayed } = await this.#options.replay.observed(`${key}/begun`, () => true);
    if (!replayed) return;
    throw new ResearchError(
      'badRequest',
      `${tool.name} was called before the run was interrupted; it is not repeated.`,
      {
        next: 'Continue without its result.',
      },
    );
  }

  async #runTool(call: ToolRun, signal: AbortSignal): Promise<Timed<ToolResult>> {
    const { finishSignal, answerSignal } = this.#options;
    const quit = AbortSignal.any([signal, finishSignal]);
    const progress = { onIndexed: this.#onIndexed, ...(answerSignal && { enough: answerSignal }) };
    for (let isAgain = false; ; isAgain = true) {
      await this.#connection.pass(call, quit);
      const namedAddress = (url: string): string | undefined => this.#options.registry.named(url);
      const watch = new Watch(this.#options.clock, [quit]);
      watch.deadline(toolDeadlineMs, `${call.tool.name} took longer than ${toolDeadlineMs / 1000} s.`);
      try {
        const value = checkedResult(
          call.tool.name,
          await untilAborted(
            call.tool.run(
              call.args,
              { ...call.context, ...progress, namedAddress, ask: this.#askFor(call, watch.signal) },
              watch.signal,
            ),
            watch.signal,
          ),
          this.#options.sourceKinds,
        );
        return { value: this.#admitted(value), at: this.#options.clock.now().toISOString() };
      } catch (error) {
        if (isAgain || call.tool.hasEffects || quit.aborted || !ResearchError.is(error, 'network', 'timeout'))
          throw error;
        // A source that is down is an observation; when the model can't be reached either, the source was not at fault.
        if (!watch.slept && !(await this.#connection.wasLost(quit))) throw error;
      } finally {
        watch.end();
      }
    }
  }

  readonly #onIndexed = (files: number, of: number): void => {
    const now = this.#options.clock.monotonic();
    if (now - this.#indexedAt < progressMs) return;
    this.#indexedAt = now;
    this.#options.emit({ type: 'folder/indexed', files, of });
  };

  /** The call of a model that a tool makes of its own. */
  #askFor({ key }: ToolRun, signal: AbortSignal): NonNullable<ToolContext['ask']> {
    return (port, request) =>
      this.model({ key: `${key}/asked`, role: 'search', phase: 'research', port, request }, signal);
  }

  /** A result without what the settings exclude, so that nothing of it is stored. */
  #admitted(result: ToolResult): ToolResult {
    const sorted = this.#options.admission?.sort(result.documents);
    if (sorted === undefined || sorted.leftOut.length === 0) return result;
    return { ...result, documents: sorted.admitted, leftOut: sorted.leftOut };
  }

  async #register(
    { documents, leftOut = [] }: ToolResult,
    at: string,
    signal = new AbortController().signal,
  ): Promise<string[]> {
    const reading = this.#reading;
    const { admission, registry } = this.#options;
    const ids: string[] = [];
    const slices = new Slices(signal);
    admission?.count(leftOut);
    // A recorded result is from a time when the settings may have been less strict.
    for (const document of admission?.sort(documents).admitted ?? documents) {
      const pause = slices.next();
      if (pause) await pause;
      const read = inputOf(document);
      if (isStopped(reading, read)) continue;
      const { source, isNew, changed, absorbed } = reading.during(read, () => registry.add(document, at));
      if (isNew || changed) this.#options.outgoing?.retrieved(source);
      if (changed) await this.#options.saveEvidence(source);
      if (isNew) this.#emitSource(source);
      for (const one of absorbed) this.#emitSource(one);
      if (!ids.includes(source.id)) ids.push(source.id);
    }
    return ids;
  }

  #emitSource(source: Source): void {
    this.#options.emit(sourceAdded(source, this.#options.registry.workOf(source.id)));
  }

  async #inProgressWhile<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.#inProgress.add(key);
    try {
      return await work();
    } finally {
      this.#inProgress.delete(key);
    }
  }
}

function toolEntry({ key }: ToolRun, digest: string, { value, at }: Timed<ToolResult>): CompletedToolCall {
  return { key, digest, at, kind: 'tool', value };
}

function named(kind: Input['kind'], name: string): Input {
  return { kind, name: name.slice(0, longestInput).toWellFormed() };
}

function skipped(): ResearchError {
  return new ResearchError('badRequest', 'This call is skipped: the program was stopped while it was in progress.', {
    next: 'Use another source, or other words.',
  });
}

function outcomeOf(value: ToolResult, sources: readonly string[]): ToolOutcome {
  const { words, reach, english } = value;
  return {
    ...{ sources, note: noteOf(value) },
    ...{ ...(words && { words }), ...(reach && { reach }), ...(english && { english }) },
  };
}

/** What the model reads of a result. */
function noteOf({ note = '', leftOut = [] }: ToolResult): string {
  if (leftOut.length === 0) return note;
  const byDate = leftOut.filter(({ why }) => why === 'date').length;
  const counts = [
    ...(byDate > 0 ? [`${byDate} by date`] : []),
    ...(leftOut.length > byDate ? [`${leftOut.length - byDate} by site`] : []),
  ];
  return `${note} Left out, because the user's settings exclude them: ${counts.join(', ')}.`.trim();
}

/** The same call would fail in the same way. */
function isFinal(failure: ResearchError): boolean {
  return failure.hasReason('notFound', 'badRequest');
}

/** @param work Id of the source that it counts with. */
export function sourceAdded({ id, kind, title, url, date, file }: Source, work: string): EventBody {
  return {
    ...{ type: 'source/added', id, kind, title },
    ...(url ? { url } : {}),
    ...(date ? { date } : {}),
    ...(file ? { file } : {}),
    ...(work === id ? {} : { work }),
  };
}
