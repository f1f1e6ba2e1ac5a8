import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimit } from '../../../../src/research/calls/rateLimit.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { fakeClock } from '../../../support/scriptedParts.ts';

const live = (): AbortSignal => new AbortController().signal;
const limited = (retryAfterMs?: number) =>
  new ResearchError('rateLimit', 'Slow down.', retryAfterMs === undefined ? {} : { retryAfterMs });
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A server that takes `most` requests in a window of `windowMs`, by the fake clock. */
function limitedServer(clock: ReturnType<typeof fakeClock>, most: number, windowMs: number, retryAfter: boolean) {
  const taken: number[] = [];
  let refusals = 0;
  return {
    refusals: () => refusals,
    ask(): ResearchError | undefined {
      const now = clock.monotonic();
      const recent = taken.filter((at) => at > now - windowMs);
      if (recent.length < most) {
        taken.push(now);
        return undefined;
      }
      refusals += 1;
      return limited(retryAfter ? recent[0]! + windowMs - now : undefined);
    },
  };
}

async function call(limit: RateLimit, server: ReturnType<typeof limitedServer>, done: () => void): Promise<void> {
  for (;;) {
    const turn = await limit.enter(live());
    // Every answer takes a while.
    await new Promise((resolve) => setImmediate(resolve));
    const failure = server.ask();
    if (!failure) {
      turn.answered();
      return done();
    }
    if (turn.refused(failure) === undefined) throw failure;
  }
}

describe('calls to a model whose server limits requests', () => {
  for (const retryAfter of [true, false]) {
    it(`are all answered, without a stampede, ${retryAfter ? 'with' : 'without'} Retry-After`, async () => {
      const clock = fakeClock();
      const limit = new RateLimit(clock, () => 0.5);
      const server = limitedServer(clock, 5, 10_000, retryAfter);
      let done = 0;
      await Promise.all(Array.from({ length: 30 }, () => call(limit, server, () => (done += 1))));
      assert.equal(done, 30);
      // Each calling for itself would have been refused some 75 times (25 + 20 + 15 + 10 + 5).
      assert.ok(server.refusals() <= 45, `${server.refusals()} refusals`);
    });
  }

  it('wait in order of arrival; one goes first, and each answer lets one more go at a time', async () => {
    const clock = fakeClock();
    const limit = new RateLimit(clock, () => 0);
    const first = await limit.enter(live());
    first.refused(limited(5_000));
    const began = clock.monotonic();
    const order: number[] = [];
    const going = Array.from({ length: 7 }, async (_, index) => {
      const turn = await limit.enter(live());
      order.push(index);
      return turn;
    });
    await turns();
    assert.deepEqual(order, [0]);
    assert.equal(clock.monotonic() - began, 5_000);
    (await going[0]!).answered();
    await turns();
    assert.deepEqual(order, [0, 1, 2]);
    (await going[1]!).answered();
    await turns();
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    for (const turn of going.slice(2, 5)) (await turn).left();
    await turns();
    assert.equal(order.length, 7);
  });

  it('refusals of calls that were sent together count as one', async () => {
    const clock = fakeClock();
    const limit = new RateLimit(clock, () => 0);
    const sent = await Promise.all(Array.from({ length: 8 }, () => limit.enter(live())));
    const waits = sent.map((turn) => turn.refused(limited()));
    assert.deepEqual(new Set(waits), new Set([1_000]));
  });

  it('go on although the one that was refused before them does not come back', async () => {
    const clock = fakeClock();
    const limit = new RateLimit(clock, () => 0);
    (await limit.enter(live())).refused(limited(5_000));
    const alone = await limit.enter(live());
    let isAdmitted = false;
    const behind = limit.enter(live()).then(() => (isAdmitted = true));
    alone.refused(limited(5_000));
    await turns();
    assert.ok(isAdmitted);
    await behind;
  });

  it('all fail with the call whose waits were in vain, and the next one begins anew', async () => {
    const clock = fakeClock();
    const limit = new RateLimit(clock, () => 0);
    let sent = 0;
    const refusedAlways = async (): Promise<void> => {
      for (;;) {
        const turn = await limit.enter(live());
        sent += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (turn.refused(limited()) === undefined) throw limited();
      }
    };
    const began = clock.monotonic();
    const results = await Promise.allSettled(Array.from({ length: 6 }, refusedAlways));
    assert.ok(results.every(({ status }) => status === 'rejected'));
    assert.equal(clock.monotonic() - began, 31_000);
    assert.equal(sent, 6 + 5);
    (await limit.enter(live())).answered();
  });

  it('leave the queue when they are aborted, and nobody waits for them', async () => {
    const clock = fakeClock();
    const limit = new RateLimit(clock, () => 0);
    (await limit.enter(live())).refused(limited(2_000));
    const stop = new AbortController();
    const stopped = limit.enter(stop.signal);
    stop.abort(new Error('stopped'));
    const next = limit.enter(live());
    await assert.rejects(stopped, /stopped/);
    (await next).answered();
    (await limit.enter(live())).answered();
  });
});
