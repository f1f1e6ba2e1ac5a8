import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { neverIdle } from './neverIdle.ts';

/** A request as it arrived at a {@link ScriptedService}. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ServiceAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown;
  /** `truncate`: the connection is cut in the middle of the body. */
  readonly fault?: 'truncate';
}

/** One service on a port of 127.0.0.1 whose answers a test decides. */
export interface ScriptedService {
  readonly url: string;
  readonly requests: ServiceRequest[];
  answer: (request: ServiceRequest) => ServiceAnswer;
  close(): Promise<void>;
}

export async function startScriptedService(): Promise<ScriptedService> {
  const server = createServer(neverIdle, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const received: ServiceRequest = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      service.requests.push(received);
      send(response, service.answer(received));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: () => ({ status: 404, body: { message: 'Not Found' } }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

function send(response: ServerResponse, { status = 200, headers, body, fault }: ServiceAnswer): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    'content-length': String(bytes.length + (fault ? 100 : 0)),
  });
  if (fault === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}
