import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { deadEndpoint } from './deadEndpoint.ts';
import { root } from './paths.ts';
import { startSourceServer } from './sourceServer.ts';
import { neverIdle } from './neverIdle.ts';

const page = `<!doctype html><html lang="en"><head><title>Retrieval-augmented generation in practice</title></head><body><main><article>
<h1>Retrieval-augmented generation in practice</h1><p>The main techniques of retrieval-augmented generation are dense retrieval, hybrid
retrieval with BM25, and reranking with a cross-encoder.</p><p>Retrieval-augmented generation with a reranker answers more questions
than retrieval-augmented generation without one, at the price of a longer wait.</p></article></main></body></html>`;

/** Hacker News, SearXNG with a page that it finds, and a service that blocks: by the first part of the path. */
function answer(url: URL, origin: string): { readonly status: number; readonly type: string; readonly body: string } {
  const json = (body: unknown) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) });
  if (url.pathname === '/hn/api/v1/search') {
    const story = {
      objectID: '4711',
      title: 'Ask HN: main techniques for retrieval-augmented generation?',
      author: 'ann',
      points: 90,
      num_comments: 2,
      created_at: '2026-05-04T10:00:00Z',
      created_at_i: 1_777_888_000,
      url: null,
      story_text:
        'Which techniques of retrieval-augmented generation do you use? We use hybrid retrieval and a reranker for retrieval-augmented generation.',
      _tags: ['story', 'ask_hn', 'story_4711'],
    };
    return json({ hits: [story], nbHits: 1, page: 0, nbPages: 1, hitsPerPage: 20 });
  }
  if (url.pathname.startsWith('/hn/api/v1/items/'))
    return json({
      id: 4711,
      type: 'story',
      title: 'Ask HN: main techniques for retrieval-augmented generation?',
      author: 'ann',
      points: 90,
      created_at: '2026-05-04T10:00:00Z',
      text: 'Which techniques of retrieval-augmented generation do you use?',
      children: [
        {
          id: 4712,
          type: 'comment',
          author: 'bob',
          text: 'Chunking by headings is the technique of retrieval-augmented generation that helped us most.',
          created_at: '2026-05-04T11:00:00Z',
          children: [],
        },
      ],
    });
  if (url.pathname === '/searx/search')
    return json({
      query: url.searchParams.get('q'),
      results: [
        {
          url: `${origin}/page`,
          title: 'Retrieval-augmented generation in practice',
          content:
            'The main techniques of retrieval-augmented generation are dense retrieval, hybrid retrieval and reranking.',
          engine: 'a',
          engines: ['a'],
          score: 1,
          category: 'general',
          publishedDate: '2026-02-03T00:00:00',
        },
        ...[1, 2].map((number) => ({
          url: `${origin}/paid/${number}`,
          title: `Techniques for retrieval-augmented generation, part ${number}`,
          content: 'Retrieval-augmented generation and its main techniques.',
          engine: 'a',
          engines: ['a'],
          score: 1,
          category: 'general',
        })),
      ],
      answers: [],
      unresponsive_engines: [],
    });
  if (url.pathname.startsWith('/paid/'))
    return { status: 200, type: 'text/html', body: '<title>Paid</title><p>Subscribe to continue reading.</p>' };
  if (url.pathname === '/page') return { status: 200, type: 'text/html; charset=utf-8', body: page };
  if (url.pathname === '/robots.txt') return { status: 404, type: 'text/plain', body: '' };
  return { status: 403, type: 'text/html', body: '<html><title>Access denied</title></html>' };
}

/** Services for eight kinds of sources: GitHub is limited, Hugging Face is dead, the scholarly ones block, the others answer. */
export interface ManyServices {
  /** Of the editor and the command line. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** First parts of the paths that were asked. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

/** @param tools Of the MCP server; empty: none is named. */
export async function startManyServices(
  tools: readonly string[] = ['search_hn', 'browse_stories', 'get_story_details'],
): Promise<ManyServices> {
  const sources = await startSourceServer();
  sources.script('github', {
    times: Infinity,
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 3_600) },
    body: { message: 'API rate limit exceeded for 127.0.0.1.' },
  });
  const asked = new Set<string>();
  const services = http.createServer(neverIdle, (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    asked.add(url.pathname.split('/')[1] ?? '');
    const { status, type, body } = answer(url, url.origin);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  const blocked = ['semanticscholar', 'openalex', 'crossref', 'wikipedia'];
  return {
    asked,
    settings: {
      'deepResearch.endpoints.arxiv': sources.arxivUrl,
      'deepResearch.endpoints.github': sources.githubUrl,
      'deepResearch.endpoints.huggingface': await deadEndpoint(),
      'deepResearch.endpoints.hackernews': `${origin}/hn`,
      'deepResearch.endpoints.searxng': `${origin}/searx`,
      'deepResearch.network.allowPrivateHosts': [new URL(origin).host],
      ...Object.fromEntries(blocked.map((name) => [`deepResearch.endpoints.${name}`, `${origin}/blocked`])),
      'deepResearch.sources.enabled': [],
      // Enough for every source in one section.
      'deepResearch.limits.maxToolCallsPerResearcher': 30,
      'deepResearch.mcpServers': {
        hn: {
          command: process.execPath,
          args: [path.join(root, 'node_modules/hn-mcp/dist/cli.js')],
          ...(tools.length > 0 && { tools }),
          searches: ['search_hn'],
          env: { NODE_OPTIONS: `--import=${path.join(root, 'test/support/offlineHn.mjs')}` },
        },
      },
    },
    async close() {
      services.closeAllConnections();
      services.close();
      await sources.close();
    },
  };
}
