import http from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { research } from '../../src/engine.ts';
import { citedStatements } from '../support/citedStatements.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { prolificModel, wordsIn } from '../support/prolificModel.ts';
import { silentLog } from '../support/scriptedParts.ts';
import { plainMarks } from '../support/plainMarks.ts';

/**
 * Where facts are lost on their way from the sources to the report, with a model that takes what it is allowed to: by depth, context
 * window, and number of pages that each section's search finds.
 *
 *     MATERIAL_ONLY=deep/32000/8 npm run bench -- material     one row
 */
const depths = ['quick', 'standard', 'deep'] as const;
const windows = [8_000, 32_000, 128_000];
const pageCounts = [3, 8];
const factsOfPage = 45;
const subjects = ['work', 'method', 'evaluat'];
const sites = 'Korven Aldra Skelt Brome Ustra Fenwick Marl Tove Halden Ric Orla Penn'.split(' ');

/** Paragraphs of four sentences: three with figures of their own, the last pointing back. */
function pageOf(subject: string, number: number): string {
  const paragraphs = Array.from({ length: factsOfPage / 3 }, (_, index) => {
    const at = number * 1_000 + index * 7 + subject.length * 100;
    const site = sites[(index + number) % sites.length]!;
    return `<p>Tidal turbine T-${at} was ${subject === 'evaluat' ? 'evaluated' : `studied for its ${subject}`} at ${site} in a current of ${1 + (at % 17) / 10} m/s. Its rotor reached ${200 + (at % 613)} kW with ${2 + (index % 4)} blades in run ${at + 1}. The mooring of unit ${at + 2} at ${site} held a load of ${30 + (at % 89)} kN through the whole season. It was inspected by divers afterwards.</p>`;
  });
  return `<!doctype html><html lang="en"><head><title>Tidal turbines: ${subject} ${number}</title></head><body><main><article><h1>Tidal turbines: ${subject} ${number}</h1>${paragraphs.join('\n')}</article></main></body></html>`;
}

async function startPages(count: number) {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const origin = `http://${request.headers.host}`;
    if (url.pathname === '/search') {
      const query = url.searchParams.get('q')?.toLowerCase() ?? '';
      const subject = Math.max(
        0,
        subjects.findIndex((word) => query.includes(word)),
      );
      const results = Array.from({ length: count }, (_, number) => ({
        url: `${origin}/${subjects[subject]}/${number}`,
        title: `Tidal turbines: ${subjects[subject]} ${number}`,
        content: `Tidal turbines: how they work, methods and evaluation. Page ${number} on ${subjects[subject]}.`,
        engine: 'test',
      }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ query, results }));
      return;
    }
    const [, subject, number] = /^\/(\w+)\/(\d+)$/.exec(url.pathname) ?? [];
    if (subject === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(subject, Number(number)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${place}`,
    place,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function measure(depth: (typeof depths)[number], window: number, count: number): Promise<readonly unknown[]> {
  const pages = await startPages(count);
  const { script, counts } = prolificModel();
  const server = await startModelServer({ script, pieceLength: 400 });
  const [workspaceFolder, runsFolder] = [temporaryFolder('material'), temporaryFolder('material-runs')];
  const { report, sources } = await research({
    question: 'What do tests of tidal turbines show?',
    settings: {
      ...{ strategy: 'sections', depth, planApproval: 'never', clarification: 'off' },
      ...{ 'model.baseUrl': server.url, 'model.name': 'imitation-1', 'limits.maxContextTokens': window },
      ...{ 'sources.enabled': ['web'], 'sources.web.provider': 'searxng', 'endpoints.searxng': pages.url },
      'network.allowPrivateHosts': [pages.place],
    },
    workspaceFolder,
    runsFolder,
    secrets: { key: async () => undefined },
    log: silentLog,
    version: 'bench',
    saveTo: { save: () => Promise.resolve(undefined) },
    onEvent: () => undefined,
  });
  for (const folder of [workspaceFolder, runsFolder]) removeFolder(folder);
  await server.close();
  await pages.close();
  const facts = citedStatements(report, sources).filter(({ verified }) => verified).length;
  const references = plainMarks(report).split(/^## References$/m)[1] ?? '';
  const cited = sources.filter(({ url }) => url !== undefined && references.includes(url));
  const hosts = new Set(cited.map(({ url }) => new URL(url!).host)).size;
  const kinds = new Set(cited.map(({ kind }) => kind)).size;
  const parts = plainMarks(report).split(/^## /m).slice(1, 4);
  const words = parts.map((part) => wordsIn(part.replace(/\s*\[\d+\]/g, '')));
  const writing = server.requests.filter(({ step }) => step === 'section');
  const prompt = Math.round(writing.reduce((sum, one) => sum + one.promptTokens, 0) / Math.max(1, writing.length));
  const read = sources.filter(({ text }) => text.length > 1_000).length;
  if (process.env['MATERIAL_REPORT']) console.log(report);
  return [
    ...[depth, window, count * subjects.length, read, counts.shown, counts.found, counts.written, counts.around],
    ...[
      prompt,
      facts,
      cited.length,
      hosts,
      kinds,
      `${Math.min(...words)}-${Math.max(...words)}`,
      counts.wanted.join('-'),
    ],
  ];
}

console.log(
  '| depth | window | pages to find | opened | figures shown | findings named | reach the writer | further sentences | tokens of its prompt | cited facts | cited sources | hosts | kinds | words of a section | asked for |',
);
console.log(`|${' --- |'.repeat(15)}`);
for (const depth of depths)
  for (const window of windows)
    for (const count of pageCounts) {
      const only = process.env['MATERIAL_ONLY'];
      if (only !== undefined && only !== `${depth}/${window}/${count}`) continue;
      console.log(`| ${(await measure(depth, window, count)).join(' | ')} |`);
    }
