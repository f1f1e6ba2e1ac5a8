import { isRecord, type Json } from '../../research/text/json.ts';
import type { ChatMessage } from '../../research/ports.ts';
import { answerLimit, type Asking, bearer, type Dialect } from '../http/dialect.ts';
import {
  addReasoning,
  addRefusal,
  callDelta,
  type Delta,
  fail,
  notACompletion,
  setFinish,
  type WireRecord,
} from '../http/exchange.ts';

/** OpenAI's Responses API, for models that have only that. Nothing is stored at the server. */
export const responses: Dialect = {
  format: 'events',
  path: '/responses',
  headers: bearer,
  body(ask) {
    const { model, request, can, think } = ask;
    const limit = answerLimit(ask);
    return {
      model,
      input: request.messages.flatMap((message) => inputOf(message, ask)),
      ...(request.tools && {
        tools: request.tools.map(({ name, description, parameters }) => ({
          ...{ type: 'function', name, description, parameters, strict: false },
        })),
      }),
      ...(limit !== undefined && can.limitField !== 'none' && { max_output_tokens: limit }),
      ...(request.temperature !== undefined && can.temperature && { temperature: request.temperature }),
      ...textFormat(ask),
      ...(think && can.thinkingField === 'reasoning_effort' && { reasoning: { effort: 'medium' } }),
      // Reasoning of tool turns is sent back encrypted, since nothing is stored.
      ...(can.thinks && { include: ['reasoning.encrypted_content'] }),
      store: false,
      stream: can.stream,
    };
  },
  *read(piece, record) {
    switch (piece['type']) {
      case 'response.output_text.delta':
        record.choices += 1;
        if (typeof piece['delta'] === 'string') yield { text: piece['delta'] };
        return;
      case 'response.refusal.delta':
        record.choices += 1;
        return addRefusal(record, piece['delta']);
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return addReasoning(record, piece['delta']);
      case 'response.output_item.done':
        if (isRecord(piece['item'])) yield* readItem(piece['item'], record, false);
        return;
      case 'response.completed':
      case 'response.incomplete':
        if (isRecord(piece['response'])) readEnd(piece['response'], record);
        return;
      case 'response.failed':
        fail(record, JSON.stringify(isRecord(piece['response']) ? { error: piece['response']['error'] } : piece));
    }
  },
  *readWhole(answer, record) {
    if (!Array.isArray(answer['output'])) notACompletion(record, 'No output');
    for (const item of answer['output']) if (isRecord(item)) yield* readItem(item, record, true);
    readEnd(answer, record);
  },
};

function textFormat({ request: { json }, can }: Asking): Json {
  if (json === undefined) return {};
  if (can.jsonFormat === 'object') return { text: { format: { type: 'json_object' } } };
  if (can.jsonFormat !== 'schema') return {};
  return { text: { format: { type: 'json_schema', name: json.name, schema: json.schema, strict: false } } };
}

function inputOf(message: ChatMessage, { can, sentBack }: Asking): Json[] {
  switch (message.role) {
    case 'system':
      return [{ role: can.systemRole === 'user' ? 'user' : 'developer', content: message.content }];
    case 'user':
      return [{ role: 'user', content: message.content }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.content }];
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const reasoning = toolCalls.map(({ id }) => sentBack(id)).find((items) => items !== undefined);
      return [
        ...(reasoning ?? []),
        ...(content === '' ? [] : [{ role: 'assistant', content }]),
        ...toolCalls.map(({ id, name, args }) => ({
          ...{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
        })),
      ];
    }
  }
}

function* readItem(item: Json, record: WireRecord, withText: boolean): Generator<Delta> {
  switch (item['type']) {
    case 'function_call':
      record.choices += 1;
      yield { text: '', calls: [callDelta({ id: item['call_id'], name: item['name'], args: item['arguments'] })] };
      return;
    case 'reasoning':
      if (typeof item['encrypted_content'] === 'string')
        record.sendBack.push({ type: 'reasoning', summary: [], encrypted_content: item['encrypted_content'] });
      return;
    case 'message':
      record.choices += 1;
      if (!withText || !Array.isArray(item['content'])) return;
      for (const part of item['content']) {
        if (!isRecord(part)) continue;
        if (typeof part['text'] === 'string') yield { text: part['text'] };
        addRefusal(record, part['refusal']);
      }
  }
}

function readEnd(response: Json, record: WireRecord): void {
  record.done = true;
  if (isRecord(response['usage'])) record.usage = response['usage'];
  if (isRecord(response['error'])) fail(record, JSON.stringify({ error: response['error'] }));
  const details = response['incomplete_details'];
  setFinish(record, isRecord(details) ? details['reason'] : 'stop');
  record.choices += 1;
}
