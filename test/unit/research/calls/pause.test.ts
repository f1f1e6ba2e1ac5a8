import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { Calls, type CallsOptions } from '../../../../src/research/calls/calls.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import type { ChatAnswer, ChatPort } from '../../../../src/research/ports.ts';
import { fakeClock, note, scriptedTool, silentLog } from '../../../support/scriptedParts.ts';

const answer: ChatAnswer = {
  text: 'Hello',
  toolCalls: [],
  finish: 'stop',
  usage: { in: 1, out: 1, cached: 0, estimated: false },
};
const unreachable = () => new ResearchError('network', "The model can't be reached.");
const live = (): AbortSignal => new AbortController().signal;
const reasonOf = (reason: ErrorReason) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

/** Calls whose model is out of reach until it has been tried so often. */
function harness(failures: number, over: Partial<CallsOptions> = {}) {
  const events: EventBody[] = [];
  const clock = fakeClock();
  const model = { sent: 0, inFlight: 0, most: 0, failures };
  const port: ChatPort = {
    provider: 'test',
    model: 'm',
    contextTokens: 8_000,
    async complete(_request, { onAlive }) {
      model.sent += 1;
      model.most = Math.max(model.most, (model.inFlight += 1));
      await new Promise((resolve) => setImmediate(resolve));
      model.inFlight -= 1;
      if (model.sent <= model.failures) throw unreachable();
      onAlive?.();
      return answer;
    },
  };
  const calls = new Calls({
    clock,
    log: silentLog,
    replay: new Replay(new Journal(async () => undefined), clock),
    warn: () => undefined,
    registry: new EvidenceRegistry(),
    emit: (event) => events.push(event),
    saveEvidence: async () => undefined,
    idleMs: 60_000,
    finishSignal: new AbortController().signal,
    answeredBefore: true,
    random: () => 0,
    ...over,
  });
  const ask = (key: string, signal = live(), phase: 'research' | 'report' = 'research') =>
    calls.model({ key, role: 'main', phase, port, request: { messages: [{ role: 'user', content: key }] } }, signal);
  const types = () => events.map(({ type }) => type).filter((type) => type !== 'usage');
  return { calls, ask, events, types, clock, model };
}

describe('a lost connection', () => {
  it('pauses the run, is probed after growing waits, and resumes by itself', async () => {
    const { ask, events, types, clock } = harness(9);
    assert.deepEqual(await ask('a'), answer);
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    assert.deepEqual(clock.slept, [500, 1_500, 1_000, 2_000, 5_000, 10_000, 30_000, 30_000, 30_000]);
    const paused = events[0]!;
    assert.ok(
      paused.type === 'run/paused' &&
        paused.reason === 'network' &&
        /is paused and resumes by itself/.test(paused.message),
    );
  });

  it('holds all calls at one gate: while it lasts one of them is sent at a time', async () => {
    const { ask, types, model } = harness(30);
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ask(key)));
    assert.equal(all.length, 6);
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    // Each of the six made its quick tries before the gate was closed, then one probed until try 31.
    assert.ok(model.sent <= 30 + 6, `${model.sent} requests`);
  });

  for (const failure of [
    new ResearchError('rateLimit', 'Slow down.', { retryAfterMs: 3_000 }),
    new ResearchError('streamBroken', 'Cut.'),
    new ResearchError('timeout', 'Silent.'),
  ]) {
    it(`leaves a call alive that fails by ${failure.reason} meanwhile, and does not count it`, async () => {
      const { calls, ask, types, model } = harness(20);
      let sent = 0;
      const port: ChatPort = {
        provider: 't',
        model: 'm',
        contextTokens: 1_000,
        async complete() {
          sent += 1;
          // It had been sent before the gate was closed.
          while (!types().includes('run/paused')) await new Promise((resolve) => setImmediate(resolve));
          if (sent <= (failure.reason === 'rateLimit' ? 1 : 2)) throw failure;
          return answer;
        },
      };
      const other = calls.model(
        { key: 'other', role: 'main', phase: 'research', port, request: { messages: [] } },
        live(),
      );
      assert.deepEqual(await Promise.all([ask('a'), other]), [answer, answer]);
      assert.ok(model.sent > 20);
    });
  }

  it('is taken over by another call when the probing one is aborted', async () => {
    const section = new AbortController();
    let slept = 0;
    const clock = fakeClock();
    const cut = {
      ...clock,
      async sleep(ms: number, signal: AbortSignal) {
        slept += 1;
        if (slept === 6) section.abort(new ResearchError('timeout', 'Cut off.'));
        await clock.sleep(ms, signal);
      },
    };
    const { ask, types } = harness(12, { clock: cut });
    const first = ask('a', section.signal);
    const second = ask('b');
    await assert.rejects(first, reasonOf('timeout'));
    assert.deepEqual(await second, answer);
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
  });

  for (const waiting of ['a call of the model', 'a search'] as const) {
    it(`ends for ${waiting} that waits when all that found it lost are aborted`, async () => {
      const section = new AbortController();
      const { calls, ask, types, model } = harness(6, {
        // Four quick retries of two calls, then the wait before the first probe.
        clock: onSleep(5, async () => {
          while (model.sent < 6 || model.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
          model.failures = 0;
          const behind =
            waiting === 'a search'
              ? calls.tool(
                  { key: 't', tool: scriptedTool((query) => ({ documents: [note(query)] })), ...asked },
                  live(),
                )
              : ask('behind');
          outcome.resolve(behind);
          await new Promise((resolve) => setImmediate(resolve));
          section.abort(new ResearchError('abort', 'This section was stopped.'));
        }),
      });
      const asked = { args: { query: 'Alpha' }, context: { focus: '', language: 'en' } };
      const outcome = Promise.withResolvers<unknown>();
      const lost = await Promise.allSettled([ask('a', section.signal), ask('b', section.signal)]);
      assert.deepEqual(
        lost.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
      await outcome.promise;
      assert.deepEqual(
        types().filter((type) => type.startsWith('run/')),
        ['run/paused', 'run/resumed'],
      );
    });
  }

  it('before any answer is a mistake in the settings: reported after two quick retries', async () => {
    const { ask, types, clock } = harness(99, { answeredBefore: false });
    await assert.rejects(ask('a'), reasonOf('network'));
    assert.deepEqual(clock.slept, [400, 800]);
    assert.deepEqual(types(), []);
  });

  it('is no pause when the server answers with an error', async () => {
    const { calls, types } = harness(0);
    const port: ChatPort = {
      provider: 't',
      model: 'm',
      contextTokens: 1_000,
      complete: () => Promise.reject(new ResearchError('network', 'HTTP 502', { status: 502 })),
    };
    await assert.rejects(
      calls.model({ key: 'k', role: 'main', phase: 'research', port, request: { messages: [] } }, live()),
      reasonOf('network'),
    );
    assert.deepEqual(
      types().filter((type) => type === 'run/paused'),
      [],
    );
  });

  it('ends the run after half an hour of waiting, ready to be resumed', async () => {
    const run = new AbortController();
    const { ask, clock } = harness(Infinity, { failRun: (error) => run.abort(error) });
    const results = await Promise.allSettled([ask('a', run.signal), ask('b', run.signal)]);
    for (const result of results) assert.ok(result.status === 'rejected' && ResearchError.is(result.reason, 'network'));
    assert.match(String((run.signal.reason as Error).message), /paused for 30 minutes/);
    const waited = clock.slept.reduce((sum, ms) => sum + ms, 0);
    assert.ok(waited > 29 * 60_000 && waited <= 31 * 60_000, `${waited / 60_000} minutes`);
  });

  for (const probeMs of [0, 3_000, 10_000])
    it(`that nobody can mend is waited out for a minute, where a probe takes ${probeMs / 1_000} s`, async () => {
      const clock = fakeClock();
      const pausedAt: number[] = [];
      const { ask, calls } = harness(0, {
        ...{ clock, isUnattended: true },
        emit: ({ type }) => void (type.startsWith('run/') && pausedAt.push(clock.monotonic())),
      });
      await ask('a');
      const dead: ChatPort = {
        ...{ provider: 'test', model: 'm', contextTokens: 8_000 },
        complete: async () => {
          await clock.sleep(probeMs, live());
          throw unreachable();
        },
      };
      const gone = { key: 'b', role: 'main', phase: 'research', port: dead, request: { messages: [] } } as const;
      await assert.rejects(calls.model(gone, live()), reasonOf('network'));
      const [from, until] = pausedAt;
      // The last probe is sent when the minute is over.
      assert.equal(until! - from!, 60_000 + probeMs);
    });

  it('does not count a sleep of the computer as waiting', async () => {
    const clock = fakeClock();
    const { ask, calls, events } = harness(0, { clock, isUnattended: true });
    await ask('a');
    let sent = 0;
    const back: ChatPort = {
      ...{ provider: 'test', model: 'm', contextTokens: 8_000 },
      complete: async () => {
        sent += 1;
        if (sent === 4) await clock.sleep(8 * 3_600_000, live());
        if (sent < 6) throw unreachable();
        return answer;
      },
    };
    const asleep = { key: 'b', role: 'main', phase: 'research', port: back, request: { messages: [] } } as const;
    assert.deepEqual(await calls.model(asleep, live()), answer);
    assert.ok(events.some((event) => event.type === 'run/resumed' && event.reason === 'network'));
  });

  it('is left at once by Stop', async () => {
    const stop = new AbortController();
    const { ask, types } = harness(Infinity, {
      clock: stoppedAfter(4, () => stop.abort(new ResearchError('abort', 'Stopped.'))),
    });
    await assert.rejects(ask('a', stop.signal), reasonOf('abort'));
    assert.deepEqual(types(), ['run/paused']);
  });

  it('is left at once by Finish now: research ends, and the report gets one try', async () => {
    const finish = new AbortController();
    const { ask, types, model } = harness(Infinity, {
      finishSignal: finish.signal,
      clock: stoppedAfter(4, () => finish.abort(new ResearchError('finish', 'Finish.'))),
    });
    await assert.rejects(ask('a'), reasonOf('finish'));
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    const before = model.sent;
    await assert.rejects(ask('report', live(), 'report'), reasonOf('network'));
    assert.equal(model.sent - before, 1);
  });

  it('that took the sources along is no fault of theirs: the search is made again', async () => {
    const { calls, ask, types, model } = harness(Infinity);
    let tried = 0;
    const tool = scriptedTool((query) => {
      tried += 1;
      if (tried === 1) throw new ResearchError('network', "The source can't be reached.");
      return { documents: [note(query)] };
    });
    const thinking = ask('a');
    // The model is out of reach already when the search fails.
    while (model.sent < 2) await new Promise((resolve) => setImmediate(resolve));
    const search = calls.tool(
      { key: 't', tool, args: { query: 'Alpha' }, context: { focus: '', language: 'en' } },
      live(),
    );
    while (model.sent < 6) await new Promise((resolve) => setImmediate(resolve));
    model.failures = 0;
    assert.equal((await search).sources.length, 1);
    await thinking;
    assert.equal(tried, 2);
    assert.deepEqual(
      types().filter((type) => /^run\//.test(type)),
      ['run/paused', 'run/resumed'],
    );
  });

  it('of a source alone is an observation', async () => {
    const { calls, types } = harness(0);
    const tool = scriptedTool(() => {
      throw new ResearchError('network', 'Down.');
    });
    await assert.rejects(
      calls.tool({ key: 't', tool, args: { query: 'A' }, context: { focus: '', language: 'en' } }, live()),
      reasonOf('network'),
    );
    assert.ok(!types().includes('run/paused'));
  });
});

describe('a server that stalls', () => {
  /** It is silent for some calls, and answers small questions after some of them. */
  function stalling(silentCalls: number, deafFor: number, over: Partial<CallsOptions> = {}) {
    const made = harness(0, over);
    const server = { sent: 0, asked: 0 };
    const port: ChatPort = {
      provider: 'test',
      model: 'm',
      contextTokens: 8_000,
      async complete(_request, { onAlive }) {
        server.sent += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (server.sent <= silentCalls) throw new ResearchError('timeout', 'The model "m" was silent for 60 s.');
        onAlive?.();
        return answer;
      },
      responds: () => Promise.resolve((server.asked += 1) > deafFor),
    };
    const ask = (key: string, signal = live(), phase: 'research' | 'report' = 'research') =>
      made.calls.model({ key, role: 'main', phase, port, request: { messages: [] } }, signal);
    return { ...made, ask, server };
  }

  it('pauses the run, and is sent the prompt again when it answers a small question', async () => {
    const { ask, types, server, clock } = stalling(1, 5);
    assert.deepEqual(await ask('a'), answer);
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    assert.equal(server.sent, 2);
    assert.equal(server.asked, 6);
    assert.deepEqual(clock.slept, [1_000, 2_000, 5_000, 10_000, 30_000]);
  });

  it('lets no step fail meanwhile, however many calls are silent', async () => {
    const { ask, types, server } = stalling(4, 8);
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((key) => ask(key)));
    assert.ok(all.every((one) => one === answer));
    assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    assert.equal(server.sent, 8);
  });

  it('can be stopped and finished early meanwhile', async () => {
    const stop = new AbortController();
    const stopped = stalling(99, 99, { clock: stoppedAfter(3, () => stop.abort(new Error('stopped'))) });
    await assert.rejects(stopped.ask('a', stop.signal), /stopped/);
    const finish = new AbortController();
    const early = new ResearchError('finish', 'Finish now.');
    const finished = stalling(99, 99, {
      clock: stoppedAfter(3, () => finish.abort(early)),
      finishSignal: finish.signal,
    });
    await assert.rejects(finished.ask('a'), reasonOf('finish'));
    assert.deepEqual(finished.types(), ['run/paused', 'run/resumed']);
  });

  it('is not what a single silent call means: where the server answers, that call alone fails', async () => {
    const { ask, types, server } = stalling(99, 0);
    await assert.rejects(ask('a'), reasonOf('timeout'));
    assert.deepEqual(types(), []);
    assert.equal(server.sent, 2);
  });

  it('whenever it is sent the same prompt fails that call, not the run', async () => {
    const { calls, types, clock } = stalling(0, 0);
    let isDeaf = false;
    const port: ChatPort = {
      provider: 'test',
      model: 'm',
      contextTokens: 8_000,
      complete(_request, { onAlive }) {
        onAlive?.();
        isDeaf = true;
        return Promise.reject(new ResearchError('timeout', 'The model "m" was silent for 60 s.'));
      },
      responds: () => {
        const responds = !isDeaf;
        isDeaf = false;
        return Promise.resolve(responds);
      },
    };
    const request = { messages: [] };
    await assert.rejects(
      calls.model({ key: 'k', role: 'main', phase: 'plan', port, request }, live()),
      reasonOf('timeout'),
    );
    assert.equal(types().filter((type) => type === 'run/paused').length, 3);
    assert.deepEqual(clock.slept, [1_000, 1_000, 1_000, 500]);
  });

  it('is not what an aborted question means: the run continues', async () => {
    const dropped = new AbortController();
    const { calls, ask, types } = stalling(0, 0);
    const port: ChatPort = {
      provider: 'test',
      model: 'm',
      contextTokens: 8_000,
      complete: () => Promise.reject(new ResearchError('timeout', 'The model "m" was silent for 60 s.')),
      responds: () => {
        dropped.abort(new ResearchError('abort', 'Another question is asked.'));
        return Promise.resolve(false);
      },
    };
    const request = { messages: [] };
    await assert.rejects(
      calls.model({ key: 'early', role: 'main', phase: 'plan', port, request }, dropped.signal),
      reasonOf('abort'),
    );
    assert.deepEqual(await ask('a'), answer);
    assert.deepEqual(types(), []);
  });

  it('before the first answer is a mistake in the settings, not a pause', async () => {
    const { ask, types } = stalling(99, 99, { answeredBefore: false });
    await assert.rejects(ask('a'), reasonOf('timeout'));
    assert.deepEqual(types(), []);
  });
});

describe('a rate limit', () => {
  for (const [minutes, paused] of [
    [3, true],
    [60, false],
  ] as const) {
    it(`of ${minutes} minutes ${paused ? 'pauses the run for that long' : 'ends the call'}`, async () => {
      const { calls, clock, types } = harness(0);
      let sent = 0;
      const port: ChatPort = {
        provider: 't',
        model: 'm',
        contextTokens: 1_000,
        async complete(_request, { onAlive }) {
          sent += 1;
          onAlive?.();
          if (sent === 1) throw new ResearchError('rateLimit', 'Slow down.', { retryAfterMs: minutes * 60_000 });
          return answer;
        },
      };
      const call = calls.model({ key: 'k', role: 'main', phase: 'research', port, request: { messages: [] } }, live());
      if (!paused) return await assert.rejects(call, reasonOf('rateLimit'));
      assert.deepEqual(await call, answer);
      assert.deepEqual(clock.slept, [180_000]);
      assert.deepEqual(types(), ['run/paused', 'run/resumed']);
    });
  }
});

function stoppedAfter(sleeps: number, act: () => void) {
  return onSleep(sleeps, () => Promise.resolve(act()));
}

function onSleep(sleeps: number, act: () => Promise<void>) {
  const clock = fakeClock();
  let slept = 0;
  return {
    ...clock,
    async sleep(ms: number, signal: AbortSignal) {
      slept += 1;
      if (slept === sleeps) await act();
      await clock.sleep(ms, signal);
    },
  };
}
