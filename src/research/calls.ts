import { sha256 } from '@langchain/core/utils/hash';
import type { EventBody, Phase } from '../protocol/events.ts';
import { ResearchError } from './errors.ts';
import type { EvidenceRegistry } from './evidence/registry.ts';
import type { Source } from './evidence/source.ts';
import type { Finished, Journal } from './journal.ts';
import type { ChatAnswer, ChatPort, ChatRequest, Clock, Log } from './ports.ts';
import { Semaphore } from './semaphore.ts';
import { checkedResult } from './toolResult.ts';
import type { FoundDocument, ResearchTool, ToolContext, ToolResult } from './tools.ts';

const concurrentToolCalls = 8;
/** No model or tool call lasts longer, whatever it sends. */
const modelDeadlineMs = 15 * 60_000;
const toolDeadlineMs = 120_000;
/** A longer wait that a model's server asks for isn't waited for. */
const longestWaitMs = 60_000;

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
  readonly random?: () => number;
}

export interface ModelCall {
  /** Deterministic place of the call in the run; the journal's key. */
  readonly key: string;
  readonly role: string;
  readonly phase: Phase;
  readonly port: ChatPort;
  readonly request: ChatRequest;
  readonly onText?: ((text: string) => void) | undefined;
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
 * The one wrapper around every model and tool call: journal, abort, "finish now", deadline, silence, retry, concurrency,
 * usage and events. Nothing in the program calls a model or the network around it.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #toolSlots = new Semaphore(concurrentToolCalls);
  /** Finished and running tool calls by digest of name and arguments, final failures included: the same is asked once in a run. */
  readonly #shared = new Map<string, Promise<Timed<ToolResult>>>();
  #modelAnswered = false;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Rejects with a `ResearchError`, or with `signal.reason` when stopped. */
  async model(call: ModelCall, signal: AbortSignal): Promise<ChatAnswer> {
    const { journal, clock } = this.#options;
    // Not the model: a run that goes on with another one keeps what the first was paid for.
    const digest = sha256(JSON.stringify(call.request));
    const recorded = journal.find(call.key, digest);
    if (recorded) {
      const answer = recorded.value as ChatAnswer;
      call.onText?.(answer.text);
      return answer;
    }
    const answer = await this.#retrying(call, signal);
    this.#modelAnswered = true;
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
    const digest = sha256(questionOf(call));
    const known = this.#shared.get(digest);
    if (known && this.#options.journal.find(call.key, digest) === undefined) {
      const shared = await this.#sharedOutcome(known, digest, call, signal);
      if (shared) return shared;
    }
    const started = clock.monotonic();
    const about = { call: call.key, name: call.tool.name, ...(call.section ? { section: call.section } : {}) };
    emit({ type: 'tool/started', ...about, args: summarize(call.args) });
    const finish = (sources: readonly string[], error?: string): void =>
      emit({
        type: 'tool/finished',
        ...about,
        ms: Math.round(clock.monotonic() - started),
        sources: [...sources],
        ...(error === undefined ? {} : { error }),
      });
    try {
      const { value, at } = await this.#toolResult(digest, call, signal);
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

  async #sharedOutcome(known: Promise<Timed<ToolResult>>, digest: string, call: ToolRun, signal: AbortSignal): Promise<ToolOutcome | undefined> {
    try {
      const { value, at } = await untilAborted(known, signal);
      await this.#options.journal.record(toolEntry(call, digest, { value, at }));
      const sources = await this.#register(value.documents, at);
      return { sources, note: `This was asked before in this run; the answer is the same. ${value.note ?? ''}`.trim(), shared: true };
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
  async observed<T>(key: string, value: () => T | Promise<T>, about = 'observed'): Promise<{ readonly value: T; readonly replayed: boolean }> {
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
  async restore(seen: (call: { readonly section?: string | undefined; readonly query?: string | undefined; readonly sources: readonly string[] }) => void): Promise<void> {
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

  /** A recorded answer that turned out to be of no use: the next life of the run asks again. */
  async forget(key: string): Promise<void> {
    await this.#options.journal.record({ key, digest: 'forgotten', at: this.#options.clock.now().toISOString(), kind: 'observed', value: null });
  }

  async #runTool(call: ToolRun, signal: AbortSignal): Promise<Timed<ToolResult>> {
    const watch = new Watch(signal, this.#options.finishSignal);
    watch.deadline(toolDeadlineMs, `${call.tool.name} took longer than ${toolDeadlineMs / 1000} s.`);
    try {
      const value = checkedResult(call.tool.name, await untilAborted(call.tool.run(call.args, call.context, watch.signal), watch.signal));
      return { value, at: this.#options.clock.now().toISOString() };
    } finally {
      watch.end();
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

  async #retrying(call: ModelCall, signal: AbortSignal): Promise<ChatAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      let shown = false;
      const onText = call.onText && ((text: string): void => {
        shown ||= text !== '';
        call.onText!(text);
      });
      try {
        return await this.#once(call, onText, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const failure = ResearchError.from(error);
        // Text that somebody has seen is not said twice: the caller decides how to go on.
        const wait = shown ? undefined : this.#waitBefore(failure, attempt);
        if (wait === undefined) throw failure;
        this.#options.log.info(`${call.key}: ${failure.reason}, again in ${Math.round(wait)} ms`);
        if (wait >= 2_000) {
          this.#options.emit({
            type: 'run/warning',
            code: `model.${failure.reason}`,
            message: `${failure.message} Trying again in ${Math.ceil(wait / 1000)} s.`,
          });
        }
        await this.#options.clock.sleep(wait, signal);
      }
    }
  }

  async #once(call: ModelCall, onText: ((text: string) => void) | undefined, signal: AbortSignal): Promise<ChatAnswer> {
    const watch = call.phase === 'report' ? new Watch(signal) : new Watch(signal, this.#options.finishSignal);
    const { idleMs } = this.#options;
    const alive = (): void => watch.idle(idleMs, `The model "${call.port.model}" was silent for ${Math.round(idleMs / 1000)} s.`);
    watch.deadline(modelDeadlineMs, `The model "${call.port.model}" took longer than ${modelDeadlineMs / 60_000} minutes.`);
    alive();
    try {
      const listen = { onAlive: alive, ...(onText ? { onText: (text: string) => (alive(), onText(text)) } : {}) };
      return await untilAborted(call.port.complete(call.request, listen, watch.signal), watch.signal);
    } finally {
      watch.end();
    }
  }

  /** How long to wait before the next try, in milliseconds; undefined: don't try again. */
  #waitBefore(failure: ResearchError, attempt: number): number | undefined {
    const jitter = 1 + 0.25 * (this.#options.random ?? Math.random)();
    switch (failure.reason) {
      case 'rateLimit': {
        if (attempt >= 5) return undefined;
        const wait = failure.retryAfterMs ?? 1_000 * 2 ** attempt * jitter;
        return wait <= longestWaitMs ? wait : undefined;
      }
      case 'network':
        // Until a model has answered once, an unreachable one is a mistake in the settings: told within seconds.
        return attempt < 2 ? (this.#modelAnswered ? 1_000 * 4 ** attempt : 400 * 2 ** attempt) * jitter : undefined;
      case 'timeout':
      case 'streamBroken':
        return attempt < 1 ? 500 * jitter : undefined;
      default:
        return undefined;
    }
  }
}

interface Timed<T> {
  readonly value: T;
  /** ISO 8601 instant at which it was retrieved. */
  readonly at: string;
}

/** The signal of one call: the run's, "finish now", a deadline and a limit of silence, in one. */
class Watch {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal, finishSignal?: AbortSignal) {
    const signals = [signal, this.#controller.signal];
    if (finishSignal) signals.push(finishSignal);
    this.signal = AbortSignal.any(signals);
  }

  deadline(ms: number, message: string): void {
    this.#deadline = setTimeout(() => this.#controller.abort(new ResearchError('timeout', message)), ms);
  }

  idle(ms: number, message: string): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#controller.abort(new ResearchError('timeout', message)), ms);
  }

  end(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#idle);
  }
}

/** Rejects as soon as the signal is aborted, even when the work does not listen to it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // It has begun already: whatever comes of it after the abort is nobody's any more.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toolEntry({ key, section, args }: ToolRun, digest: string, { value, at }: Timed<ToolResult>): Finished {
  const query = args['query'];
  return { key, digest, at, kind: 'tool', ...(section === undefined ? {} : { section }), ...(typeof query === 'string' ? { query } : {}), value };
}

function isFinal(failure: ResearchError): boolean {
  return failure.hasReason('notFound', 'badRequest');
}

/** Name and arguments of a call in one form, so that the same search in other spacing or case is the same. */
function questionOf(call: ToolRun): string {
  return JSON.stringify([call.tool.name, sorted(call.args)]);
}

function sorted(args: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(args)
    .map(([key, value]): [string, unknown] => [key, typeof value === 'string' ? plain(key, value) : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A query means the same in any case and spacing; a path does not. */
function plain(key: string, value: string): string {
  return key === 'query' ? value.trim().replace(/\s+/g, ' ').toLowerCase() : value.trim();
}

/** The arguments of a call on one short line. */
function summarize(args: Readonly<Record<string, unknown>>): string {
  const text = Object.values(args)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .replace(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
