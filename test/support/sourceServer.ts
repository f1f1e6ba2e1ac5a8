import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerArxiv, type ImitatedAnswer } from './imitatedArxiv.ts';
import { answerGithub } from './imitatedGithub.ts';
import { neverIdle } from './neverIdle.ts';

export type ImitatedService = 'arxiv' | 'github';

/** A request as it arrived, in order. */
export interface RecordedRequest {
  readonly service: ImitatedService;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds, `performance.now()`. */
  readonly at: number;
  /** How many requests of this service were open when it arrived, itself included. */
  readonly concurrent: number;
  /** Resolves when the connection of the answer is over; true when the client left before the answer was complete. */
  readonly closed: Promise<boolean>;
}

/**
 * What happens instead of the sample corpus's answer. Scripts are used up in order, the first whose `when` holds;
 * `times` (1 when absent) says how often, `Infinity` is allowed.
 */
export interface ScriptedAnswer {
  readonly when?: (request: RecordedRequest) => boolean;
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** `hang`: never answers. `hangInBody`: sends headers and half of the body, then nothing. `close`: cuts the connection at once. `truncate`: cuts it in the middle of the body. */
  readonly fault?: 'hang' | 'hangInBody' | 'close' | 'truncate';
  /** The answer is held back until this resolves. */
  readonly until?: Promise<unknown>;
  /** The answer is held back so long. */
  readonly delayMs?: number;
}

export type SourceScripts = Partial<Record<ImitatedService, readonly ScriptedAnswer[]>>;

/** What an answer of a service takes, and what lies between the starts of two; in milliseconds. Default: nothing. */
export type SourcePace = Partial<Record<ImitatedService, { readonly latencyMs: number; readonly intervalMs: number }>>;

export interface SourceServer {
  /** For `endpoints.arxiv`. */
  readonly arxivUrl: string;
  /** For `endpoints.github`. */
  readonly githubUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves with the first request, seen or yet to come, for which `test` holds. */
  waitFor(test: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Adds scripts while the server runs. */
  script(service: ImitatedService, ...answers: readonly ScriptedAnswer[]): void;
  /** Forgets scripts that were not used up. */
  clearScripts(): void;
  /** Ends both services and every open connection. */
  close(): Promise<void>;
}

/**
 * Settings with which a run asks the workspace and the two imitated services alone, whatever else is registered. Both
 * prefixed and unprefixed keys may override them when they come later.
 */
export function imitatedSettings({ arxivUrl, githubUrl }: Pick<SourceServer, 'arxivUrl' | 'githubUrl'>) {
  return {
    'deepResearch.sources.enabled': ['workspace', 'arxiv', 'github'],
    'deepResearch.endpoints.arxiv': arxivUrl,
    'deepResearch.endpoints.github': githubUrl,
  };
}

/**
 * Imitates arXiv and GitHub on two ports of 127.0.0.1. Without scripts it answers from a small corpus on
 * retrieval-augmented generation, model inference and multimodal models, so that whole runs work offline.
 */
export async function startSourceServer(
  options: { readonly scripts?: SourceScripts; readonly pace?: SourcePace } = {},
): Promise<SourceServer> {
  const requests: RecordedRequest[] = [];
  const waiting: {
    readonly test: (request: RecordedRequest) => boolean;
    readonly found: (request: RecordedRequest) => void;
  }[] = [];
  const scripts: Record<ImitatedService, { answer: ScriptedAnswer; left: number }[]> = { arxiv: [], github: [] };
  const open: Record<ImitatedService, number> = { arxiv: 0, github: 0 };
  /** When the next answer of a paced service may begin. */
  const free: Record<ImitatedService, number> = { arxiv: 0, github: 0 };
  const script = (service: ImitatedService, ...answers: readonly ScriptedAnswer[]): void => {
    scripts[service].push(...answers.map((answer) => ({ answer, left: answer.times ?? 1 })));
  };
  script('arxiv', ...(options.scripts?.arxiv ?? []));
  script('github', ...(options.scripts?.github ?? []));

  const handle =
    (service: ImitatedService) =>
    async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      open[service] += 1;
      const recorded: RecordedRequest = {
        service,
        method: request.method ?? 'GET',
        url: request.url ?? '/',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        at: performance.now(),
        concurrent: open[service],
        closed: new Promise((resolve) => {
          response.once('close', () => {
            open[service] -= 1;
            resolve(!response.writableFinished);
          });
        }),
      };
      requests.push(recorded);
      for (const waiter of waiting.splice(0)) {
        if (waiter.test(recorded)) waiter.found(recorded);
        else waiting.push(waiter);
      }
      const entry = scripts[service].find(({ answer, left }) => left > 0 && (answer.when?.(recorded) ?? true));
      if (entry) entry.left -= 1;
      await entry?.answer.until;
      const pace = options.pace?.[service];
      if (pace) {
        const start = Math.max(performance.now(), free[service]);
        free[service] = start + pace.intervalMs;
        await new Promise((resolve) => setTimeout(resolve, start - performance.now() + pace.latencyMs));
      }
      if (entry?.answer.delayMs !== undefined)
        await new Promise((resolve) => setTimeout(resolve, entry.answer.delayMs));
      if (entry && isScripted(entry.answer)) play(entry.answer, request, response);
      else send(response, service === 'arxiv' ? arxivAnswer(url) : answerGithub(url, request.headers));
    };

  const servers = await Promise.all(
    (['arxiv', 'github'] as const).map((service) =>
      listen(createServer(neverIdle, (request, response) => void handle(service)(request, response))),
    ),
  );
  const [arxivUrl, githubUrl] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ) as [string, string];
  return {
    arxivUrl,
    githubUrl,
    requests,
    waitFor: (test) => {
      const seen = requests.find(test);
      return seen ? Promise.resolve(seen) : new Promise((found) => waiting.push({ test, found }));
    },
    script,
    clearScripts: () => {
      scripts.arxiv.length = 0;
      scripts.github.length = 0;
    },
    close: async () => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}

function isScripted(answer: ScriptedAnswer): boolean {
  return answer.status !== undefined || answer.body !== undefined || answer.fault !== undefined;
}

function arxivAnswer(url: URL): ImitatedAnswer {
  if (url.pathname.endsWith('/api/query')) return answerArxiv(url.searchParams);
  return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><body>Not found</body></html>' };
}

function play(answer: ScriptedAnswer, request: IncomingMessage, response: ServerResponse): void {
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
  const type = typeof answer.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  if (answer.fault === 'hang') return;
  if (answer.fault === 'close') {
    request.socket.destroy();
    return;
  }
  const bytes = Buffer.from(text, 'utf8');
  response.writeHead(answer.status ?? 200, {
    'content-type': type,
    ...answer.headers,
    ...(answer.fault ? { 'content-length': String(bytes.length + 100) } : {}),
  });
  if (answer.fault === undefined) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
    if (answer.fault === 'truncate') request.socket.destroy();
  });
}

function send(response: ServerResponse, answer: ImitatedAnswer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
