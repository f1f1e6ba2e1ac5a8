import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { type KeylessServices, startKeylessServices } from '../../support/keylessServices.ts';
import { type PageServer, startPageServer } from '../../support/pageServer.ts';
import { ofType } from '../../support/scriptedParts.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

let services: KeylessServices;
let site: PageServer;
let folder: TemporaryFolder;
before(async () => {
  services = await startKeylessServices();
  site = await startPageServer();
  folder = await temporaryFolder();
});
after(async () => {
  await services.close();
  await site.close();
  await folder.remove();
});

async function keylessRun(question: string, enabled = ['arxiv', 'scholarly', 'github', 'hackernews', 'web']) {
  const events: ResearchEvent[] = [];
  const { report } = await research({
    question,
    settings: {
      ...services.settings,
      'deepResearch.sources.enabled': enabled,
      'model.provider': 'extractive',
      'network.allowPrivateHosts': [site.place],
    },
    runsFolder: join(folder.path, 'runs'),
    secrets: noSecrets,
    log: silentLog,
    version: '0.0.0-test',
    onEvent: (event) => events.push(event),
  });
  return { report, events };
}

const article = (text: string) =>
  `<html><head><title>Backpressure in brokers</title></head><body><article><h1>Backpressure in brokers</h1>
  <p>${text}</p><p>The broker was measured for three weeks on machines of eight cores, under a steady load.</p></article></body></html>`;

describe('what a question names, without a key or a model', () => {
  it('is opened and cited first: a page', async () => {
    const url = site.on('/posts/brokers', article('Backpressure halves the queue length of the Zorbel broker.'));
    const { report, events } = await keylessRun(`What does ${url} say about backpressure in the broker?`);
    assert.match(report, /> Backpressure halves the queue length of the Zorbel broker\./);
    assert.ok(report.includes(`${url}. Retrieved`), report);
    assert.equal(ofType(events, 'source/added')[0]?.url, url);
    assert.equal(site.requests.filter((path) => path === '/posts/brokers').length, 1);
  });

  it('is what "this page" means', async () => {
    const url = site.on('/posts/this', article('Brokers without backpressure lose a tenth of their messages.'));
    const { report, events } = await keylessRun(`Summarise this page: ${url}`);
    assert.match(report, /Brokers without backpressure lose a tenth/);
    assert.deepEqual(ofType(events, 'clarify/asked'), []);
  });

  it('is opened by the source that knows it: a paper, a repository', async () => {
    services.forget();
    const { report, events } = await keylessRun(
      'Compare arXiv:2603.16169 with https://github.com/sample-lab/hybrid-retriever',
    );
    const opened = ofType(events, 'tool/started')
      .slice(0, 2)
      .map(({ name }) => name);
    assert.deepEqual(opened.toSorted(), ['get_github_readme', 'read_arxiv_paper']);
    assert.match(report, /https:\/\/arxiv\.org\/abs\/2603\.16169v1/);
    assert.ok(report.includes('https://github.com/sample-lab/hybrid-retriever'));
  });

  it('is listed as unread where it can not be, and the run goes on', async () => {
    const url = site.on('/closed', (_, response) => response.writeHead(403).end());
    const { report, events } = await keylessRun(`How does retrieval-augmented generation work, by ${url}?`);
    assert.equal(ofType(events, 'page/unread')[0]?.url, url);
    assert.match(report, /\[1\]/);
  });

  it('is listed as unread, with the reason, where its address is not opened', async () => {
    const redirecting = site.on('/inwards', (_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    const refused = [
      ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x', /this machine or a private network/],
      ['http://anna:pw9@example.org/x', 'http://example.org/x', /a user name or password/],
      [redirecting, redirecting, /this machine or a private network/],
    ] as const;
    for (const [url, shown, why] of refused) {
      const { report, events } = await keylessRun(`How does retrieval-augmented generation work, by ${url}?`);
      const [, ...notes] = report.replaceAll('`', '').split(`Not read: ${shown}. `);
      assert.equal(notes.length, 1, report);
      assert.match(notes[0]!.split('\n', 1)[0]!, why);
      const unread = ofType(events, 'run/warning').filter(({ kind }) => kind === 'page.unread');
      assert.equal(unread.length, 1);
      assert.ok(!unread[0]!.message.includes('pw9'));
      assert.equal(ofType(events, 'page/unread')[0]?.url, shown);
    }
  });

  it('is not opened where the web is not among the enabled sources', async () => {
    const before = site.requests.length;
    await keylessRun(`What does ${site.url}/other say of retrieval-augmented generation?`, ['scholarly']);
    assert.equal(site.requests.length, before);
  });
});
