import assert from 'node:assert/strict';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createModels } from '../../../src/models/createModels.ts';
import { extractive } from '../../../src/models/extractive/extractiveProvider.ts';
import { openAiCompatible } from '../../../src/models/openai/compatibleProvider.ts';
import { openAi } from '../../../src/models/openai/openAiProvider.ts';
import { editorModels } from '../../../src/models/vscode/vscodeProvider.ts';
import { readAllSettings } from '../../../src/catalogue.ts';
import type { EditorModels, Secrets } from '../../../src/research/ports.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { errorOf, never, question, silentLog } from '../../support/modelTestKit.ts';

const noKeys: Secrets = { key: async () => undefined };
const keyFor = (service: string, origin: string, key: string): Secrets => ({
  key: async (asked, where) => (asked === service && where === origin ? key : undefined),
});
const create = (settings: Record<string, unknown>, secrets: Secrets = noKeys, fetchIt?: typeof fetch) =>
  createModels({
    settings: readAllSettings(settings).settings,
    secrets,
    log: silentLog,
    ...(fetchIt && { fetch: fetchIt }),
  });

test('without a key and a base URL there is no model', async () => {
  const none = { kind: 'extractive', provider: 'extractive' };
  assert.deepEqual(await create({}), none);
  assert.deepEqual(await create({ 'model.provider': 'extractive', 'model.baseUrl': 'http://127.0.0.1:1/v1' }), none);
});

test('a key for OpenAI is enough: its default model is taken, and nothing is called yet', async () => {
  const unused: typeof fetch = () => Promise.reject(new Error('called'));
  const created = await create({}, keyFor('openai', 'https://api.openai.com', 'sk-1'), unused);
  assert.ok(created.kind === 'llm');
  assert.deepEqual(
    [created.provider, created.model, created.host],
    ['openai', openAi.defaultModelAt?.('https://api.openai.com/v1'), 'api.openai.com'],
  );
});

test('OpenAI without a key says how to set one', async () => {
  const error = await errorOf(create({ 'model.provider': 'openai' }));
  assert.equal(error.reason, 'auth');
  assert.match(error.next, /Deep Research: Use API Key.*OPENAI_API_KEY/);
});

test('a compatible provider without an address says which setting is missing', async () => {
  const error = await errorOf(create({ 'model.provider': 'openai-compatible' }));
  assert.equal(error.reason, 'config');
  assert.match(error.next, /deepResearch\.model\.baseUrl/);
});

test('the build of a model whose server can’t be asked is not known, and one of a service is not asked for', async () => {
  const refused: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
  const settings = { 'model.provider': 'openai-compatible', 'model.name': 'm' };
  for (const [url, build] of [
    ['http://127.0.0.1:9/v1', null],
    ['https://models.example/v1', undefined],
  ] as const) {
    const created = await create({ ...settings, 'model.baseUrl': url }, noKeys, refused);
    assert.ok(created.kind === 'llm');
    assert.equal(await created.build(), build);
  }
});

test('a base URL alone makes a compatible provider; the first model of its list that chats is taken', async () => {
  const server = await startModelServer({
    models: ['text-embedding-nomic', 'qwen3-8b', 'other'],
    script: () => ({ text: 'ok' }),
  });
  try {
    const created = await create({ 'model.baseUrl': `${server.url}/` });
    assert.ok(created.kind === 'llm');
    assert.deepEqual([created.provider, created.model], ['openai-compatible', 'qwen3-8b']);
    assert.equal(server.modelLists, 1);
    await (await created.models('main')).complete(question, {}, never);
    assert.equal(server.requests[0]!.model, 'qwen3-8b');
  } finally {
    await server.close();
  }
});

test('a key that is replaced while a run is in progress is used at once; one that is removed is sent no more', async () => {
  const server = await startModelServer({ script: () => ({ text: 'ok' }) });
  const { origin } = new URL(server.url);
  let key: string | undefined = 'sk-first';
  const secrets: Secrets = {
    key: async (service, where) => (service === 'openai-compatible' && where === origin ? key : undefined),
  };
  try {
    const created = await create({ 'model.baseUrl': server.url, 'model.name': 'm' }, secrets);
    assert.ok(created.kind === 'llm');
    const port = await created.models('main');
    await port.complete(question, {}, never);
    key = 'sk-second';
    await port.complete(question, {}, never);
    key = undefined;
    const error = await errorOf(port.complete(question, {}, never));
    assert.equal(error.reason, 'auth');
    assert.match(error.message, /key for 127\.0\.0\.1:\d+ was removed/);
    assert.match(error.next, /Use API Key.*resume the run/s);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer sk-first', 'Bearer sk-second'],
    );
  } finally {
    await server.close();
  }
});

test('a named model needs no list', async () => {
  const server = await startModelServer();
  try {
    const created = await create({ 'model.baseUrl': server.url, 'model.name': 'mine' });
    assert.ok(created.kind === 'llm' && created.model === 'mine');
    assert.equal(server.modelLists, 0);
  } finally {
    await server.close();
  }
});

test('a key is asked for with the origin that it would be sent to', async () => {
  const server = await startModelServer({ key: 'right', script: () => ({ text: 'ok' }) });
  try {
    const settings = { 'model.baseUrl': server.url, 'model.name': 'm' };
    const created = await create(settings, keyFor('openai', server.origin, 'right'));
    assert.ok(created.kind === 'llm' && created.provider === 'openai');
    await (await created.models('main')).complete(question, {}, never);
    const other = await create(
      { ...settings, 'model.provider': 'openai-compatible' },
      keyFor('openai', 'https://api.openai.com', 'right'),
    );
    assert.ok(other.kind === 'llm');
    const error = await errorOf((await other.models('main')).complete(question, {}, never));
    assert.equal(error.reason, 'auth');
    assert.equal(server.requests.length, 1, 'the key of another origin was not sent');
  } finally {
    await server.close();
  }
});

test('roles have their own models, and the main one where none is named', async () => {
  const created = await create({
    'model.baseUrl': 'http://127.0.0.1:9/v1',
    'model.name': 'big',
    'model.compression': 'small',
  });
  assert.ok(created.kind === 'llm');
  const names = await Promise.all(
    (['main', 'research', 'compression', 'report', 'check'] as const).map(
      async (role) => (await created.models(role)).model,
    ),
  );
  assert.deepEqual(names, ['big', 'big', 'small', 'big', 'small']);
  assert.equal(
    await created.models('main'),
    await created.models('report'),
    'one model is one port, so that what was learned is known to all roles',
  );
});

test('a dead base URL is reported with its host, a server without list or models with the setting to set', async () => {
  const dead = await startModelServer();
  await dead.close();
  const refused = await errorOf(create({ 'model.baseUrl': dead.url }));
  assert.equal(refused.reason, 'network');
  assert.match(refused.message, /127\.0\.0\.1/);
  const empty = await startModelServer({ models: [] });
  try {
    const error = await errorOf(create({ 'model.baseUrl': empty.url }));
    assert.equal(error.reason, 'config');
    assert.match(error.next, /model\.name/);
    const wrongPath = await errorOf(create({ 'model.baseUrl': `${empty.origin}/v7` }));
    assert.equal(wrongPath.reason, 'config');
  } finally {
    await empty.close();
  }
});

test('the window of a local server is that of the named model too, where it lists one', async () => {
  for (const [path, entry] of [
    ['/v1/models', { id: 'tiny.gguf', meta: { n_ctx: 4_096, n_ctx_train: 32_768 } }],
    ['/api/v0/models', { id: 'small', state: 'loaded', loaded_context_length: 4_096, max_context_length: 32_768 }],
  ] as const) {
    const server = http.createServer((request, response) => {
      if (request.method === 'POST') {
        const message = { role: 'assistant', content: 'Yes.' };
        return response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
      }
      return response.end(JSON.stringify({ data: request.url === path ? [entry] : [{ id: entry.id }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const created = await create({ 'model.baseUrl': `http://127.0.0.1:${port}/v1`, 'model.name': entry.id });
    assert.ok(created.kind === 'llm');
    const chat = await created.models('main');
    await chat.complete(question, {}, never);
    assert.equal(chat.contextTokens, 4_096, path);
    server.closeAllConnections();
    server.close();
  }
});

test('lists in other shapes are read, with the context window where it is given', async () => {
  const answer =
    (body: unknown): typeof fetch =>
    () =>
      Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body)));
  const shapes: [unknown, string][] = [
    [{ data: [{ id: 'a', max_model_len: 8_192 }] }, 'a'],
    [{ models: [{ name: 'b' }] }, 'b'],
    [[{ id: 'c' }], 'c'],
  ];
  for (const [body, model] of shapes) {
    const created = await create({ 'model.baseUrl': 'http://127.0.0.1:9/v1' }, noKeys, answer(body));
    assert.ok(created.kind === 'llm' && created.model === model);
    if (model === 'a') assert.equal((await created.models('main')).contextTokens, 8_192);
  }
  for (const body of ['<html></html>', '17', 'null', '{}']) {
    assert.equal(
      (await errorOf(create({ 'model.baseUrl': 'http://127.0.0.1:9/v1' }, noKeys, answer(body)))).reason,
      'config',
    );
  }
});

test('auto takes the models of the editor before a server on this machine, and either only without a key or an address', async () => {
  const server = await startModelServer();
  try {
    const local = { ...openAiCompatible, localUrl: server.url };
    const editor: EditorModels = {
      list: async () => [
        { id: 'v/plain', label: 'Plain', vendor: 'v', contextTokens: 8_000, callsTools: false },
        { id: 'v/able', label: 'Able', vendor: 'v', contextTokens: 4_000, callsTools: true },
      ],
      send: () => Promise.reject(new Error('sent')),
    };
    const pick = async (
      settings: Record<string, unknown>,
      more: { readonly editor?: EditorModels; readonly secrets?: Secrets },
    ) => {
      const created = await createModels({
        settings: readAllSettings(settings).settings,
        ...{ secrets: noKeys, log: silentLog, providers: [openAi, local, editorModels, extractive] },
        ...more,
      });
      return created.kind === 'llm' ? [created.provider, created.model, created.why] : created.provider;
    };
    assert.deepEqual(await pick({}, { editor }), ['vscode', 'v/able', 'editor'], 'one that calls tools is the default');
    assert.deepEqual(await pick({}, {}), ['openai-compatible', 'imitation-1', 'local']);
    assert.deepEqual(await pick({ 'model.baseUrl': server.url }, { editor }), [
      ...['openai-compatible', 'imitation-1', 'address'],
    ]);
    const secrets = keyFor('openai', 'https://api.openai.com', 'sk-1');
    assert.deepEqual((await pick({}, { editor, secrets }))[2], 'key');
    assert.equal(await pick({ 'model.provider': 'extractive' }, { editor }), 'extractive');
    await server.close();
    assert.equal(await pick({}, {}), 'extractive', 'nothing answers on this machine');
    const error = await errorOf(pick({ 'model.provider': 'vscode', 'model.name': 'none' }, { editor }));
    assert.equal(error.reason, 'notFound');
    assert.match(error.next, /v\/able, v\/plain/);
  } finally {
    await server.close().catch(() => undefined);
  }
});
