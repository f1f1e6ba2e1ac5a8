import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { classifyFailure, classifyThrown } from '../../../src/models/classifyError.ts';
import { contextTokensIn, retryAfterMs } from '../../../src/models/errorFigures.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { Turns } from '../../../src/models/http/localServer.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { recordedFolder } from '../../support/recordings.ts';
import { errorOf, never, openChat, question } from '../../support/modelTestKit.ts';

const fixture = new URL('errors.json', recordedFolder('llm'));

interface Recorded {
  readonly provider: string;
  readonly kind: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const expected: Readonly<Record<string, string>> = {
  context_window: 'contextLength',
  request_too_large: 'contextLength',
  empty_body: 'contextLength',
  rate_limit: 'rateLimit',
  rate_limit_burst: 'rateLimit',
  rate_limit_tokens: 'rateLimit',
  overloaded: 'rateLimit',
  loading: 'rateLimit',
  quota: 'quota',
  arrears: 'quota',
  auth: 'auth',
  content_filter: 'contentFilter',
  content_filter_output: 'contentFilter',
  moderation: 'contentFilter',
  refusal: 'contentFilter',
  model_not_found: 'notFound',
  no_provider: 'notFound',
  no_model_loaded: 'notFound',
  timeout: 'timeout',
  native_error_shape: 'network',
  html_502: 'network',
  tool_call_rejected: 'badAnswer',
  unsupported_parameter: 'badRequest',
  max_tokens_range: 'badRequest',
  stream_required: 'badRequest',
  stream_required_for_thinking: 'badRequest',
  thinking_cannot_be_disabled: 'badRequest',
  json_mode_needs_word_json: 'badRequest',
  reasoning_missing: 'badRequest',
  json_object_refused: 'badRequest',
  named_tool_choice_refused: 'badRequest',
};

test(
  'each error answer that providers are known to give has its reason, over real HTTP',
  { skip: existsSync(fixture) ? false : 'the recorded answers are not on this machine' },
  async () => {
    const recorded = (JSON.parse(readFileSync(fixture, 'utf8')) as { errors: Recorded[] }).errors;
    assert.ok(recorded.length > 60);
    let current: Recorded = recorded[0]!;
    const server = await startModelServer({
      script: () => ({ status: current.status, headers: current.headers, body: current.body }),
    });
    try {
      for (const entry of recorded) {
        current = entry;
        // The host tells DashScope's meaning of "insufficient_quota" from OpenAI's; in this recording the body does.
        const chat = openChat(server.url, { turns: new Turns(50) });
        const error = await errorOf(chat.complete(question, {}, never));
        assert.equal(error.reason, expected[entry.kind], `${entry.provider} ${entry.kind}: ${error.message}`);
        assert.notEqual(error.next, '', `${entry.provider} ${entry.kind} says what to do next`);
      }
    } finally {
      await server.close();
    }
  },
);

interface Body {
  readonly name: string;
  readonly host: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly inStream?: boolean;
  readonly reason: string;
  readonly body: unknown;
}

test('each body that servers, gateways and proxies answer with has its reason', () => {
  const bodies = JSON.parse(
    readFileSync(new URL('../../fixtures/errorBodies.json', import.meta.url), 'utf8'),
  ) as readonly Body[];
  assert.ok(bodies.length > 100);
  const wrong = bodies.flatMap(({ name, host, reason, body, headers = {}, ...answer }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const seen = { host, model: 'm', key: 'k', promptTokens: 9_000 };
    const error = classifyFailure({ ...answer, headers, body: text }, seen);
    return error.reason === reason ? [] : [`${name}: ${error.reason} instead of ${reason}`];
  });
  assert.deepEqual(wrong, []);
});

test('a request that an account can never send in a minute is as long as the account takes', () => {
  const body = {
    error: {
      message:
        'Request too large for model `llama-3.1-8b-instant` in organization `org_x` on tokens per minute (TPM): Limit 6000, Requested 9251, please reduce your message size and try again.',
      code: 'rate_limit_exceeded',
    },
  };
  const { reason, promptTokens, limitTokens } = classifyFailure(failure(413, body), context);
  assert.deepEqual(
    { reason, promptTokens, limitTokens },
    { reason: 'contextLength', promptTokens: 9_251, limitTokens: 6_000 },
  );
});

const context = { host: 'api.example.com', model: 'm', key: 'secret-key-123456' };
const failure = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('wording about a rate wins over wording about length', () => {
  const error = classifyFailure(
    failure(400, { error: { message: 'Too many tokens per minute: maximum context of your tier is 30000 TPM.' } }),
    context,
  );
  assert.equal(error.reason, 'rateLimit');
});

test('insufficient_quota is final, but on DashScope it is the limit of tokens per minute', () => {
  const body = {
    error: {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      code: 'insufficient_quota',
      type: 'insufficient_quota',
    },
  };
  assert.equal(classifyFailure(failure(429, body), context).reason, 'quota');
  assert.equal(
    classifyFailure(failure(429, body), { ...context, host: 'dashscope-intl.aliyuncs.com' }).reason,
    'rateLimit',
  );
});

test('a model that its server has dropped is loaded again by the next request', () => {
  for (const body of [
    '{"error":"Model unloaded."}',
    '{"error":"Model was unloaded while the request was still in queue.."}',
    '{"error":{"message":"The model has crashed without additional information. (Exit code: 18446744072635812000)"}}',
  ]) {
    assert.equal(classifyFailure(failure(400, body), context).reason, 'network', body);
    assert.equal(classifyFailure({ ...failure(200, body), inStream: true }, context).reason, 'streamBroken', body);
  }
});

test('errors that are strings, lists, null or numbers have a reason', () => {
  for (const body of [
    '"nothing"',
    '{"error":null}',
    'null',
    '[]',
    '17',
    '{"error":"model \'x\' not found"}',
    '{"error":{"message":null}}',
    '{"detail":[{"msg":"bad"}]}',
    '{"error":{"code":17}}',
  ]) {
    const error = classifyFailure(failure(400, body), context);
    assert.ok(ResearchError.is(error, 'badRequest', 'notFound'), `${body} gives ${error.reason}`);
  }
});

test('any status with any body is classified', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999 }),
      fc.oneof(fc.string(), fc.json()),
      fc.dictionary(fc.string(), fc.string()),
      (status, body, headers) => {
        const error = classifyFailure({ status, body, headers }, context);
        assert.ok(error.message.length > 0);
        assert.ok(!/[\uD800-\uDFFF]$/.test(error.reason));
      },
    ),
  );
});

test('the wait that a server asks for is read from headers and words', () => {
  const now = () => Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfterMs({ 'retry-after-ms': '1780', 'retry-after': '9' }, ''), 1_780);
  assert.equal(retryAfterMs({ 'retry-after': '24' }, ''), 24_000);
  assert.equal(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, '', now), 10_000);
  assert.equal(retryAfterMs({ 'retry-after': 'soon' }, ''), undefined);
  assert.equal(retryAfterMs({ 'retry-after': '-5' }, ''), undefined);
  assert.equal(retryAfterMs({ 'retry-after': '99999999' }, ''), 3_600_000);
  assert.equal(retryAfterMs({}, 'Please try again in 1.78s. Visit us.'), 1_780);
  assert.equal(retryAfterMs({}, 'please try again after 1 seconds'), 1_000);
  assert.equal(retryAfterMs({}, 'Please try again in 6m0s.'), 360_000);
  assert.equal(retryAfterMs({}, 'Please try again in 20ms.'), 20);
  assert.equal(retryAfterMs({}, 'Please try again later.'), undefined);
});

test('the size of the context window is read from the wordings of servers', () => {
  assert.equal(contextTokensIn("This model's maximum context length is 128000 tokens."), 128_000);
  assert.equal(contextTokensIn('prompt is too long: 213462 tokens > 200000 maximum'), 200_000);
  assert.equal(contextTokensIn('Range of input length should be [1, 129024]'), 129_024);
  assert.equal(contextTokensIn('request (13392 tokens) exceeds the available context size (8192 tokens)'), 8_192);
  assert.equal(contextTokensIn('the model is loaded with context length of only 4096 tokens'), 4_096);
  assert.equal(
    contextTokensIn('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    1_048_576,
  );
  assert.equal(
    contextTokensIn('`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8500 `inputs` tokens'),
    8_193,
  );
  assert.equal(contextTokensIn('something else'), undefined);
});

test('a key is never shown, whether it is the own one or has the shape of a key', () => {
  const echo = {
    error: { message: `Incorrect API key provided: ${context.key} (also Bearer ${context.key}, sk-proj-abcdefghijk)` },
  };
  const error = classifyFailure(failure(401, echo), context);
  assert.ok(!error.message.includes(context.key));
  assert.ok(!error.message.includes('sk-proj-abcdefghijk'));
  assert.match(error.message, /\[redacted\]/);
  const thrown = classifyThrown(new TypeError(`failed with ${context.key}`), context, false);
  assert.ok(!thrown.message.includes(context.key));
});

test('a redirect is reported, not followed: the key must not go to another address', () => {
  const error = classifyFailure(
    failure(308, '', { location: 'https://elsewhere.example/v1/chat/completions' }),
    context,
  );
  assert.equal(error.reason, 'badRequest');
  assert.match(error.message, /elsewhere\.example/);
  assert.match(error.next, /baseUrl/);
});

test('a model that does not answer chat completions is reported as such, not as missing', () => {
  const only = classifyFailure(
    failure(404, {
      error: {
        message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
        type: 'invalid_request_error',
        param: 'model',
        code: null,
      },
    }),
    context,
  );
  assert.equal(only.reason, 'notFound');
  assert.match(only.message, /does not offer the model "m"/, 'both interfaces were tried');
  assert.match(only.next, /model\.name/);
  const text = classifyFailure(
    failure(404, {
      error: {
        message:
          'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
        type: 'invalid_request_error',
        param: 'model',
        code: null,
      },
    }),
    context,
  );
  assert.match(text.message, /"m" is not a chat model/);
});

test('a 404 that does not speak of a model is a wrong address', () => {
  for (const body of [
    '',
    '{"detail":"Not Found"}',
    '<html><title>404 Not Found</title></html>',
    '404 page not found',
  ]) {
    const error = classifyFailure(failure(404, body), context);
    assert.equal(error.reason, 'notFound');
    assert.match(error.next, /should end before \/chat\/completions/, body);
  }
  assert.match(
    classifyFailure(failure(404, { error: { message: "model 'm' not found" } }), context).message,
    /does not offer the model "m"/,
  );
});
