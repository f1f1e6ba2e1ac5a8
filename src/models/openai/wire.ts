import type { Failure } from '../classifyError.ts';
import { readBounded, textOf } from './boundedBody.ts';
import { serverSentEvents } from './serverSentEvents.ts';

/** What was seen on the wire during one call, beside the text and tool calls. */
export interface WireRecord {
  /** The headers of an answer arrived: the server can be reached. */
  answered: boolean;
  /** An HTTP error, or an error event in a stream. */
  failure: Failure | undefined;
  /** The answer is not a completion at all: a web page, JSON without choices, or text without an end. */
  notACompletion: 'html' | 'empty' | 'endless' | undefined;
  finish: string | undefined;
  /** `[DONE]` arrived, or the whole answer at once. */
  done: boolean;
  /** Number of events with a choice. */
  choices: number;
  usage: Readonly<Record<string, unknown>> | undefined;
  reasoning: string;
  /** The reasoning arrived as `reasoning_content`, the field that may be sent back. */
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

/** Ends the reading of an answer; the record has the reason. */
class WireFailure extends Error {
  override readonly name = 'WireFailure';
}

/** One step of an answer, in one shape for all servers: text content, and tool calls whose fields have their documented types. */
export interface Delta {
  readonly content: string;
  readonly tool_calls?: readonly ToolCallDelta[];
}

export interface ToolCallDelta {
  readonly index?: number;
  /** Never empty: an empty id (DashScope's later chunks) is left out. */
  readonly id?: string;
  readonly type: 'function';
  readonly function: { readonly name?: string; readonly arguments: string };
}

export interface WireOptions {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly onAlive: () => void;
  readonly record: WireRecord;
}

/** Bodies of errors are read up to here, in UTF-16 units. */
const maxErrorBody = 200_000;
/** An answer of more UTF-16 units is not one: a server that has gone wild must not fill the memory. */
const maxAnswer = 40_000_000;
/** Of the reasoning no more is stored, in UTF-16 units. */
const maxReasoning = 2_000_000;
/** Names and ids of tool calls, in UTF-16 units. */
const maxName = 200;
/** Of one event's tool calls no more are read. */
const maxToolCalls = 128;

/**
 * Sends one request and reads the answer, streamed or not: a server that ignores `stream` and answers JSON works too. Rejects with
 * what `fetch` rejects with, and with {@link WireFailure} when the record says why.
 */
export async function* exchange(options: WireOptions, signal: AbortSignal): AsyncGenerator<Delta> {
  const { record } = options;
  const response = await options.fetch(options.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'deep-research-vscode',
      ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
    },
    body: JSON.stringify(options.body),
    // A key must not follow a redirect to another origin, and a POST would turn into a GET.
    redirect: 'manual',
    signal,
  });
  record.answered = true;
  options.onAlive();
  if (response.status < 200 || response.status >= 300) {
    record.failure = {
      status: response.status,
      headers: headersOf(response),
      body: await errorBody(response),
    };
    throw new WireFailure(`HTTP ${response.status}`);
  }
  const { kind, texts } = await beginning(bounded(response, options));
  if (kind === 'whole') {
    let whole = '';
    for await (const text of texts) whole += text;
    yield* wholeAnswer(whole, response, record);
    return;
  }
  for await (const { event, data } of serverSentEvents(texts)) yield* deltas(event, data, record);
}

/** Servers send wrong content types, so the first characters decide. `texts` has all of the text, the beginning included. */
async function beginning(
  texts: AsyncGenerator<string>,
): Promise<{ readonly kind: 'stream' | 'whole'; readonly texts: AsyncIterable<string> }> {
  let text = '';
  let kind: 'stream' | 'whole' | undefined;
  while (kind === undefined) {
    const next = await texts.next();
    if (next.done) break;
    // White space in front says nothing, however much of it there is.
    text = (text + next.value).replace(/^[\uFEFF\s]+/, '');
    kind = kindOf(text);
  }
  return { kind: kind ?? 'whole', texts: concat(text, texts) };
}

async function* concat(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function kindOf(start: string): 'stream' | 'whole' | undefined {
  if (start === '' || (start.length < 6 && 'event:data:id:retry:'.includes(start))) return undefined;
  return /^(?::|data:|event:|id:|retry:)/.test(start) ? 'stream' : 'whole';
}

async function* bounded(response: Response, { onAlive, record }: WireOptions): AsyncGenerator<string> {
  let size = 0;
  for await (const text of textOf(response)) {
    onAlive();
    size += text.length;
    if (size > maxAnswer) {
      record.notACompletion = 'endless';
      throw new WireFailure('The answer has no end.');
    }
    yield text;
  }
}

function* wholeAnswer(text: string, response: Response, record: WireRecord): Generator<Delta> {
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
    record.failure = { status: response.status, headers: headersOf(response), body: trimmed.slice(0, maxErrorBody) };
    throw new WireFailure('An error in an answer of status 200');
  }
  if (!isRecord(value) || !Array.isArray(value['choices']) || value['choices'].length === 0) {
    // The Messages API's shape of a refusal, which gateways pass on.
    if (isRecord(value) && value['stop_reason'] === 'refusal') record.finish = 'content_filter';
    record.notACompletion = 'empty';
    throw new WireFailure('No choices');
  }
  yield* deltas(undefined, trimmed, record);
}

function* deltas(event: string | undefined, data: string, record: WireRecord): Generator<Delta> {
  const text = data.trim();
  if (text === '') return;
  if (text === '[DONE]') {
    record.done = true;
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
    record.finish = choice['finish_reason'].slice(0, 40);
  const delta = isRecord(choice['delta'])
    ? choice['delta']
    : isRecord(choice['message'])
      ? choice['message']
      : undefined;
  if (delta === undefined) return;
  readReasoning(delta, record);
  if (typeof delta['refusal'] === 'string') record.refusal = (record.refusal + delta['refusal']).slice(0, 2_000);
  const content = textContent(delta['content']);
  const toolCalls = Array.isArray(delta['tool_calls'])
    ? delta['tool_calls'].slice(0, maxToolCalls).filter(isRecord).map(wholeToolCall)
    : [];
  if (content === '' && toolCalls.length === 0) return;
  yield toolCalls.length > 0 ? { content, tool_calls: toolCalls } : { content };
}

function wholeToolCall(call: Record<string, unknown>): ToolCallDelta {
  const called = isRecord(call['function']) ? call['function'] : {};
  const args = called['arguments'];
  return {
    ...(typeof call['index'] === 'number' && { index: call['index'] }),
    ...(typeof call['id'] === 'string' && call['id'] !== '' && { id: call['id'].slice(0, maxName) }),
    type: 'function',
    function: {
      ...(typeof called['name'] === 'string' && called['name'] !== '' && { name: called['name'].slice(0, maxName) }),
      // A few servers send the arguments as an object.
      arguments: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
    },
  };
}

function readReasoning(delta: Record<string, unknown>, record: WireRecord): void {
  if (record.reasoning.length > maxReasoning) return;
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
  record.failure = { status: 200, headers: {}, body: body.slice(0, maxErrorBody), inStream: true };
  throw new WireFailure('An error event');
}

/** The body of an error. When it breaks off, the status alone has to do. */
async function errorBody(response: Response): Promise<string> {
  try {
    return await readBounded(response, maxErrorBody);
  } catch {
    return '';
  }
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
