import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { serverSentEvents } from '../../../src/models/http/serverSentEvents.ts';
import { afterThinking, ThinkingFilter } from '../../../src/models/thinking.ts';

/** A text cut at random places. */
const cutText = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(200), { maxLength: 20 })).map(([whole, places]) => {
    const at = [...new Set(places.filter((place) => place < whole.length))].sort((a, b) => a - b);
    return {
      whole,
      pieces: [...at, whole.length].map((end, index) => whole.slice(index === 0 ? 0 : at[index - 1]!, end)),
    };
  });

async function eventsOf(...pieces: readonly string[]) {
  const events: { event: string; data: string }[] = [];
  for await (const { event = '', data } of serverSentEvents(Readable.from(pieces))) events.push({ event, data });
  return events;
}

test('events come out the same wherever the stream is cut', async () => {
  const parts = fc.constantFrom(
    'data: {"a":1}',
    'data:x',
    'event: error',
    ': comment',
    '\n',
    '\n',
    '\r\n',
    '\r\n',
    '\r',
    'data: ',
    'id: 7',
    'junk',
  );
  await fc.assert(
    fc.asyncProperty(
      cutText(fc.array(parts, { maxLength: 40 }).map((list) => list.join(''))),
      async ({ whole, pieces }) => assert.deepEqual(await eventsOf(...pieces), await eventsOf(whole)),
    ),
  );
});

test('several data lines are one event, a comment is none, and the last event needs no blank line', async () => {
  assert.deepEqual(await eventsOf(': hello\n\nevent: error\ndata: one\ndata: two\n\ndata: three'), [
    { event: 'error', data: 'one\ntwo' },
    { event: '', data: 'three' },
  ]);
});

function filtered(text: readonly string[], open = false): string {
  const filter = new ThinkingFilter(open);
  return text.map((piece) => filter.push(piece)).join('') + filter.end();
}

test('reasoning in front of an answer is taken out wherever the stream is cut', () => {
  const answers = fc.constantFrom('Answer.', 'A <b>bold</b> answer.', '', '<thesis> is a tag', 'About </think> tags.');
  const wrapped = answers.chain((answer) =>
    fc
      .constantFrom(`<think>Hm. <x> </th> {}</think>\n\n${answer}`, ` \n<thinking>a\nb</thinking>${answer}`, answer)
      .map((text) => ({ text, answer })),
  );
  fc.assert(
    fc.property(wrapped, fc.array(fc.nat(80), { maxLength: 12 }), ({ text, answer }, places) => {
      const at = [...new Set(places.filter((place) => place < text.length))].sort((a, b) => a - b);
      const pieces = [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1]!, end));
      assert.equal(filtered(pieces).trim(), answer.trim());
    }),
  );
});

test('reasoning that never ends is no answer, unless nothing opened it', () => {
  assert.equal(filtered(['<think>', 'for ever and ever']), '');
  assert.equal(filtered(['An answer ', 'without tags'], true), 'An answer without tags');
  assert.equal(filtered(['Still thinking', '</think>', '\n\nDone'], true), 'Done');
  assert.equal(filtered(['<thi']), '<thi');
});

test('very long reasoning is filtered in time that grows with its length', () => {
  const pieces = [
    '<think>',
    ...Array.from({ length: 40_000 }, () => 'some more reasoning text '),
    '</think>',
    'Answer.',
  ];
  assert.equal(filtered(pieces), 'Answer.');
});

test('a closing tag without an opening one ends reasoning; in code it is text', () => {
  assert.deepEqual(afterThinking('Hm.\n</think>\n\nHello.'), { text: 'Hello.', unopened: true });
  assert.deepEqual(afterThinking('Write `</think>` to end it.'), {
    text: 'Write `</think>` to end it.',
    unopened: false,
  });
  assert.deepEqual(afterThinking('See <think>this</think> too.'), {
    text: 'See <think>this</think> too.',
    unopened: false,
  });
});

test('a line without end is read in time that grows with its length', async () => {
  const pieces = ['data: ', ...Array.from({ length: 20_000 }, () => 'x'.repeat(1_000))];
  const [event] = await eventsOf(...pieces);
  assert.equal(event?.data.length, 20_000_000);
});
