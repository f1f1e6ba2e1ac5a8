import { isRecord, type Json } from '../../research/text/json.ts';
import type { ChatMessage, ToolCall } from '../../research/ports.ts';
import { answerLimit, type Asking, type Dialect } from '../http/dialect.ts';
import { addReasoning, callDelta, type Delta, notACompletion, setFinish, type WireRecord } from '../http/exchange.ts';

/** Required by the API; what every model since Claude 3 gives. */
const standardLimit = 4_096;
/** Of the limit, what a model with a thinking budget may use up before its answer; the API's least is 1,024. */
const thinkingBudget = 8_000;
const cachePoint = { cache_control: { type: 'ephemeral' } };

/**
 * Anthropic's Messages API. Prompts are cached up to two points: the rules (tools and system text), which many calls share, and the
 * end of the conversation, where the next turn of a tool loop begins.
 */
export const messages: Dialect = {
  format: 'events',
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  body(ask) {
    const { model, request, can } = ask;
    const thinking = thinkingOf(ask);
    const system = request.messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    return {
      model,
      max_tokens:
        answerLimit(ask) ?? Math.min(can.maxAnswerTokens ?? Infinity, standardLimit + (thinking ? 16_000 : 0)),
      ...(system.length > 0 && { system: [{ type: 'text', text: system.join('\n\n'), ...cachePoint }] }),
      messages: turnsOf(ask),
      ...toolsOf(ask),
      ...outputFormat(ask),
      // While it thinks, the API takes no temperature but 1.
      ...(thinking
        ? { thinking }
        : request.temperature !== undefined && can.temperature && { temperature: request.temperature }),
      stream: can.stream,
    };
  },
  *read(piece, record) {
    switch (piece['type']) {
      case 'message_start':
        if (isRecord(piece['message'])) readUsage(piece['message']['usage'], record);
        return;
      case 'content_block_start':
        record.choices += 1;
        if (isRecord(piece['content_block'])) yield* readBlock(piece['content_block'], piece['index'], record);
        return;
      case 'content_block_delta':
        if (isRecord(piece['delta'])) yield* readDelta(piece['delta'], piece['index'], record);
        return;
      case 'message_delta':
        record.choices += 1;
        if (isRecord(piece['delta'])) setFinish(record, piece['delta']['stop_reason']);
        return readUsage(piece['usage'], record);
      case 'message_stop':
        record.done = true;
    }
  },
  *readWhole(answer, record) {
    if (!Array.isArray(answer['content'])) notACompletion(record, 'No content');
    record.choices += 1;
    for (const [index, block] of answer['content'].entries())
      if (isRecord(block)) yield* readBlock(block, index, record);
    setFinish(record, answer['stop_reason']);
    readUsage(answer['usage'], record);
  },
};

/** Thinking is left out where the API refuses it: beside a tool that must be called, and in a tool turn whose thinking is lost. */
function thinkingOf({ think, can, request, sentBack }: Asking): Json | undefined {
  const lost = request.messages.some(
    (message) => message.role === 'assistant' && message.toolCalls?.some(({ id }) => sentBack(id) === undefined),
  );
  if (!think || lost || (request.json && can.jsonFormat === 'tool')) return undefined;
  if (can.thinkingField === 'adaptive') return { type: 'adaptive' };
  return can.thinkingField === 'budget' ? { type: 'enabled', budget_tokens: thinkingBudget } : undefined;
}

function toolsOf({ request: { tools = [], json }, can }: Asking): Json {
  if (json && can.jsonFormat === 'tool') {
    const answer = { name: json.name, description: 'Gives the answer.', input_schema: json.schema };
    return { tools: [answer], tool_choice: { type: 'tool', name: json.name } };
  }
  if (tools.length === 0) return {};
  const last = tools.length - 1;
  return {
    tools: tools.map(({ name, description, parameters }, index) => ({
      ...{ name, description, input_schema: parameters, ...(index === last && cachePoint) },
    })),
  };
}

function outputFormat({ request: { json }, can }: Asking): Json {
  return json && can.jsonFormat === 'schema'
    ? { output_config: { format: { type: 'json_schema', schema: plainSchema(json.schema) } } }
    : {};
}

/** The schema without the limits that structured outputs refuse, and with objects that are closed, as they require. */
function plainSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchema);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value)
    .filter(([key]) => !/^(?:min|max)[A-Z]|^(?:minimum|maximum|multipleOf|pattern|default)$/.test(key))
    .map(([key, inner]) => [key, plainSchema(inner)]);
  return { ...Object.fromEntries(kept), ...(value['type'] === 'object' && { additionalProperties: false }) };
}

/** User and assistant alternate; all results of a turn's tools are in one user message, before any text. */
function turnsOf({ request, sentBack }: Asking): Json[] {
  const turns: { role: 'user' | 'assistant'; content: Json[] }[] = [];
  for (const message of request.messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, sentBack);
    const last = turns.at(-1);
    if (last?.role === role) for (const one of blocks) last.content.push(one);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  // Only a tool loop comes back with the same beginning; for any other prompt the cache would cost more than it saves.
  const end = request.tools && turns.at(-1);
  const block = end?.content.pop();
  if (block) end?.content.push({ ...block, ...cachePoint });
  return turns;
}

function blocksOf(message: Exclude<ChatMessage, { role: 'system' }>, sentBack: Asking['sentBack']): Json[] {
  // Empty text blocks are refused.
  const text = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }];
  if (message.role === 'user') return text;
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.callId, content: message.content || '(nothing)' }];
  const calls: readonly ToolCall[] = message.toolCalls ?? [];
  const thought = calls.map(({ id }) => sentBack(id)).find((blocks) => blocks !== undefined) ?? [];
  return [...thought, ...text, ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))];
}

function* readBlock(block: Json, index: unknown, record: WireRecord): Generator<Delta> {
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] === 'string' && block['text'] !== '') yield { text: block['text'] };
      return;
    case 'tool_use': {
      // Streamed, the input follows in pieces.
      const { id, name, input } = block;
      const args = isRecord(input) && Object.keys(input).length > 0 ? input : '';
      yield { text: '', calls: [callDelta({ index, id, name, args })] };
      return;
    }
    case 'thinking':
    case 'redacted_thinking':
      record.sendBack.push({ ...block });
      addReasoning(record, block['thinking']);
  }
}

function* readDelta(delta: Json, index: unknown, record: WireRecord): Generator<Delta> {
  switch (delta['type']) {
    case 'text_delta':
      if (typeof delta['text'] === 'string') yield { text: delta['text'] };
      return;
    case 'input_json_delta':
      yield { text: '', calls: [callDelta({ index, args: delta['partial_json'] })] };
      return;
    case 'thinking_delta':
      addReasoning(record, delta['thinking']);
      return growLast(record, 'thinking', delta['thinking']);
    case 'signature_delta':
      return growLast(record, 'signature', delta['signature']);
  }
}

function growLast(record: WireRecord, field: 'thinking' | 'signature', text: unknown): void {
  const last = record.sendBack.pop();
  if (last) record.sendBack.push({ ...last, [field]: String(last[field] ?? '') + String(text ?? '') });
}

/** In the names that other servers use. What was written to the cache is part of the prompt. */
function readUsage(usage: unknown, record: WireRecord): void {
  if (!isRecord(usage)) return;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : undefined);
  const read = count('cache_read_input_tokens') ?? 0;
  const fresh = count('input_tokens');
  const before = record.usage ?? {};
  record.usage = {
    ...before,
    ...(fresh !== undefined && {
      prompt_tokens: fresh + read + (count('cache_creation_input_tokens') ?? 0),
      prompt_tokens_details: { cached_tokens: read },
    }),
    ...(count('output_tokens') !== undefined && { completion_tokens: count('output_tokens') }),
  };
}
