import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Calls } from '../../../../src/research/calls/calls.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import type { ChatAnswer, ChatPort } from '../../../../src/research/ports.ts';
import { silentLog } from '../../../support/scriptedParts.ts';

/** A timer of the calls ends at the end of such a piece. */
const stepMs = 16;
let elapsed = 0;

/** Lets so much time pass, in pieces between which everything that is due happens. */
async function pass(ms: number, step = stepMs): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    elapsed += step;
    mock.timers.tick(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const usage = (out: number) => ({ in: 1, out, cached: 0, estimated: false });

function harness(server: Pick<ChatPort, 'isLocal' | 'thinks'> = {}) {
  const finish = new AbortController();
  const clock = {
    now: () => new Date(elapsed),
    monotonic: () => elapsed,
    sleep: () => assert.fail('nothing is tried again'),
  };
  const calls = new Calls({
    clock,
    log: silentLog,
    replay: new Replay(new Journal(async () => undefined), clock),
    warn: () => undefined,
    registry: new EvidenceRegistry(),
    emit: () => undefined,
    saveEvidence: async () => undefined,
    idleMs: 60_000,
    finishSignal: finish.signal,
    random: () => 0,
  });
  let sent = 0;
  const ask = (key: string, complete: ChatPort['complete'], phase: 'research' | 'report') => {
    const port: ChatPort = {
      ...{ provider: 'test', model: 'm', contextTokens: 8_000, ...server },
      complete: (...asked) => {
        sent += 1;
        return complete(...asked);
      },
    };
    const answer = calls.model(
      { key, role: 'main', phase, port, request: { messages: [{ role: 'user', content: key }] } },
      new AbortController().signal,
    );
    let outcome: string | undefined;
    answer.then(
      ({ text }) => (outcome = text),
      (error: unknown) => (outcome = ResearchError.from(error).reason),
    );
    return { outcome: () => outcome };
  };
  /** A model that begins after so long and then writes as many tokens a second; undefined: it never ends. */
  const write = (
    key: string,
    pace: number,
    {
      forMs = Infinity,
      afterMs = 0,
      phase = 'report',
    }: { readonly forMs?: number; readonly afterMs?: number; readonly phase?: 'research' | 'report' } = {},
  ) =>
    ask(
      key,
      (_request, { onAlive }, signal) =>
        new Promise<ChatAnswer>((answered, failed) => {
          let [writtenMs, waitedMs] = [0, 0];
          const received = (): number => (pace * writtenMs) / 1_000;
          signal.addEventListener('abort', () => failed(signal.reason), { once: true });
          const next = (): void => {
            if (signal.aborted) return;
            if (waitedMs >= afterMs) onAlive?.(received);
            if (waitedMs >= afterMs && writtenMs >= forMs)
              return answered({ text: 'Hello', toolCalls: [], finish: 'stop', usage: usage(received()) });
            if (waitedMs < afterMs) waitedMs += stepMs;
            else if (pace > 0) writtenMs += stepMs;
            setTimeout(next, stepMs);
          };
          next();
        }),
      phase,
    );
  const fail = (key: string, reason: ErrorReason, afterMs: number) =>
    ask(
      key,
      () => new Promise((_, failed) => setTimeout(() => failed(new ResearchError(reason, 'No.')), afterMs)),
      'report',
    );
  return { write, fail, finishNow: () => finish.abort(new ResearchError('finish', 'Finish now.')), sent: () => sent };
}

describe('"Finish now" while the report is written', () => {
  beforeEach(() => {
    elapsed = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('ends an answer of fewer than 20 tokens a second within two seconds, though pieces of it arrive', async () => {
    const { write, finishNow } = harness();
    const slow = write('a', 19);
    await pass(10_000);
    assert.equal(slow.outcome(), undefined);
    finishNow();
    await pass(1_500);
    assert.equal(slow.outcome(), undefined);
    await pass(1_000);
    assert.equal(slow.outcome(), 'finish');
  });

  it('waits for an answer that arrives faster', async () => {
    const { write, finishNow } = harness();
    const fast = write('a', 24, { forMs: 20_000 });
    await pass(1_000);
    finishNow();
    await pass(18_000);
    assert.equal(fast.outcome(), undefined);
    await pass(2_000);
    assert.equal(fast.outcome(), 'Hello');
  });

  it('sends nothing more to a model that was too slow, then or before', async () => {
    const silent = harness();
    silent.finishNow();
    const first = silent.write('a', 0);
    await pass(10_500);
    assert.equal(first.outcome(), 'finish');
    const second = silent.write('b', 24);
    await pass(0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(second.outcome(), 'finish');
    assert.equal(silent.sent(), 1);

    const slow = harness();
    slow.write('a', 3, { forMs: 4_000 });
    await pass(5_000);
    slow.finishNow();
    const later = slow.write('b', 3);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(later.outcome(), 'finish');
    assert.equal(slow.sent(), 1);
  });

  it('waits ten seconds for the beginning of an answer of a model that is not known to be slow', async () => {
    const { write, finishNow, sent } = harness();
    write('a', 40, { forMs: 2_000, afterMs: 6_000 });
    await pass(9_000);
    finishNow();
    const prompt = write('b', 40, { forMs: 4_000, afterMs: 6_000 });
    await pass(12_000);
    assert.equal(prompt.outcome(), 'Hello');
    const late = write('c', 40, { forMs: 2_000, afterMs: 11_000 });
    await pass(10_500);
    assert.deepEqual([late.outcome(), sent()], ['finish', 3]);

    const unknown = harness();
    unknown.finishNow();
    const first = unknown.write('a', 40, { forMs: 4_000, afterMs: 6_000 });
    await pass(12_000);
    assert.equal(first.outcome(), 'Hello');
  });

  it('waits two seconds for the beginning of an answer of the user’s own server, unless its model thinks', async () => {
    for (const [thinks, atThree, atEight] of [
      [false, 'finish', 'finish'],
      [true, undefined, 'Hello'],
    ] as const) {
      const { write, finishNow } = harness({ isLocal: true, thinks });
      finishNow();
      const prompt = write('a', 40, { forMs: 1_000, afterMs: 6_000 });
      await pass(3_000);
      assert.equal(prompt.outcome(), atThree);
      await pass(5_000);
      assert.equal(prompt.outcome(), atEight);
    }
    const { write, finishNow } = harness({ isLocal: true });
    finishNow();
    const fast = write('a', 40, { forMs: 4_000, afterMs: 1_500 });
    await pass(6_500);
    assert.equal(fast.outcome(), 'Hello');
  });

  it('waits no longer for a model whose answers come whole', async () => {
    const { write, finishNow, sent } = harness();
    write('a', 0, { forMs: 0, afterMs: 50_000 });
    await pass(51_000);
    finishNow();
    const next = write('b', 0, { forMs: 0, afterMs: 50_000 });
    await pass(10_500);
    assert.deepEqual([next.outcome(), sent()], ['finish', 2]);
  });

  for (const reason of ['network', 'streamBroken', 'timeout', 'rateLimit'] as const)
    it(`makes no second try of a call that fails with ${reason}, one that was under way among them`, async () => {
      const { fail, finishNow, sent } = harness();
      const before = fail('a', reason, 500);
      await pass(stepMs);
      finishNow();
      const behind = fail('b', reason, 500);
      await pass(1_000);
      assert.deepEqual([before.outcome(), behind.outcome(), sent()], [reason, reason, 2]);
    });
});

describe('a model that writes three tokens a second', () => {
  beforeEach(() => {
    elapsed = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('is not asked again for what took it all of its 15 minutes', async () => {
    const { write, sent } = harness();
    const long = write('a', 3, { phase: 'research' });
    await pass(14 * 60_000, 1_000);
    assert.equal(long.outcome(), undefined);
    await pass(2 * 60_000, 1_000);
    assert.deepEqual([long.outcome(), sent()], ['timeout', 1]);
  });
});
