import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LoopWatch, ObjectWatch, repeatedEnd } from '../../../src/models/answerEnd.ts';
import type { ChatRequest } from '../../../src/research/ports.ts';
import { loops, regular } from './loopSamples.ts';
import { never, openChat, question } from '../../support/modelTestKit.ts';

/** As a model streams it, a few characters at a time. */
function seenAt(text: string): number {
  const watch = new LoopWatch();
  for (let at = 0; at < text.length; at += 7) if (watch.push(text.slice(at, at + 7)) > 0) return at;
  return -1;
}

test('a text that goes round in circles is seen before it has done so for long', () => {
  const missed = loops.filter(([, text]) => seenAt(text) < 0).map(([kind]) => kind);
  assert.deepEqual(missed, []);
});

test('tables, lists, code and JSON that are regular for good reasons are left alone', () => {
  const ended = regular.filter(([, text]) => seenAt(text) >= 0).map(([kind]) => kind);
  assert.deepEqual(ended, []);
});

test('any cycle that fills the end is found, whatever stands before it, and what it repeats is known', () => {
  const words = fc.string({ minLength: 2, maxLength: 60 }).filter((text) => new Set(text).size > 1);
  fc.assert(
    fc.property(words, fc.string({ maxLength: 300 }), (cycle, before) => {
      const repeated = repeatedEnd(before + cycle.repeat(Math.ceil(2_000 / cycle.length)));
      assert.ok(repeated >= 2_000 - 3 * cycle.length - 120, `${repeated}`);
    }),
    { numRuns: 100 },
  );
});

const place: NonNullable<ChatRequest['json']> = {
  name: 'place',
  schema: { type: 'object', properties: { city: { type: 'string' }, note: { type: 'object' } } },
};

test('the end of an object is seen wherever the stream is cut, and nowhere else', () => {
  const whole = 'Here is {the} JSON:\n```json\n{"city": "R\\"o}me {", "note": {"a": [{}]}}';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: whole.length }), { maxLength: 12 }), (cuts) => {
      const watch = new ObjectWatch(place);
      const at = [0, ...cuts.sort((one, other) => one - other), whole.length];
      for (const [index, cut] of at.slice(1).entries()) {
        assert.equal(watch.isWhole, false);
        watch.push(whole.slice(at[index], cut));
        if (cut === whole.length) break;
      }
      assert.equal(watch.isWhole, true);
      assert.equal(watch.push('\n```\n'), false, 'a closing fence is no reason to end the stream');
      assert.equal(watch.push('Let me explain why the city of Rome is the answer here.'), true);
    }),
  );
});

/** A server that streams for ever; what it was stopped after. */
function talkative(pieces: (index: number) => object, everyMs = 0): { fetch: typeof fetch; sent: () => number } {
  let sent = 0;
  const encode = (value: object) => new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`);
  const answer: typeof fetch = (_, init) => {
    const body = new ReadableStream({
      start(controller) {
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason), { once: true });
      },
      async pull(controller) {
        // A turn of the event loop at least, as on a real network.
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        if (sent > 2_000) throw new Error('Nobody ends this stream.');
        if (!init?.signal?.aborted) controller.enqueue(encode({ choices: [{ index: 0, delta: pieces(sent++) }] }));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
  return { fetch: answer, sent: () => sent };
}

test('a looping answer is ended, counts as cut off, and holds what it repeats once', async () => {
  const server = talkative(() => ({ content: 'Retrieval improves the answers of models. ' }));
  const answer = await openChat('http://127.0.0.1:9/v1', { fetch: server.fetch }).complete(question, {}, never);
  assert.equal(answer.finish, 'length');
  assert.ok(server.sent() < 60, String(server.sent()));
  assert.ok(answer.text.length <= 120 && answer.text.startsWith('Retrieval improves the answers'), answer.text);
  assert.ok(answer.usage.estimated && answer.usage.out > 0);
});

test('reasoning and arguments that loop are ended too', async () => {
  const thought = 'Wait, let me reconsider. Maybe it is a list. ';
  for (const piece of [
    () => ({ reasoning_content: thought }),
    (index: number) => ({ content: index === 0 ? '<think>' : thought }),
  ]) {
    const thinking = talkative(piece);
    const chat = openChat('http://127.0.0.1:9/v1', { fetch: thinking.fetch });
    const looped = await chat.complete({ ...question, maxTokens: 1_000 }, {}, never);
    assert.deepEqual([looped.text, looped.finish, looped.isLoop], ['', 'length', true]);
    assert.ok(thinking.sent() < 100, `${thinking.sent()} pieces: it is not asked for more of it`);
  }
  const calling = talkative((index) => ({
    tool_calls: [
      index === 0
        ? { index: 0, id: 'c', function: { name: 'search', arguments: '{"query": "' } }
        : { index: 0, function: { arguments: 'retrieval augmented generation ' } },
    ],
  }));
  const tools = [{ name: 'search', description: 'Searches', parameters: {} }];
  const answer = await openChat('http://127.0.0.1:9/v1', { fetch: calling.fetch }).complete(
    { ...question, tools },
    {},
    never,
  );
  assert.equal(answer.finish, 'length');
  assert.ok(calling.sent() < 120);
});

test('nothing is read behind a complete object, and a server that only falls silent there is not waited for', async () => {
  const pieces = [
    '{"city": ',
    '"Rome"}',
    '\n\nLet me explain: ',
    'this is the city that the text names first.',
    ' And',
  ];
  const server = talkative((index) => ({ content: pieces[index] ?? ` more ${index}` }));
  const ask = { ...question, json: place };
  const answer = await openChat('http://127.0.0.1:9/v1', { fetch: server.fetch }).complete(ask, {}, never);
  assert.equal(answer.finish, 'stop');
  assert.match(answer.text, /^\{"city": "Rome"\}/);
  assert.ok(server.sent() < 8);
  const silent = talkative((index) => ({ content: index === 0 ? '{"city": "Rome"}' : '' }), 400);
  const short = await openChat('http://127.0.0.1:9/v1', { fetch: silent.fetch }).complete(ask, {}, never);
  assert.equal(short.text, '{"city": "Rome"}');
});
