import {
  convertCompletionsDeltaToBaseMessageChunk,
  convertMessagesToCompletionsMessageParams,
} from '@langchain/openai';
import type { AIMessageChunk } from '@langchain/core/messages';
import { toolCallsInText } from '../../research/analyst/llm/toolCallsInText.ts';
import { ResearchError } from '../../research/errors.ts';
import type { ChatAnswer, ChatPort, ChatRequest, Log, TokenUsage, ToolCall } from '../../research/ports.ts';
import { redact } from '../../research/text/redact.ts';
import type { CapabilityMemory } from '../capabilities.ts';
import { downgrade, type Asked, type Capabilities } from '../capabilities.ts';
import { classifyFailure, classifyThrown, contextTokensIn, statusInBody, type CallContext } from '../classifyError.ts';
import type { FirstContact } from '../firstContact.ts';
import { langChainMessage, wireTool } from './langChainMessages.ts';
import { shapeBody } from './requestBody.ts';
import { withoutTools } from '../textTools.ts';
import { afterThinking, ThinkingFilter } from '../thinking.ts';
import { ToolCallCollector } from './toolCalls.ts';
import { estimatePrompt, usageOf } from './usage.ts';
import { type Delta, emptyRecord, exchange, type WireRecord } from './wire.ts';

export interface OpenAiChatOptions {
  readonly provider: string;
  readonly model: string;
  /** Ends before `/chat/completions`; see {@link normalizeBaseUrl}. */
  readonly baseUrl: string;
  /** Undefined: no Authorization header is sent. */
  readonly key: string | undefined;
  /** How to set a valid key, for error messages. */
  readonly keyHint: string;
  readonly memory: CapabilityMemory;
  readonly contact: FirstContact;
  readonly log: Log;
  readonly fetch: typeof fetch;
}

/** Each capability is weakened at most a few times; a server that refuses everything is met this often. */
const maxResends = 12;
const remembered = 400;
/** The longest outputs on offer, 128,000 tokens, are a third of it. In UTF-16 units. */
const maxText = 2_000_000;
/** The context window of a model of which nothing is known, until a refusal names the real one. */
const usualContextTokens = 128_000;
const endless = 'its answer did not end';
/** The converter requires a response beside a delta. */
const emptyResponse = { id: 'answer', object: 'chat.completion.chunk' as const, created: 0, model: '', choices: [] };

/** Chat completions of OpenAI and of every server that speaks them. Always streamed, never retried here. */
export class OpenAiChat implements ChatPort {
  readonly provider: string;
  readonly model: string;
  readonly #options: OpenAiChatOptions;
  /** Reasoning text by the id of a tool call of its turn. */
  readonly #reasoning = new Map<string, string>();
  readonly #host: string;

  constructor(options: OpenAiChatOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.#options = options;
    this.#host = new URL(options.baseUrl).host;
  }

  get contextTokens(): number {
    return this.#capabilities().contextTokens ?? usualContextTokens;
  }

  async complete(
    request: ChatRequest,
    listen: { readonly onText?: (text: string) => void; readonly onAlive?: () => void },
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    for (let sent = 1; ; sent += 1) {
      signal.throwIfAborted();
      const can = this.#capabilities();
      const record = emptyRecord();
      let begun = false;
      try {
        const onText = (text: string) => {
          begun = true;
          listen.onText?.(text);
        };
        return await this.#send(request, can, record, { onText, onAlive: listen.onAlive ?? (() => {}) }, signal);
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        const error = this.#classify(thrown, record, request, begun);
        if (begun || sent > maxResends || !this.#learnFrom(error, record, can, request)) throw error;
      }
    }
  }

  #capabilities(): Capabilities {
    return this.#options.memory.get(this.#options.baseUrl, this.model);
  }

  #learn(change: Partial<Capabilities>): void {
    this.#options.memory.learn(this.#options.baseUrl, this.model, change);
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
    this.#options.log.debug(
      `${this.#host} (${this.model}) refused a parameter; asking from now on with ${JSON.stringify(change)}.`,
    );
    this.#learn(change);
    return true;
  }

  #classify(thrown: unknown, record: WireRecord, request: ChatRequest, begun: boolean): ResearchError {
    if (ResearchError.is(thrown)) return thrown;
    const context: CallContext = {
      host: this.#host,
      model: this.model,
      key: this.#options.key,
      keyHint: this.#options.keyHint,
      promptTokens: estimatePrompt(request),
    };
    if (record.failure) {
      const status =
        record.failure.inStream || record.failure.status === 200
          ? statusInBody(record.failure.body)
          : record.failure.status;
      return classifyFailure({ ...record.failure, status }, context);
    }
    if (record.finish === 'content_filter' && record.notACompletion) return this.#filtered('');
    if (record.notACompletion === 'html') return classifyFailure({ status: 200, headers: {}, body: '<html>' }, context);
    if (record.notACompletion === 'endless') return this.#badAnswer(endless);
    if (record.notACompletion === 'empty') return this.#badAnswer('its answer held no completion');
    return classifyThrown(thrown, context, begun || record.answered);
  }

  async #send(
    request: ChatRequest,
    can: Capabilities,
    record: WireRecord,
    listen: { readonly onText: (text: string) => void; readonly onAlive: () => void },
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { baseUrl, key, contact } = this.#options;
    if (contact.isDown(baseUrl)) throw this.#unreachable();
    const adapted = can.tools ? request : withoutTools(request);
    const unreachable = new AbortController();
    const endWatch = contact.watch(baseUrl, () => {
      if (!record.answered) unreachable.abort();
    });
    const onAlive = () => {
      endWatch();
      contact.reached(baseUrl);
      listen.onAlive();
    };
    const body = shapeBody(
      {
        model: this.model,
        messages: convertMessagesToCompletionsMessageParams({ messages: adapted.messages.map(langChainMessage) }),
        ...(adapted.tools && { tools: adapted.tools.map(wireTool) }),
      },
      adapted,
      can,
      (id) => this.#reasoning.get(id),
    );
    const filter = new ThinkingFilter(can.opensThinking);
    const calls = new ToolCallCollector();
    let text = '';
    const take = (piece: string) => {
      if (piece === '') return;
      text += piece;
      if (text.length > maxText) throw this.#badAnswer(endless);
      listen.onText(piece);
    };
    try {
      const wire = { fetch: this.#options.fetch, url: `${baseUrl}/chat/completions`, key, body, onAlive, record };
      for await (const delta of exchange(wire, AbortSignal.any([signal, unreachable.signal]))) {
        const chunk = messageChunk(delta);
        take(filter.push(chunk.text));
        calls.add(chunk.tool_call_chunks ?? []);
      }
    } catch (thrown) {
      if (unreachable.signal.aborted && !signal.aborted) throw this.#unreachable();
      throw thrown;
    } finally {
      endWatch();
    }
    signal.throwIfAborted();
    if (unreachable.signal.aborted) throw this.#unreachable();
    take(filter.end());
    return this.#answer(request, adapted, record, text, calls, can);
  }

  #answer(
    request: ChatRequest,
    adapted: ChatRequest,
    record: WireRecord,
    streamed: string,
    calls: ToolCallCollector,
    can: Capabilities,
  ): ChatAnswer {
    if (record.finish === undefined && !record.done) {
      throw new ResearchError('streamBroken', `${this.#host} stopped in the middle of an answer.`, {
        next: 'Try again.',
        origin: this.#host,
      });
    }
    if (record.choices === 0) throw this.#badAnswer('its answer was empty');
    const { text, unopened } = afterThinking(streamed);
    if (unopened && !can.opensThinking) this.#learn({ opensThinking: true });
    const finish = finishOf(record.finish);
    if (finish === 'broken')
      throw new ResearchError(
        'streamBroken',
        `${this.#host} stopped answering ("${redact(record.finish ?? '', [this.#options.key])}").`,
        {
          next: 'Try again.',
          origin: this.#host,
        },
      );
    const native = calls.finish(finish === 'length');
    const toolCalls =
      native.length === 0 && adapted !== request && request.tools
        ? toolCallsInText(
            text,
            request.tools.map((tool) => tool.name),
          )
        : native;
    if (text === '' && toolCalls.length === 0 && (finish === 'contentFilter' || record.refusal !== ''))
      throw this.#filtered(record.refusal);
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
    };
  }

  /** Thinking models need their reasoning sent back with the answers of the tools. */
  #remember(calls: readonly ToolCall[], record: WireRecord): void {
    if (!record.reasoningIsContent || record.reasoning === '') return;
    for (const call of calls) this.#reasoning.set(call.id, record.reasoning);
    for (const id of this.#reasoning.keys()) {
      if (this.#reasoning.size <= remembered) break;
      this.#reasoning.delete(id);
    }
  }

  /**
   * Older Ollama cuts a prompt to its context window without a word, instructions first. It shows in the counted tokens: far
   * fewer than the prompt has, and just about a multiple of 1024.
   */
  #checkPromptWasWhole(usage: TokenUsage, request: ChatRequest): void {
    if (usage.estimated || usage.in < 1_000) return;
    const below = (1_024 - (usage.in % 1_024)) % 1_024;
    if (below > 32 || usage.in + usage.cached > estimatePrompt(request) * 0.6) return;
    this.#learn({ contextTokens: usage.in });
    throw new ResearchError(
      'contextLength',
      `${this.#host} read only the last ${usage.in} tokens of the prompt: the context window of "${this.model}" is set too small.`,
      {
        next: 'Raise the context length of the model server (for Ollama OLLAMA_CONTEXT_LENGTH), or lower limits.maxContextTokens.',
        origin: this.#host,
      },
    );
  }

  #unreachable(): ResearchError {
    return new ResearchError('network', `${this.#host} can't be reached: it does not accept connections.`, {
      next: 'Check the network and deepResearch.model.baseUrl, and that the server is running.',
      origin: this.#host,
    });
  }

  #badAnswer(what: string): ResearchError {
    return new ResearchError('badAnswer', `${this.#host} answered, but ${what}.`, {
      next: 'Try again; if it keeps happening, check deepResearch.model.baseUrl and the model.',
      origin: this.#host,
    });
  }

  #filtered(refusal: string): ResearchError {
    const said = refusal === '' ? '' : ` It said: "${redact(refusal, [this.#options.key]).slice(0, 300)}"`;
    return new ResearchError('contentFilter', `"${this.model}" refused to answer.${said}`, {
      quoted: said,
      next: 'Rephrase the question, or choose another model.',
      origin: this.#host,
    });
  }
}

function messageChunk(delta: Delta): AIMessageChunk {
  return convertCompletionsDeltaToBaseMessageChunk({
    delta: { role: 'assistant', ...delta },
    rawResponse: emptyResponse,
    defaultRole: 'assistant',
  }) as AIMessageChunk;
}

function askedOf(request: ChatRequest): Asked {
  return {
    json: request.json !== undefined,
    tools: (request.tools?.length ?? 0) > 0,
    limit: (request.maxTokens ?? 0) > 0,
    system: request.messages.some((message) => message.role === 'system'),
    toolTurns: request.messages.some((message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0),
  };
}

function finishOf(reason: string | undefined): ChatAnswer['finish'] | 'broken' {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
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
