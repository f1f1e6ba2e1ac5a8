import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import { webSearchModels } from '../../../src/models/webSearch.ts';
import type { ChatPort, Log } from '../../../src/research/ports.ts';
import { type ScriptedService, type ServiceAnswer, startScriptedService } from '../../support/scriptedService.ts';
import { errorOf, never, question } from '../../support/modelTestKit.ts';

/** No service gives keys such a form: nothing but knowing it takes it out. */
const key = 'Nordlicht~7.gateway/umbra+delta=42';

/** Every way to a server that a key is sent on. */
const ways = {
  'chat completions': { provider: 'openai-compatible', base: '/v1', model: 'm', searches: false },
  responses: { provider: 'openai', base: '/v1', model: 'gpt-5.4-pro', searches: false },
  messages: { provider: 'anthropic', base: '', model: 'claude-sonnet-4-6', searches: false },
  dashscope: { provider: 'aliyun', base: '/compatible-mode/v1', model: 'qwen-plus', searches: false },
  'search of OpenAI': { provider: 'openai', base: '/v1', model: 'gpt-5.4-mini', searches: true },
  'search of Anthropic': { provider: 'anthropic', base: '', model: 'claude-sonnet-4-6', searches: true },
  'search of Aliyun': { provider: 'aliyun', base: '/compatible-mode/v1', model: 'qwen-plus', searches: true },
} as const;
type Way = keyof typeof ways;

describe('a key', () => {
  let service: ScriptedService;
  let saved: string | undefined = key;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write };
  before(async () => {
    service = await startScriptedService();
  });
  after(() => service.close());

  async function portOf(way: Way): Promise<ChatPort> {
    const { provider, base, model, searches } = ways[way];
    const wanted = { 'model.provider': provider, 'model.baseUrl': service.url + base, 'model.name': model };
    const options = { settings: readAllSettings(wanted).settings, secrets: { key: async () => saved }, log };
    const created = await createModels(options);
    assert.ok(created.kind === 'llm');
    if (!searches) return await created.models('main');
    const [search] = await webSearchModels(options, created);
    return await search!.port();
  }

  /** What a person or a file could get of a failed call. */
  const failed = async (port: ChatPort): Promise<string> => {
    const error = await errorOf(port.complete(question, {}, never));
    const { message, next, stack, cause } = error;
    return [message, next, stack, String(cause), JSON.stringify(error), ...lines.splice(0)].join('\n');
  };

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secrets = [key, encodeURIComponent(key), key.slice(0, 16), key.slice(-16), base64(key).slice(0, 20)];
  const basic = base64(`user:${key}`);
  secrets.push(basic.slice(8, 30));
  const echoes: readonly ServiceAnswer[] = [
    `Incorrect API key provided: ${key}.`,
    `Bearer ${key}`,
    `The key ${key.slice(0, 20)}… is unknown`,
    `…${key.slice(-20)} is unknown`,
    `GET /v1?key=${encodeURIComponent(key)} refused`,
    `Authorization: Basic ${basic}`,
    `seen ${base64(key)}`,
    JSON.stringify({ upstream: { headers: { 'x-api-key': key } } }),
    `${'x'.repeat(280)} ${key}`,
  ].flatMap((text): ServiceAnswer[] => [
    { status: 401, body: { error: { message: text, type: 'invalid_request_error', code: 'invalid_api_key' } } },
    { status: 400, body: { error: { message: text, type: 'invalid_request_error', metadata: { raw: text } } } },
    { status: 403, body: { detail: text } },
    { status: 500, body: text },
    { status: 200, body: { id: 'x', error: { message: text } } },
    { status: 502, headers: { 'content-type': 'text/html' }, body: `<html><head><title>${text}</title></head></html>` },
    { status: 407, headers: { 'proxy-authenticate': `Basic realm="${key}"` }, body: `Proxy: ${text}` },
    { status: 302, headers: { location: `https://elsewhere.example/?k=${encodeURIComponent(key)}` }, body: text },
    {
      headers: { 'content-type': 'text/event-stream' },
      body: `data: ${JSON.stringify({ error: { message: text, code: 502 }, type: 'error' })}\n\n`,
    },
  ]);

  for (const way of Object.keys(ways) as Way[]) {
    it(`that an error repeats in any form is in no message and no log (${way})`, async () => {
      saved = key;
      for (const answer of echoes) {
        service.answer = () => answer;
        const said = await failed(await portOf(way));
        for (const secret of secrets)
          assert.ok(!said.includes(secret), `${answer.status} ${JSON.stringify(answer.body)}:\n${said}`);
      }
    });

    it(`that is replaced is used from the next call on, and one that is removed is sent no more (${way})`, async () => {
      saved = key;
      service.answer = () => ({ status: 500, body: 'no' });
      const port = await portOf(way);
      const sent = () => service.requests.splice(0).map(({ headers }) => JSON.stringify(headers));
      sent();
      await errorOf(port.complete(question, {}, never));
      assert.ok(sent().every((headers) => headers.includes(key)));
      saved = 'another-key-0815-replaced';
      await errorOf(port.complete(question, {}, never));
      const later = sent();
      assert.ok(later.length > 0 && later.every((headers) => headers.includes(saved!) && !headers.includes(key)));
      saved = undefined;
      const error = await errorOf(port.complete(question, {}, never));
      assert.equal(error.reason, 'auth');
      assert.match(error.message, /was removed while it was in use/);
      assert.deepEqual(sent(), []);
    });
  }
});
