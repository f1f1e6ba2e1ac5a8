import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ChatRequest } from '../../../src/research/ports.ts';
import { type Capabilities, CapabilityMemory } from '../../../src/models/capabilities.ts';
import { normalizeBaseUrl } from '../../../src/models/provider.ts';
import { refusals } from '../../support/modelScenarios.ts';
import {
  startModelServer,
  type ModelOverride,
  type ModelServer,
  type ModelServerOptions,
} from '../../support/modelServer.ts';
import { errorOf, never, openChat, question } from '../../support/modelTestKit.ts';

let server: ModelServer | undefined;

async function serve(options: ModelServerOptions): Promise<ModelServer> {
  server = await startModelServer(options);
  return server;
}

const always = (override: ModelOverride): ModelServerOptions => ({ script: () => override });

afterEach(async () => {
  await server?.close();
  server = undefined;
});
after(() => server?.close());

const json: ChatRequest = {
  messages: [
    { role: 'system', content: 'You are terse.' },
    { role: 'user', content: 'Which city?' },
  ],
  json: { name: 'city', schema: { type: 'object', properties: { city: { type: 'string' } } } },
  maxTokens: 500,
};
const search = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const withTools: ChatRequest = { messages: [{ role: 'user', content: 'Find it.' }], tools: [search] };

test('text arrives in pieces while the server streams, and as a whole with the numbers of tokens in the end', async () => {
  const { url } = await serve(
    always({
      text: 'The answer, in several pieces of text that are streamed.',
      usage: { prompt_tokens: 40, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 30 } },
    }),
  );
  const pieces: string[] = [];
  let alive = 0;
  const answer = await openChat(url).complete(
    question,
    { onText: (text) => pieces.push(text), onAlive: () => (alive += 1) },
    never,
  );
  assert.equal(answer.text, 'The answer, in several pieces of text that are streamed.');
  assert.equal(pieces.join(''), answer.text);
  assert.ok(pieces.length > 1);
  assert.ok(alive > 1);
  assert.deepEqual(answer.usage, { in: 40, out: 12, cached: 30, estimated: false });
  assert.equal(answer.finish, 'stop');
});

test('a server that ignores the wish to stream and answers JSON works the same', async () => {
  const { url } = await serve({
    ...always({ text: 'Whole.', toolCalls: [{ id: 'c1', name: 'search', args: { query: 'x' } }] }),
    plain: 'noStream',
  });
  const answer = await openChat(url).complete(withTools, {}, never);
  assert.equal(answer.text, 'Whole.');
  assert.deepEqual(answer.toolCalls, [{ id: 'c1', name: 'search', args: { query: 'x' } }]);
  assert.equal(answer.usage.estimated, false);
});

test('base URLs are taken with and without a slash at the end, and with the path pasted', async () => {
  const { url } = await serve(always({ text: 'ok' }));
  for (const given of [url, `${url}/`, `${url}///`, ` ${url}/chat/completions `, `${url}/chat/completions/`]) {
    assert.equal((await openChat(given).complete(question, {}, never)).text, 'ok');
  }
  assert.equal(normalizeBaseUrl('https://api.deepseek.com'), 'https://api.deepseek.com');
});

test('the key goes into the header, and no header is sent without one', async () => {
  const { url, requests } = await serve(always({ text: 'ok' }));
  await openChat(url, { key: 'abcdef' }).complete(question, {}, never);
  await openChat(url).complete(question, {}, never);
  assert.deepEqual(
    requests.map((request) => request.headers.authorization),
    ['Bearer abcdef', undefined],
  );
  const names = Object.keys(requests[0]!.headers);
  assert.deepEqual(
    names.filter((name) => name.startsWith('x-stainless') || name.startsWith('openai-')),
    [],
    'no telemetry and no organisation of the shell',
  );
});

test('parameters that a server refuses are asked for differently, once, and remembered', async () => {
  const plain = ['noJsonSchema', 'noStreamOptions', 'maxCompletionTokens', 'noSystemRole'] as const;
  const { url, requests } = await serve({ ...always({ json: { city: 'Paris' } }), plain });
  const memory = new CapabilityMemory();
  const answer = await openChat(url, { memory }).complete(json, {}, never);
  assert.deepEqual(JSON.parse(answer.text), { city: 'Paris' });
  assert.equal(answer.usage.estimated, true, 'without stream_options the tokens are counted here');
  assert.ok(answer.usage.in > 0 && answer.usage.out > 0);
  const before = requests.length;
  await openChat(url, { memory }).complete(json, {}, never);
  assert.equal(requests.length, before + 1, 'the second call needs one request');
  const { body } = requests.at(-1)!;
  assert.deepEqual(body['response_format'], { type: 'json_object' });
  assert.equal(body['max_completion_tokens'], 500);
  assert.equal('max_tokens' in body || 'stream_options' in body, false);
  assert.deepEqual(
    requests.at(-1)!.messages.map((message) => message.role),
    ['user'],
    'system text stands in front of the user message',
  );
  assert.match(requests.at(-1)!.messages[0]!.content, /^You are terse\.[^]*json/i);
});

test('a seed is sent where one is given, and not again to a server that refuses it', async () => {
  const { url, requests } = await serve({ ...always({ text: 'ok' }), plain: 'noSeed' });
  const memory = new CapabilityMemory();
  for (const seed of [undefined, 7, 8])
    assert.equal(
      (await openChat(url, { memory }).complete({ ...question, ...(seed && { seed }) }, {}, never)).text,
      'ok',
    );
  assert.deepEqual(
    requests.map(({ body }) => body['seed']),
    [undefined, 7, undefined, undefined],
  );
});

test('a server without any response format still gets the request', async () => {
  const { url, requests } = await serve({
    ...always({ json: { city: 'Oslo' } }),
    plain: ['noJsonSchema', 'noJsonObject'],
  });
  await openChat(url).complete(json, {}, never);
  assert.deepEqual(
    requests.map((request) => request.responseFormat),
    ['json_schema', 'json_object', undefined],
  );
});

test('several calls that meet the same refusal at once do not weaken the request twice', async () => {
  const { url, requests } = await serve({ ...always({ json: { city: 'Rome' } }), plain: 'noJsonSchema' });
  const chat = openChat(url);
  await Promise.all(Array.from({ length: 5 }, () => chat.complete(json, {}, never)));
  assert.ok(requests.every((request) => request.responseFormat !== undefined));
});

test('an answer limit that is too high is lowered to what the server names', async () => {
  const { url, requests } = await serve({
    script: (request) =>
      (request.body['max_tokens'] as number) > 8_192
        ? {
            status: 400,
            body: { error: { message: 'Range of max_tokens should be [1, 8192]', code: 'invalid_parameter_error' } },
          }
        : { text: 'ok' },
  });
  await openChat(url).complete({ ...question, maxTokens: 50_000 }, {}, never);
  assert.equal(requests.at(-1)!.body['max_tokens'], 8_192);
});

test('models of OpenAI that take tools only without reasoning get reasoning_effort none', async () => {
  const message =
    "Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const { url, requests } = await serve({
    script: (request) =>
      request.body['reasoning_effort'] === 'none'
        ? { text: 'ok' }
        : {
            status: 400,
            body: { error: { message, type: 'invalid_request_error', param: 'reasoning_effort', code: null } },
          },
  });
  await openChat(url).complete(withTools, {}, never);
  assert.equal(requests.length, 2);
});

test('tools are listed in the prompt for a server that has none, and the calls are read from the text', async () => {
  const { url, requests } = await serve({
    plain: 'noTools',
    script: () => ({
      text: 'I will search.\n```json\n{"tool_calls": [{"name": "search", "arguments": {"query": "graphs"}}, {"name": "rm_rf", "arguments": {}}]}\n```',
    }),
  });
  const conversation: ChatRequest = {
    tools: [search],
    messages: [
      { role: 'system', content: 'Research.' },
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'search', args: { query: 'first' } }] },
      { role: 'tool', callId: 'a', content: 'Nothing found.' },
    ],
  };
  const answer = await openChat(url).complete(conversation, {}, never);
  assert.deepEqual(
    answer.toolCalls.map(({ name, args }) => ({ name, args })),
    [{ name: 'search', args: { query: 'graphs' } }],
  );
  assert.equal(answer.finish, 'toolCalls');
  const { messages, prompt } = requests.at(-1)!;
  assert.deepEqual(
    messages.map((message) => message.role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.match(prompt, /Searches\./);
  assert.match(prompt, /Answer of search:\nNothing found\./);
});

test('earlier tool calls and their answers go out as the valid history that providers want', async () => {
  const { url, requests } = await serve(always({ text: 'ok' }));
  await openChat(url).complete(
    {
      tools: [search],
      messages: [
        { role: 'user', content: 'Find it.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'a', name: 'search', args: { query: 'x' } },
            { id: 'b', name: 'search', args: {} },
          ],
        },
        { role: 'tool', callId: 'a', content: 'one' },
        { role: 'tool', callId: 'b', content: 'two' },
      ],
    },
    {},
    never,
  );
  const { messages } = requests[0]!;
  assert.deepEqual(messages[1]!.toolCalls, [
    { id: 'a', name: 'search', args: '{"query":"x"}' },
    { id: 'b', name: 'search', args: '{}' },
  ]);
  assert.deepEqual(
    messages.slice(2).map((message) => message.toolCallId),
    ['a', 'b'],
  );
});

test('tool call pieces with an empty id, no index, or one index for all come together', async () => {
  const piece = (calls: unknown[]) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\ndata: [DONE]\n\n`;
  const cases: Record<string, string> = {
    'empty ids':
      piece([{ index: 0, id: 'a', function: { name: 'search', arguments: '' } }]) +
      piece([{ index: 0, id: '', function: { arguments: '{"query":' } }]) +
      piece([{ index: 0, id: '', function: { arguments: '"x"}' } }]),
    'no index':
      piece([{ id: 'a', function: { name: 'search', arguments: '{"query":"x"}' } }]) +
      piece([{ id: 'b', function: { name: 'search', arguments: '{"query":"y"}' } }]),
    'index 0 for all':
      piece([{ index: 0, id: 'a', function: { name: 'search', arguments: '{"query":"x"}' } }]) +
      piece([{ index: 0, id: 'b', function: { name: 'search', arguments: '{"query":"y"}' } }]),
    'object arguments': piece([{ index: 0, id: 'a', function: { name: 'search', arguments: { query: 'x' } } }]),
  };
  for (const [name, sse] of Object.entries(cases)) {
    const own = await startModelServer(always({ sse: sse + end }));
    const { toolCalls } = await openChat(own.url).complete(withTools, {}, never);
    await own.close();
    const wanted = name === 'no index' || name === 'index 0 for all' ? ['x', 'y'] : ['x'];
    assert.deepEqual(
      toolCalls.map((call) => call.args['query']),
      wanted,
      name,
    );
    assert.equal(new Set(toolCalls.map((call) => call.id)).size, wanted.length, name);
  }
});

test('arguments that are not quite JSON are repaired; what is beyond that is given as it is', async () => {
  const { url } = await serve(
    always({
      toolCalls: [
        { name: 'search', args: "{query: 'single quotes', }" },
        { name: 'search', args: 'please search for cats' },
        { name: 'search', args: '' },
      ],
    }),
  );
  const { toolCalls } = await openChat(url).complete(withTools, {}, never);
  assert.deepEqual(
    toolCalls.map((call) => call.args),
    [{ query: 'single quotes' }, {}, {}],
  );
  assert.deepEqual(
    toolCalls.map((call) => call.malformed),
    [undefined, 'please search for cats', undefined],
  );
});

test('arguments that end at the token limit are not completed by guessing', async () => {
  const { url } = await serve(
    always({ toolCalls: [{ name: 'search', args: '{"query":"half a que' }], finish: 'length' }),
  );
  const answer = await openChat(url).complete(withTools, {}, never);
  assert.equal(answer.finish, 'length');
  assert.equal(answer.toolCalls[0]?.malformed, '{"query":"half a que');
});

test('reasoning never gets into the text: neither the field nor a leading tag', async () => {
  const { url } = await serve({
    script: (request) =>
      request.index === 0
        ? { reasoning: 'Hmm, secret thoughts.', text: 'Plain.' }
        : { text: '\n<think>Step one.\nStep two.</think>\n\nTagged.' },
  });
  const seen: string[] = [];
  const listen = { onText: (text: string) => void seen.push(text) };
  const chat = openChat(url);
  assert.equal((await chat.complete(question, listen, never)).text, 'Plain.');
  assert.equal((await chat.complete(question, listen, never)).text, 'Tagged.');
  assert.equal(seen.join('|').replaceAll('|', ''), 'Plain.Tagged.');
});

test('a model whose template opens the reasoning is understood from its first answer on', async () => {
  const { url } = await serve(always({ text: 'I wonder what to say.\n</think>\n\nHello.' }));
  const chat = openChat(url);
  assert.equal((await chat.complete(question, {}, never)).text, 'Hello.');
  const seen: string[] = [];
  assert.equal((await chat.complete(question, { onText: (text) => seen.push(text) }, never)).text, 'Hello.');
  assert.equal(seen.join(''), 'Hello.', 'the second time nothing of it is streamed either');
});

test('reasoning of a tool turn is sent back with the answers of its tools', async () => {
  const { url, requests } = await serve({
    script: (request) =>
      request.index === 0
        ? { reasoning: 'I should search.', toolCalls: [{ id: 'r1', name: 'search', args: { query: 'x' } }] }
        : { text: 'done' },
  });
  const chat = openChat(url);
  const { toolCalls } = await chat.complete(withTools, {}, never);
  await chat.complete(
    {
      ...withTools,
      messages: [
        ...withTools.messages,
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', callId: 'r1', content: 'found' },
      ],
    },
    {},
    never,
  );
  const sent = (requests[1]!.body['messages'] as Record<string, unknown>[])[1]!;
  assert.equal(sent['reasoning_content'], 'I should search.');
});

test('lost reasoning that the server insists on is sent as a blank', async () => {
  const message = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1';
  const { url, requests } = await serve({
    script: (request) =>
      (request.body['messages'] as Record<string, unknown>[]).some(
        (sent) => sent['role'] === 'assistant' && !sent['reasoning_content'],
      )
        ? { status: 400, body: { error: { message, type: 'invalid_request_error' } } }
        : { text: 'ok' },
  });
  const answer = await openChat(url).complete(
    {
      ...withTools,
      messages: [
        ...withTools.messages,
        { role: 'assistant', content: '', toolCalls: [{ id: 'z', name: 'search', args: {} }] },
        { role: 'tool', callId: 'z', content: 'found' },
      ],
    },
    {},
    never,
  );
  assert.equal(answer.text, 'ok');
  assert.equal(requests.length, 2);
});

test('a stream that is cut, ends early or brings an error is broken, not a short answer', async () => {
  for (const name of ['brokenStream', 'endedStream', 'errorInStream'] as const) {
    const own = await startModelServer(
      always({ text: 'A text that is long enough to be cut into several pieces by the server.', ...refusals[name] }),
    );
    const error = await errorOf(openChat(own.url).complete(question, {}, never));
    await own.close();
    assert.equal(error.reason, 'streamBroken', `${name}: ${error.message}`);
  }
});

test('a stream that ends without a finish reason is broken at first; a server that never gives one is understood', async () => {
  const text = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'fine' } }] })}\n\n`;
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
  const { url } = await serve(always({ sse: `${text}${end}` }));
  assert.equal((await openChat(url).complete(question, {}, never)).text, 'fine', 'a reason without [DONE] is an end');
  await server?.close();
  const silent = await serve(always({ sse: `${text}data: [DONE]\n\n` }));
  const chat = openChat(silent.url);
  assert.equal((await errorOf(chat.complete(question, {}, never))).reason, 'streamBroken');
  assert.equal((await chat.complete(question, {}, never)).text, 'fine');
  assert.equal((await chat.complete(question, {}, never)).text, 'fine');
  await server?.close();
  const object = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: '{"city": "Rome"}' } }] })}\n\n`;
  const whole = await serve(always({ sse: `${object}data: [DONE]\n\n` }));
  const json = { name: 'place', schema: { type: 'object', properties: { city: { type: 'string' } } } };
  assert.equal((await openChat(whole.url).complete({ ...question, json }, {}, never)).text, '{"city": "Rome"}');
});

test('comment lines, other line ends and a byte order mark do not disturb a stream', async () => {
  const { url } = await serve(
    always({
      sse: `\uFEFF: PROCESSING\r\n\r\n: PROCESSING\r\n\r\ndata: {"choices":[{"delta":{"content":"he"}}]}\r\n\r\nevent: ping\r\n\r\ndata:{"choices":[{"delta":{"content":"llo"},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\r\n\r\n`,
    }),
  );
  assert.equal((await openChat(url).complete(question, {}, never)).text, 'hello');
});

test('a web page and an answer without choices are reported as what they are', async () => {
  for (const [override, pattern] of [
    [refusals.htmlPage, /web page/],
    [refusals.emptyChoices, /empty/],
    [{ body: { object: 'list', data: [] } }, /no completion/],
    [{ body: 'hello there' }, /no completion/],
  ] as const) {
    const own = await startModelServer(always(override));
    const error = await errorOf(openChat(own.url).complete(question, {}, never));
    await own.close();
    assert.equal(error.reason, 'badAnswer');
    assert.match(error.message, pattern);
    assert.match(error.next, /baseUrl/);
  }
});

test('an error object in an answer of status 200 is an error', async () => {
  const { url } = await serve(always({ body: { error: { message: 'Token limit reached', code: 400 } } }));
  assert.equal((await errorOf(openChat(url).complete(question, {}, never))).reason, 'contextLength');
});

test('a refusal without text is a content filter error, also when it comes as finish reason', async () => {
  const { url } = await serve(always({ text: '', finish: 'content_filter' }));
  assert.equal((await errorOf(openChat(url).complete(question, {}, never))).reason, 'contentFilter');
});

test('the context window that an overflow names is known afterwards', async () => {
  const { url } = await serve(always(refusals.contextLength));
  const chat = openChat(url);
  assert.equal((await errorOf(chat.complete(question, {}, never))).reason, 'contextLength');
  assert.equal(chat.contextTokens, 8_192);
});

test('a prompt that the server silently cut to its window is an overflow', async () => {
  const { url } = await serve(
    always({ text: 'I only saw the end.', usage: { prompt_tokens: 4_095, completion_tokens: 5 } }),
  );
  const chat = openChat(url);
  const error = await errorOf(
    chat.complete({ messages: [{ role: 'user', content: 'word '.repeat(20_000) }] }, {}, never),
  );
  assert.equal(error.reason, 'contextLength');
  assert.equal(chat.contextTokens, 4_095);
});

test('stopping ends a call that waits for its first byte and one that streams, and closes the connection', async () => {
  for (const override of [{ hang: true }, { text: 'x'.repeat(500), tokenDelayMs: 50 }] satisfies ModelOverride[]) {
    const own = await startModelServer(always(override));
    const stop = new AbortController();
    const reason = new ResearchError('abort', 'Stopped.');
    const call = openChat(own.url).complete(question, { onText: () => stop.abort(reason) }, stop.signal);
    const seen = await own.waitFor(() => true);
    if ('hang' in override) stop.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    while (!seen.aborted) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(own.inFlight, 0);
    await own.close();
  }
});

test('a call that was stopped before it began sends nothing', async () => {
  const { url, requests } = await serve(always({ text: 'ok' }));
  await assert.rejects(openChat(url).complete(question, {}, AbortSignal.abort(new Error('over'))), /over/);
  assert.equal(requests.length, 0);
});

test('a refused connection is reported at once, with the host and what to do', async () => {
  const own = await startModelServer();
  const { url } = own;
  await own.close();
  const error = await errorOf(openChat(url).complete(question, {}, never));
  assert.equal(error.reason, 'network');
  assert.match(error.message, /127\.0\.0\.1:\d+ can't be reached/);
  assert.match(error.next, /baseUrl/);
});

test('a server that is silent but takes connections is waited for; one that takes none is unreachable', async () => {
  const times = { quietMs: 20, connectMs: 200, httpMs: 50 };
  const { url } = await serve(always({ text: 'slow', delayMs: 150 }));
  assert.equal((await openChat(url, { times }).complete(question, {}, never)).text, 'slow');
  // A fetch that never settles, to a port that nothing listens on: packets that a firewall swallows.
  const closed = await startModelServer();
  await closed.close();
  const swallowed: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const { FirstContact } = await import('../../../src/models/firstContact.ts');
  let sent = 0;
  const counted: typeof fetch = (input, init) => {
    sent += 1;
    return swallowed(input, init);
  };
  const chat = openChat(closed.url, { fetch: counted, contact: new FirstContact(swallowed, times) });
  const error = await errorOf(chat.complete(question, {}, never));
  assert.equal(error.reason, 'network');
  assert.equal((await errorOf(chat.complete(question, {}, never))).reason, 'network');
  assert.equal(sent, 1, 'the next try is not waited for as long again');
});

test('an answer without end is cancelled instead of filling the memory', async () => {
  // It never repeats itself, which would end it too.
  const chunk = new TextEncoder().encode(
    `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: randomBytes(500_000).toString('hex') } }] })}\n\n`,
  );
  const endless: typeof fetch = () =>
    Promise.resolve(new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })));
  const error = await errorOf(openChat('http://127.0.0.1:9/v1', { fetch: endless }).complete(question, {}, never));
  assert.equal(error.reason, 'badAnswer');
});

test('nothing but the model server is contacted, whatever tracing variables the shell has', async () => {
  const { url } = await serve(always({ text: 'ok' }));
  const hosts: string[] = [];
  const original = globalThis.fetch;
  const watching: typeof fetch = (input, init) => {
    hosts.push(new URL(input instanceof Request ? input.url : input).host);
    return original(input, init);
  };
  const variables = {
    LANGSMITH_TRACING: 'true',
    LANGCHAIN_TRACING_V2: 'true',
    LANGSMITH_API_KEY: 'x',
    LANGSMITH_GATEWAY: 'true',
    OPENAI_ORG_ID: 'org-1',
  };
  Object.assign(process.env, variables);
  globalThis.fetch = watching;
  try {
    await openChat(url, { fetch: watching }).complete(question, {}, never);
  } finally {
    globalThis.fetch = original;
    for (const name of Object.keys(variables)) delete process.env[name];
  }
  assert.deepEqual(hosts, [new URL(url).host]);
  assert.equal(server!.requests[0]!.headers['openai-organization'], undefined);
});

test('tools that a server drops in silence are put into words, once the model has written a call as text', async () => {
  const tools = [{ name: 'search', description: 'Searches', parameters: { type: 'object', properties: {} } }];
  const { url, requests } = await serve(
    always({ text: '{"tool_calls": [{"name": "search", "arguments": {"query": "rag"}}]}' }),
  );
  const chat = openChat(url);
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await chat.complete({ ...question, tools }, {}, never);
    assert.deepEqual(
      answer.toolCalls.map(({ name, args }) => [name, args]),
      [['search', { query: 'rag' }]],
    );
    assert.equal(answer.finish, 'toolCalls');
  }
  assert.deepEqual(
    requests.map(({ body }) => 'tools' in body),
    [true, false],
  );
  assert.match(requests[1]!.prompt, /Tools are called by text here/);
});

test('the schema of an answer stands in a request once: in the format that the model sees, else in words', async () => {
  const json = {
    name: 'place',
    schema: {
      type: 'object',
      properties: {
        city: { type: 'string', maxLength: 40, description: 'Its usual name' },
        kinds: {
          type: 'array',
          maxItems: 3,
          description: 'All kinds',
          items: { type: 'string', enum: ['port', 'seat'] },
        },
      },
    },
  };
  const asked = async (known: Partial<Capabilities>) => {
    const { url, requests } = await serve(always({ json: { city: 'Rome' } }));
    const chat = openChat(url, { memory: new CapabilityMemory(() => known) });
    await chat.complete(
      { messages: [{ role: 'system', content: 'Be terse.' }, ...question.messages], json },
      {},
      never,
    );
    const { body, prompt } = requests.at(-1)!;
    await server?.close();
    return { format: JSON.stringify(body['response_format'] ?? ''), prompt };
  };
  const inWords = `Be terse.

The object has this type:

{
  // Its usual name. At most 40 characters.
  "city": string,
  // All kinds. At most 3.
  "kinds": ("port" | "seat")[],
}`;
  const shown = await asked({ showsSchema: true });
  assert.match(shown.format, /Its usual name.*"enum"/);
  assert.doesNotMatch(shown.prompt, /usual name|kinds/);
  // A grammar bounds the answer; what its fields mean is said in words.
  const grammar = await asked({});
  assert.match(grammar.format, /"maxLength":40.*"enum"/);
  assert.doesNotMatch(grammar.format, /usual name/);
  assert.ok(grammar.prompt.startsWith(inWords), grammar.prompt);
  const plain = await asked({ jsonFormat: 'none' });
  assert.equal(plain.format, '""');
  assert.ok(plain.prompt.startsWith(inWords), plain.prompt);
});
