import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { neverIdle } from './neverIdle.ts';

/** Answers a request in any way. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface PageServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** For `network.allowPrivateHosts`. */
  readonly place: string;
  /** Paths in the order of the requests. */
  readonly requests: readonly string[];
  /** Answers a path. A text is a page of HTML. */
  on(path: string, handler: PageHandler | string): string;
  close(): Promise<void>;
}

/** A web site on loopback. A path that nobody answers is 404. */
export async function startPageServer(): Promise<PageServer> {
  const handlers = new Map<string, PageHandler>();
  const requests: string[] = [];
  const server = createServer(neverIdle, (request, response) => {
    requests.push(request.url ?? '');
    const handler = handlers.get((request.url ?? '').split('?')[0] ?? '');
    if (handler === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not found</p>');
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    place: `127.0.0.1:${port}`,
    requests,
    on: (path, handler) => {
      const answer: PageHandler =
        typeof handler === 'string'
          ? (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(handler)
          : handler;
      handlers.set(path, answer);
      return `${url}${path}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
