import { once } from 'node:events';
import * as http from 'node:http';
import { complete, type Completion } from './modelCompletion.ts';
import { parseRequest, type ParsedRequest } from './modelRequest.ts';
import { neverIdle } from './neverIdle.ts';

/**
 * Imitated servers of other APIs than chat completions, over real HTTP on 127.0.0.1: Anthropic's Messages, Ollama's own, OpenAI's
 * Responses. What they answer is the imitated model's (modelAnswers.ts); shapes and errors are those of the services, and what a real
 * server would refuse is refused.
 */
export type Wire = 'messages' | 'ollama' | 'responses';

export interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error's body. With status 200: the last event of a stream that broke. */
  readonly body?: unknown;
  /** The stream ends without its end after this many events. */
  readonly cutAfter?: number;
  readonly finish?: string;
  /** Nothing but the end of the answer is sent. */
  readonly empty?: boolean;
}

export interface ProviderRequest extends ParsedRequest {
  readonly path: string;
  /** As it was sent. */
  readonly wire: Readonly<Record<string, unknown>>;
}

export interface ProviderServer {
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  close(): Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

interface Shape {
  readonly path: string;
  readonly contentType: string;
  /** The request as chat completions have it. */
  asCompletions(body: Json): Json;
  /** Why a real server would refuse it; undefined when it would not. */
  refuse(body: Json, headers: http.IncomingHttpHeaders): { status: number; body: unknown } | undefined;
  /** Everything that is sent for an answer, event by event. */
  events(completion: Completion, fault: Fault): string[];
  readonly lists: Readonly<Record<string, unknown>>;
}

export async function startProviderServer(
  wire: Wire,
  script: (request: ProviderRequest) => Fault | undefined = () => undefined,
  /** Default: a free one. Rejects with EADDRINUSE where another program has it. */
  port = 0,
): Promise<ProviderServer> {
  const shape = shapes[wire];
  const requests: ProviderRequest[] = [];
  const server = http.createServer(neverIdle, (message, response) => {
    void (async () => {
      const path = new URL(message.url ?? '/', 'http://localhost').pathname;
      const parts: Buffer[] = [];
      for await (const part of message) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString('utf8');
      const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
      if (path in shape.lists) return send(200, shape.lists[path]);
      if (wire === 'responses' && path === '/v1/chat/completions') return send(404, onlyResponses);
      if (path !== shape.path) return send(404, { error: `path ${path} not found` });
      const body = JSON.parse(text) as Json;
      const parsed = parseRequest(requests.length, JSON.stringify(shape.asCompletions(body)), message.headers);
      const request: ProviderRequest = { ...parsed, path, wire: body };
      requests.push(request);
      const refusal = shape.refuse(body, message.headers);
      if (refusal) return send(refusal.status, refusal.body);
      const fault = script(request) ?? {};
      if ((fault.status ?? 200) !== 200) return send(fault.status!, fault.body ?? '', fault.headers);
      const completion = complete(request, {}, { searches: 2, thinks: false }, new Set(), requests.slice(0, -1));
      const events = shape.events(completion, fault);
      response.writeHead(200, { 'content-type': shape.contentType });
      for (const [index, event] of events.entries()) {
        if (index === fault.cutAfter) return response.destroy();
        response.write(event);
        if (fault.cutAfter !== undefined) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}${wire === 'responses' ? '/v1' : ''}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What OpenAI answers for a model that has only the other interface. */
const onlyResponses = {
  error: {
    message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
    type: 'invalid_request_error',
    param: 'model',
    code: null,
  },
};

const sse = (event: Json) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
const pieces = (text: string) => [...text.matchAll(/[^]{1,40}/gu)].map(([piece]) => piece);
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const tool = (name: unknown, parameters: unknown) => ({ type: 'function', function: { name, parameters } });
const call = (id: unknown, name: unknown, args: unknown) => ({
  ...{ id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } },
});
const usageOf = ({ usage }: Completion) =>
  usage as { readonly prompt_tokens: number; readonly completion_tokens: number };

const messages: Shape = {
  path: '/v1/messages',
  contentType: 'text/event-stream',
  lists: { '/v1/models': { data: [{ type: 'model', id: 'imitation-1', max_input_tokens: 200_000 }], has_more: false } },
  asCompletions(body) {
    const choice = body['tool_choice'] as Json | undefined;
    const tools = list(body['tools']);
    const answerTool = tools.find(({ name }) => name === choice?.['name']);
    return {
      model: body['model'],
      stream: body['stream'],
      stream_options: { include_usage: true },
      messages: [
        ...list(body['system']).map(({ text }) => ({ role: 'system', content: text })),
        ...list(body['messages']).flatMap(({ role, content }) => {
          const blocks = list(content);
          const of = (type: string) => blocks.filter((block) => block['type'] === type);
          return [
            ...of('tool_result').map((block) => ({
              ...{ role: 'tool', tool_call_id: block['tool_use_id'], content: block['content'] },
            })),
            {
              role,
              content: of('text')
                .map(({ text }) => text)
                .join('\n'),
              tool_calls: of('tool_use').map(({ id, name, input }) => call(id, name, input)),
            },
          ];
        }),
      ],
      ...(answerTool
        ? { response_format: { type: 'json_schema', json_schema: { schema: answerTool['input_schema'] } } }
        : { tools: tools.map(({ name, input_schema: schema }) => tool(name, schema)) }),
    };
  },
  refuse(body, headers) {
    const bad = (message: string) => ({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
    });
    if (headers['x-api-key'] !== 'sk-ant-right') {
      const error = { type: 'authentication_error', message: 'invalid x-api-key' };
      return { status: 401, body: { type: 'error', error } };
    }
    if (headers['anthropic-version'] === undefined) return bad('anthropic-version: header is required');
    if (typeof body['max_tokens'] !== 'number') return bad('max_tokens: Field required');
    const turns = list(body['messages']);
    if (turns[0]?.['role'] !== 'user') return bad('messages: first message must use the "user" role');
    if (turns.some(({ role }, index) => role === turns[index - 1]?.['role']))
      return bad('messages: roles must alternate between "user" and "assistant"');
    const marks = JSON.stringify(body).split('"cache_control"').length - 1;
    if (marks > 4) return bad(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
    for (const [index, turn] of turns.entries()) {
      const blocks = list(turn['content']);
      if (blocks.length === 0) return bad(`messages.${index}: all messages must have non-empty content`);
      if (blocks.some((block) => block['type'] === 'text' && String(block['text']).trim() === ''))
        return bad('messages: text content blocks must be non-empty');
      const used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const answered = new Set(list(turns[index + 1]?.['content']).map((block) => block['tool_use_id']));
      if (used.some((id) => !answered.has(id)))
        return bad('messages: `tool_use` ids were found without `tool_result` blocks immediately after');
      const thinks = body['thinking'] !== undefined;
      if (thinks && used.length > 0 && blocks[0]?.['type'] !== 'thinking')
        return bad('Expected `thinking` or `redacted_thinking`, but found `tool_use`.');
    }
    if (body['thinking'] !== undefined && body['tool_choice'] !== undefined)
      return bad('Thinking may not be enabled when tool_choice forces tool use.');
    return undefined;
  },
  events(completion, fault) {
    const { text, toolCalls, finish } = completion;
    const cached = 100;
    const fresh = usageOf(completion).prompt_tokens - cached;
    const delta = (index: number, inner: Json) => sse({ type: 'content_block_delta', index, delta: inner });
    const block = (index: number, content: Json, deltas: readonly Json[]) => [
      sse({ type: 'content_block_start', index, content_block: content }),
      ...deltas.map((inner) => delta(index, inner)),
      sse({ type: 'content_block_stop', index }),
    ];
    const start = {
      ...{ input_tokens: fresh, cache_creation_input_tokens: 0, cache_read_input_tokens: cached, output_tokens: 1 },
    };
    return [
      sse({ type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: start } }),
      sse({ type: 'ping' }),
      ...(fault.empty
        ? []
        : [
            ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
              { type: 'thinking_delta', thinking: 'Let me think.' },
              { type: 'signature_delta', signature: 'c2ln' },
            ]),
            ...(text === ''
              ? []
              : block(
                  1,
                  { type: 'text', text: '' },
                  pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
                )),
            ...toolCalls.flatMap(({ id, name, args }, index) =>
              block(index + 2, { type: 'tool_use', id, name, input: {} }, [
                ...pieces(args).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
              ]),
            ),
          ]),
      ...(fault.body === undefined ? [] : [`event: error\ndata: ${JSON.stringify(fault.body)}\n\n`]),
      sse({
        type: 'message_delta',
        delta: { stop_reason: fault.finish ?? (finish === 'tool_calls' ? 'tool_use' : 'end_turn') },
        usage: { output_tokens: 50 },
      }),
      sse({ type: 'message_stop' }),
    ];
  },
};

const ollama: Shape = {
  path: '/api/chat',
  contentType: 'application/x-ndjson',
  lists: {
    '/api/tags': { models: [{ name: 'nomic-embed-text:latest' }, { name: 'imitation-1' }] },
    '/api/show': {
      capabilities: ['completion', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'imitation', 'imitation.context_length': 131_072 },
    },
    '/api/ps': { models: [{ name: 'imitation-1', context_length: 32_768 }] },
  },
  asCompletions: (body) => {
    let calls = 0;
    return {
      ...body,
      stream_options: { include_usage: true },
      messages: list(body['messages']).map((message) => ({
        ...message,
        tool_calls: list(message['tool_calls']).map(({ function: called }) =>
          call(`c${(calls += 1)}`, (called as Json)['name'], (called as Json)['arguments']),
        ),
      })),
      ...(body['format'] !== undefined && {
        response_format: { type: 'json_schema', json_schema: { schema: body['format'] } },
      }),
    };
  },
  refuse(body) {
    const isText = ({ content }: Json) => typeof content === 'string';
    const isObject = ({ function: called }: Json) => typeof (called as Json)['arguments'] === 'object';
    const turns = list(body['messages']);
    if (!turns.every(isText) || !turns.flatMap((turn) => list(turn['tool_calls'])).every(isObject))
      return { status: 400, body: { error: 'json: cannot unmarshal string into Go struct field' } };
    return undefined;
  },
  events(completion, fault) {
    const { text, toolCalls, model } = completion;
    const line = (fields: Json) => `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', ...fields })}\n`;
    const said = (message: Json) => line({ message: { role: 'assistant', content: '', ...message }, done: false });
    const usage = usageOf(completion);
    return [
      ...(fault.empty
        ? []
        : [
            said({ thinking: 'Let me think.' }),
            ...pieces(text).map((content) => said({ content })),
            ...toolCalls.map(({ name, args }) =>
              said({ tool_calls: [{ function: { name, arguments: JSON.parse(args) as unknown } }] }),
            ),
          ]),
      ...(fault.body === undefined ? [] : [`${JSON.stringify(fault.body)}\n`]),
      line({
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: fault.finish ?? 'stop',
        ...{ prompt_eval_count: usage.prompt_tokens, eval_count: usage.completion_tokens },
      }),
    ];
  },
};

const responses: Shape = {
  path: '/v1/responses',
  contentType: 'text/event-stream',
  lists: { '/v1/models': { data: [{ id: 'imitation-1' }] } },
  asCompletions(body) {
    const format = (body['text'] as Json | undefined)?.['format'] as Json | undefined;
    return {
      model: body['model'],
      stream: body['stream'],
      stream_options: { include_usage: true },
      messages: list(body['input']).map((item) => {
        if (item['type'] === 'function_call')
          return {
            role: 'assistant',
            content: '',
            tool_calls: [call(item['call_id'], item['name'], item['arguments'])],
          };
        if (item['type'] === 'function_call_output')
          return { role: 'tool', tool_call_id: item['call_id'], content: item['output'] };
        return item['type'] === 'reasoning' ? { role: 'assistant', content: '' } : item;
      }),
      tools: list(body['tools']).map(({ name, parameters }) => tool(name, parameters)),
      ...(format && { response_format: { type: format['type'], json_schema: { schema: format['schema'] } } }),
    };
  },
  refuse(body) {
    const unknown = ['messages', 'max_tokens', 'max_completion_tokens', 'response_format'].find((name) => name in body);
    if (unknown !== undefined) {
      const message = `Unsupported parameter: '${unknown}'.`;
      return { status: 400, body: { error: { message, type: 'invalid_request_error', param: unknown, code: null } } };
    }
    return undefined;
  },
  events(completion, fault) {
    const { text, toolCalls } = completion;
    const usage = usageOf(completion);
    const details = fault.finish === undefined ? {} : { incomplete_details: { reason: fault.finish } };
    const end = fault.finish === undefined ? 'response.completed' : 'response.incomplete';
    const encrypted = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };
    return [
      sse({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }),
      ...(fault.empty
        ? []
        : [
            sse({ type: 'response.output_item.done', output_index: 0, item: encrypted }),
            ...pieces(text).map((delta) => sse({ type: 'response.output_text.delta', output_index: 1, delta })),
            ...toolCalls.map(({ id, name, args }, index) =>
              sse({
                type: 'response.output_item.done',
                output_index: index + 2,
                item: { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: args },
              }),
            ),
          ]),
      ...(fault.body === undefined ? [] : [sse(fault.body as Json)]),
      sse({
        type: end,
        response: {
          ...{ id: 'resp_1', output: [], ...details },
          usage: {
            input_tokens: usage.prompt_tokens,
            input_tokens_details: { cached_tokens: 10 },
            output_tokens: usage.completion_tokens,
            output_tokens_details: { reasoning_tokens: 5 },
          },
        },
      }),
    ];
  },
};

const shapes: Readonly<Record<Wire, Shape>> = { messages, ollama, responses };
