import type { Failure } from './classifyError.ts';
import { SseReader } from './serverSentEvents.ts';

/** What was seen on the wire during one call, beside the text and tool calls that LangChain hands on. */
export interface WireRecord {
  /** Headers of an answer came: the server can be reached. */
  answered: boolean;
  /** An HTTP error, or an error event in a stream. */
  failure: Failure | undefined;
  /** The answer is no completion at all: a web page, or JSON without choices. */
  notACompletion: 'html' | 'empty' | undefined;
  finish: string | undefined;
  /** `[DONE]` came, or the whole answer came at once. */
  done: boolean;
  /** A choice with a delta or a message came. */
  choices: number;
  usage: Readonly<Record<string, unknown>> | undefined;
  reasoning: string;
  /** The reasoning came as `reasoning_content`, the field that may be sent back. */
  reasoningIsContent: boolean;
  refusal: string;
}

export function emptyRecord(): WireRecord {
  return {
    answered: false,
    failure: undefined,
    notACompletion: undefined,
    finish: undefined,
    done: false,
    choices: 0,
    usage: undefined,
    reasoning: '',
    reasoningIsContent: false,
    refusal: '',
  };
}

/** Raised inside the stream to end it; the record tells the reason. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
}

export interface WireOptions {
  readonly fetch: typeof fetch;
  readonly key: string | undefined;
  /** Makes the body that is sent of the one that LangChain built. */
  readonly shape: (body: Record<string, unknown>) => Record<string, unknown>;
  readonly onAlive: () => void;
  readonly record: WireRecord;
}

/** Bodies of errors are read up to here, in characters. */
const maxErrorBody = 200_000;
/** An answer of more characters is no answer: a server gone wild must not fill the memory. */
const maxAnswer = 40_000_000;

/**
 * The `fetch` that the OpenAI client is given. It sends what {@link WireOptions.shape} makes of the request with headers of
 * our own (no telemetry of the client's library, no organisation from the environment), and gives every server's answer as the one
 * shape that the client reads well: an event stream of chunks whose deltas have a role, text content and whole tool call
 * ids. A server that ignores `stream` and answers JSON works too.
 */
export function wireFetch(options: WireOptions): typeof fetch {
  const { record } = options;
  return async (input, init) => {
    const body = options.shape(JSON.parse(String(init?.body)) as Record<string, unknown>);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'deep-research-vscode',
    };
    if (options.key !== undefined) headers['authorization'] = `Bearer ${options.key}`;
    const response = await options.fetch(input instanceof Request ? input.url : input, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // A key must not follow a redirect to another origin, and a POST would turn into a GET.
      redirect: 'manual',
      ...(init?.signal && { signal: init.signal }),
    });
    record.answered = true;
    options.onAlive();
    if (response.status < 200 || response.status >= 300) {
      record.failure = {
        status: response.status,
        headers: headersOf(response),
        body: await readBounded(response, maxErrorBody),
      };
      throw new WireFailure(`HTTP ${response.status}`);
    }
    const stream = ReadableStream.from(normalised(response, options)).pipeThrough(new TextEncoderStream());
    return new Response(stream, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  };
}

async function* normalised(response: Response, options: WireOptions): AsyncGenerator<string> {
  const { record } = options;
  const reader = new SseReader();
  let kind: 'stream' | 'whole' | undefined;
  let whole = '';
  let size = 0;
  for await (const text of textOf(response)) {
    options.onAlive();
    size += text.length;
    if (size > maxAnswer) throw new WireFailure('The answer is too long.');
    if (kind === undefined) {
      whole += text;
      kind = kindOf(whole);
      if (kind !== 'stream') continue;
      for (const event of reader.push(whole)) yield* chunk(event.event, event.data, record);
    } else if (kind === 'stream') {
      for (const event of reader.push(text)) yield* chunk(event.event, event.data, record);
    } else {
      whole += text;
    }
  }
  if (kind === 'stream') {
    for (const event of reader.end()) yield* chunk(event.event, event.data, record);
    return;
  }
  yield* wholeAnswer(whole, response, record);
}

/** Servers give wrong content types, so the first characters decide. */
function kindOf(text: string): 'stream' | 'whole' | undefined {
  const start = text.replace(/^[\uFEFF\s]+/, '');
  if (start === '' || (start.length < 6 && 'event:data:id:retry:'.includes(start))) return undefined;
  return /^(?::|data:|event:|id:|retry:)/.test(start) ? 'stream' : 'whole';
}

function* wholeAnswer(text: string, response: Response, record: WireRecord): Generator<string> {
  record.done = true;
  const trimmed = text.trim();
  if (trimmed.startsWith('<')) {
    record.notACompletion = 'html';
    throw new WireFailure('A web page');
  }
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    record.notACompletion = 'empty';
    throw new WireFailure('No JSON');
  }
  if (isRecord(value) && value['error'] !== undefined && value['error'] !== null) {
    record.failure = { status: response.status, headers: headersOf(response), body: trimmed };
    throw new WireFailure('An error in an answer of status 200');
  }
  if (!isRecord(value) || !Array.isArray(value['choices']) || value['choices'].length === 0) {
    // Anthropic's own shape of a refusal, which gateways hand through.
    if (isRecord(value) && value['stop_reason'] === 'refusal') record.finish = 'content_filter';
    record.notACompletion = 'empty';
    throw new WireFailure('No choices');
  }
  yield* chunk('', trimmed, record);
  yield 'data: [DONE]\n\n';
}

/** One event of the server, as the event that the client gets. */
function* chunk(event: string, data: string, record: WireRecord): Generator<string> {
  const text = data.trim();
  if (text === '') return;
  if (text === '[DONE]') {
    record.done = true;
    yield 'data: [DONE]\n\n';
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (event === 'error') fail(record, text);
    throw new WireFailure('An event that is no JSON');
  }
  if (!isRecord(value)) return;
  if (event === 'error' || (value['error'] !== undefined && value['error'] !== null)) fail(record, text);
  if (isRecord(value['usage'])) record.usage = value['usage'];
  const choices: unknown[] = Array.isArray(value['choices']) ? value['choices'] : [];
  const choice = choices[0];
  if (!isRecord(choice)) return;
  record.choices += 1;
  if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '')
    record.finish = choice['finish_reason'];
  const delta = isRecord(choice['delta'])
    ? choice['delta']
    : isRecord(choice['message'])
      ? choice['message']
      : undefined;
  if (delta === undefined) return;
  readReasoning(delta, record);
  if (typeof delta['refusal'] === 'string') record.refusal += delta['refusal'];
  const content = textContent(delta['content']);
  const toolCalls = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isRecord).map(wholeToolCall) : [];
  if (content === '' && toolCalls.length === 0) return;
  yield `data: ${JSON.stringify({
    id: 'answer',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'model',
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) },
        finish_reason: null,
      },
    ],
  })}\n\n`;
}

/** The parts of a tool call that the client may rely on. An empty id (DashScope's later chunks) is no id. */
function wholeToolCall(call: Record<string, unknown>): unknown {
  const called = isRecord(call['function']) ? call['function'] : {};
  const args = called['arguments'];
  return {
    ...(typeof call['index'] === 'number' && { index: call['index'] }),
    ...(typeof call['id'] === 'string' && call['id'] !== '' && { id: call['id'] }),
    type: 'function',
    function: {
      ...(typeof called['name'] === 'string' && called['name'] !== '' && { name: called['name'] }),
      // A few servers send the arguments as an object.
      arguments: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
    },
  };
}

function readReasoning(delta: Record<string, unknown>, record: WireRecord): void {
  if (typeof delta['reasoning_content'] === 'string') {
    record.reasoning += delta['reasoning_content'];
    record.reasoningIsContent = true;
  } else if (typeof delta['reasoning'] === 'string') {
    record.reasoning += delta['reasoning'];
  }
}

/** Text of a content that may be a string, parts, null. */
function textContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) =>
      isRecord(part) && part['type'] !== 'thinking' && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('');
}

function fail(record: WireRecord, body: string): never {
  record.failure = { status: 200, headers: {}, body, inStream: true };
  throw new WireFailure('An error event');
}

async function* textOf(response: Response): AsyncGenerator<string> {
  if (!response.body) {
    yield await response.text();
    return;
  }
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
    yield decoder.decode(part, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

async function readBounded(response: Response, limit: number): Promise<string> {
  let text = '';
  try {
    for await (const part of textOf(response)) {
      text += part;
      if (text.length >= limit) break;
    }
  } catch {
    // The status alone has to tell.
  }
  return text.slice(0, limit);
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
