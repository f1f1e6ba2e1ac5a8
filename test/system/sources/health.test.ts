import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { checkSources, offerModels, type RunOptions } from '../../../src/engine.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { trialPort } from '../../../src/node/trials.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { startSourceServer, type SourceServer } from '../../support/sourceServer.ts';

const never = new AbortController().signal;
let server: SourceServer;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());

function options(settings: Readonly<Record<string, unknown>>): RunOptions {
  return { settings, runsFolder: '', secrets: noSecrets, log: silentLog, version: '0' };
}
const both = () => ({ 'endpoints.arxiv': server.arxivUrl, 'endpoints.github': server.githubUrl });
async function check(settings: Readonly<Record<string, unknown>>, signal = never) {
  const found = await checkSources(options(settings), signal);
  return Object.fromEntries(found.map((health) => [health.name, health]));
}

describe('the check of the sources', () => {
  it('says what works, from the service itself each time', async () => {
    const settings = { ...both(), 'sources.enabled': ['arxiv', 'github'] };
    const before = server.requests.length;
    for (let round = 0; round < 2; round += 1) {
      const { arxiv, github } = await check(settings);
      assert.deepEqual([arxiv?.state, github?.state], ['works', 'works']);
      assert.match(arxiv?.message ?? '', /answered in \d+ ms/);
    }
    assert.ok(server.requests.length - before >= 4);
  });

  it('says what is limited, refused, unknown or not reachable, and how to fix it', async () => {
    const reset = String(Math.floor(Date.now() / 1_000) + 1_800);
    server.script('github', {
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      body: { message: 'API rate limit exceeded' },
    });
    const limited = await check({ ...both(), 'sources.enabled': ['github', 'nonsense'] });
    assert.equal(limited['github']?.state, 'limited');
    assert.deepEqual(limited['github']?.fix, { action: 'setKey', service: 'github' });
    assert.match(limited['github']?.message ?? '', /accepts no more requests for \d+ s/);
    assert.equal(limited['nonsense']?.state, 'missing');
    server.script('github', { status: 401, body: { message: 'Bad credentials' } });
    assert.equal((await check({ ...both(), 'sources.enabled': ['github'] }))['github']?.state, 'wrong');
    const dead = await check({ 'endpoints.arxiv': 'http://127.0.0.1:9', 'sources.enabled': ['arxiv'] });
    assert.equal(dead['arxiv']?.state, 'unreachable');
    assert.equal(dead['arxiv']?.fix?.action, 'openSettings');
    server.script('arxiv', { status: 200, body: '<html><title>Sign in to the proxy</title></html>', times: 9 });
    const proxied = await check({ ...both(), 'sources.enabled': ['arxiv'] });
    assert.notEqual(proxied['arxiv']?.state, 'works');
  });

  it('shows what is left of a quota', async () => {
    server.script('github', {
      status: 200,
      headers: { 'x-ratelimit-remaining': '7', 'x-ratelimit-limit': '10' },
      body: { total_count: 0, incomplete_results: false, items: [] },
      times: 2,
    });
    const { github } = await check({ ...both(), 'sources.enabled': ['github'] });
    assert.match(github?.message ?? '', /7 of 10 requests are left/);
  });

  it('ends within its time although a service hangs, and at once when cancelled', async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const settings = { 'endpoints.arxiv': url, 'sources.enabled': ['arxiv'] };
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('cancelled')), 100);
    await assert.rejects(check(settings, stop.signal), /cancelled/);
    assert.equal((await check(settings))['arxiv']?.state, 'unreachable');
    hanging.closeAllConnections();
    hanging.close();
  });

  it('asks the model, and says when its server refuses the key', async () => {
    const model = createServer((_, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}'),
    );
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const found = await check({
      ...both(),
      'sources.enabled': ['arxiv'],
      'model.provider': 'openai-compatible',
      'model.name': 'some-model',
      'model.baseUrl': `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    });
    assert.equal(found['model']?.state, 'wrong');
    assert.deepEqual(found['model']?.fix, { action: 'setKey', service: 'openai-compatible' });
    model.close();
  });

  it('has the model as its first row, without one and with one that does not answer too', async () => {
    const sources = { ...both(), 'sources.enabled': ['arxiv'] };
    const [none] = await checkSources(options({ ...sources, 'model.provider': 'extractive' }), never);
    assert.deepEqual(
      [none?.label, none?.state, none?.fix],
      ['Model: none', 'optional', { action: 'selectModel' }],
      'no model is no fault',
    );
    assert.match(none?.message ?? '', /Select Model.*--base-url/);
    const dead = { 'model.provider': 'openai-compatible', 'model.name': 'some-model' };
    const [down] = await checkSources(
      options({ ...sources, ...dead, 'model.baseUrl': 'http://127.0.0.1:9/v1' }),
      never,
    );
    assert.deepEqual(
      [down?.label, down?.state, down?.fix],
      ['Model: some-model (openai-compatible)', 'unreachable', { action: 'selectModel' }],
    );
    assert.match(down?.message ?? '', /127\.0\.0\.1:9/);
  });

  it('says what the trial of the model showed, or that it has had none', async () => {
    const model = await startModelServer({ script: () => ({ text: 'OK' }) });
    const runsFolder = temporaryFolder('health');
    const settings = {
      ...both(),
      'sources.enabled': ['arxiv'],
      'model.baseUrl': model.url,
      'model.name': 'imitation-1',
    };
    const row = async (changes: object = {}): Promise<string> => {
      const [first] = await checkSources({ ...options({ ...settings, ...changes }), runsFolder }, never);
      assert.equal(first?.state, 'works');
      return first.message;
    };
    try {
      assert.match(await row(), /Not tried yet/);
      const host = new URL(model.url).host;
      const trial = trialPort(runsFolder, { host, model: 'imitation-1', build: async () => undefined }, systemClock);
      await trial.learnt({ trust: 'helps', right: 7, of: 10 });
      assert.match(await row(), /right in 7 of 10 tasks: it only writes.*deepResearch\.model\.trust to always/);
      await trial.learnt({ trust: 'leads', right: 9, of: 10 });
      assert.match(await row(), /right in 9 of 10 tasks: it leads/);
      assert.doesNotMatch(await row({ 'model.trust': 'always' }), /tried|trial/);
      const offered = await offerModels({ ...options(settings), runsFolder });
      const own = offered.find(({ baseUrl, models }) => baseUrl === model.url && models.length > 0);
      assert.deepEqual(own?.models, [{ id: 'imitation-1', trust: 'leads' }]);
      await trial.learnt({ trust: 'quotes', right: 0, of: 0, isLate: true });
      assert.match(await row(), /did not complete its last trial in time: reports consist of quotes/);
      const [late] = (await offerModels({ ...options(settings), runsFolder })).flatMap(({ models }) => models);
      assert.equal(late?.trust, 'late');
    } finally {
      await model.close();
      removeFolder(runsFolder);
    }
  });
});
