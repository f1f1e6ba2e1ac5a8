import { AnswerEnd, type EndedBy } from '../answerEnd.ts';
import { toolCallsInText } from '../../research/analyst/llm/toolCallsInText.ts';
import { ResearchError } from '../../research/errors.ts';
import type {
  ChatAnswer,
  ChatListener,
  ChatMessage,
  ChatPort,
  ChatRequest,
  EditorModel,
  EditorModels,
  Log,
  ToolCall,
} from '../../research/ports.ts';
import { estimateRequest, estimateTokens } from '../../research/text/estimateTokens.ts';
import { withOutline } from '../schemaOutline.ts';
import { withoutTools } from '../textTools.ts';
import { afterThinking, ThinkingFilter } from '../thinking.ts';
import { classifyEditorError } from './classifyEditorError.ts';

export interface EditorChatOptions {
  readonly editor: EditorModels;
  readonly model: EditorModel;
  readonly log: Log;
}

/** How a structured answer is asked for: as the call of a tool, or as text with the schema in words. */
type Way = 'tool' | 'text';

/** A model of the editor. It has no system role, no response format and no count of tokens, so that usage is estimated. */
export class EditorChat implements ChatPort {
  readonly provider = 'vscode';
  readonly model: string;
  readonly contextTokens: number;
  readonly #options: EditorChatOptions;
  #takesTools: boolean;
  #structured: Way;

  constructor(options: EditorChatOptions) {
    const { id, contextTokens, callsTools } = options.model;
    this.model = id;
    this.contextTokens = contextTokens;
    this.#options = options;
    this.#takesTools = callsTools ?? true;
    this.#structured = this.#takesTools ? 'tool' : 'text';
  }

  async complete(request: ChatRequest, listen: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    for (;;) {
      signal.throwIfAborted();
      const sent = { shown: false };
      try {
        return await this.#send(request, listen, sent, signal);
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        const error = classifyEditorError(thrown, this.model, sent.shown);
        if (sent.shown || !this.#learnFrom(error, request)) throw error;
      }
    }
  }

  /** Models that refuse tools are asked by text from then on. */
  #learnFrom(error: ResearchError, request: ChatRequest): boolean {
    const withTools = this.#takesTools && (request.tools?.length ?? 0) > 0;
    const withAnswerTool = request.json !== undefined && this.#structured === 'tool';
    if (!(withTools || withAnswerTool) || !error.hasReason('streamBroken', 'notFound')) return false;
    if (!/tool|function/i.test(error.message)) return false;
    this.#options.log.debug(`${this.model} takes no tools; asking by text from now on.`);
    this.#structured = 'text';
    if (withTools) this.#takesTools = false;
    return true;
  }

  async #send(
    request: ChatRequest,
    listen: ChatListener,
    sent: { shown: boolean },
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { json } = request;
    const answerTool = json !== undefined && this.#structured === 'tool' ? json : undefined;
    const asked = answerTool === undefined ? withOutline(request) : request;
    const adapted = this.#takesTools ? asked : withoutTools(asked);
    const tools = answerTool
      ? [{ name: answerTool.name, description: 'Gives the answer.', parameters: answerTool.schema }]
      : (adapted.tools ?? []);
    const calls: ToolCall[] = [];
    const filter = new ThinkingFilter(false);
    const end = new AnswerEnd(asked);
    const enough = new AbortController();
    let text = '';
    let ended: EndedBy | undefined;
    const take = (piece: string) => {
      if (piece === '' || ended !== undefined) return;
      text += piece;
      ended = end.push(piece);
      if (ended !== undefined) enough.abort();
      sent.shown ||= listen.onText !== undefined;
      listen.onText?.(piece);
    };
    const sending = this.#options.editor.send(
      this.model,
      {
        messages: withoutSystem(adapted.messages),
        tools,
        mustCall: answerTool !== undefined,
      },
      (piece) => {
        listen.onAlive?.(() => estimateTokens(text));
        if (piece.type === 'text') take(filter.push(piece.text));
        else calls.push({ id: piece.id, name: piece.name, args: piece.args });
      },
      AbortSignal.any([signal, enough.signal]),
    );
    await sending.catch((thrown: unknown) => {
      if (ended === undefined || signal.aborted) throw thrown;
    });
    // A cancelled answer ends quietly.
    signal.throwIfAborted();
    take(filter.end());
    const { text: whole } = afterThinking(end.withoutLoop(text));
    const answer = this.#answer(request, adapted, whole, calls, answerTool?.name);
    return ended === 'loop' && answer.finish === 'stop' ? { ...answer, finish: 'length' } : answer;
  }

  #answer(
    request: ChatRequest,
    adapted: ChatRequest,
    text: string,
    calls: readonly ToolCall[],
    answerTool: string | undefined,
  ): ChatAnswer {
    const written = estimateTokens(text) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
    const usage = { in: estimateRequest(adapted), out: written, cached: 0, estimated: true };
    if (answerTool !== undefined) {
      // "Must call" is advice: the text is the answer of a model that did not follow it.
      const call = calls.find(({ name }) => name === answerTool);
      const answer = call ? JSON.stringify(call.args) : text;
      if (answer === '') throw this.#empty();
      return { text: answer, toolCalls: [], finish: 'stop', usage };
    }
    const toolCalls = calls.length === 0 && adapted !== request ? toolCallsInText(text, request.tools ?? []) : calls;
    if (text === '' && toolCalls.length === 0) throw this.#empty();
    return {
      text: calls.length === 0 && toolCalls.length > 0 ? '' : text,
      toolCalls,
      finish: toolCalls.length > 0 ? 'toolCalls' : 'stop',
      usage,
    };
  }

  #empty(): ResearchError {
    return new ResearchError('badAnswer', `"${this.model}" returned an empty answer.`, {
      next: 'Try again, or choose another model.',
      origin: 'VS Code',
    });
  }
}

/** The rules begin the first user message: the API has no system role. Neighbours of one role are joined. */
function withoutSystem(messages: readonly ChatMessage[]): Exclude<ChatMessage, { readonly role: 'system' }>[] {
  const rules = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter((message) => message.role !== 'system');
  const text = rules.join('\n\n');
  if (text === '') return rest;
  const [first, ...more] = rest;
  return first?.role === 'user'
    ? [{ role: 'user', content: `${text}\n\n${first.content}` }, ...more]
    : [{ role: 'user', content: text }, ...rest];
}
