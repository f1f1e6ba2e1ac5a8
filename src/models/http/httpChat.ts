import { estimateRequest, estimateTokens } from '../../research/text/estimateTokens.ts';
import { looseValues } from '../../research/analyst/llm/looseJson.ts';
import { shaped } from '../../research/analyst/llm/shaped.ts';
import { toolCallsInText } from '../../research/analyst/llm/toolCallsInText.ts';
import type { ResearchError } from '../../research/errors.ts';
import type {
  ChatAnswer,
  ChatListener,
  ChatPort,
  ChatRequest,
  Log,
  TokenUsage,
  ToolCall,
} from '../../research/ports.ts';
import { redact } from '../../research/text/redact.ts';
import { AnswerEnd, type EndedBy, LoopWatch } from '../answerEnd.ts';
import { type Asked, type Capabilities, type CapabilityMemory, downgrade } from '../capabilities.ts';
import { contextTokensIn } from '../errorFigures.ts';
import { type FirstContact, responds } from '../firstContact.ts';
import type { Server } from '../provider.ts';
import { withoutDescriptions, withOutline } from '../schemaOutline.ts';
import { withoutTools } from '../textTools.ts';
import { afterThinking, ThinkingFilter } from '../thinking.ts';
import { ChatFailures } from './chatFailures.ts';
import type { Dialect } from './dialect.ts';
import { addReasoning, exchange, setFinish, WireRecord } from './exchange.ts';
import { loadingWait } from './loadingWait.ts';
import { isLocal, type Turn, type Turns } from './localServer.ts';
import { ToolCallCollector } from './toolCalls.ts';
import { usageOf, usageSum } from './usage.ts';
import { isRecord, type Json, parseJson } from '../../research/text/json.ts';

export interface HttpChatOptions extends Server {
  readonly provider: string;
  readonly model: string;
  /** The API of a server with these capabilities. */
  dialect(can: Capabilities): Dialect;
  /** `model.enableThinking`. */
  readonly think: boolean;
  /** How to set a valid key, for error messages. */
  readonly keyHint: string;
  readonly memory: CapabilityMemory;
  readonly contact: FirstContact;
  /** What the server says of the model; asked once, before the first request. A failure is ignored. */
  readonly learn?: () => Promise<Partial<Capabilities>>;
  /** Lets requests to a server on this machine or in its network through, one after the other where it has to be. */
  readonly turns: Turns;
  readonly log: Log;
  readonly fetch: typeof fetch;
}

/** One request of a caller, with all that is sent for it. */
interface Call {
  readonly request: ChatRequest;
  readonly listen: ChatListener;
  readonly turn: Turn;
  /** The caller has seen text: it can't be taken back. */
  shown: boolean;
}

/** Each capability is weakened at most a few times; a server that refuses everything is met this often. */
const maxResends = 12;
const remembered = 400;
/** The longest outputs on offer, 128,000 tokens, are a third of it. In UTF-16 units. */
const maxText = 2_000_000;
/** The context window of a model of which nothing is known, until a refusal names the real one. */
const usualContextTokens = 128_000;
/** Within this a server that lives answers something, in milliseconds. */
const respondMs = 5_000;
/** How long a server may take to end an answer whose object is complete, to count its tokens, in milliseconds. */
const countingMs = 2_000;

/** A model behind an API over HTTP. Answers are streamed where the server can, and never retried here. */
export class HttpChat implements ChatPort {
  readonly provider: string;
  readonly model: string;
  readonly #options: HttpChatOptions;
  /** What the server wants back, by the id of a tool call of its turn. */
  readonly #sentBack = new Map<string, readonly Json[]>();
  readonly #host: string;
  readonly #failures: ChatFailures;
  #learned: Promise<void> | undefined;
  #key: string | undefined;

  constructor(options: HttpChatOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.#options = options;
    this.#host = new URL(options.baseUrl).host;
    this.#key = options.key;
    const { model, keyHint } = options;
    this.#failures = new ChatFailures({ host: this.#host, model, keyHint, key: () => this.#key });
  }

  get contextTokens(): number {
    return this.#capabilities().contextTokens ?? usualContextTokens;
  }

  get isLocal(): boolean {
    return isLocal(this.#options.baseUrl);
  }

  get thinks(): boolean {
    return this.#options.think || this.#capabilities().thinks;
  }

  async complete(request: ChatRequest, listen: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    const { baseUrl, turns } = this.#options;
    await this.#readKey();
    await this.#learnFirst();
    for (;;) {
      const isShown = listen.onText !== undefined && request.json === undefined;
      const turn = await turns.enter(baseUrl, { ...listen, isShown }, () => this.responds(signal), signal);
      const call: Call = { request, listen: turn.listen, turn, shown: false };
      try {
        return await this.#complete(call, signal);
      } catch (error) {
        if (call.shown || !turn.interrupted(error)) throw error;
        this.#options.log.debug(`${this.#host} takes one request at a time.`);
      } finally {
        turn.leave();
      }
    }
  }

  /** A key that was cleared is sent no more, and one that was replaced is used from now on. */
  async #readKey(): Promise<void> {
    const { keyNow } = this.#options;
    if (!keyNow || this.#key === undefined) return;
    const now = await keyNow();
    if (now === undefined) throw this.#failures.keyRemoved();
    this.#key = now;
  }

  responds(signal: AbortSignal): Promise<boolean> {
    const { baseUrl, fetch: fetchAnything } = this.#options;
    return responds(fetchAnything, baseUrl, AbortSignal.any([signal, AbortSignal.timeout(respondMs)]));
  }

  async #complete(call: Call, signal: AbortSignal): Promise<ChatAnswer> {
    const { request, listen, turn } = call;
    const waitWhileLoading = loadingWait(listen, this.#options.turns.idleMs);
    const spent: TokenUsage[] = [];
    /** A server that answered nothing at all is asked once without a stream: then it says why. */
    let whole = false;
    for (let sent = 1; ; sent += 1) {
      signal.throwIfAborted();
      await listen.onSend?.();
      const known = this.#capabilities();
      const can = whole ? { ...known, stream: false } : known;
      const record = new WireRecord();
      try {
        const onText = (text: string) => {
          // A caller that reads an object while it arrives can read it again.
          call.shown ||= listen.onText !== undefined && request.json === undefined;
          listen.onText?.(text);
        };
        const answer = await this.#send(request, can, record, { ...listen, onText }, () => turn.streamed(), signal);
        spent.push(answer.usage);
        const isUsedUp = answer.finish === 'length' && answer.isLoop === undefined;
        if (!isUsedUp || !this.#learnToThink(answer, record, can) || sent > maxResends)
          return { ...answer, usage: usageSum(spent) };
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        const error = this.#failures.classify(thrown, record, request, call.shown);
        if (call.shown) throw error;
        if (await waitWhileLoading(record.failure, signal)) sent -= 1;
        else if (sent > maxResends) throw error;
        else if (record.nothing && can.stream) whole = true;
        else if (!this.#learnFrom(error, record, known, request)) throw error;
      }
    }
  }

  /** The answer's limit was used up by thinking, so that nothing was left for the answer. */
  #learnToThink({ text, toolCalls }: ChatAnswer, record: WireRecord, used: Capabilities): boolean {
    return text === '' && toolCalls.length === 0 && hasThought(record) && !used.thinks && !this.#options.think;
  }

  #capabilities(): Capabilities {
    return this.#options.memory.get(this.#options.baseUrl, this.model);
  }

  #learn(change: Partial<Capabilities>): void {
    this.#options.memory.learn(this.#options.baseUrl, this.model, change);
  }

  #learnFirst(): Promise<void> {
    this.#learned ??= (this.#options.learn?.() ?? Promise.resolve({})).then(
      (known) => this.#learn(known),
      (error: unknown) => this.#options.log.debug(`${this.#host} says nothing: ${String(error)}`),
    );
    return this.#learned;
  }

  /** Whether the refusal taught something, so that the request is worth sending again. */
  #learnFrom(error: ResearchError, record: WireRecord, used: Capabilities, request: ChatRequest): boolean {
    if (!record.failure) return false;
    if (error.reason === 'contextLength') {
      const tokens = contextTokensIn(record.failure.body);
      if (tokens !== undefined) this.#learn({ contextTokens: tokens });
      return false;
    }
    if (!['badRequest', 'notFound', 'network', 'streamBroken'].includes(error.reason)) return false;
    // Another call has learned something since this one was sent.
    if (this.#capabilities() !== used && JSON.stringify(this.#capabilities()) !== JSON.stringify(used)) return true;
    const change = downgrade(record.failure, used, askedOf(request));
    if (change === undefined) return false;
    this.#options.log.debug(`${this.#host} (${this.model}) refused a parameter: ${JSON.stringify(change)}.`);
    this.#learn(change);
    return true;
  }

  async #send(
    request: ChatRequest,
    can: Capabilities,
    record: WireRecord,
    listen: ChatListener & { readonly onText: (text: string) => void },
    onStreamed: () => void,
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { baseUrl, contact, think } = this.#options;
    if (contact.isDown(baseUrl)) throw this.#failures.unreachable();
    const adapted = withSchema(can.tools ? request : withoutTools(request), can);
    const unreachable = new AbortController();
    const endWatch = contact.watch(baseUrl, () => {
      if (!record.answered) unreachable.abort();
    });
    const end = new AnswerEnd(request);
    const thoughts = new LoopWatch();
    const enough = new AbortController();
    let heard = 0;
    let text = '';
    const onAlive = () => {
      endWatch();
      contact.reached(baseUrl);
      listen.onAlive?.(() => estimateTokens(text) + estimateTokens(record.reasoning));
      const fresh = record.reasoning.slice(heard);
      heard = record.reasoning.length;
      if (fresh !== '') onStreamed();
      if (thoughts.push(fresh) > 0) enough.abort();
      enough.signal.throwIfAborted();
    };
    const dialect = this.#options.dialect(can);
    const sentBack = (callId: string) => this.#sentBack.get(callId);
    const filter = new ThinkingFilter(can.opensThinking);
    const calls = new ToolCallCollector();
    const written = new LoopWatch();
    let ended: EndedBy | undefined;
    let counting: ReturnType<typeof setTimeout> | undefined;
    const take = (piece: string) => {
      if (piece === '') return;
      text += piece;
      if (text.length > maxText) throw this.#failures.badAnswer('its answer did not end');
      ended ??= end.push(piece);
      if (end.isWhole) counting ??= setTimeout(() => enough.abort(), countingMs);
      listen.onText(piece);
    };
    try {
      const wire = {
        fetch: this.#options.fetch,
        url: baseUrl + dialect.path,
        headers: dialect.headers(this.#key),
        body: dialect.body({ model: this.model, request: adapted, can, think, sentBack }),
        reader: dialect,
        onAlive,
        record,
      };
      for await (const delta of exchange(wire, AbortSignal.any([signal, unreachable.signal, enough.signal]))) {
        onStreamed();
        const spoken = filter.push(delta.text);
        take(spoken);
        if (spoken === '' && thoughts.push(delta.text) > 0) ended = 'loop';
        calls.add(delta.calls ?? []);
        if (written.push(delta.calls?.map(({ args }) => args).join('') ?? '') > 0) ended = 'loop';
        if (ended !== undefined) break;
      }
    } catch (thrown) {
      if (unreachable.signal.aborted && !signal.aborted) throw this.#failures.unreachable();
      if (!enough.signal.aborted || signal.aborted) throw thrown;
      // Otherwise its reasoning went round in circles.
      ended = end.isWhole ? 'whole' : 'loop';
    } finally {
      endWatch();
      clearTimeout(counting);
    }
    signal.throwIfAborted();
    if (unreachable.signal.aborted) throw this.#failures.unreachable();
    if (ended === undefined) take(filter.end());
    if (ended !== undefined) {
      record.done = true;
      setFinish(record, ended === 'loop' ? 'length' : 'stop');
      this.#options.log.debug(`${this.#host} (${this.model}): ended (${ended}).`);
    }
    if (filter.thought && record.reasoning === '') addReasoning(record, 'It thought.');
    const answer = this.#answer(request, adapted, record, end.withoutLoop(text), calls, can);
    return ended === 'loop' ? { ...answer, isLoop: true } : answer;
  }

  #answer(
    request: ChatRequest,
    adapted: ChatRequest,
    record: WireRecord,
    streamed: string,
    calls: ToolCallCollector,
    can: Capabilities,
  ): ChatAnswer {
    if (record.finish !== undefined && can.namesFinish !== true) this.#learn({ namesFinish: true });
    if (record.choices === 0 && record.done) throw this.#failures.badAnswer('its answer was empty');
    // Some servers end an answer that they interrupt like one that is complete. Few never say why one ended: those do it again.
    const isComplete = can.namesFinish === false || (request.json !== undefined && parseJson(streamed) !== undefined);
    if (record.finish === undefined && !(record.done && (isComplete || !record.marked))) {
      if (record.done && can.namesFinish === undefined) this.#learn({ namesFinish: false });
      throw this.#failures.broken(`${this.#host} stopped in the middle of an answer.`);
    }
    if (hasThought(record) && !can.thinks) this.#learn({ thinks: true });
    const { text: spoken, unopened } = afterThinking(streamed);
    if (unopened && !can.opensThinking) this.#learn({ opensThinking: true });
    const finish = finishOf(record.finish);
    const text = spoken === '' && finish === 'stop' ? misplaced(record.reasoning, request) : spoken;
    if (finish === 'broken')
      throw this.#failures.broken(`${this.#host} stopped answering ("${redact(record.finish ?? '', [this.#key])}").`);
    const native = calls.finish(finish === 'length');
    if (request.json !== undefined && can.jsonFormat === 'tool') {
      const structured = native.find(({ name }) => name === request.json?.name);
      if (structured) return this.#structured(structured, finish, adapted, record);
    }
    if (native.length > 0 && !can.calledTools) this.#learn({ calledTools: true });
    const toolCalls = native.length > 0 || can.calledTools ? native : toolCallsInText(text, request.tools ?? []);
    // The server drops tools in silence, or its model was never taught to call them: they are put into words from now on.
    if (toolCalls !== native && toolCalls.length > 0 && can.tools) this.#learn({ tools: false });
    if (spoken === '' && toolCalls.length === 0 && (finish === 'contentFilter' || record.refusal !== ''))
      throw this.#failures.filtered(record.refusal);
    this.#remember(native, record);
    const usage = usageOf(record, adapted, text, toolCalls);
    this.#checkPromptWasWhole(usage, adapted);
    return {
      text: native.length === 0 && toolCalls.length > 0 ? '' : text,
      toolCalls,
      finish:
        toolCalls.length > 0 && finish === 'stop'
          ? 'toolCalls'
          : finish === 'toolCalls' && toolCalls.length === 0
            ? 'stop'
            : finish,
      usage,
      ...(record.web && { web: record.web }),
    };
  }

  /** A structured answer that came as the call of a tool. */
  #structured(call: ToolCall, finish: ChatAnswer['finish'], request: ChatRequest, record: WireRecord): ChatAnswer {
    const text = call.malformed ?? JSON.stringify(call.args);
    const usage = usageOf(record, request, text, []);
    return { text, toolCalls: [], finish: finish === 'toolCalls' ? 'stop' : finish, usage };
  }

  /** Thinking models need their reasoning sent back with the answers of the tools. */
  #remember(calls: readonly ToolCall[], { sendBack }: WireRecord): void {
    if (sendBack.length === 0) return;
    for (const call of calls) this.#sentBack.set(call.id, sendBack);
    for (const id of this.#sentBack.keys()) {
      if (this.#sentBack.size <= remembered) break;
      this.#sentBack.delete(id);
    }
  }

  /**
   * Older Ollama cuts a prompt to its context window without a word, instructions first. It shows in the counted tokens: far
   * fewer than the prompt has, and just about a multiple of 1024.
   */
  #checkPromptWasWhole(usage: TokenUsage, request: ChatRequest): void {
    if (usage.estimated || usage.in < 1_000 || !this.isLocal) return;
    const below = (1_024 - (usage.in % 1_024)) % 1_024;
    if (below > 32 || usage.in + usage.cached > estimateRequest(request) * 0.6) return;
    this.#learn({ contextTokens: usage.in });
    throw this.#failures.promptCut(usage.in);
  }
}

/** What was asked for, where a server takes the whole answer for reasoning; else "". */
function misplaced(reasoning: string, { json, tools = [] }: ChatRequest): string {
  const isAnswer = json && looseValues(reasoning).some((value) => shaped(value, json.schema).fit > 0);
  return isAnswer || toolCallsInText(reasoning, tools).length > 0 ? reasoning : '';
}

/** Whether the model thought first, visibly or by the server's count. */
function hasThought({ reasoning, usage = {} }: WireRecord): boolean {
  const details = usage['completion_tokens_details'] ?? usage['output_tokens_details'];
  return reasoning !== '' || (isRecord(details) && Number(details['reasoning_tokens']) > 0);
}

/** The request with its schema in one place: where the model sees it. */
function withSchema(request: ChatRequest, { jsonFormat, showsSchema }: Capabilities): ChatRequest {
  const { json } = request;
  if (json === undefined || jsonFormat === 'tool' || (jsonFormat === 'schema' && showsSchema)) return request;
  return { ...withOutline(request), json: { name: json.name, schema: withoutDescriptions(json.schema) } };
}

function askedOf(request: ChatRequest): Asked {
  return {
    json: request.json !== undefined,
    tools: (request.tools?.length ?? 0) > 0,
    limit: (request.maxTokens ?? 0) > 0,
    temperature: request.temperature !== undefined,
    seed: request.seed !== undefined,
    system: request.messages.some((message) => message.role === 'system'),
    toolTurns: request.messages.some((message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0),
  };
}

function finishOf(reason: string | undefined): ChatAnswer['finish'] | 'broken' {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'max_output_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filter':
    case 'refusal':
    case 'sensitive':
    case 'safety':
      return 'contentFilter';
    case 'tool_calls':
    case 'function_call':
    case 'tool_use':
      return 'toolCalls';
    case 'error':
    case 'network_error':
    case 'insufficient_system_resource':
      return 'broken';
    default:
      return 'stop';
  }
}
