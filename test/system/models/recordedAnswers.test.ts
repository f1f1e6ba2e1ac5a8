import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { ChatAnswer, ChatRequest } from '../../../src/research/ports.ts';
import { recordedFolder } from '../../support/recordings.ts';
import { startModelServer, type ModelOverride, type ModelServer } from '../../support/modelServer.ts';
import { errorOf, never, openChat, question } from '../../support/modelTestKit.ts';

/** Replays real answers of providers through real HTTP. */
const folder = recordedFolder('llm');
const skip = existsSync(folder) ? false : 'the recorded answers are not on this machine';

let server: ModelServer;
let override: ModelOverride = {};

before(async () => {
  server = await startModelServer({ script: () => override });
});
after(() => server.close());

const request: ChatRequest = {
  ...question,
  tools: [{ name: 'weather', description: 'Weather.', parameters: { type: 'object' } }],
};

async function replay(name: string): Promise<ChatAnswer> {
  const text = readFileSync(new URL(name, folder), 'utf8');
  if (name.endsWith('.sse.txt')) override = { sse: text };
  else {
    const json = JSON.parse(text) as { status?: number; headers?: Record<string, string>; body?: unknown };
    override = name.endsWith('.http.json')
      ? { status: json.status ?? 200, headers: json.headers ?? {}, body: json.body }
      : { body: json };
  }
  return openChat(server.url).complete(request, {}, never);
}

test('whole answers of providers are read', { skip }, async () => {
  const texts: Record<string, RegExp> = {
    'openai-chat.http.json': /\S/,
    'anthropic-openai-compat-chat.json': /^Hello!$/,
    'llamacpp-chat.json': /^Hello! How can I help\?$/,
    'moonshot-reasoning.json': /^There are three\.$/,
    'deepseek-json.json': /\{/,
    'deepseek-reasoning.json': /\S/,
    'dashscope-text.json': /\S/,
    'dashscope-reasoning.json': /\S/,
    'openrouter-reasoning.http.json': /^ok$/,
    'ollama-cloud-json-object.http.json': /^\{"name":"Loki"/,
    'ollama-local-json-schema.http.json': /^\{ "city": "Paris"/,
    'ollama-tool-call.http.json': /^Paris\.$/,
    'openai-json-schema-2-result.http.json': /Mexico City/,
  };
  for (const [name, pattern] of Object.entries(texts)) {
    const answer = await replay(name);
    assert.match(answer.text, pattern, name);
    assert.equal(answer.finish, 'stop', name);
    assert.equal(answer.usage.estimated, false, name);
    assert.ok(
      !/<think|Let me count|The user greets me|We need to output/.test(answer.text),
      `${name} shows no reasoning`,
    );
  }
});

test('tool calls of providers are read, whole and streamed', { skip }, async () => {
  const calls: Record<string, unknown> = {
    'openai-tool-required.http.json': [['get_user_country', {}]],
    'openai-json-schema-1-toolcall.http.json': [['get_user_country', {}]],
    'openrouter-tool-call.http.json': [['divide', { numerator: 123, denominator: 456, on_inf: 'infinity' }]],
    'moonshot-tool-call.json': [['get_weather', { city: 'Paris' }]],
    'dashscope-tool-call.json': [['weather', { location: 'San Francisco' }]],
    'deepseek-tool-call.json': [['weather', { location: 'San Francisco' }]],
    'openai-stream.sse.txt': [['get_capital', { country: 'UK' }]],
    'dashscope-tool-call-stream.sse.txt': [['weather', { location: 'San Francisco' }]],
  };
  for (const [name, wanted] of Object.entries(calls)) {
    const answer = await replay(name);
    assert.deepEqual(
      answer.toolCalls.map((call) => [call.name, call.args]),
      wanted,
      name,
    );
    assert.equal(answer.finish, 'toolCalls', name);
    assert.ok(
      answer.toolCalls.every((call) => call.id.length > 3),
      name,
    );
  }
});

test('streams with reasoning give the answer alone', { skip }, async () => {
  assert.equal((await replay('moonshot-stream.sse.txt')).text, 'Hello!');
  const deepseek = await replay('deepseek-reasoning-stream.sse.txt');
  assert.match(deepseek.text, /"s\.$|r.*s\.$/s);
  assert.deepEqual(deepseek.usage, { in: 18, out: 219, cached: 0, estimated: false });
  assert.match((await replay('dashscope-reasoning-stream.sse.txt')).text, /\*\*Answer: 3\*\*$/);
});

test('the cached tokens that Moonshot counts at the top level are counted', { skip }, async () => {
  assert.equal((await replay('moonshot-reasoning.json')).usage.cached, 10);
});

test('an error in the middle of a stream is classified', { skip }, async () => {
  assert.equal((await errorOf(replay('openrouter-stream-midstream-error.sse.txt'))).reason, 'contextLength');
});

test('recorded error answers have their reason', { skip }, async () => {
  assert.equal((await errorOf(replay('openai-error-404-model.http.json'))).reason, 'notFound');
  assert.equal((await errorOf(replay('openrouter-error-429-upstream.http.json'))).reason, 'rateLimit');
  assert.equal((await errorOf(replay('openai-error-400-unsupported-param.http.json'))).reason, 'badRequest');
  assert.equal((await errorOf(replay('anthropic-native-error-400.http.json'))).reason, 'badRequest');
  assert.equal(
    (await errorOf(replay('anthropic-native-message.http.json'))).reason,
    'badAnswer',
    'another API answers with another shape',
  );
});
