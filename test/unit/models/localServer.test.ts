import assert from 'node:assert/strict';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isLocal, Turns } from '../../../src/models/http/localServer.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { errorOf, never, openChat, question } from './modelTestKit.ts';

test('this machine and its network are local, everything else is not', () => {
  const local = [
    'http://localhost:1',
    'http://127.0.0.1',
    'http://[::1]:8080/v1',
    'http://10.1.2.3',
    'http://192.168.0.9:1234',
  ];
  const remote = [
    'https://api.openai.com/v1',
    'http://8.8.8.8',
    'http://172.15.0.1',
    'http://localhost.example.com',
    'http://[2606:4700::1]',
  ];
  for (const url of local) assert.equal(isLocal(url), true, url);
  for (const url of remote) assert.equal(isLocal(url), false, url);
});

/** llama-cpp-python: another request ends the running answer, in the middle, with [DONE] and no reason. */
async function interruptingServer(): Promise<{ url: string; sent: () => number; close: () => void }> {
  let current: http.ServerResponse | undefined;
  let sent = 0;
  const piece = (content: string, finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      sent += 1;
      current?.end('data: [DONE]\n\n');
      current = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(piece('one ', null));
      setTimeout(() => {
        if (current !== response) return;
        current = undefined;
        response.end(`${piece('two', 'stop')}data: [DONE]\n\n`);
      }, 60);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sent: () => sent,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

test('a server that interrupts an answer for the next request gets them one after the other', async () => {
  const server = await interruptingServer();
  try {
    const chat = openChat(server.url);
    assert.equal((await chat.complete(question, {}, never)).text, 'one two');
    const waits: string[] = [];
    const answers = await Promise.all(
      [0, 1, 2, 3].map(() => chat.complete(question, { onWaiting: (why) => waits.push(why) }, never)),
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['one two', 'one two', 'one two', 'one two'],
    );
    const before = server.sent();
    await Promise.all([0, 1, 2].map(() => chat.complete(question, {}, never)));
    assert.equal(server.sent() - before, 3, 'it is remembered');
  } finally {
    server.close();
  }
});

test('silence before the first byte of a local server is announced as waiting, until the server counts as stalled', async () => {
  const server = await startModelServer({ script: () => ({ delayMs: 250, text: 'late' }) });
  try {
    const waits: string[] = [];
    const chat = openChat(server.url, { turns: new Turns(100) });
    assert.equal((await chat.complete(question, { onWaiting: (why) => waits.push(why) }, never)).text, 'late');
    assert.ok(waits.length >= 2 && waits.every((why) => why === 'firstByte'));
  } finally {
    await server.close();
  }
});

test('a model that is being loaded is waited for; an empty answer is asked for again without a stream', async () => {
  let asked = 0;
  const server = await startModelServer({
    script: ({ stream }) => {
      asked += 1;
      if (asked === 1)
        return { status: 503, body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } } };
      if (stream) return { sse: '' };
      return { status: 400, body: { error: { message: 'Requested tokens (2299) exceed context window of 2048' } } };
    },
  });
  try {
    const waits: string[] = [];
    const error = await errorOf(
      openChat(server.url).complete(question, { onWaiting: (why) => waits.push(why) }, never),
    );
    assert.equal(error.reason, 'contextLength');
    assert.ok(waits.includes('loading'));
  } finally {
    await server.close();
  }
});
