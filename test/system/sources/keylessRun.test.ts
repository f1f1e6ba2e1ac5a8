import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readAllSettings } from '../../../src/catalogue.ts';
import { research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { createTools } from '../../../src/sources/createTools.ts';
import { createPoliteClient } from '../../../src/sources/http/politeClient.ts';
import { type KeylessServices, startKeylessServices } from '../../support/keylessServices.ts';
import { ofType, planOf, scriptedAnalyst } from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';
import { virtualClock } from '../../support/virtualClock.ts';

let services: KeylessServices;
let folder: TemporaryFolder;
before(async () => {
  services = await startKeylessServices();
  folder = await temporaryFolder();
});
after(async () => {
  await services.close();
  await folder.remove();
});
async function keylessRun(question: string): Promise<{ readonly report: string; readonly events: ResearchEvent[] }> {
  const events: ResearchEvent[] = [];
  const { report } = await research({
    question,
    settings: { ...services.settings, 'model.provider': 'extractive', clarification: 'off' },
    runsFolder: join(folder.path, 'runs'),
    secrets: noSecrets,
    log: silentLog,
    version: '0.0.0-test',
    onEvent: (event) => events.push(event),
  });
  return { report, events };
}

describe('a run without a key, a model and a folder', () => {
  it('answers a public question from the encyclopedia and from papers', async () => {
    const { report, events } = await keylessRun('How does retrieval-augmented generation reduce hallucination?');
    const quotes = report.split('\n').filter((line) => line.startsWith('> '));
    assert.match(
      quotes[0] ?? '',
      /reduces hallucination because the model answers from documents\. \[\[1\]\]\(#ref-1\)/,
    );
    assert.match(report, /does not prevent hallucination/);
    assert.match(report, /https:\/\/arxiv\.org\/abs\/26\d\d\.\d{5}v\d/);
    assert.doesNotMatch(report, /== |\bReferences: |Removed because/);
    // One paper is one source, whichever service was the first to bring it.
    const titles = ofType(events, 'source/added').map(({ title }) => title);
    assert.deepEqual(titles.length, new Set(titles).size);
  });

  it('asks in English what the question asks in another script, and puts its own language first', async () => {
    const { report } = await keylessRun('检索增强生成如何减少幻觉?');
    const quotes = report.split('\n').filter((line) => line.startsWith('> '));
    assert.match(quotes[0] ?? '', /检索增强生成可以减少幻觉/);
    assert.match(report, /https:\/\/arxiv\.org\/abs\//);
    assert.doesNotMatch(report, /因工具调用次数上限而未查询/);
  });

  it('gives no source that is dead or limited as searched, and answers from the others', async () => {
    const { others } = services;
    const [wikipedia, scholar] = [others.wikipedia.answer, others.semanticscholar.answer];
    others.wikipedia.answer = () => ({ status: 503, body: 'Down' });
    others.semanticscholar.answer = () => ({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: { message: 'No.' },
    });
    try {
      const { report, events } = await keylessRun('Which attacks on retrieval-augmented generation are detected?');
      assert.match(report, /Detecting RAG Extraction Attack/);
      assert.ok(ofType(events, 'run/warning').some(({ message }) => message.includes('Wikipedia')));
    } finally {
      others.wikipedia.answer = wikipedia;
      others.semanticscholar.answer = scholar;
    }
  });
});

describe('seven researchers that ask the same at the same time', () => {
  it('send no request twice', async () => {
    const { settings } = readAllSettings(services.settings);
    const client = createPoliteClient({ userAgent: 'deep-research-vscode/0.0.0-test', clock: virtualClock() });
    const { tools } = await createTools({ settings, secrets: noSecrets, client, log: silentLog });
    const query = 'retrieval augmented generation evaluation';
    const searches = [
      ...tools.filter(({ kind }) => kind === 'search').map(({ name }) => ({ name, args: { query } })),
      // The same in other words, spellings and orders.
      { name: 'search_papers', args: { query: ` Retrieval  augmented generation EVALUATION `, max_results: 10 } },
      { name: 'get_paper', args: { ids: ['arXiv:2604.10717'] } },
      { name: 'get_paper', args: { id: 'https://arxiv.org/abs/2604.10717v1' } },
      { name: 'get_arxiv_paper', args: { id: '2604.10717' } },
    ];
    services.forget();
    const run = scriptedRun({
      tools,
      settings: { 'limits.maxConcurrentResearchers': 7, 'limits.maxToolCallsPerResearcher': 50, clarification: 'off' },
      analyst: scriptedAnalyst({
        plan: async () => planOf(['A', 'B', 'C', 'D', 'E', 'F', 'G']),
        act: async ({ turn }) => ({
          said: '',
          calls: turn > 1 ? [] : searches.map((call, index) => ({ id: `${turn}-${index}`, ...call })),
        }),
      }),
    });
    const result = await run.result;
    assert.ok(result.sources.length > 5);
    assert.equal(
      ofType(run.events, 'section/updated').filter(({ status }) => status === 'completed').length >= 7,
      true,
    );
    const sent = services.requests();
    assert.ok(new Set(sent.map((request) => request.split(' ')[1])).size >= 6, 'every service was asked');
    const counts = Map.groupBy(sent, (request) => request);
    const twice = [...counts].filter(([, all]) => all.length > 1).map(([request]) => request);
    assert.deepEqual(twice, []);
  });
});
