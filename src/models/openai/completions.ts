import { isRecord, type Json } from '../../research/text/json.ts';
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai';
import { answerLimit, type Asking, bearer, type Dialect, wireTool } from '../http/dialect.ts';
import {
  addReasoning,
  addRefusal,
  type Delta,
  functionCall,
  maxToolCalls,
  notACompletion,
  setFinish,
  textOfContent,
  type WireRecord,
} from '../http/exchange.ts';
import { langChainMessage } from './langChainMessages.ts';

/** Chat completions of OpenAI and of every server that speaks them. */
export const completions: Dialect = {
  format: 'events',
  path: '/chat/completions',
  headers: bearer,
  body(ask) {
    const { model, request, can } = ask;
    const limit = answerLimit(ask);
    return {
      model,
      messages: shapeMessages(ask),
      ...(request.tools && { tools: request.tools.map(wireTool) }),
      stream: can.stream,
      ...(can.stream && can.streamOptions && { stream_options: { include_usage: true } }),
      ...(limit !== undefined && can.limitField !== 'none' && { [can.limitField]: limit }),
      ...(request.temperature !== undefined && can.temperature && { temperature: request.temperature }),
      ...(request.seed !== undefined && can.seed && { seed: request.seed }),
      ...responseFormat(ask),
      ...thinkingFields(ask),
      ...(can.effortNone && (request.tools?.length ?? 0) > 0 && { reasoning_effort: 'none' }),
    };
  },
  *read(piece, record) {
    if (isRecord(piece['usage'])) record.usage = piece['usage'];
    const choices: readonly unknown[] = Array.isArray(piece['choices']) ? piece['choices'] : [];
    const choice = choices[0];
    if (isRecord(choice)) yield* readChoice(choice, record);
  },
  *readWhole(answer, record) {
    if (!Array.isArray(answer['choices']) || answer['choices'].length === 0) {
      // The Messages API's shape of a refusal, which gateways pass on.
      if (answer['stop_reason'] === 'refusal') setFinish(record, 'content_filter');
      notACompletion(record, 'No choices');
    }
    yield* completions.read(answer, record);
  },
};

function responseFormat({ request: { json }, can }: Asking): Json {
  if (json === undefined) return {};
  if (can.jsonFormat === 'object') return { response_format: { type: 'json_object' } };
  if (can.jsonFormat !== 'schema') return {};
  // Not strict: OpenAI's strict mode requires every property and refuses several keywords.
  const schema = { name: json.name, schema: json.schema, strict: false };
  return { response_format: { type: 'json_schema', json_schema: schema } };
}

function shapeMessages({ request, can, sentBack }: Asking): Json[] {
  const messages: readonly Json[] = convertMessagesToCompletionsMessageParams({
    messages: request.messages.map(langChainMessage),
  }).map((message) => ({ ...message }));
  let shaped = messages.map((message) => {
    if (message['role'] === 'system' || message['role'] === 'developer') return { ...message, role: can.systemRole };
    if (message['role'] === 'assistant' && Array.isArray(message['tool_calls']))
      return withReasoning(message, can.reasoningBack, sentBack);
    return message;
  });
  if (can.systemRole === 'user') shaped = joinNeighbours(shaped);
  // Servers refuse json_object when no message says "json".
  if (
    request.json !== undefined &&
    can.jsonFormat === 'object' &&
    !shaped.some((message) => /json/i.test(String(message['content'])))
  ) {
    const last = shaped.at(-1);
    if (last)
      shaped = [
        ...shaped.slice(0, -1),
        { ...last, content: `${String(last['content'])}\n\nAnswer with one JSON object.` },
      ];
  }
  return shaped;
}

/** Servers of thinking models (DeepSeek, Kimi) need the reasoning of earlier tool turns, which LangChain drops. */
function withReasoning(
  message: Json,
  reasoningBack: Asking['can']['reasoningBack'],
  sentBack: Asking['sentBack'],
): Json {
  if (reasoningBack === 'never') return message;
  const ids = (message['tool_calls'] as readonly { readonly id?: unknown }[])
    .map((call) => call.id)
    .filter((id): id is string => typeof id === 'string');
  const reasoning = ids.map(sentBack).find((given) => given !== undefined);
  if (reasoning !== undefined) return { ...message, ...reasoning[0] };
  return reasoningBack === 'always' ? { ...message, reasoning_content: ' ' } : message;
}

/** A system text that becomes a user message is joined with the next one: several models require alternating roles. */
function joinNeighbours(messages: readonly Json[]): Json[] {
  const joined: Json[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.['role'] === 'user' && message['role'] === 'user')
      joined[joined.length - 1] = {
        ...before,
        content: `${String(before['content'])}\n\n${String(message['content'])}`,
      };
    else joined.push(message);
  }
  return joined;
}

function* readChoice(choice: Json, record: WireRecord): Generator<Delta> {
  record.choices += 1;
  setFinish(record, choice['finish_reason']);
  const delta = isRecord(choice['delta'])
    ? choice['delta']
    : isRecord(choice['message'])
      ? choice['message']
      : undefined;
  if (delta === undefined) return;
  if (typeof delta['reasoning_content'] === 'string') {
    addReasoning(record, delta['reasoning_content']);
    record.sendBack = [{ reasoning_content: record.reasoning }];
  } else {
    // OpenRouter's and Ollama's is not wanted back.
    addReasoning(record, delta['reasoning']);
  }
  addRefusal(record, delta['refusal']);
  const text = textOfContent(delta['content']);
  const calls = Array.isArray(delta['tool_calls'])
    ? delta['tool_calls'].slice(0, maxToolCalls).filter(isRecord).map(functionCall)
    : [];
  if (text !== '' || calls.length > 0) yield { text, ...(calls.length > 0 && { calls }) };
}

/** How `model.enableThinking` is put to a server with OpenAI's API, by the field that it knows ({@link Capabilities.thinkingField}). */
function thinkingFields({ think, can, request }: Asking): Json {
  switch (can.thinkingField) {
    // DashScope has no JSON mode while it thinks.
    case 'enable_thinking':
      return { enable_thinking: think && request.json === undefined };
    case 'thinking':
      return { thinking: { type: think ? 'enabled' : 'disabled' } };
    case 'reasoning':
      return { reasoning: { enabled: think } };
    // The rest have a default of their own, which applies unless thinking is wanted.
    case 'reasoning_effort':
      return think && !(can.effortNone && request.tools) ? { reasoning_effort: 'medium' } : {};
    case 'chat_template_kwargs':
      return think ? { chat_template_kwargs: { enable_thinking: true } } : {};
    default:
      return {};
  }
}
