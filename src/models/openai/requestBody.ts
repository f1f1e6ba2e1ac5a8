import type { ChatRequest } from '../../research/ports.ts';
import type { Capabilities } from '../capabilities.ts';

type Json = Record<string, unknown>;

/**
 * The body that a server with these capabilities accepts, from the messages and tools that LangChain converted. Everything else is
 * set here, by what the server was seen to accept and not by the name of the model.
 */
export function shapeBody(
  body: Json,
  request: ChatRequest,
  can: Capabilities,
  reasoningOf: (callId: string) => string | undefined,
): Json {
  const {
    max_tokens: _a,
    max_completion_tokens: _b,
    stream_options: _c,
    response_format: _d,
    messages,
    ...rest
  } = body;
  const shaped: Json = {
    ...rest,
    messages: shapeMessages(messages as readonly Json[], request, can, reasoningOf),
    stream: can.stream,
  };
  if (can.stream && can.streamOptions) shaped['stream_options'] = { include_usage: true };
  if (request.maxTokens !== undefined && request.maxTokens > 0 && can.limitField !== 'none') {
    shaped[can.limitField] = Math.min(request.maxTokens, can.maxAnswerTokens ?? Infinity);
  }
  if (request.json !== undefined && can.jsonFormat === 'schema') {
    // Not strict: OpenAI's strict mode requires every property and refuses several keywords.
    shaped['response_format'] = {
      type: 'json_schema',
      json_schema: { name: request.json.name, schema: request.json.schema, strict: false },
    };
  } else if (request.json !== undefined && can.jsonFormat === 'object') {
    shaped['response_format'] = { type: 'json_object' };
  }
  if (can.effortNone && Array.isArray(shaped['tools'])) shaped['reasoning_effort'] = 'none';
  return shaped;
}

function shapeMessages(
  messages: readonly Json[],
  request: ChatRequest,
  can: Capabilities,
  reasoningOf: (callId: string) => string | undefined,
): Json[] {
  let shaped = messages.map((message) => {
    if (message['role'] === 'system' || message['role'] === 'developer') return { ...message, role: can.systemRole };
    if (message['role'] === 'assistant' && Array.isArray(message['tool_calls']))
      return withReasoning(message, can, reasoningOf);
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
function withReasoning(message: Json, can: Capabilities, reasoningOf: (callId: string) => string | undefined): Json {
  if (can.reasoningBack === 'never') return message;
  const ids = (message['tool_calls'] as readonly { readonly id?: unknown }[])
    .map((call) => call.id)
    .filter((id): id is string => typeof id === 'string');
  const reasoning = ids.map(reasoningOf).find((text) => text !== undefined);
  if (reasoning !== undefined) return { ...message, reasoning_content: reasoning };
  return can.reasoningBack === 'always' ? { ...message, reasoning_content: ' ' } : message;
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
