import type { WebFindings } from '../../research/ports.ts';
import type { Failure } from '../failure.ts';
import { readBounded, textOf } from './boundedBody.ts';
import { serverSentEvents } from './serverSentEvents.ts';
import { isRecord, type Json, parseJson } from '../../research/text/json.ts';

/** What was seen on the wire during one call, beside the text and tool calls. */
export class WireRecord {
  /** The headers of an answer arrived: the server can be reached. */
  answered = false;
  /** An HTTP error, or an error event in a stream. */
  failure: Failure | undefined;
  /** The answer is not a completion at all: a web page, JSON without choices, or text without an end. */
  notACompletion: 'html' | 'empty' | 'endless' | undefined;
  /** The answer of status 200 had no body at all. */
  nothing = false;
  finish: string | undefined;
  /** `[DONE]` arrived, or the whole answer at once. */
  done = false;
  /** The end was a mark alone (`[DONE]`). */
  marked = false;
  /** Number of events with a choice. */
  choices = 0;
  usage: Readonly<Record<string, unknown>> | undefined;
  reasoning = '';
  /** What the server wants back beside the tool calls of this turn, in its own shape. */
  sendBack: Json[] = [];
  refusal = '';
  /** What the server's own web search found; undefined: none was asked for. */
  web: WebFindings | undefined;
}

/** Ends the reading of an answer; the record has the reason. */
class WireFailure extends Error {
  override readonly name = 'WireFailure';
}

/** One step of an answer, in one shape for all servers. */
export interface Delta {
  readonly text: string;
  readonly calls?: readonly ToolCallDelta[];
}

export interface ToolCallDelta {
  readonly index?: number;
  /** Never empty: an empty id (DashScope's later chunks) is left out. */
  readonly id?: string;
  readonly name?: string;
  readonly args?: string;
}

/** How an API puts its answers: the rest of a call is the same for all of them. */
export interface AnswerReader {
  /** `events`: server-sent events; `lines`: a JSON value a line. */
  readonly format: 'events' | 'lines';
  /** Reads one piece of a streamed answer. What it says beside text and calls goes into the record. */
  read(piece: Json, record: WireRecord): Iterable<Delta>;
  /** Reads an answer that came at once. Of a format of lines it is a line like any other. */
  readWhole?(answer: Json, record: WireRecord): Iterable<Delta>;
}

export interface WireOptions {
  readonly fetch: typeof fetch;
  readonly url: string;
  /** The key among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly reader: AnswerReader;
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
/** More calls than any turn makes: what follows is dropped. */
export const maxToolCalls = 128;

/**
 * Sends one request and reads the answer, streamed or not: a server that ignores `stream` and answers JSON works too. Rejects with
 * what `fetch` rejects with, and with {@link WireFailure} when the record says why.
 */
export async function* exchange(options: WireOptions, signal: AbortSignal): AsyncGenerator<Delta> {
  const { record, reader } = options;
  const response = await options.fetch(options.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'user-agent': 'deep-research-vscode',
      ...options.headers,
    },
    body: JSON.stringify(options.body),
    // A key must not follow a redirect to another origin, and a POST would turn into a GET.
    redirect: 'manual',
    signal,
  });
  record.answered = true;
  options.onAlive();
  if (response.status < 200 || response.status >= 300) {
    // When it breaks off, the status alone has to do.
    record.failure = failureOf(response, await readBounded(response, maxErrorBody).catch(() => ''));
    throw new WireFailure(`HTTP ${response.status}`);
  }
  const { kind, texts } = await beginning(bounded(response, options));
  if (kind === 'stream') {
    for await (const { event, data } of serverSentEvents(texts)) yield* pieces(event, data, reader, record);
  } else if (reader.format === 'lines') {
    for await (const line of linesOf(texts)) yield* pieces(undefined, line, reader, record);
  } else {
    let whole = '';
    for await (const text of texts) whole += text;
    yield* wholeAnswer(whole, response, reader, record);
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = text.split('\n');
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
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
    text = (text + next.value).trimStart();
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

function* wholeAnswer(text: string, response: Response, reader: AnswerReader, record: WireRecord): Generator<Delta> {
  record.done = true;
  const trimmed = text.trim();
  refuseHtml(trimmed, record);
  record.nothing = trimmed === '';
  const value = parseJson(trimmed);
  if (value === undefined) return notACompletion(record, 'No JSON');
  if (isRecord(value) && hasError(value)) {
    record.failure = failureOf(response, trimmed.slice(0, maxErrorBody));
    throw new WireFailure('An error in an answer of status 200');
  }
  if (!isRecord(value) || !reader.readWhole) return notACompletion(record, 'No answer');
  yield* reader.readWhole(value, record);
}

function* pieces(event: string | undefined, data: string, reader: AnswerReader, record: WireRecord): Generator<Delta> {
  const text = data.trim();
  if (text === '') return;
  if (text === '[DONE]') {
    record.done = true;
    record.marked = true;
    return;
  }
  if (reader.format === 'lines') refuseHtml(text, record);
  const value = parseJson(text);
  if (value === undefined) {
    if (event === 'error') fail(record, text);
    throw new WireFailure('An event that is no JSON');
  }
  if (!isRecord(value)) return;
  if (event === 'error' || hasError(value)) fail(record, text);
  yield* reader.read(value, record);
}

function failureOf({ status, headers }: Response, body: string): Failure {
  return { status, headers: Object.fromEntries(headers), body };
}

function hasError({ error }: Json): boolean {
  return error !== undefined && error !== null;
}

function refuseHtml(text: string, record: WireRecord): void {
  if (!text.startsWith('<')) return;
  record.notACompletion = 'html';
  throw new WireFailure('A web page');
}

/** Ends the reading of an answer of status 200 that is none. */
export function notACompletion(record: WireRecord, why: string): never {
  record.notACompletion = 'empty';
  throw new WireFailure(why);
}

/** One more step of a tool call, as servers send it. */
export function callDelta({ index, id, name, args }: { readonly [K in keyof ToolCallDelta]: unknown }): ToolCallDelta {
  return {
    ...(typeof index === 'number' && { index }),
    ...(typeof id === 'string' && id !== '' && { id: id.slice(0, maxName) }),
    ...(typeof name === 'string' && name !== '' && { name: name.slice(0, maxName) }),
    // A few servers send the arguments as an object.
    args: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
  };
}

/** A call as OpenAI's API and those made after it give it. */
export function functionCall({ index, id, function: called }: Json): ToolCallDelta {
  const { name, arguments: args } = isRecord(called) ? called : {};
  return callDelta({ index, id, name, args });
}

/** Text of a content that may be a string, parts, null. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) =>
      isRecord(part) && part['type'] !== 'thinking' && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('');
}

export function addReasoning(record: WireRecord, text: unknown): void {
  if (typeof text === 'string' && record.reasoning.length <= maxReasoning) record.reasoning += text;
}

/** Why the model stopped, in its own words. */
export function setFinish(record: WireRecord, reason: unknown): void {
  if (typeof reason === 'string' && reason !== '') record.finish = reason.slice(0, 40);
}

export function addRefusal(record: WireRecord, text: unknown): void {
  if (typeof text === 'string') record.refusal = (record.refusal + text).slice(0, 2_000);
}

/** An error in the middle of an answer. */
export function fail(record: WireRecord, body: string): never {
  record.failure = { status: 200, headers: {}, body: body.slice(0, maxErrorBody), inStream: true };
  throw new WireFailure('An error event');
}
