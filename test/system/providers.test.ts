import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtIn, type Catalogue, createCatalogue } from '../../src/catalogue.ts';
import { assemble, describeSetup, offerModels, testKey, testModel, type RunOptions } from '../../src/engine.ts';
import { pathSink } from '../../src/node/reportSink.ts';
import { fileRunStore, newRunId } from '../../src/node/runStore.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { ResearchError } from '../../src/research/errors.ts';
import { runResearch, type ResearchResult } from '../../src/research/runResearch.ts';
import { deadEndpoint } from '../support/deadEndpoint.ts';
import { fastClock } from '../support/faultRun.ts';
import type { Step } from '../support/modelRequest.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { type Fault, startProviderServer, type Wire } from '../support/providerServer.ts';
import { sampled } from '../support/sampled.ts';
import { silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const key = 'sk-ant-right';
const question = 'Compare dense retrieval and sparse retrieval';
const providers: Readonly<Record<Wire, string>> = { messages: 'anthropic', ollama: 'ollama', responses: 'openai' };

interface Run {
  readonly result: ResearchResult | undefined;
  readonly error: ResearchError | undefined;
  readonly events: readonly ResearchEvent[];
  /** Everything that the run wrote. */
  readonly written: string;
}

describe('a whole run with each provider', () => {
  let sources: SourceServer;
  const folder = temporaryFolder('providers');
  before(async () => {
    sources = await startSourceServer();
  });
  after(async () => {
    await sources.close();
    removeFolder(folder);
  });

  const optionsFor = (settings: Readonly<Record<string, unknown>>, runsFolder = folder): RunOptions => ({
    settings: {
      ...imitatedSettings(sources),
      ...{ planApproval: 'never', clarification: 'off', strategy: 'sections' },
      ...{ 'limits.idleSeconds': 2, 'limits.maxStructuredOutputRetries': 1, 'limits.maxReviewIterations': 1 },
      'limits.maxToolCallsPerResearcher': 3,
      ...settings,
    },
    runsFolder,
    // GitHub is asked without one.
    secrets: {
      key: async (service) => (Object.values(providers).concat('aliyun').includes(service) ? key : undefined),
    },
    log: silentLog,
    version: 'test',
    saveTo: pathSink(path.join(runsFolder, 'reports')),
  });

  async function run(settings: Readonly<Record<string, unknown>>): Promise<Run> {
    const own = fs.mkdtempSync(path.join(folder, 'run-'));
    const events: ResearchEvent[] = [];
    const { parts, controller } = await assemble(optionsFor(settings, own));
    const store = fileRunStore(own, 100);
    let result: ResearchResult | undefined;
    let error: ResearchError | undefined;
    try {
      result = await runResearch({
        ...{ ...parts, clock: fastClock(), question, controller, run: newRunId(new Date()) },
        onEvent: (event) => events.push(event),
        openFolder: (record) => store.create(record),
        workspaceFolder: undefined,
        program: 'test',
      });
    } catch (thrown) {
      error = ResearchError.from(thrown);
    }
    const files = fs.readdirSync(own, { recursive: true, encoding: 'utf8' }).map((file) => path.join(own, file));
    const written = files.filter((file) => fs.statSync(file).isFile()).map((file) => fs.readFileSync(file, 'utf8'));
    return { result, error, events, written: written.join('\n') };
  }

  for (const wire of Object.keys(providers) as Wire[]) {
    for (const think of [false, true]) {
      it(`of ${providers[wire]}${think ? ', thinking,' : ''} ends in a report with references, and writes no key`, async () => {
        const server = await startProviderServer(wire);
        try {
          const { result, error, events, written } = await run({
            ...{ 'model.provider': providers[wire], 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
            ...{ 'model.enableThinking': think, depth: 'deep' },
          });
          assert.equal(error, undefined);
          assert.equal(result?.outcome, 'complete');
          assert.match(result.report, /\n## References\n\n- <a id="ref-1"><\/a>\[1\] /);
          const steps = new Set(server.requests.map(({ step }) => step));
          for (const step of ['assess', 'plan', 'act', 'distil', 'review', 'section', 'frame'] as const)
            assert.ok(steps.has(step), step);
          const used = events.filter((event) => event.type === 'usage');
          assert.ok(used.length > 5 && used.every(({ estimated }) => !estimated), 'tokens are those of the server');
          assert.ok(!written.includes(key));
        } finally {
          await server.close();
        }
      });
    }
  }

  it('of aliyun sends its switch for thinking, asks as a stream, and reads a model that thinks aloud', async () => {
    const server = await startModelServer({ key, plain: ['noJsonSchema', 'reasoning'] });
    try {
      const { result } = await run({
        ...{ 'model.provider': 'aliyun', 'model.baseUrl': server.url, 'model.name': 'qwen-plus' },
        'model.enableThinking': true,
      });
      assert.equal(result?.outcome, 'complete');
      assert.ok(!result.report.includes('step by step'));
      const bodies = server.requests.map(({ body }) => body);
      assert.ok(bodies.every((body) => body['stream'] === true));
      const json = bodies.filter((body) => body['response_format'] !== undefined);
      assert.ok(json.length > 0 && json.every((body) => body['enable_thinking'] === false));
      assert.ok(bodies.some((body) => body['tools'] !== undefined && body['enable_thinking'] === true));
    } finally {
      await server.close();
    }
  });

  it('of aliyun learns that a model thinks always', async () => {
    const server = await startModelServer({
      key,
      script: ({ body }) =>
        body['enable_thinking'] === false
          ? {
              status: 400,
              body: {
                error: {
                  code: 'invalid_parameter_error',
                  message: 'The value of the enable_thinking parameter is restricted to True.',
                  type: 'invalid_request_error',
                },
                request_id: '1',
              },
            }
          : undefined,
    });
    try {
      const { result } = await run({
        ...{ 'model.provider': 'aliyun', 'model.baseUrl': server.url, 'model.name': 'qwen3-max' },
      });
      assert.equal(result?.outcome, 'complete');
      assert.equal(server.requests.filter(({ body }) => body['enable_thinking'] === false).length, 1);
    } finally {
      await server.close();
    }
  });

  const error = (wire: Wire, message: string, code: string): unknown =>
    wire === 'ollama'
      ? { error: message }
      : wire === 'messages'
        ? { type: 'error', error: { type: code, message } }
        : { error: { message, type: code, param: null, code } };
  /** What goes wrong, with what a run may give as its reason when that ends it. */
  const faults = (wire: Wire): readonly (readonly [Fault, ...string[]])[] => [
    [
      { status: 400, body: error(wire, 'prompt is too long: 9000 tokens > 8192 maximum', 'invalid_request_error') },
      'contextLength',
    ],
    [
      { status: 429, headers: { 'retry-after': '2' }, body: error(wire, 'Rate limit reached.', 'rate_limit_error') },
      'rateLimit',
    ],
    [{ status: 429, body: error(wire, 'Rate limit reached.', 'rate_limit_error') }, 'rateLimit'],
    [{ status: 402, body: error(wire, 'Your credit balance is too low.', 'billing_error') }, 'quota'],
    [{ status: 401, body: error(wire, `invalid key ${key}`, 'authentication_error') }, 'auth'],
    [{ status: 404, body: error(wire, 'model "imitation-1" not found', 'not_found_error') }, 'notFound'],
    [{ status: 400, body: error(wire, 'Something is wrong.', 'invalid_request_error') }, 'badRequest'],
    [{ status: 500, body: error(wire, 'Internal server error', 'api_error') }, 'network'],
    [{ status: 502, body: '<html><title>Bad gateway</title></html>' }, 'network'],
    [
      { status: 200, empty: true, finish: wire === 'messages' ? 'refusal' : 'content_filter' },
      'contentFilter',
      'badAnswer',
    ],
    [{ cutAfter: 3 }, 'streamBroken'],
    [{ status: 200, body: error(wire, 'Overloaded', 'overloaded_error') }, 'rateLimit', 'streamBroken', 'badAnswer'],
  ];
  const steps: readonly Step[] = ['assess', 'plan', 'act', 'distil', 'review', 'section', 'frame'];

  for (const wire of Object.keys(providers) as Wire[]) {
    it(`of ${providers[wire]} ends in a report or in one clear message, whatever goes wrong in whichever step`, async () => {
      const cases = steps.flatMap((step) => faults(wire).map(([fault, ...reasons]) => ({ step, fault, reasons })));
      for (const { step, fault, reasons } of sampled(cases, (one) => [one.step, JSON.stringify(one.fault)])) {
        const about = `${step}: ${JSON.stringify(fault)}`;
        const server = await startProviderServer(wire, (request) => (request.step === step ? fault : undefined));
        try {
          const ended = await run({
            ...{ 'model.provider': providers[wire], 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
          });
          if (ended.error) {
            assert.ok(reasons.includes(ended.error.reason), `${about}: ${ended.error.reason}: ${ended.error.message}`);
            assert.ok(ended.error.message !== '' && ended.error.next !== '', about);
          } else assert.match(ended.result?.report ?? '', /\n## References\n/, about);
          const said = `${ended.error?.message} ${ended.error?.next} ${ended.error?.stack} ${JSON.stringify(ended.events)}`;
          assert.ok(!said.includes(key) && !ended.written.includes(key), `${about}: a key`);
        } finally {
          await server.close();
        }
      }
    });
  }

  it('can be chosen from what is there, tested, and says why it was picked', async () => {
    const server = await startProviderServer('messages');
    const settings = { 'model.provider': 'anthropic', 'model.baseUrl': server.url };
    try {
      const options = optionsFor(settings);
      const offered = await offerModels(options);
      const own = offered.find(({ provider, baseUrl }) => provider === 'anthropic' && baseUrl === server.url);
      assert.deepEqual(own?.models, [{ id: 'imitation-1', contextTokens: 200_000 }]);
      const choice = { provider: 'anthropic', model: 'imitation-1', baseUrl: server.url };
      assert.ok((await testModel(options, choice, new AbortController().signal)) > 0);
      assert.equal(await testKey(options, 'anthropic', server.url, key), true);
      const wrong = { ...options, secrets: { key: async () => 'sk-wrong' } };
      await assert.rejects(testModel(wrong, choice, new AbortController().signal), (thrown) =>
        ResearchError.is(thrown, 'auth'),
      );
      const setup = await describeSetup(optionsFor({ ...settings, 'model.name': 'imitation-1' }));
      assert.deepEqual([setup.provider, setup.modelWhy], ['anthropic', 'setting']);
      const later = optionsFor({ 'model.provider': 'vscode' });
      assert.ok(!(await offerModels(later)).some(({ baseUrl }) => baseUrl === server.url));
      const again = await offerModels(later, { anthropic: server.url });
      assert.deepEqual(
        again.filter(({ baseUrl }) => baseUrl === server.url),
        [own],
      );
    } finally {
      await server.close();
    }
  });

  it('say what is missing for each that has no model yet: its key, its server, a sign-in', async () => {
    const nowhere = await deadEndpoint();
    const catalogue = createCatalogue({
      ...builtIn,
      providers: builtIn.providers.map((one) => (one.localUrl === undefined ? one : { ...one, localUrl: nowhere })),
    });
    const editorModels = { list: () => Promise.resolve([]), send: () => Promise.reject(new Error('none')) };
    const settings = { 'model.provider': 'ollama', 'model.baseUrl': nowhere };
    const options = { ...optionsFor(settings), secrets: { key: async () => undefined }, catalogue, editorModels };
    const offered = await offerModels(options);
    const missing = Object.fromEntries(offered.map((one) => [`${one.provider} ${one.baseUrl}`, one.missing]));
    assert.deepEqual(missing['vscode '], { kind: 'signIn' });
    assert.deepEqual(missing['openai '], { kind: 'key', service: 'openai' });
    assert.deepEqual(missing['anthropic '], { kind: 'key', service: 'anthropic' });
    const page = 'https://ollama.com/download';
    assert.deepEqual(missing[`ollama ${nowhere}`], { kind: 'server', name: 'Ollama', address: nowhere, page });
    assert.ok(offered.every(({ models, problem }) => models.length === 0 && problem === undefined));
  });

  it('lists the models of a server that runs on this machine, and picks one of them without a setting', async () => {
    const server = await startProviderServer('ollama');
    const local = (url: string): Catalogue =>
      createCatalogue({
        ...builtIn,
        providers: builtIn.providers.map((one) =>
          one.localUrl === undefined ? one : { ...one, localUrl: one.name === 'ollama' ? url : nowhere },
        ),
      });
    const nowhere = await deadEndpoint();
    const nobody = { secrets: { key: async () => undefined } };
    try {
      const options = { ...optionsFor({}), ...nobody, catalogue: local(server.url) };
      const setup = await describeSetup(options);
      assert.deepEqual([setup.provider, setup.model, setup.modelWhy], ['ollama', 'imitation-1', 'local']);
      const own = { ...optionsFor({ 'model.provider': 'ollama', 'model.baseUrl': server.url }), ...nobody };
      const offered = (await offerModels(own)).find(({ baseUrl }) => baseUrl === server.url);
      assert.deepEqual(
        offered?.models.map(({ id }) => id),
        ['imitation-1'],
      );
      const choice = { provider: 'ollama', model: 'imitation-1', baseUrl: server.url };
      assert.ok((await testModel(own, choice, new AbortController().signal)) > 0);
      const without = await describeSetup({ ...options, catalogue: local(nowhere) });
      assert.equal(without.analyst, 'extractive');
    } finally {
      await server.close();
    }
  });

  it('says of a server that is down what it is and what can be done, also when its model is not known', async () => {
    const nobody = { secrets: { key: async () => undefined } };
    const url = await deadEndpoint();
    const setup = await describeSetup({ ...optionsFor({ 'model.baseUrl': `${url}/v1` }), ...nobody });
    assert.deepEqual(
      [setup.analyst, setup.provider, setup.model, setup.modelHost],
      ['llm', 'openai-compatible', null, new URL(url).host],
    );
    assert.deepEqual(setup.problem?.actions, ['tryAgain', 'withoutModel', 'selectModel']);
    assert.match(setup.problem?.message ?? '', /can't be reached/);
  });

  it('asks for the key of the server that refused, where no provider is named', async () => {
    const server = await startModelServer({ key });
    try {
      const nobody = { secrets: { key: async () => undefined } };
      const setup = await describeSetup({ ...optionsFor({ 'model.baseUrl': server.url }), ...nobody });
      assert.deepEqual([setup.provider, setup.problem?.actions[0]], ['openai-compatible', 'setKey']);
      assert.ok(setup.keyProviders?.includes('openai-compatible') && !setup.keyProviders.includes('ollama'));
    } finally {
      await server.close();
    }
  });

  it('says that a key is refused, and saves nothing of it', async () => {
    const server = await startModelServer({ key });
    try {
      const options = optionsFor({ 'model.provider': 'openai', 'model.baseUrl': server.url });
      await assert.rejects(testKey(options, 'openai', server.url, 'sk-wrong-0123456789'), (thrown) => {
        assert.ok(ResearchError.is(thrown, 'auth'));
        assert.ok(!`${thrown.message} ${thrown.next}`.includes('sk-wrong'));
        return true;
      });
      assert.equal(await testKey(options, 'openai', server.url, key), true);
      assert.equal(await testKey(options, 'github', 'https://api.github.com', key), false);
    } finally {
      await server.close();
    }
  });
});
