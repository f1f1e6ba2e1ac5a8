import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Calls } from '../../../../src/research/calls/calls.ts';
import { boundedFolder, boundedSink, openedInTime } from '../../../../src/research/calls/boundedStorage.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import type { ChatAnswer, ChatPort } from '../../../../src/research/ports.ts';
import { AwakeTimer } from '../../../../src/research/calls/waiting.ts';
import {
  fakeClock,
  memoryFolder,
  note,
  ofType,
  scriptedAnalyst,
  scriptedTool,
  silentLog,
} from '../../../support/scriptedParts.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

const reasonOf = (reason: ErrorReason) => (error: unknown) => ResearchError.is(error) && error.reason === reason;
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
/** Lets everything that is ready happen. */
const settle = async (turns = 20) => {
  for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Time goes by, second by second: a timer that sets the next one is not passed over. */
const pass = (ms: number) => {
  for (let second = 0; second < ms; second += 1_000) mock.timers.tick(1_000);
};

/** Timers stand until they are told to go; no test here waits for real. */
beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

describe('a limit of time', () => {
  it('ends after its time, and starts over when it is restarted', () => {
    let ended = 0;
    const timer = new AwakeTimer(90_000, () => (ended += 1));
    pass(85_000);
    timer.restart();
    pass(85_000);
    assert.equal(ended, 0);
    pass(15_000);
    assert.equal(ended, 1);
  });

  it('has no timer that is longer than a slice: all that a night’s sleep can end', () => {
    let ended = 0;
    new AwakeTimer(90_000, () => (ended += 1));
    // After the night the one timer that was set is late, and fires at once.
    mock.timers.tick(9 * 3_600_000);
    assert.equal(ended, 0);
    pass(84_000);
    assert.equal(ended, 0);
    pass(1_000);
    assert.equal(ended, 1);
  });

  it('ends after no fewer than 18 turns of the event loop, however late a busy process comes to each', () => {
    let ended = 0;
    new AwakeTimer(2_000, () => (ended += 1));
    for (let turn = 1; turn < 18; turn += 1) mock.timers.tick(1_000);
    assert.equal(ended, 0);
    mock.timers.tick(1_000);
    assert.equal(ended, 1);
  });
});

const answer: ChatAnswer = {
  text: 'Hello',
  toolCalls: [],
  finish: 'stop',
  usage: { in: 1, out: 1, cached: 0, estimated: false },
};

function callsOver(clock = fakeClock()) {
  return new Calls({
    clock,
    log: silentLog,
    replay: new Replay(new Journal(async () => undefined), clock),
    warn: () => undefined,
    registry: new EvidenceRegistry(),
    emit: () => undefined,
    saveEvidence: async () => undefined,
    idleMs: 90_000,
    finishSignal: new AbortController().signal,
    answeredBefore: true,
    random: () => 0,
  });
}

describe('a computer that sleeps', () => {
  it('during a call: the call has its time again, and a connection that died of it is not one of the tries', async () => {
    let now = Date.parse('2026-03-04T22:00:00Z');
    const clock = { ...fakeClock(), now: () => new Date(now) };
    const calls = callsOver(clock);
    let sent = 0;
    const port: ChatPort = {
      provider: 't',
      model: 'm',
      contextTokens: 1_000,
      complete(_request, _listen, signal) {
        sent += 1;
        if (sent === 1) return Promise.reject(new ResearchError('streamBroken', 'Cut for its own reasons.'));
        if (sent === 2)
          return new Promise(
            (_, reject) => void (breakIt = () => reject(new ResearchError('streamBroken', 'Cut by the sleep.'))),
          );
        signal.throwIfAborted();
        return Promise.resolve(answer);
      },
    };
    let breakIt: () => void = () => undefined;
    const call = calls.model(
      { key: 'k', role: 'main', phase: 'research', port, request: { messages: [] } },
      new AbortController().signal,
    );
    await settle();
    assert.equal(sent, 2);
    pass(85_000);
    now += 9 * 3_600_000;
    pass(5_000);
    // Another ninety seconds of silence would have been too much without the sleep.
    pass(80_000);
    breakIt();
    await settle();
    assert.deepEqual(await call, answer);
    assert.equal(sent, 3);
  });

  it('is no reason to give a source up: its call is made again', async () => {
    let now = Date.parse('2026-03-04T22:00:00Z');
    const calls = callsOver({ ...fakeClock(), now: () => new Date(now) });
    let tried = 0;
    let fail: () => void = () => undefined;
    const tool = scriptedTool((query) => {
      tried += 1;
      if (tried > 1) return { documents: [note(query)] };
      return new Promise(
        (_, reject) => void (fail = () => reject(new ResearchError('network', 'The connection broke off.'))),
      );
    });
    const outcome = calls.tool(
      { key: 't', tool, args: { query: 'A' }, context: { focus: '', language: 'en' } },
      new AbortController().signal,
    );
    await settle();
    now += 3_600_000;
    pass(5_000);
    fail();
    assert.equal((await outcome).sources.length, 1);
  });
});

describe('a clock that is set', () => {
  for (const [name, ms] of [
    ['back by a day', -86_400_000],
    ['on by a week', 7 * 86_400_000],
  ] as const) {
    it(`${name} in the middle of a run changes neither its report, nor its name, nor the order of its events`, async () => {
      mock.timers.reset();
      const clock = fakeClock();
      let jump = 0;
      const jumping = { ...clock, now: () => new Date(clock.now().getTime() + jump) };
      const analyst = scriptedAnalyst();
      const { result, events, saved } = scriptedRun({
        clock: jumping,
        analyst: { ...analyst, plan: (...asked) => ((jump = ms), analyst.plan(...asked)) },
      });
      const { report } = await result;
      const plain = await scriptedRun().result;
      // Only the day on which something was retrieved is the clock's.
      const timeless = (text: string) => text.replace(/Retrieved \d{4}-\d\d-\d\d/g, 'Retrieved');
      assert.equal(timeless(report), timeless(plain.report));
      assert.match(saved[0]!.name, /^2026-03-04-/);
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      );
      assert.ok(ofType(events, 'run/finished')[0]!.ms < 60_000);
    });
  }
});

describe('what stalls without a call in progress', () => {
  it('times out alone: a researcher that never decides is replaced by one that needs no model', async () => {
    const analyst = scriptedAnalyst();
    const { result, events } = scriptedRun({
      analyst: {
        ...analyst,
        act: (input, scope) => (input.task.title === 'Beta' ? never() : analyst.act(input, scope)),
      },
      fallback: analyst,
    });
    await settle(400);
    pass(200_000);
    await settle(200);
    assert.match((await result).report, /## Beta\n\nBeta is described/);
    const [warning] = ofType(events, 'run/warning');
    assert.match(warning!.message, /made no progress for 180 s/);
  });

  it('loses its section where nobody else decides either, and the others are in the report', async () => {
    const analyst = scriptedAnalyst();
    const { result, events } = scriptedRun({
      analyst: {
        ...analyst,
        act: (input, scope) => (input.task.title === 'Beta' ? never() : analyst.act(input, scope)),
      },
    });
    await settle(400);
    for (let steps = 0; steps < 2; steps += 1) {
      pass(200_000);
      await settle(200);
    }
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    const sections = ofType(events, 'section/updated');
    assert.deepEqual(
      ['Alpha', 'Beta', 'Gamma'].map((title) => sections.findLast((event) => event.title === title)!.status),
      ['completed', 'failed', 'completed'],
    );
    assert.match(sections.findLast(({ title }) => title === 'Beta')!.error!, /made no progress for 360 s/);
    assert.match(report, /## Alpha\n\nAlpha is described/);
  });

  it('after something was found: the section is made of it', async () => {
    const analyst = scriptedAnalyst();
    const { result } = scriptedRun({
      analyst: {
        ...analyst,
        act: (input, scope) => (input.task.title === 'Beta' && input.turn === 1 ? never() : analyst.act(input, scope)),
      },
      fallback: analyst,
    });
    await settle(400);
    pass(200_000);
    await settle(200);
    assert.match((await result).report, /## Beta\n\nBeta is described/);
  });

  it('in the distillation: what was found is given as quotes', async () => {
    const analyst = scriptedAnalyst();
    const { result } = scriptedRun({
      analyst: {
        ...analyst,
        distil: (input, scope) => (input.section.title === 'Beta' ? never() : analyst.distil(input, scope)),
      },
      fallback: analyst,
    });
    await settle(400);
    pass(200_000);
    await settle(200);
    assert.match((await result).report, /## Beta\n\nBeta is described/);
  });

  it('in the report: what was written stays, code writes the rest', async () => {
    const analyst = scriptedAnalyst();
    const { result, events } = scriptedRun({
      analyst: {
        ...analyst,
        async *writeReport({ title, sections: [first] }) {
          yield `# ${title}\n\nA summary of it all.\n\n## ${first!.title}\n\n${first!.content}\n\nAnd half a`;
          await never();
        },
      },
    });
    while (!events.some(({ type }) => type === 'report/delta')) await settle();
    pass(200_000);
    await settle(200);
    const { report } = await result;
    assert.match(report, /A summary of it all\.[^]*## Gamma\n\nGamma is described[^]*## References/);
    assert.ok(ofType(events, 'run/warning').some(({ code }) => code === 'report.cutShort'));
  });

  for (const step of ['assess', 'plan'] as const) {
    it(`in the step "${step}": the run ends with one message`, async () => {
      const { result, events } = scriptedRun({ analyst: scriptedAnalyst({ [step]: () => never() }) });
      const failed = assert.rejects(result, reasonOf('timeout'));
      await settle(100);
      pass(200_000);
      await failed;
      const end = events.at(-1)!;
      assert.ok(end.type === 'run/failed' && end.message.includes(`The step "${step}" made no progress`));
    });
  }

  it('is not a call that streams slowly: its limit restarts with every piece', async () => {
    const calls = callsOver();
    let alive: () => void = () => undefined;
    let finish: () => void = () => undefined;
    const port: ChatPort = {
      provider: 't',
      model: 'm',
      contextTokens: 1_000,
      complete: (_request, { onAlive }) =>
        new Promise((resolve) => {
          alive = () => onAlive?.();
          finish = () => resolve(answer);
        }),
    };
    const call = calls.model(
      { key: 'section/s1/1/act/0', role: 'research', phase: 'research', port, request: { messages: [] } },
      new AbortController().signal,
    );
    await settle();
    for (let minute = 0; minute < 13; minute += 1) {
      pass(60_000);
      alive();
      assert.equal(calls.isBusy('section/s1/1'), true);
      assert.equal(calls.isBusy('section/s1'), true);
      assert.equal(calls.isBusy('section/s'), false);
    }
    finish();
    assert.deepEqual(await call, answer);
    assert.equal(calls.isBusy(''), false);
  });
});

describe('a disk that hangs', () => {
  it('costs the run its folder, once the time is over, and not the run', async () => {
    const folder = memoryFolder();
    folder.appendCall = () => never();
    const { result, events } = scriptedRun({ folder });
    for (let i = 0; i < 12; i += 1) {
      await settle(100);
      pass(10_000);
    }
    await settle(300);
    const { report } = await result;
    assert.match(report, /## References/);
    assert.ok(
      ofType(events, 'run/warning').some(
        ({ code, message }) => code === 'storage' && /could not be written within 30 s/.test(message),
      ),
    );
  });

  it('is not waited for without end when it is opened, and let go of when it comes after all', async () => {
    const opening = Promise.withResolvers<string>();
    const gone: string[] = [];
    const opened = assert.rejects(
      openedInTime(opening.promise, async (late) => void gone.push(late)),
      reasonOf('storage'),
    );
    pass(40_000);
    await opened;
    opening.resolve('the folder');
    await settle();
    assert.deepEqual(gone, ['the folder']);
  });

  it('fails the next writes at once but keeps appended lines, and serves again when it is back', async () => {
    const folder = memoryFolder();
    let back: () => void = () => undefined;
    folder.saveReport = () => new Promise<void>((resolve) => (back = resolve));
    const bounded = boundedFolder(folder);
    const first = assert.rejects(bounded.saveReport('a'), reasonOf('storage'));
    pass(40_000);
    await first;
    await assert.rejects(bounded.appendCall('x'), reasonOf('storage'));
    back();
    await settle();
    await bounded.appendCall('y');
    assert.deepEqual(folder.calls, ['x', 'y']);
  });

  it('does not keep a report waiting: it stays in the run’s folder', async () => {
    const saving = assert.rejects(boundedSink({ save: () => never() }).save('a.md', ''), reasonOf('storage'));
    pass(40_000);
    await saving;
  });
});
