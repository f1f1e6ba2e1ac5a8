import { isRecord, type Json } from '../../research/text/json.ts';
import type { ChatMessage } from '../../research/ports.ts';
import { answerLimit, type Asking, bearer, type Dialect, wireTool } from '../http/dialect.ts';
import { addReasoning, functionCall, setFinish } from '../http/exchange.ts';

/**
 * Ollama's own API. Unlike its `/v1` it takes the size of the context window with each request, which is 4,096 tokens by default, and
 * refuses a prompt that does not fit instead of cutting it.
 */
export const ollamaChatApi: Dialect = {
  format: 'lines',
  path: '/api/chat',
  headers: bearer,
  body(ask) {
    const { model, request, can, think } = ask;
    const limit = answerLimit(ask);
    const names = new Map<string, string>();
    return {
      model,
      messages: request.messages.map((message) => wireMessage(message, names)),
      ...(request.tools && { tools: request.tools.map(wireTool) }),
      ...formatOf(ask),
      ...(can.thinkingField === 'thinking' && { think }),
      options: {
        ...(can.contextTokens !== undefined && { num_ctx: can.contextTokens }),
        ...(limit !== undefined && { num_predict: limit }),
        ...(request.temperature !== undefined && { temperature: request.temperature }),
        ...(request.seed !== undefined && { seed: request.seed }),
      },
      truncate: false,
      shift: false,
      stream: can.stream,
    };
  },
  *read(piece, record) {
    record.choices += 1;
    if (piece['done'] === true) {
      record.done = true;
      setFinish(record, piece['done_reason']);
      record.usage = { prompt_tokens: piece['prompt_eval_count'], completion_tokens: piece['eval_count'] };
    }
    const message = piece['message'];
    if (!isRecord(message)) return;
    addReasoning(record, message['thinking']);
    const text = typeof message['content'] === 'string' ? message['content'] : '';
    // Each call comes whole; older versions send no id.
    const calls = Array.isArray(message['tool_calls'])
      ? message['tool_calls'].filter(isRecord).map(({ id, function: called }) => functionCall({ id, function: called }))
      : [];
    if (text !== '' || calls.length > 0) yield { text, ...(calls.length > 0 && { calls }) };
  },
};

function formatOf({ request: { json }, can }: Asking): Json {
  if (json === undefined || can.jsonFormat === 'none') return {};
  return { format: can.jsonFormat === 'schema' ? json.schema : 'json' };
}

function wireMessage(message: ChatMessage, names: Map<string, string>): Json {
  if (message.role === 'tool')
    return { role: 'tool', tool_name: names.get(message.callId) ?? '', content: message.content };
  if (message.role !== 'assistant' || !message.toolCalls?.length)
    return { role: message.role, content: message.content };
  for (const { id, name } of message.toolCalls) names.set(id, name);
  return {
    role: 'assistant',
    content: message.content,
    tool_calls: message.toolCalls.map(({ name, args }) => ({ function: { name, arguments: args } })),
  };
}
