import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import fc from 'fast-check';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { ChatRequest } from '../../../../src/research/ports.ts';
import { choice, flag, group, jsonSchemaOf, list, score, text } from '../../../../src/research/analyst/llm/fields.ts';
import { askStructured } from '../../../../src/research/analyst/llm/structuredOutput.ts';
import { errorOf } from '../../../support/modelTestKit.ts';
import { estimateTokens } from '../../../../src/research/text/estimateTokens.ts';
import { answer, saying, scopeOver } from '../../../support/analystTestKit.ts';

const schema = z.object({
  name: text('A name').refine((name) => name !== '', 'must not be empty'),
  tags: list(text('A tag'), 'Tags', 10),
  sure: flag('Sure'),
  confidence: score(0, 1, 0.5, 'Confidence'),
  kind: choice(['deep_dive', 'list'], 'list', 'Kind'),
  inner: group({ note: text('A note') }, 'Inner'),
});
const ask = {
  label: 'step',
  step: 'plan',
  most: 1_000,
  prompt: () => ({ system: 'System.', user: 'User.' }),
  schema,
} as const;

test('what a model leaves out or writes differently is read as what it means', async () => {
  const read = async (value: unknown) => askStructured(scopeOver(saying(JSON.stringify(value))), ask);
  assert.deepEqual(await read({ name: ' A ' }), {
    name: 'A',
    tags: [],
    sure: false,
    confidence: 0.5,
    kind: 'list',
    inner: { note: '' },
  });
  assert.deepEqual(
    await read({ name: 7, tags: 'one', sure: 'Yes', confidence: '85%', kind: 'Deep Dive', inner: null }),
    { name: '7', tags: ['one'], sure: true, confidence: 0.85, kind: 'deep_dive', inner: { note: '' } },
  );
  assert.deepEqual((await read({ name: 'x', tags: '- a\n- b', confidence: 'high' })).tags, ['a', 'b']);
  assert.equal((await read({ name: 'x', confidence: -3 })).confidence, 0);
  assert.equal((await read({ thing: { name: 'wrapped' } })).name, 'wrapped');
  assert.equal((await read([{ name: 'listed' }])).name, 'listed');
});

test('the schema that the model gets is strict: every field is required and nothing else is allowed', () => {
  const json = jsonSchemaOf(schema);
  assert.deepEqual(json['required'], ['name', 'tags', 'sure', 'confidence', 'kind', 'inner']);
  assert.equal(json['additionalProperties'], false);
  assert.equal('$schema' in json, false);
  assert.deepEqual((json['properties'] as Record<string, unknown>)['kind'], {
    type: 'string',
    enum: ['deep_dive', 'list'],
    description: 'Kind',
  });
});

test('a bad answer is sent back with what is wrong, and only the latest one', async () => {
  const scope = scopeOver(saying('No.', { tags: [] }, { name: 'fine' }));
  assert.equal((await askStructured(scope, ask)).name, 'fine');
  assert.deepEqual(
    scope.calls.map((call) => call.label),
    ['step', 'step/retry/1', 'step/retry/2'],
  );
  const [, second, third] = scope.calls.map((call) => call.request.messages);
  assert.match(second!.at(-1)!.content, /holds no JSON object/);
  assert.match(third!.at(-1)!.content, /name: must not be empty/);
  assert.deepEqual([second!.length, third!.length], [4, 4]);
});

test('when no answer is usable, the step, the schema and the answer are named in the log alone', async () => {
  const scope = scopeOver(saying('I would rather talk about the weather.', 'No.', { tags: [] }), {
    limits: { maxStructuredOutputRetries: 2 },
  });
  const error = await errorOf(askStructured(scope, ask));
  assert.equal(error.reason, 'badAnswer');
  assert.equal(error.message, "The model's answer could not be used.");
  assert.match(String(error.cause), /plan: name: must not be empty/);
  assert.deepEqual(scope.forgotten, ['step']);
  assert.match(error.next, /model\.name/);
  assert.equal(scope.calls.length, 3);
});

test('a retry is asked for less at another temperature, and the same words twice end the step', async () => {
  const scope = scopeOver(saying('I would rather talk about the weather.'));
  assert.equal((await errorOf(askStructured(scope, ask))).reason, 'badAnswer');
  const [first, second, ...others] = scope.calls.map(({ request }) => request);
  assert.deepEqual(others, []);
  assert.ok(second!.temperature! > first!.temperature!);
  assert.ok(JSON.stringify(second!.json).length <= JSON.stringify(first!.json).length);
});

test('each retry has a seed of its own; the first request has none', async () => {
  const scope = scopeOver(saying('No.', 'I said no.', { name: 'fine' }));
  await askStructured(scope, ask);
  assert.deepEqual(
    scope.calls.map(({ request }) => request.seed),
    [undefined, 1, 2],
  );
});

test('an answer that is cut off again is asked for still less, and no request is made twice', async () => {
  const limitsOf = (request: ChatRequest): number[] =>
    [...JSON.stringify(request.json).matchAll(/"max(?:Length|Items)":(\d+)/g)].map(([, limit]) => Number(limit));
  const asked = async (wanted: z.ZodType) => {
    let said = 0;
    const scope = scopeOver(() => answer(`Let me think ${(said += 1)}`, { finish: 'length' }));
    assert.equal((await errorOf(askStructured(scope, { ...ask, schema: wanted }))).reason, 'badAnswer');
    return scope.calls.map(({ request }) => request);
  };
  const long = await asked(schema);
  assert.equal(long.length, 4);
  const [, less, least] = long.map((request) => Math.max(...limitsOf(request)));
  assert.deepEqual([less, least], [200, 100]);
  // With nothing to shorten, the limits are left out; then there is nothing else to ask for.
  assert.equal((await asked(z.object({ sure: flag('Sure') }))).length, 3);
  for (const requests of [long, await asked(z.object({ sure: flag('') }))]) {
    const bytes = requests.map((request) => JSON.stringify({ ...request, seed: undefined }));
    assert.equal(new Set(bytes).size, bytes.length);
  }
});

test('of a bad answer little is shown again, of one to be mended more', async () => {
  const words = 'I would rather talk about the weather than about this. '.repeat(400);
  const bad = scopeOver(saying(words, { name: 'fine' }));
  await askStructured(bad, ask);
  const shown = ({ calls }: typeof bad) => estimateTokens(calls[1]!.request.messages.at(-2)!.content);
  assert.ok(shown(bad) > 100 && shown(bad) <= 200, `${shown(bad)} tokens`);
  const usable = scopeOver(saying({ name: words }, { name: 'fine' }));
  await askStructured(usable, { ...ask, complaint: ({ name }) => (name === 'fine' ? undefined : 'It is no name.') });
  assert.ok(shown(usable) > 200, `${shown(usable)} tokens`);
});

test('without retries one bad answer is the end', async () => {
  const scope = scopeOver(saying(''), { limits: { maxStructuredOutputRetries: 0 } });
  assert.match(String((await errorOf(askStructured(scope, ask))).cause), /It was empty/);
  assert.equal(scope.calls.length, 1);
});

test('a complaint about the content is made once, then the answer is accepted as it is', async () => {
  const complaint = (value: { readonly tags: readonly string[] }) =>
    value.tags.length < 2 ? 'Two tags are wanted.' : undefined;
  const stubborn = scopeOver(saying({ name: 'a', tags: ['x'] }, { name: 'b', tags: [] }));
  assert.equal((await askStructured(stubborn, { ...ask, complaint })).name, 'b');
  assert.equal(stubborn.calls.length, 2);
  const worse = scopeOver(saying({ name: 'a', tags: ['x'] }, 'What?'));
  assert.equal(
    (await askStructured(worse, { ...ask, complaint })).name,
    'a',
    'a broken second answer does not cost the first',
  );
  const none = scopeOver(saying({ name: 'a', tags: ['x'] }), { limits: { maxStructuredOutputRetries: 0 } });
  assert.equal((await askStructured(none, { ...ask, complaint })).name, 'a');
});

test('an answer that was cut off is asked for again with less room, and nothing of it is shown again', async () => {
  const cut = { text: '{"name": "and so on, and so on, and so on', finish: 'length' } as const;
  const scope = scopeOver(saying({ ...cut, text: 'Let me think about and so on' }, cut, { name: 'ok' }));
  await askStructured(scope, { ...ask, schema: schema.extend({ count: score(0, 9, 1, 'Count') }) });
  const [first, second] = scope.calls.map(({ request }) => request);
  assert.match(second!.messages.at(-1)!.content, /^User\.\n\n.*cut off.*briefer/s);
  assert.doesNotMatch(JSON.stringify(second), /and so on/);
  assert.equal(second!.messages.length, first!.messages.length);
  const limits = (request: ChatRequest | undefined) => [
    ...JSON.stringify(request?.json).matchAll(/"max(?:Length|Items)":(\d+)/g),
  ];
  const before = limits(first).map(([, most]) => Number(most));
  const after = limits(second).map(([, most]) => Number(most));
  assert.equal(before.length, after.length);
  assert.ok(
    after.every((most, index) => most <= before[index]! && (before[index]! <= 80 || most <= before[index]! / 2)),
  );
  assert.ok(second!.temperature! > first!.temperature!, 'a low temperature leads back into the same loop');
});

test('a refusal is not retried', async () => {
  const scope = scopeOver(saying({ text: 'I cannot help.', finish: 'contentFilter' }));
  assert.equal((await errorOf(askStructured(scope, ask))).reason, 'contentFilter');
  assert.equal(scope.calls.length, 1);
});

test('an empty object or another object than the one asked for is no answer', async () => {
  for (const value of [{}, { error: 'no' }, { city: 'Paris', country: 'France' }]) {
    const scope = scopeOver(saying(JSON.stringify(value)), { limits: { maxStructuredOutputRetries: 0 } });
    assert.ok(ResearchError.is(await errorOf(askStructured(scope, ask)), 'badAnswer'), JSON.stringify(value));
  }
});

test('an option is named by whole words, alone or before what is said of it', () => {
  const status = choice(['sufficient', 'partial', 'missing'], undefined, '');
  const read = (value: unknown) => status.safeParse(value).data;
  for (const said of [
    'Partial',
    '"partial".',
    'partial: no figures',
    'Partial: figures are missing',
    'Partial - sufficient for a look',
    'partial (of two)',
    '**partial** - one year only',
    ['partial'],
  ])
    assert.equal(read(said), 'partial', String(said));
  for (const said of [
    'insufficient',
    'not sufficient',
    'sufficient evidence',
    'sufficient, or partial',
    'ausreichend',
    '',
    null,
  ])
    assert.equal(read(said), undefined, String(said));
  const kind = choice(['deep_dive', 'no_subject'], 'no_subject', '');
  for (const said of ['deepDive', 'Deep dive', 'deep-dive']) assert.equal(kind.parse(said), 'deep_dive');
});

test('lenient fields take any JSON there is', () => {
  const lenient = z.object({
    a: text(''),
    b: list(text(''), '', 5),
    c: flag(''),
    d: score(1, 10, 5, ''),
    e: choice(['x', 'y'], 'x', ''),
    f: group({ g: text('') }, ''),
  });
  fc.assert(
    fc.property(
      fc.record(
        {
          a: fc.jsonValue(),
          b: fc.jsonValue(),
          c: fc.jsonValue(),
          d: fc.jsonValue(),
          e: fc.jsonValue(),
          f: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      (value) => {
        assert.equal(lenient.safeParse(value).success, true, JSON.stringify(value));
      },
    ),
  );
});
