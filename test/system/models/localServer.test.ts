import assert from 'node:assert/strict';
import * as http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import type { HttpChat } from '../../../src/models/http/httpChat.ts';
import { isLocal, Turns } from '../../../src/models/http/localServer.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { errorOf, never, openChat, question } from '../../support/modelTestKit.ts';

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
  assert.deepEqual([openChat(local[1]!).isLocal, openChat(remote[0]!).isLocal], [true, false]);
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

test('silence before the first byte of a local server is announced as waiting, until the server counts as stalled', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const thought = Promise.withResolvers<void>();
  const server = await startModelServer({ script: () => ({ until: thought.promise, text: 'late' }) });
  try {
    const waits: string[] = [];
    const chat = openChat(server.url, { turns: new Turns(100) });
    const answer = chat.complete(question, { onWaiting: (why) => waits.push(why) }, never);
    await server.waitFor(() => true);
    t.mock.timers.tick(150);
    thought.resolve();
    assert.equal((await answer).text, 'late');
    assert.deepEqual(waits, ['firstByte', 'firstByte', 'firstByte']);
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

interface Slots {
  readonly url: string;
  /** The most requests that the server had at once. */
  readonly most: () => number;
  /** Opens a chat whose clock is the server's: it moves with the pieces of the answers. */
  readonly open: () => Pick<HttpChat, 'complete'>;
  readonly close: () => void;
}

/** A server with some slots: each answers in 6 pieces; what comes beyond waits, with its headers sent, until an answer was read. */
async function serverWithSlots(slots: number): Promise<Slots> {
  let present = 0;
  let most = 0;
  let free = slots;
  let now = 0;
  const queue: (() => void)[] = [];
  const piece = (content: string, finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      most = Math.max(most, (present += 1));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const answer = (): void => {
        let sent = 0;
        const timer = setInterval(() => {
          sent += 1;
          now += 15;
          response.write(piece(`${sent} `, sent === 6 ? 'stop' : null));
          if (sent < 6) return;
          clearInterval(timer);
          present -= 1;
          response.end('data: [DONE]\n\n');
        }, 5);
      };
      if (free === 0) return void queue.push(answer);
      free -= 1;
      answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const next = (): void => {
    const answer = queue.shift();
    if (answer) answer();
    else free += 1;
  };
  return {
    url,
    most: () => most,
    open: () => {
      const chat = openChat(url, { turns: new Turns(90_000, () => now) });
      return {
        complete: async (...args) => {
          const answer = await chat.complete(...args);
          next();
          return answer;
        },
      };
    },
    close: () => (server.closeAllConnections(), server.close()),
  };
}

test('a server with one slot gets one request at a time, but for the few that find that out', async () => {
  const server = await serverWithSlots(1);
  try {
    const chat = server.open();
    const answers = await Promise.all(Array.from({ length: 9 }, () => chat.complete(question, {}, never)));
    assert.ok(answers.every(({ text }) => text === '1 2 3 4 5 6 '));
    assert.equal(server.most(), 2);
    const turns = new Turns(90_000);
    const inFlight: number[] = [];
    const stream = async (): Promise<void> => {
      const turn = await turns.enter(server.url, {}, () => Promise.resolve(true), never);
      inFlight.push(1);
      turn.leave();
    };
    await Promise.all([stream(), stream(), stream()]);
    assert.equal(inFlight.length, 3);
  } finally {
    server.close();
  }
});

test('no second request is tried while an answer is shown: it could be interrupted', async () => {
  const server = await serverWithSlots(2);
  try {
    const chat = server.open();
    const begun = Promise.withResolvers<void>();
    const shown = chat.complete(question, { onText: () => begun.resolve() }, never);
    await begun.promise;
    const other = chat.complete(question, {}, never);
    await Promise.all([shown, other]);
    assert.equal(server.most(), 1);
  } finally {
    server.close();
  }
});

test('who waits for a turn can be stopped, and takes no place', async () => {
  const server = await serverWithSlots(1);
  try {
    const chat = server.open();
    const first = chat.complete(question, { onText: () => undefined }, never);
    const stop = new AbortController();
    const second = chat.complete(question, {}, stop.signal);
    const third = chat.complete(question, {}, never);
    const stopped = new Error('stopped');
    stop.abort(stopped);
    await assert.rejects(second, (error) => error === stopped);
    assert.equal((await first).text, '1 2 3 4 5 6 ');
    assert.equal((await third).text, '1 2 3 4 5 6 ');
  } finally {
    server.close();
  }
});

test('any byte of the server is a sign of life for those that wait there', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const first = Promise.withResolvers<http.ServerResponse>();
  const second = Promise.withResolvers<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    request.resume();
    first.resolve(response);
    void first.promise.then((other) => other !== response && second.resolve(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const piece = (finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'one ' }, finish_reason: finish }] })}\n\n`;
  try {
    const turns = new Turns(100);
    const chats = [0, 1].map(() => openChat(url, { turns }));
    const waits: string[] = [];
    let alive = Promise.withResolvers<void>();
    const answers = [
      chats[0]!.complete(question, { onAlive: () => alive.resolve() }, never),
      chats[1]!.complete(question, { onWaiting: (why) => waits.push(why) }, never),
    ];
    const streams = await Promise.all([first.promise, second.promise]);
    streams[0].writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < 4; sent += 1) {
      alive = Promise.withResolvers<void>();
      streams[0].write(piece(null));
      await alive.promise;
      t.mock.timers.tick(50);
    }
    streams[1].writeHead(200, { 'content-type': 'text/event-stream' });
    for (const stream of streams) stream.end(`${piece('stop')}data: [DONE]\n\n`);
    await Promise.all(answers);
    assert.deepEqual(waits, ['turn', 'turn', 'turn', 'turn']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a server that takes connections and answers nothing is found out before patience ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const sockets = new Set<Socket>();
  const server = http.createServer(() => undefined);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  try {
    const turns = new Turns(100);
    const waits: string[] = [];
    const stop = new AbortController();
    const turn = await turns.enter(
      url,
      { onWaiting: (why) => waits.push(why) },
      () => Promise.resolve(false),
      stop.signal,
    );
    for (let ticks = 0; ticks < 12; ticks += 1) {
      t.mock.timers.tick(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    turn.leave();
    assert.deepEqual(waits, ['firstByte', 'firstByte']);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
