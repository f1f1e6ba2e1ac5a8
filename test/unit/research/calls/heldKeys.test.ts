import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeldKeys } from '../../../../src/research/calls/heldKeys.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { ChatAnswer, ChatPort } from '../../../../src/research/ports.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { silentLog } from '../../../support/sourceContext.ts';

/** Of no known shape, so that only its value tells that it is a key. */
const key = ['plum', 'Harbour', '44', 'velvet'].join('');
const never = new AbortController().signal;

async function holding(value = key): Promise<HeldKeys> {
  const keys = new HeldKeys();
  await keys.watch({ key: () => Promise.resolve(value) }).key('any', 'https://example.org');
  return keys;
}

function toolThat(run: ResearchTool['run']): ResearchTool {
  return {
    name: 'search',
    description: '',
    parameters: {} as ResearchTool['parameters'],
    source: 's',
    kind: 'search',
    run,
  };
}

const context = { focus: '', language: 'en' };
const document = { kind: 's', title: `About ${key}`, authors: [key], text: `a ${key} b`, url: `https://x.org/${key}` };

test('a document that repeats a key is given without it', async () => {
  const tool = (await holding()).tool(toolThat(() => Promise.resolve({ documents: [document], note: key })));
  const result = JSON.stringify(await tool.run({}, context, never));
  assert.ok(!result.includes(key));
  assert.match(result, /a \[redacted\] b/);
});

test('what is nested more deeply than any schema is dropped, since nothing looks for a key in it', async () => {
  const keys = await holding();
  let deep: unknown = key;
  for (let level = 0; level < 30; level += 1) deep = [deep];
  const tool = keys.tool(toolThat(async () => ({ documents: [], note: 'n', deep }) as never));
  assert.doesNotMatch(JSON.stringify(await tool.run({}, {} as never, never)), new RegExp(key));
});

test('an error that repeats a key keeps its reason, and loses the key in all of its words', async () => {
  const quoted = `: bad token ${key}.`;
  const failure = new ResearchError('auth', `Refused${quoted}`, { quoted, status: 401, cause: new Error(key) });
  const tool = (await holding()).tool(toolThat(() => Promise.reject(failure)));
  await assert.rejects(tool.run({}, context, never), (error) => {
    assert.ok(ResearchError.is(error, 'auth'));
    assert.equal(error.status, 401);
    assert.equal(error.plain, 'Refused.');
    assert.ok(!`${error.message}${error.plain}${error.stack}${String(error.cause)}`.includes(key));
    return true;
  });
});

test('a placeholder that is an ordinary word stays in texts', async () => {
  const about = { ...document, text: 'Run it with ollama.' };
  const tool = (await holding('ollama')).tool(toolThat(() => Promise.resolve({ documents: [about] })));
  assert.equal((await tool.run({}, context, never)).documents[0]?.text, 'Run it with ollama.');
});

test('a log line is written without the keys', async () => {
  const lines: string[] = [];
  (await holding()).log({ ...silentLog, warn: (line) => lines.push(line) }).warn(`sent ${key}`);
  assert.deepEqual(lines, ['sent [redacted]']);
});

test('a model that repeats a key is heard without it, wherever its stream is cut', async () => {
  const keys = await holding();
  const piece = fc.oneof(fc.constantFrom(key, key.slice(0, 9), key.slice(0, -1), 'p', 'pl', ' '), fc.string());
  await fc.assert(
    fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 30 }), async (parts, size) => {
      const whole = parts.join('');
      const chat: ChatPort = {
        provider: 'p',
        model: 'm',
        contextTokens: 1_000,
        ...{ thinks: true, isLocal: true },
        complete(_, listen) {
          for (let at = 0; at < whole.length; at += size) listen.onText?.(whole.slice(at, at + size));
          return Promise.resolve({ text: whole } as ChatAnswer);
        },
      };
      const port = await keys.models(() => Promise.resolve(chat))('main');
      let heard = '';
      const answer = await port.complete({ messages: [] }, { onText: (text) => (heard += text) }, never);
      assert.ok(!heard.includes(key));
      assert.equal(heard, answer.text);
      assert.deepEqual([port.thinks, port.isLocal], [true, true]);
    }),
  );
});
