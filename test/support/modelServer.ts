import * as http from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Imitation } from './modelAnswers.ts';
import { complete, refuse, streamEvents, wholeCompletion, type Completion } from './modelCompletion.ts';
import { parseRequest, type ParsedRequest } from './modelRequest.ts';
import { neverIdle } from './neverIdle.ts';

/**
 * An imitated OpenAI-compatible server over real HTTP on 127.0.0.1: `POST {url}/chat/completions`, streamed or not, and
 * `GET {url}/models`. It tells the program's steps apart as a model would, by what stands in the request (schema, tools,
 * prompt), and answers deterministically with nothing but sources of the prompt. A script may change any answer.
 */
export interface ModelServerOptions {
  /** Waited before the first byte of every answer: a model's time to think. */
  readonly delayMs?: number;
  /** Waited between the pieces of a streamed answer. */
  readonly tokenDelayMs?: number;
  /** Characters of a streamed piece. Default 24. */
  readonly pieceLength?: number;
  /** Changes the answer to a request; undefined leaves it. */
  readonly script?: Script;
  /** What the server can't do. */
  readonly plain?: Plainness | readonly Plainness[];
  /** Requests must carry `Authorization: Bearer KEY`; others get 401. */
  readonly key?: string;
  /** What `GET /models` lists. Default: one, "imitation-1". */
  readonly models?: readonly string[];
  /** How the imitated model answers: number of sections, whether it thinks aloud first. */
  readonly imitation?: Imitation;
  /** An answer that begins beside so many others ends without a finish reason. */
  readonly slots?: number;
  /** The script answers the trial of the model too, and its requests count. Default: the model passes it, unseen. */
  readonly isTried?: boolean;
}

export type Plainness =
  | 'noResponseFormat'
  | 'noJsonSchema'
  | 'noJsonObject'
  | 'noStream'
  | 'noStreamOptions'
  | 'noTools'
  | 'noSystemRole'
  | 'noSeed'
  | 'maxCompletionTokens'
  | 'noUsage'
  /** The first answer of every structured step is prose; JSON comes when it is asked again. */
  | 'proseFirst'
  /** JSON stands in a code fence with prose around it. */
  | 'fenced'
  /** Reasoning text comes before every answer, in `reasoning_content`. */
  | 'reasoning';

export type Script = (request: ParsedRequest) => ModelOverride | undefined;

/** What a script may change. Without a field the imitated answer stands. */
export interface ModelOverride {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is (a string) or as JSON, instead of any completion. */
  readonly body?: unknown;
  readonly text?: string;
  readonly json?: unknown;
  readonly toolCalls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: string | Readonly<Record<string, unknown>>;
  }[];
  readonly reasoning?: string;
  readonly finish?: string | null;
  readonly usage?: unknown;
  readonly delayMs?: number;
  readonly tokenDelayMs?: number;
  /** The answer waits for it. */
  readonly until?: Promise<unknown>;
  /** Never answers; the connection stays open until the client gives up. */
  readonly hang?: boolean;
  /** The stream stops after so many pieces: `cut` breaks the connection, `end` ends it cleanly, `stall` falls silent. */
  readonly stopAfter?: { readonly pieces: number; readonly how: 'cut' | 'end' | 'stall' };
  /** The text of the SSE stream, as it is. */
  readonly sse?: string;
  /** The stream's bytes, piece by piece, for the data of its events. */
  readonly wire?: (events: readonly string[]) => readonly Uint8Array[];
}

/** A request as it was seen, and what became of it. */
export interface ModelRequest extends ParsedRequest {
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  endedAt: number | undefined;
  status: number;
  /** The client went away before the answer was complete. */
  aborted: boolean;
}

export interface ModelServer {
  /** The base URL, to end before `/chat/completions`. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly ModelRequest[];
  /** How many requests for the list of models came. */
  readonly modelLists: number;
  /** Most completions that were being answered at one time. */
  readonly maxInFlight: number;
  readonly inFlight: number;
  /** Resolves with the first request, seen or yet to come, for which `test` holds. */
  waitFor(test: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  close(): Promise<void>;
}

/** A trial that no test is about takes no time and no tokens. */
const unseen: ModelOverride = {
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  delayMs: 0,
  tokenDelayMs: 0,
};

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const plain = new Set<Plainness>([options.plain ?? []].flat());
  const models = options.models ?? ['imitation-1'];
  const requests: ModelRequest[] = [];
  const waiting: { test: (request: ModelRequest) => boolean; found: (request: ModelRequest) => void }[] = [];
  let modelLists = 0;
  let inFlight = 0;
  let answering = 0;
  let maxInFlight = 0;

  const server = http.createServer(neverIdle, (message, response) => {
    void (async () => {
      const path = new URL(message.url ?? '/', 'http://localhost').pathname.replace(/^\/v1(?=\/)/, '');
      const text = await readBody(message);
      if (options.key !== undefined && message.headers.authorization !== `Bearer ${options.key}`) {
        return sendJson(response, 401, {
          error: {
            message: `Incorrect API key provided: ${message.headers.authorization ?? 'none'}.`,
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_api_key',
          },
        });
      }
      if (path === '/models' && message.method === 'GET') {
        modelLists += 1;
        return sendJson(response, 200, {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'tests' })),
        });
      }
      if (path !== '/chat/completions' || message.method !== 'POST') {
        return sendJson(response, 404, {
          error: {
            message: `Unknown request URL: ${message.method} ${path}.`,
            type: 'invalid_request_error',
            param: null,
            code: 'unknown_url',
          },
        });
      }
      const request: ModelRequest = {
        ...parseRequest(requests.length, text, message.headers),
        startedAt: performance.now(),
        endedAt: undefined,
        status: 0,
        aborted: false,
      };
      if (request.step === 'trial' && !options.isTried)
        return await answer(request, response, AbortSignal.any([]), false);
      requests.push(request);
      for (const waiter of waiting.splice(0)) {
        if (waiter.test(request)) waiter.found(request);
        else waiting.push(waiter);
      }
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      const gone = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) request.aborted = true;
        request.endedAt = performance.now();
        inFlight -= 1;
        gone.abort();
      });
      await answer(request, response, gone.signal);
    })().catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(error), type: 'test_server' } });
      else response.destroy();
    });
  });

  async function answer(
    request: ModelRequest,
    response: http.ServerResponse,
    gone: AbortSignal,
    isScripted = true,
  ): Promise<void> {
    const refusal = isScripted ? refuse(request, plain) : undefined;
    if (refusal !== undefined) {
      request.status = 400;
      return sendJson(response, 400, {
        error: {
          message: refusal.message,
          type: 'invalid_request_error',
          param: refusal.param,
          code: 'unsupported_parameter',
        },
      });
    }
    const given = (isScripted ? options.script?.(request) : unseen) ?? {};
    if (given.hang) return;
    await given.until;
    await sleep(given.delayMs ?? options.delayMs ?? 0, gone);
    if (gone.aborted) return;
    const isCrowded = options.slots !== undefined && answering >= options.slots;
    const override = isCrowded ? { ...given, stopAfter: { pieces: 2, how: 'end' } as const } : given;
    answering += 1;
    response.on('close', () => (answering -= 1));
    request.status = override.status ?? 200;
    if (override.body !== undefined || request.status !== 200) {
      const body = override.body ?? {
        error: {
          message: 'The server had an error while processing your request.',
          type: 'server_error',
          param: null,
          code: null,
        },
      };
      const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
      response.writeHead(request.status, { 'content-type': type, ...override.headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    const answered = requests.filter((other) => other !== request && other.status === 200);
    const completion = complete(request, override, options.imitation ?? {}, plain, answered);
    if (request.stream && !plain.has('noStream')) {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        ...override.headers,
      });
      return streamCompletion(completion, override, response, gone);
    }
    sendJson(response, 200, wholeCompletion(completion), override.headers);
  }

  async function streamCompletion(
    completion: Completion,
    override: ModelOverride,
    response: http.ServerResponse,
    gone: AbortSignal,
  ): Promise<void> {
    if (override.sse !== undefined) {
      response.end(override.sse);
      return;
    }
    const events = streamEvents(completion, options.pieceLength ?? 24);
    if (override.wire !== undefined) {
      const data = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
      for (const bytes of override.wire(data)) response.write(bytes);
      response.end();
      return;
    }
    const tokenDelay = override.tokenDelayMs ?? options.tokenDelayMs ?? 0;
    const stop = override.stopAfter;
    for (const [index, event] of events.entries()) {
      if (gone.aborted) return;
      if (stop && index >= stop.pieces) {
        if (stop.how === 'cut') response.destroy();
        else if (stop.how === 'end') response.end();
        return;
      }
      response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
      if (tokenDelay > 0) await sleep(tokenDelay, gone);
      else if (stop || index % 64 === 63) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes the server still ends.
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    get modelLists() {
      return modelLists;
    },
    get maxInFlight() {
      return maxInFlight;
    },
    get inFlight() {
      return inFlight;
    },
    waitFor: (test) => {
      const seen = requests.find(test);
      return seen ? Promise.resolve(seen) : new Promise((found) => waiting.push({ test, found }));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(message: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function sendJson(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
