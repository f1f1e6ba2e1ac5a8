import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns, type Turn } from '../../../src/models/http/localServer.ts';

const never = new AbortController().signal;

/** Lets all promises settle. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Imitation {
  readonly slots: number;
  /** Pieces of an answer, 15 ms from each other: 1 is an answer that comes whole. */
  readonly pieces: number;
  /** Requests that are sent before the others, to the end. */
  readonly first?: number;
}

/**
 * Requests to a server with some slots, where what comes beyond waits, in time that only the server moves.
 * @returns The most requests that the server had at once.
 */
async function mostAtOnce({ slots, pieces, first = 0 }: Imitation, requests: number): Promise<number> {
  let now = 0;
  let free = slots;
  let present = 0;
  let most = 0;
  const due: { readonly at: number; readonly run: () => void }[] = [];
  const queue: (() => void)[] = [];
  const turns = new Turns(90_000, () => now);
  const after = (run: () => void): void => void due.push({ at: now + 15, run });

  const answer = (turn: Turn, left: number): void =>
    after(() => {
      turn.streamed();
      if (left > 1) return answer(turn, left - 1);
      present -= 1;
      turn.leave();
      const next = queue.shift();
      if (next) next();
      else free += 1;
    });
  const send = async (): Promise<void> => {
    const turn = await turns.enter('http://127.0.0.1:1/v1', {}, () => Promise.resolve(true), never);
    most = Math.max(most, (present += 1));
    if (free === 0) return void queue.push(() => answer(turn, pieces));
    free -= 1;
    answer(turn, pieces);
  };
  const run = async (count: number): Promise<void> => {
    const sent = Promise.all(Array.from({ length: count }, send));
    for (await settled(); due.length > 0; await settled()) {
      const next = due.splice(due.indexOf(due.reduce((a, b) => (b.at < a.at ? b : a))), 1)[0]!;
      now = next.at;
      next.run();
    }
    await sent;
    assert.equal(present, 0);
  };
  if (first > 0) await run(first);
  await run(requests);
  return most;
}

test('a server with one slot gets one request at a time, but for the few that find that out', async () => {
  assert.equal(await mostAtOnce({ slots: 1, pieces: 6 }, 9), 2);
});

test('a server whose streams have run side by side gets as many as do, found out one by one', async () => {
  assert.equal(await mostAtOnce({ slots: 3, pieces: 6 }, 16), 4);
  assert.equal(await mostAtOnce({ slots: 2, pieces: 6 }, 16), 3);
});

test('a server that answers whole and at once is found out without a stream, one that queues is not taken for it', async () => {
  assert.ok((await mostAtOnce({ slots: 10, pieces: 1, first: 1 }, 10)) >= 4);
  assert.equal(await mostAtOnce({ slots: 1, pieces: 1, first: 1 }, 10), 2, 'the probe alone');
});

test('a request that is aborted while it waits is passed over, and no other one loses its place', async () => {
  const turns = new Turns(90_000);
  const enter = (signal: AbortSignal) =>
    turns.enter('http://127.0.0.1:1/v1', { onText: () => {} }, () => Promise.resolve(true), signal);
  const shown = await enter(never);
  shown.streamed();
  const gone = new AbortController();
  const aborted = enter(gone.signal);
  const end = new AbortController();
  const entered: Turn[] = [];
  const others = [1, 2].map(() => enter(end.signal).then((turn) => entered.push(turn)));
  await settled();
  gone.abort(new Error('Gone.'));
  // In the same moment, before the aborted one has seen it.
  shown.leave();
  await assert.rejects(aborted, /Gone/);
  await settled();
  end.abort(new Error('The test is over.'));
  await Promise.allSettled(others);
  for (const turn of entered) turn.leave();
  assert.equal(entered.length, 2);
});
