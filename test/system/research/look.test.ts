import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import type { ParsedRequest } from '../../support/modelRequest.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { ofType, silentLog } from '../../support/scriptedParts.ts';

/** Ten chains in an imitated web: a page that the plan's queries find names a survey, and only the survey's page has the figure. */
const aspects = ['How it works', 'Methods and techniques', 'Evaluation', 'Limits and open problems', 'Tools and code'];
const names = aspects.flatMap((_, index) => [`Velmora-${11 + index}`, `Ostrava-${31 + index}`]);
const figureOf = (name: string): string => `${3_000 + 7 * names.indexOf(name)} kW`;

/** A text: a page of HTML takes a process to read. */
const page = (title: string, text: string): string => `# ${title}\n\n${text}\n`;
const leadText = (name: string): string =>
  `Tidal turbines were compared along the coast over several seasons. The rated output was first stated by the survey ${name} and has been quoted since then.`;
const surveyText = (name: string): string =>
  `The survey ${name} measured the output of tidal turbines at sea. It found a rated output of ${figureOf(name)} in the strongest current of the year.`;

function startWeb() {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const { port } = server.address() as AddressInfo;
    const [, kind = '', name = ''] = /^\/(lead|survey)\/([\w-]+)$/.exec(url.pathname) ?? [];
    if (kind !== '') {
      const text = kind === 'lead' ? leadText(name) : surveyText(name);
      response
        .writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' })
        .end(page(`Tidal turbines, ${kind} ${names.indexOf(name)}`, text));
      return;
    }
    const query = url.searchParams.get('q')?.toLowerCase() ?? '';
    const asked = names.filter((one) => query.includes(one.toLowerCase()));
    const aspect = aspects.findIndex((one) => query.includes(one.toLowerCase()));
    const found = [
      ...asked.map((one) => ['survey', one] as const),
      ...(aspect < 0 ? [] : names.slice(aspect * 2, aspect * 2 + 2).map((one) => ['lead', one] as const)),
    ];
    const results = found.map(([its, one]) => ({
      // A host a page: none of them has to wait for another.
      url: `http://127.0.0.${2 + names.indexOf(one) + (its === 'lead' ? 0 : names.length)}:${port}/${its}/${one}`,
      title: `Tidal turbines, ${its} ${names.indexOf(one)}`,
      content: its === 'lead' ? leadText(one) : 'A survey of tidal turbines.',
      engine: 'test',
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ query, results }));
  });
  return new Promise<http.Server>((resolve) => server.listen(0, () => resolve(server)));
}

/** Searches for what its sources name like an identifier, and opens surveys: it knows nothing of the chains. */
function followsNames({ step, tools, messages, sources }: ParsedRequest) {
  if (step !== 'act') return undefined;
  const tool = (argument: string) => tools.find(({ parameters }) => parameters.properties?.[argument])!.name;
  const asked = new Set(
    messages.flatMap(({ toolCalls }) =>
      toolCalls.flatMap(({ args }) => Object.values(JSON.parse(args || '{}') as Readonly<Record<string, string>>)),
    ),
  );
  const named = sources.flatMap(({ text }) => text.match(/\b[A-Z][a-z]+-\d+\b/g) ?? []);
  const surveys = sources.filter(({ title }) => /survey/.test(title)).map(({ id }) => id);
  const calls = [
    ...[...new Set(named)].map((query) => ({ name: tool('query'), args: { query } })),
    ...surveys.map((url) => ({ name: tool('url'), args: { url } })),
  ].filter(({ args }) => !asked.has(Object.values(args)[0]!));
  return { toolCalls: calls.length > 0 ? calls : [{ name: 'research_complete', args: {} }] };
}

describe('leads that only what was found names', () => {
  let web: http.Server;
  before(async () => void (web = await startWeb()));
  after(() => {
    web.closeAllConnections();
    web.close();
  });

  async function followed(depth: string) {
    const { port } = web.address() as AddressInfo;
    const hosts = Array.from({ length: 2 + 2 * names.length }, (_, index) => `127.0.0.${index + 1}:${port}`);
    const opened = Promise.withResolvers<void>();
    const surveys = new Set<string>();
    let finished = 0;
    const server = await startModelServer({
      // A distillation takes its time: what was followed is there by then.
      script: (request) => (request.step === 'distil' ? { until: opened.promise } : followsNames(request)),
      imitation: { sections: aspects.length },
    });
    const [workspaceFolder, runsFolder] = [temporaryFolder('look'), temporaryFolder('look-runs')];
    const events: ResearchEvent[] = [];
    const { report } = await research({
      question: 'Compare tidal turbines',
      settings: {
        ...{ strategy: 'sections', depth, planApproval: 'never', clarification: 'off' },
        ...{ 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
        ...{ 'sources.enabled': ['web'], 'sources.web.provider': 'searxng', 'endpoints.searxng': `http://${hosts[0]}` },
        'network.allowPrivateHosts': hosts,
      },
      workspaceFolder,
      runsFolder,
      secrets: { key: async () => undefined },
      log: silentLog,
      version: 'test',
      saveTo: { save: () => Promise.resolve(undefined) },
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'tool/started' && event.args.includes('/survey/')) surveys.add(event.call);
        if (event.type === 'tool/finished' && surveys.has(event.call)) finished += 1;
        if (finished === names.length) opened.resolve();
      },
    });
    for (const folder of [workspaceFolder, runsFolder]) removeFolder(folder);
    await server.close();
    const acts = server.requests.filter(({ step }) => step === 'act').length;
    return { found: names.filter((name) => report.includes(figureOf(name))).length, acts, events };
  }

  it('are followed in one look a section at depth standard', async () => {
    const { found, acts, events } = await followed('standard');
    assert.ok(found >= 8, `${found} of ten`);
    assert.ok(acts >= aspects.length, `${acts} turns`);
    assert.deepEqual(ofType(events, 'run/warning'), []);
  });

  it('are all followed at depth deep', async () => {
    const { found } = await followed('deep');
    assert.equal(found, 10);
  });
});
