import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CapabilityMemory,
  downgrade,
  initialCapabilities,
  type Capabilities,
} from '../../../src/models/capabilities.ts';
import { openAi } from '../../../src/models/openai/openAiProvider.ts';
import { redact } from '../../../src/protocol/redact.ts';

const asked = { json: true, tools: true, limit: true, temperature: true, seed: true, system: true, toolTurns: true };
const first = initialCapabilities;
const refused = (message: string, used: Partial<Capabilities> = {}, status = 400) =>
  downgrade({ status, headers: {}, body: JSON.stringify({ error: { message } }) }, { ...first, ...used }, asked);

test('each refusal that servers are known to give weakens the parameter that it names', () => {
  const cases: readonly (readonly [string, Partial<Capabilities>, Partial<Capabilities> | undefined])[] = [
    ["response_format type 'json_schema' is not supported", {}, { jsonFormat: 'object' }],
    ["'response_format.type' must be 'json_schema' or 'text'", { jsonFormat: 'object' }, { jsonFormat: 'none' }],
    ["Unrecognized request argument supplied: 'response_format'.", {}, { jsonFormat: 'none' }],
    ['This model does not support structured output', {}, { jsonFormat: 'object' }],
    ["Unrecognized request argument supplied: 'stream_options'.", {}, { streamOptions: false }],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {},
      { limitField: 'max_completion_tokens' },
    ],
    [
      "Unrecognized request argument supplied: 'max_completion_tokens'",
      { limitField: 'max_completion_tokens' },
      { limitField: 'max_tokens' },
    ],
    [
      '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]',
      {},
      { maxAnswerTokens: 8_192 },
    ],
    [
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens',
      {},
      { maxAnswerTokens: 16_384 },
    ],
    ['registry.ollama.ai/library/gemma:2b does not support tools', {}, { tools: false }],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', {}, { tools: false }],
    ['No endpoints found that support tool use.', {}, { tools: false }],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", {}, { systemRole: 'user' }],
    ['Only user and assistant roles are supported!', {}, { systemRole: 'user' }],
    [
      "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. Set reasoning_effort to 'none'.",
      {},
      { effortNone: true },
    ],
    ['reasoning_content is missing in assistant tool call message at index 2', {}, { reasoningBack: 'always' }],
    ['reasoning_content is not allowed in input messages', {}, { reasoningBack: 'never' }],
    ['Streaming is not supported for this model', {}, { stream: false }],
    ["Unsupported value: 'temperature' does not support 0.2 with this model.", {}, { temperature: false }],
    ['invalid temperature: only 1 is allowed for this model', {}, { temperature: false }],
    [
      'The value of the enable_thinking parameter is restricted to True.',
      { thinkingField: 'enable_thinking' },
      { thinkingField: 'none', thinks: true },
    ],
    ['Unknown field chat_template_kwargs', { thinkingField: 'chat_template_kwargs' }, { thinkingField: 'none' }],
    ['adaptive thinking is not supported on this model', { thinkingField: 'adaptive' }, { thinkingField: 'budget' }],
    [
      'Thinking may not be enabled when tool_choice forces tool use.',
      { jsonFormat: 'tool', thinkingField: 'none' },
      { jsonFormat: 'schema' },
    ],
    ['This model is only supported in v1/responses and not in v1/chat/completions.', {}, { api: 'responses' }],
    ['max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens', {}, { maxAnswerTokens: 4_096 }],
    ['Conversation roles must alternate user/assistant/user/assistant/...', {}, { systemRole: 'user' }],
    ['JSON schema conversion failed: unresolved $ref', {}, { jsonFormat: 'object' }],
    ['Conversation roles must alternate user/assistant/user/assistant/...', { systemRole: 'user' }, { tools: false }],
    ['Error rendering prompt with jinja template: "Cannot put tools in the first user message"', {}, { tools: false }],
    ['Failed to apply the chat template: Value is not callable: null at row 62', {}, { tools: false }],
    ['This model only supports single tool-calls at once!', {}, { tools: false }],
    ["Unrecognized request argument supplied: 'seed'", {}, { seed: false }],
    ["The model doubao-seed-1-6 does not support response_format 'json_schema'.", {}, { jsonFormat: 'object' }],
    ['The model doubao-seed-1-6 does not support this.', {}, undefined],
    ['Something else is wrong with the temperature of the water.', {}, undefined],
  ];
  for (const [message, used, change] of cases) assert.deepEqual(refused(message, used), change, message);
});

test('what can not be weakened further, and what was not asked for, is left alone', () => {
  assert.equal(refused("response_format 'json_object' is not supported", { jsonFormat: 'none' }), undefined);
  assert.equal(refused('This model does not support tools.', { tools: false }), undefined);
  const nothing = {
    json: false,
    tools: false,
    limit: false,
    temperature: false,
    seed: false,
    system: false,
    toolTurns: false,
  };
  assert.equal(
    downgrade(
      { status: 400, headers: {}, body: 'tools are not supported; response_format; max_tokens' },
      first,
      nothing,
    ),
    undefined,
  );
  assert.equal(
    refused('This model does not support tools.', {}, 401),
    undefined,
    'only answers that are about the request',
  );
});

test('what one model taught is not taken for another one, nor for another server', () => {
  const memory = new CapabilityMemory();
  memory.learn('http://a/v1', 'm', { tools: false });
  assert.equal(memory.get('http://a/v1', 'm').tools, false);
  assert.equal(memory.get('http://a/v1', 'n').tools, true);
  assert.equal(memory.get('http://b/v1', 'm').tools, true);
});

test('what a provider knows of its models in advance holds until a refusal corrects it', () => {
  const memory = new CapabilityMemory((url, model) => openAi.capabilities!(model, url));
  const api = openAi.baseUrl!;
  assert.deepEqual(
    [memory.get(api, 'gpt-4.1').contextTokens, memory.get(api, 'gpt-5.4-mini').contextTokens],
    [1_000_000, 272_000],
  );
  assert.equal(memory.get(api, 'm').limitField, 'max_completion_tokens');
  assert.equal(memory.get('http://b/v1', 'm').limitField, 'max_tokens', 'another server with the same API');
  memory.learn(api, 'gpt-4.1', { contextTokens: 8_192 });
  assert.equal(memory.get(api, 'gpt-4.1').contextTokens, 8_192);
});

test('keys of any known shape and the own key are taken out of a text', () => {
  const text =
    'sk-proj-abc123def tvly-123456789 hf_abcdefghijkl ghp_abcdefghijkl AIzaSyA1234567890abcdefghijk Bearer my.secret-token and own+secret/1';
  const clean = redact(text, ['own+secret/1', undefined, 'x']);
  for (const secret of ['abc123def', '123456789', 'abcdefghijkl', 'A1234567890', 'my.secret', 'own+secret'])
    assert.ok(!clean.includes(secret), clean);
  assert.equal(
    redact('nothing secret, x marks the spot', ['x']),
    'nothing secret, x marks the spot',
    'a placeholder key is no secret',
  );
});
