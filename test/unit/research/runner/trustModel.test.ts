import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Tried } from '../../../../src/protocol/ports.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import type { ModelCall } from '../../../../src/research/calls/modelTries.ts';
import type { ChatAnswer } from '../../../../src/research/ports.ts';
import type { TrialPort } from '../../../../src/research/runner/createRun.ts';
import { trustModel } from '../../../../src/research/runner/trustModel.ts';
import type { RunContext } from '../../../../src/research/run/runContext.ts';
import { answer } from '../../../support/analystTestKit.ts';
import { trialAnswers } from '../../../support/modelAnswers.ts';
import { fakeClock } from '../../../support/scriptedParts.ts';

let elapsed = 0;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the trial of the model of a run', () => {
  beforeEach(() => {
    elapsed = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  type Calls = Pick<ModelCall, 'request' | 'onWaiting'>;
  function runWith(model: (call: Calls) => Promise<ChatAnswer>, known?: Tried, isLocal = true, thinks = false) {
    const warned: string[] = [];
    const learnt: Tried[] = [];
    const trial: TrialPort = {
      name: 'host m',
      isLocal,
      known: () => Promise.resolve(known),
      learnt: async (tried) => void learnt.push(tried),
      texts: () => Promise.resolve([]),
    };
    const settings = {
      'model.trust': 'auto',
      'limits.maxContextTokens': 100_000,
      'limits.compressionTargetTokens': 8_000,
    };
    const run = {
      ...{ run: 'r1', model: 'm', created: '2026-01-01T00:00:00Z', attached: [], settings, analyst: { kind: 'llm' } },
      ...{ signal: new AbortController().signal, replay: new Replay(new Journal(async () => undefined), fakeClock()) },
      models: () => Promise.resolve({ model: 'm', contextTokens: 100_000, thinks }),
      clock: { monotonic: () => elapsed },
      budget: { tokensLeft: () => Infinity },
      calls: { model },
      warn: ({ kind }: { kind: string }) => warned.push(kind),
      log: { error: (text: string) => assert.fail(text) },
    } as unknown as RunContext;
    return { run, trial, warned, learnt };
  }

  const late: Tried = { trust: 'quotes', right: 0, of: 0, isLate: true };
  const cases = { quotes: [true, ['model.late'], [late]], leads: [false, [], []] } as const;
  for (const [expected, [isLocal, warnings, stored]] of Object.entries(cases))
    it(`is waited for a minute, and a late one of ${isLocal ? 'a local server means' : 'a service leaves it'} ${expected}`, async () => {
      let asked = 0;
      const silent = () => {
        asked += 1;
        return new Promise<ChatAnswer>(() => undefined);
      };
      const { run, trial, warned, learnt } = runWith(silent, undefined, isLocal);
      let trust: string | undefined;
      void trustModel(run, 'en', trial).then((found) => (trust = found));
      while (asked < 2) await turn();
      for (let ms = 0; ms < 59_000; ms += 10) mock.timers.tick(10);
      await turn();
      assert.equal(trust, undefined);
      for (let ms = 0; ms < 3_000; ms += 10) mock.timers.tick(10);
      while (trust === undefined) await turn();
      assert.deepEqual([trust, warned, learnt], [expected, warnings, stored]);
      // What was decided holds.
      assert.equal(await trustModel(run, 'en', trial), expected);
    });

  it('leads when its answers are right, and that is kept', async () => {
    const { run, trial, warned, learnt } = runWith(async ({ request }) => {
      const right = trialAnswers(request.messages.map(({ content }) => content).join('\n'));
      return answer(JSON.stringify(right));
    });
    assert.equal(await trustModel(run, 'en', trial), 'leads');
    assert.deepEqual([warned, learnt], [[], [{ trust: 'leads', right: 10, of: 10 }]]);
  });

  /** How long the run waits for a model that never answers, in seconds, rounded to 10. */
  async function waited(run: RunContext, trial: TrialPort, onSecond: () => void = () => undefined): Promise<number> {
    let trust: string | undefined;
    void trustModel(run, 'en', trial).then((found) => (trust = found));
    for (let second = 0; ; second += 1) {
      for (let rounds = 0; rounds < 20; rounds += 1) await turn();
      if (trust !== undefined) return Math.round(second / 10) * 10;
      elapsed += 1_000;
      onSecond();
      for (let ms = 0; ms < 1_000; ms += 10) mock.timers.tick(10);
    }
  }

  const silent = () => new Promise<ChatAnswer>(() => undefined);

  it('is given more time by a model that thinks before it answers', async () => {
    const { run, trial } = runWith(silent, undefined, true, true);
    assert.equal(await waited(run, trial), 180);
  });

  it('is not late while its calls wait for their turn or for the model to be loaded', async () => {
    const calls: Calls[] = [];
    const { run, trial } = runWith((call) => (calls.push(call), silent()));
    const loading = () => {
      if (elapsed <= 90_000 && elapsed % 5_000 === 0) for (const { onWaiting } of calls) onWaiting!('loading');
    };
    assert.equal(await waited(run, trial, loading), 150);
  });

  it('is late when one of its calls waits for the other', async () => {
    const calls: Calls[] = [];
    const { run, trial } = runWith((call) => (calls.push(call), silent()));
    assert.equal(await waited(run, trial, () => elapsed % 5_000 === 0 && calls[1]!.onWaiting!('turn')), 60);
  });

  it('that was late today is not made again', async () => {
    const { run, trial, warned } = runWith(() => assert.fail('asked'), late);
    assert.equal(await trustModel(run, 'en', trial), 'quotes');
    assert.deepEqual(warned, ['model.late']);
  });

  it('is not made again where its outcome is known', async () => {
    const known: Tried = { trust: 'quotes', right: 1, of: 10 };
    const { run, trial, warned } = runWith(() => assert.fail('asked'), known);
    assert.equal(await trustModel(run, 'en', trial), 'quotes');
    assert.deepEqual(warned, ['model.quotes']);
  });
});
