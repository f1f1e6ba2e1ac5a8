import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { neverIdle } from './neverIdle.ts';
import { imitatedSettings, startSourceServer } from './sourceServer.ts';

/** Milliseconds that an answer takes, and that lie between two answers of arXiv. */
export interface ServicesPace {
  readonly latencyMs: number;
  readonly arxivIntervalMs: number;
}

const webPages = 5;
const papers = 4;
const paragraphs = 12;

/**
 * arXiv and GitHub from the sample corpus, and a web (SearXNG) and Semantic Scholar that have something on each query:
 * what they state is about its words, with figures that no other page has. Each page of the web is on a host of its own.
 */
export async function startFiveServices({ latencyMs, arxivIntervalMs }: ServicesPace) {
  const sources = await startSourceServer({
    pace: { arxiv: { latencyMs, intervalMs: arxivIntervalMs }, github: { latencyMs, intervalMs: 0 } },
  });
  const server = http.createServer(neverIdle, (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const { type, body } = answer(url);
    setTimeout(() => response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body), latencyMs);
  });
  // On every address of this machine: 127.0.0.2, 127.0.0.3 …
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const hosts = Array.from({ length: 254 }, (_, index) => `127.0.0.${index + 1}:${port}`);
  const origin = `http://${hosts[0]}`;
  const deadEnds = ['openalex', 'crossref', 'wikipedia', 'huggingface'];
  return {
    settings: {
      ...imitatedSettings(sources),
      'deepResearch.sources.enabled': ['workspace', 'arxiv', 'github', 'web', 'scholarly'],
      'deepResearch.sources.web.provider': 'searxng',
      'deepResearch.endpoints.searxng': origin,
      'deepResearch.endpoints.semanticscholar': origin,
      ...Object.fromEntries(deadEnds.map((name) => [`deepResearch.endpoints.${name}`, `${origin}/none`])),
      'deepResearch.network.allowPrivateHosts': hosts,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await sources.close();
    },
  };
}

function answer(url: URL): { readonly type: string; readonly body: string } {
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });
  const subject = plain(url.searchParams.get('q') ?? url.searchParams.get('query') ?? '');
  const port = url.port;
  if (url.pathname === '/search') {
    const results = Array.from({ length: webPages }, (_, number) => ({
      url: `http://127.0.0.${2 + (numberOf(subject, number) % 250)}:${port}/page/${encodeURIComponent(subject)}/${number}`,
      title: `${capital(subject)}: study ${numberOf(subject, number)}`,
      content: `Results on ${subject} from study ${numberOf(subject, number)}.`,
      engine: 'test',
    }));
    return json({ query: subject, results });
  }
  if (url.pathname === '/graph/v1/paper/search') {
    const data = Array.from({ length: papers }, (_, index) => ({
      paperId: numberOf(subject, 100 + index)
        .toString(16)
        .padStart(40, 'a'),
      title: `${capital(subject)}: paper ${numberOf(subject, 100 + index)}`,
      abstract: statements(subject, 100 + index, 2),
      year: 2026,
      authors: [{ name: 'Ann Author' }],
    }));
    return json({ total: papers, data });
  }
  const [, topic = '', number = ''] = /^\/page\/([^/]+)\/(\d+)$/.exec(url.pathname) ?? [];
  if (topic === '') return { type: 'text/plain', body: '' };
  const name = decodeURIComponent(topic);
  const head = `# ${capital(name)}: study ${numberOf(name, Number(number))}`;
  return {
    type: 'text/markdown; charset=utf-8',
    body: `${head}\n\n${statements(name, Number(number), paragraphs)}\n`,
  };
}

/** Paragraphs of three sentences with figures of their own. */
function statements(subject: string, number: number, count: number): string {
  const study = numberOf(subject, number);
  return Array.from({ length: count }, (_, index) => {
    const own = study * 31 + index * 7;
    return [
      `Study ${study} measured ${subject} in run ${own} with ${100 + (own % 809)} queries a second.`,
      `In run ${own} of study ${study} an accuracy of ${40 + (own % 53)}.${own % 10} percent was reached for ${subject}.`,
      `The cost of run ${own} on ${subject} was ${10 + (own % 87)} dollars at ${1 + (own % 15)} machines.`,
    ].join(' ');
  }).join('\n\n');
}

function numberOf(subject: string, number: number): number {
  let hash = number + 1;
  for (const character of subject) hash = (hash * 31 + character.codePointAt(0)!) % 99_991;
  return 1_000 + hash;
}

function plain(query: string): string {
  return (query.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []).join(' ');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
