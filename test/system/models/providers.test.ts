import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import type { ChatMessage, ChatPort, ChatRequest } from '../../../src/research/ports.ts';
import { type Fault, startProviderServer, type ProviderServer, type Wire } from '../../support/providerServer.ts';
import { errorOf, never, silentLog } from '../../support/modelTestKit.ts';

const names: Readonly<Record<Wire, string>> = { messages: 'anthropic', ollama: 'ollama', responses: 'openai' };

async function withServer(
  wire: Wire,
  script: Parameters<typeof startProviderServer>[1],
  use: (chat: ChatPort, server: ProviderServer) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
  key = 'sk-ant-right',
): Promise<void> {
  const server = await startProviderServer(wire, script);
  try {
    const created = await createModels({
      settings: readAllSettings({
        'model.provider': names[wire],
        'model.baseUrl': server.url,
        'model.name': 'imitation-1',
        ...settings,
      }).settings,
      secrets: { key: async () => key },
      log: silentLog,
    });
    assert.ok(created.kind === 'llm');
    await use(await created.models('main'), server);
  } finally {
    await server.close();
  }
}

const tools = [
  {
    name: 'search_notes',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
  { name: 'research_complete', description: 'Ends.', parameters: { type: 'object' } },
] as const;
const rules: ChatMessage = { role: 'system', content: 'Be exact.' };
const schema = {
  type: 'object',
  properties: { research_brief: { type: 'string', maxLength: 400 } },
  required: ['research_brief'],
};

for (const wire of Object.keys(names) as Wire[]) {
  test(`${names[wire]}: tool calls go back and forth, with what the server wants back`, async () => {
    await withServer(wire, undefined, async (chat, server) => {
      const first: ChatRequest = { messages: [rules, { role: 'user', content: 'Task: Reranking' }], tools };
      const answer = await chat.complete(first, {}, never);
      assert.equal(answer.finish, 'toolCalls');
      assert.ok(answer.toolCalls.every(({ name, id }) => name === 'search_notes' && id !== ''));
      assert.equal(answer.usage.estimated, false);
      const second = await chat.complete(
        {
          tools,
          messages: [
            ...first.messages,
            { role: 'assistant', content: answer.text, toolCalls: answer.toolCalls },
            ...answer.toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', callId: id, content: 'Found nothing.' })),
            { role: 'user', content: 'Go on.' },
          ],
        },
        {},
        never,
      );
      assert.ok(['stop', 'toolCalls'].includes(second.finish));
      assert.equal(server.requests.length, 2, 'nothing was refused');
      assert.ok(
        server.requests[1]!.messages.some(({ role, content }) => role === 'tool' && content === 'Found nothing.'),
      );
    });
  });

  test(`${names[wire]}: a structured answer is JSON of the schema, and text streams as it arrives`, async () => {
    await withServer(wire, undefined, async (chat, server) => {
      const messages: ChatMessage[] = [rules, { role: 'user', content: '<question>\nWhy?\n</question>' }];
      const brief = await chat.complete({ messages, json: { name: 'brief', schema }, maxTokens: 500 }, {}, never);
      assert.match((JSON.parse(brief.text) as { research_brief: string }).research_brief, /Why\?/);
      assert.equal(brief.finish, 'stop');
      assert.deepEqual(brief.toolCalls, []);
      let streamed = '';
      const said = await chat.complete({ messages }, { onText: (text) => (streamed += text) }, never);
      assert.ok(said.text !== '' && streamed === said.text);
      assert.ok(!/Let me think/.test(streamed));
      assert.equal(server.requests.length, 2);
    });
  });

  test(`${names[wire]}: a stream that breaks, or ends without its end, is no answer`, async () => {
    await withServer(
      wire,
      () => ({ cutAfter: 2 }),
      async (chat) => {
        const error = await errorOf(chat.complete({ messages: [{ role: 'user', content: 'Hi' }] }, {}, never));
        assert.equal(error.reason, 'streamBroken');
      },
    );
  });

  test(`${names[wire]}: an abort ends the request at once`, async () => {
    await withServer(wire, undefined, async (chat) => {
      const stop = new AbortController();
      const asked = chat.complete(
        { messages: [{ role: 'user', content: 'Hi' }] },
        { onText: () => stop.abort(new Error('enough')), onAlive: () => stop.abort(new Error('enough')) },
        stop.signal,
      );
      await assert.rejects(asked, /enough/);
    });
  });
}

const anthropicError = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
});
const openAiError = (code: string | null, message: string, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});

/** Bodies as the services document them, or as they stand in public reports. */
const errors: Readonly<Record<Wire, readonly (readonly [reason: string, fault: Fault])[]>> = {
  messages: [
    [
      'contextLength',
      {
        status: 400,
        body: anthropicError('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
      },
    ],
    ['contextLength', { status: 413, body: anthropicError('request_too_large', 'Request exceeds the maximum size') }],
    [
      'rateLimit',
      {
        status: 429,
        headers: { 'retry-after': '24' },
        body: anthropicError(
          'rate_limit_error',
          "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
        ),
      },
    ],
    ['rateLimit', { status: 529, body: anthropicError('overloaded_error', 'Overloaded') }],
    [
      'quota',
      {
        status: 400,
        body: anthropicError(
          'invalid_request_error',
          'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
        ),
      },
    ],
    ['auth', { status: 401, body: anthropicError('authentication_error', 'invalid x-api-key') }],
    [
      'auth',
      {
        status: 403,
        body: anthropicError(
          'permission_error',
          'Your API key does not have permission to use the specified resource.',
        ),
      },
    ],
    ['notFound', { status: 404, body: anthropicError('not_found_error', 'model: claude-none') }],
    [
      'badRequest',
      {
        status: 400,
        body: anthropicError('invalid_request_error', 'metadata.user_id: Input should be a valid string'),
      },
    ],
    ['network', { status: 500, body: anthropicError('api_error', 'Internal server error') }],
    ['rateLimit', { body: anthropicError('overloaded_error', 'Overloaded') }],
    ['contentFilter', { empty: true, finish: 'refusal' }],
  ],
  ollama: [
    [
      'contextLength',
      { status: 400, body: { error: 'the prompt is longer than the context length currently set for this model' } },
    ],
    ['notFound', { status: 404, body: { error: 'model "imitation-1" not found, try pulling it first' } }],
    ['network', { status: 500, body: { error: 'llama runner process has terminated: exit status 2' } }],
    [
      'rateLimit',
      { status: 503, body: { error: 'server busy, please try again.  maximum pending requests exceeded' } },
    ],
    ['auth', { status: 401, body: { error: 'unauthorized' } }],
    ['streamBroken', { body: { error: 'an error was encountered while running the model: unexpected EOF' } }],
  ],
  responses: [
    [
      'contextLength',
      {
        status: 400,
        body: openAiError(
          'context_length_exceeded',
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        ),
      },
    ],
    [
      'rateLimit',
      {
        status: 429,
        headers: { 'retry-after-ms': '1780' },
        body: openAiError(
          'rate_limit_exceeded',
          'Rate limit reached for gpt on tokens per min (TPM). Please try again in 1.78s.',
          'tokens',
        ),
      },
    ],
    [
      'quota',
      {
        status: 429,
        body: openAiError(
          'insufficient_quota',
          'You exceeded your current quota, please check your plan and billing details.',
          'insufficient_quota',
        ),
      },
    ],
    ['auth', { status: 401, body: openAiError('invalid_api_key', 'Incorrect API key provided: sk-proj-****.') }],
    [
      'notFound',
      {
        status: 404,
        body: openAiError('model_not_found', 'The model `gpt-9` does not exist or you do not have access to it.'),
      },
    ],
    ['badRequest', { status: 400, body: openAiError(null, 'Invalid type for input.') }],
    [
      'network',
      {
        status: 500,
        body: openAiError(null, 'The server had an error while processing your request.', 'server_error'),
      },
    ],
    [
      'streamBroken',
      {
        body: {
          type: 'response.failed',
          response: { error: { code: 'server_error', message: 'The model failed to generate a response.' } },
        },
      },
    ],
    [
      'rateLimit',
      {
        body: {
          type: 'response.failed',
          response: { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached.' } },
        },
      },
    ],
    ['contentFilter', { empty: true, finish: 'content_filter' }],
  ],
};

for (const wire of Object.keys(errors) as Wire[]) {
  test(`${names[wire]}: each error has its reason, and names no key`, async () => {
    for (const [reason, fault] of errors[wire]) {
      await withServer(
        wire,
        () => fault,
        async (chat) => {
          const error = await errorOf(chat.complete({ messages: [{ role: 'user', content: 'Hi' }] }, {}, never));
          assert.equal(error.reason, reason, JSON.stringify(fault));
          assert.ok(error.next !== '' && !`${error.message} ${error.next}`.includes('sk-ant-right'));
        },
      );
    }
  });
}

test('anthropic: the rules and the end of a tool loop are points of the cache, and cached tokens are counted', async () => {
  await withServer('messages', undefined, async (chat, server) => {
    const messages: ChatMessage[] = [rules, { role: 'user', content: 'Task: Reranking' }];
    const { usage } = await chat.complete({ messages, tools }, {}, never);
    assert.deepEqual([usage.in, usage.cached], [server.requests[0]!.promptTokens, 100]);
    await chat.complete({ messages }, {}, never);
    const marks = server.requests.map(({ wire }) => JSON.stringify(wire).split('cache_control').length - 1);
    assert.deepEqual(marks, [3, 1], 'a prompt that does not come back is not written to the cache');
  });
});

test('anthropic: thinking is asked for, given back with its signature, and left out where it is refused', async () => {
  const on = { 'model.enableThinking': true };
  await withServer(
    'messages',
    ({ wire }) =>
      (wire['thinking'] as { type?: string } | undefined)?.type === 'adaptive'
        ? {
            status: 400,
            body: anthropicError('invalid_request_error', 'adaptive thinking is not supported on this model'),
          }
        : undefined,
    async (chat, server) => {
      const first: ChatRequest = {
        messages: [rules, { role: 'user', content: 'Task: Reranking' }],
        tools,
        maxTokens: 1_000,
      };
      const { toolCalls, text } = await chat.complete(first, {}, never);
      const back: ChatMessage[] = toolCalls.map(({ id }) => ({ role: 'tool', callId: id, content: 'x' }));
      await chat.complete(
        { ...first, messages: [...first.messages, { role: 'assistant', content: text, toolCalls }, ...back] },
        {},
        never,
      );
      await chat.complete({ messages: first.messages, json: { name: 'brief', schema } }, {}, never);
      const thinking = server.requests.map(({ wire }) => (wire['thinking'] as { type?: string } | undefined)?.type);
      assert.deepEqual(thinking, ['adaptive', 'enabled', 'enabled', undefined]);
      assert.match(JSON.stringify(server.requests[2]!.wire), /"thinking":"Let me think\.","signature":"c2ln"/);
      assert.ok(Number(server.requests[1]!.wire['max_tokens']) >= 9_000, 'thinking does not use up the answer');
    },
    on,
  );
});

test('ollama: the window is that of the loaded model, sent with each request, and a list without chat models is passed over', async () => {
  await withServer('ollama', undefined, async (chat, server) => {
    await chat.complete({ messages: [{ role: 'user', content: 'Hi' }], maxTokens: 100 }, {}, never);
    const { options, think, truncate } = server.requests[0]!.wire as {
      options: Record<string, unknown>;
      think: unknown;
      truncate: unknown;
    };
    assert.equal(options['num_ctx'], 32_768);
    assert.ok(Number(options['num_predict']) >= 100);
    assert.deepEqual([think, truncate, chat.contextTokens], [false, false, 32_768]);
  });
  await withServer('ollama', undefined, async (chat) => assert.equal(chat.model, 'imitation-1'), { 'model.name': '' });
});
