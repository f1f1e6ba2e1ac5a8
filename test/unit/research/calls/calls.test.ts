import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { Calls, type CallsOptions } from '../../../../src/research/calls/calls.ts';
import { Replay } from '../../../../src/research/calls/replay.ts';
import { ResearchError, type ErrorReason } from '../../../../src/research/errors.ts';
import { Admission } from '../../../../src/research/evidence/admission.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { Journal } from '../../../../src/research/persistence/journal.ts';
import type { ChatAnswer, ChatPort } from '../../../../src/research/ports.ts';
import type { Warning } from '../../../../src/research/languages/warning.ts';
import { fakeClock, note, scriptedTool, silentLog } from '../../../support/scriptedParts.ts';

const answer: ChatAnswer = {
  text: 'Hello',
  toolCalls: [],
  finish: 'stop',
  usage: { in: 10, out: 5, cached: 2, estimated: false },
};

function harness(over: Partial<CallsOptions> = {}) {
  const events: EventBody[] = [];
  const lines: string[] = [];
  const clock = fakeClock();
  const registry = new EvidenceRegistry();
  const saved: string[] = [];
  const calls = new Calls({
    clock,
    log: silentLog,
    replay: new Replay(new Journal(async (line) => void lines.push(line)), clock),
    warn: () => undefined,
    registry,
    emit: (event) => events.push(event),
    saveEvidence: async (source) => void saved.push(source.id),
    idleMs: 60_000,
    finishSignal: new AbortController().signal,
    random: () => 0,
    ...over,
  });
  return { calls, events, lines, clock, registry, saved };
}

function port(complete: ChatPort['complete']): ChatPort {
  return { provider: 'test', model: 'm', contextTokens: 8_000, complete };
}

const request = { messages: [{ role: 'user', content: 'Hi' }] } as const;
const live = (): AbortSignal => new AbortController().signal;
const reasonOf = (reason: ErrorReason) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

describe('a model call', () => {
  it('whose limit was used up by reasoning is made once more with room for it, and both are counted', async () => {
    const asked: (number | undefined)[] = [];
    const { calls, events, lines } = harness();
    const chat = port(async ({ maxTokens }) => {
      asked.push(maxTokens);
      return maxTokens === 400 ? { ...answer, text: '', finish: 'length' } : answer;
    });
    const call = { key: 'plan/1', role: 'main', phase: 'plan', port: chat } as const;
    const limited = { ...request, maxTokens: 400 };
    assert.equal((await calls.model({ ...call, request: limited }, live())).text, 'Hello');
    assert.equal((await calls.model({ ...call, key: 'plan/2', request: limited }, live())).text, 'Hello');
    assert.deepEqual(asked, [400, 1_600, 1_600]);
    assert.equal(events.filter(({ type }) => type === 'usage').length, 3);
    assert.equal(lines.length, 2, 'the empty answer is not journalled');
  });

  it('whose reasoning went round in circles is not given more room for it', async () => {
    const { calls } = harness();
    let sent = 0;
    const chat = port(async () => {
      sent += 1;
      return { ...answer, text: '', finish: 'length', isLoop: true };
    });
    const limited = { ...request, maxTokens: 400 };
    await calls.model({ key: 'plan/1', role: 'main', phase: 'plan', port: chat, request: limited }, live());
    assert.equal(sent, 1);
  });

  for (const reason of ['auth', 'quota', 'notFound'] as const) {
    it(`that failed by ${reason} is the last one to its model, and says so to all`, async () => {
      let sent = 0;
      const { calls } = harness();
      const chat = port(() => ((sent += 1), Promise.reject(new ResearchError(reason, 'No.'))));
      const call = { role: 'main', phase: 'research', port: chat, request } as const;
      for (const key of ['a', 'b', 'c']) await assert.rejects(calls.model({ ...call, key }, live()), reasonOf(reason));
      assert.equal(sent, 1);
    });
  }

  it('is refused in a role in which the model failed three steps in a row, and made in others', async () => {
    const { calls } = harness();
    const call = { key: 'k', phase: 'research', port: port(async () => answer), request } as const;
    const ask = (role: string) => calls.model({ ...call, key: role, role }, live());
    const useless = [1, 2, 3].map((time) => new ResearchError('badAnswer', `Nonsense ${time}.`));
    for (const error of useless.slice(0, 2)) calls.noteUse('main', 'm', error);
    calls.noteUse('main', 'm', new ResearchError('budget', 'Used up.'));
    calls.noteUse('main', 'm');
    for (const error of useless.slice(0, 2)) calls.noteUse('main', 'm', error);
    assert.equal((await ask('main')).text, 'Hello');
    calls.noteUse('main', 'm', useless[2]);
    const last = { key: 'again', role: 'main', phase: 'plan' } as const;
    await assert.rejects(calls.model({ ...call, ...last }, live()), useless[2]);
    assert.deepEqual(
      useless.map((error) => calls.refuses(error)),
      [false, false, true],
    );
    assert.equal((await ask('research')).text, 'Hello');
  });

  it('that does not fit the window is not sent; one that does has its answer limited to the rest', async () => {
    const asked: (number | undefined)[] = [];
    const { calls } = harness({ maxContextTokens: 1_000 });
    const chat = port(async ({ maxTokens }) => (asked.push(maxTokens), answer));
    const call = { role: 'main', phase: 'plan', port: chat } as const;
    const of = (words: number) =>
      ({ messages: [{ role: 'user', content: 'word '.repeat(words) }], maxTokens: 600 }) as const;
    await calls.model({ ...call, key: 'a', request: of(500) }, live());
    await assert.rejects(calls.model({ ...call, key: 'b', request: of(1_000) }, live()), reasonOf('contextLength'));
    assert.equal(asked.length, 1);
    assert.ok(asked[0]! > 100 && asked[0]! < 500, `${asked[0]}`);
  });

  it('that breaks in the middle of its answer counts what it took, as estimated', async () => {
    let sent = 0;
    const { calls, events } = harness();
    const chat = port(async (_request, listen) => {
      sent += 1;
      listen.onAlive?.();
      if (sent === 1) throw new ResearchError('streamBroken', 'Cut.');
      return answer;
    });
    await calls.model({ key: 'k', role: 'main', phase: 'plan', port: chat, request }, live());
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'usage' ? [event.estimated] : [])),
      [true, false],
    );
  });

  it('that is recorded is read in a turn of its own, so that a run that resumes does not hold the process', async () => {
    const lines: string[] = [];
    const texts: string[] = [];
    const call = { key: 'a', role: 'main', phase: 'plan', request, port: port(async () => answer) } as const;
    const first = harness();
    await first.calls.model(call, live());
    lines.push(...first.lines);
    const { calls } = harness({ replay: new Replay(new Journal(async () => undefined, lines), fakeClock()) });
    const again = calls.model({ ...call, onText: (text) => texts.push(text) }, live());
    for (let times = 0; times < 100; times += 1) await Promise.resolve();
    assert.deepEqual(texts, []);
    await again;
    assert.deepEqual(texts, ['Hello']);
  });

  it('is journalled before its result is used and never sent again', async () => {
    let sent = 0;
    const { calls, lines, events, clock } = harness();
    const chat = port(async () => ((sent += 1), answer));
    const call = { key: 'plan/1', role: 'main', phase: 'plan', port: chat, request } as const;
    assert.deepEqual(await calls.model(call, live()), answer);
    assert.equal(lines.length, 1);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['usage'],
    );
    const later = harness({ replay: new Replay(new Journal(async () => undefined, lines), clock) });
    let text = '';
    assert.deepEqual(await later.calls.model({ ...call, onText: (piece) => (text += piece) }, live()), answer);
    assert.equal(sent, 1);
    assert.equal(text, 'Hello');
    // Another request at the same place is another call.
    await later.calls.model({ ...call, request: { messages: [{ role: 'user', content: 'Other' }] } }, live());
    assert.equal(sent, 2);
  });

  for (const [reason, details, waits, sends] of [
    ['rateLimit', { retryAfterMs: 3_000 }, [3_000, 3_000, 3_000, 3_000, 3_000], 6],
    ['rateLimit', { retryAfterMs: 600_000 }, [], 1],
    ['rateLimit', {}, [1_000, 2_000, 4_000, 8_000, 16_000], 6],
    ['network', {}, [400, 800], 3],
    ['timeout', {}, [500], 2],
    ['streamBroken', {}, [500], 2],
    ['auth', {}, [], 1],
    ['quota', {}, [], 1],
    ['notFound', {}, [], 1],
    ['contextLength', {}, [], 1],
    ['contentFilter', {}, [], 1],
    ['badRequest', {}, [], 1],
  ] as const) {
    it(`that fails with ${reason}${'retryAfterMs' in details ? ` (wait ${details.retryAfterMs})` : ''} is sent ${sends} times`, async () => {
      let sent = 0;
      const { calls, clock, lines } = harness();
      const chat = port(async () => {
        sent += 1;
        throw new ResearchError(reason, 'No.', details);
      });
      await assert.rejects(
        calls.model({ key: 'k', role: 'main', phase: 'assess', port: chat, request }, live()),
        reasonOf(reason),
      );
      assert.equal(sent, sends);
      assert.deepEqual(clock.slept, waits);
      assert.equal(lines.length, 0);
    });
  }

  it('is not repeated once somebody has seen a part of its text', async () => {
    let sent = 0;
    const { calls } = harness();
    const chat = port(async (_, { onText }) => {
      sent += 1;
      onText?.('Half');
      throw new ResearchError('streamBroken', 'Cut.');
    });
    await assert.rejects(
      calls.model({ key: 'k', role: 'report', phase: 'report', port: chat, request, onText() {} }, live()),
      reasonOf('streamBroken'),
    );
    assert.equal(sent, 1);
  });

  it('times out after silence, and stays alive with any sign of life', async () => {
    const silent = harness({ idleMs: 30 });
    const hang = port(() => new Promise(() => undefined));
    await assert.rejects(
      silent.calls.model({ key: 'k', role: 'main', phase: 'assess', port: hang, request }, live()),
      reasonOf('timeout'),
    );
    const slow = harness({ idleMs: 300 });
    const alive = port(async (_, { onAlive }) => {
      for (let i = 0; i < 6; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 80));
        onAlive?.();
      }
      return answer;
    });
    assert.deepEqual(
      await slow.calls.model({ key: 'k', role: 'main', phase: 'assess', port: alive, request }, live()),
      answer,
    );
  });

  it('ends at once when stopped, even in a wait before a retry', async () => {
    const stop = new AbortController();
    const { calls } = harness({
      clock: {
        ...fakeClock(),
        sleep: async (_, signal) => (stop.abort(new ResearchError('abort', 'Stopped.')), signal.throwIfAborted()),
      },
    });
    const limited = port(() => Promise.reject(new ResearchError('rateLimit', 'Slow down.')));
    await assert.rejects(
      calls.model({ key: 'k', role: 'main', phase: 'assess', port: limited, request }, stop.signal),
      reasonOf('abort'),
    );
  });

  it('of the research ends at "finish now", one of the report continues', async () => {
    const finish = new AbortController();
    finish.abort(new ResearchError('finish', 'Finish now.'));
    const { calls } = harness({ finishSignal: finish.signal });
    const chat = port(async () => answer);
    await assert.rejects(
      calls.model({ key: 'a', role: 'research', phase: 'research', port: chat, request }, live()),
      reasonOf('finish'),
    );
    assert.deepEqual(
      await calls.model({ key: 'b', role: 'report', phase: 'report', port: chat, request }, live()),
      answer,
    );
  });
});

describe('a slow model call', () => {
  it('says each 15 s how many tokens have arrived, and what it waits for before that', async () => {
    const { calls, events, clock } = harness();
    const chat = port(async (_request, { onAlive, onWaiting }) => {
      for (let second = 0; second < 20; second += 1) {
        await clock.sleep(1_000, live());
        onWaiting?.('firstByte');
      }
      for (let second = 0; second < 40; second += 1) {
        await clock.sleep(1_000, live());
        onAlive?.(() => 10 * (second + 1));
      }
      return answer;
    });
    await calls.model({ key: 'plan/1', role: 'main', phase: 'plan', port: chat, request }, live());
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'model/progress' ? [[event.tokens, event.waiting]] : [])),
      [
        [0, 'firstByte'],
        [100, undefined],
        [250, undefined],
        [400, undefined],
      ],
    );
  });

  it('is silent about text that is shown as it arrives', async () => {
    const { calls, events, clock } = harness();
    const chat = port(async (_request, { onAlive }) => {
      for (let second = 0; second < 40; second += 1) {
        await clock.sleep(1_000, live());
        onAlive?.(() => second);
      }
      return answer;
    });
    const onText = (): void => undefined;
    await calls.model({ key: 'r', role: 'report', phase: 'report', port: chat, request, onText }, live());
    assert.ok(events.every(({ type }) => type !== 'model/progress'));
  });
});

describe('a tool call', () => {
  const context = { focus: 'x', language: 'en' };

  it('registers and stores its sources before it gives their ids', async () => {
    const { calls, events, registry, saved, lines } = harness();
    const tool = scriptedTool((query) => ({ documents: [note(query), note(query), note('Other')], note: '3 of 9' }));
    const outcome = await calls.tool({ key: 't', section: 's1', tool, args: { query: 'Alpha' }, context }, live());
    assert.equal(outcome.sources.length, 2);
    assert.equal(outcome.note, '3 of 9');
    assert.deepEqual(saved, outcome.sources);
    assert.ok(outcome.sources.every((id) => registry.get(id)));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['tool/started', 'source/added', 'source/added', 'tool/finished'],
    );
    assert.equal(lines.length, 1);
  });

  it('registers nothing once it is stopped: the list of sources is saved then', async () => {
    const stop = new AbortController();
    const { calls, events, registry, lines } = harness({
      saveEvidence: async () => stop.abort(new ResearchError('abort', 'Stopped.')),
    });
    const tool = scriptedTool((query) => ({ documents: [note(query), note('Other')] }));
    const call = calls.tool({ key: 't', tool, args: { query: 'Alpha' }, context }, stop.signal);
    await assert.rejects(call, reasonOf('abort'));
    assert.equal(registry.all().length, 1);
    assert.equal(events.filter(({ type }) => type === 'source/added').length, 1);
    assert.equal(lines.length, 1, 'the result is kept for a resumed run');
  });

  it('stores nothing of what the settings exclude, says how much it was, and counts it again after a resume', async () => {
    const admission = (exclude: string) =>
      new Admission({ 'sources.include': [], 'sources.exclude': [exclude], 'sources.since': '2025-01-01' }, new Set());
    const page = (url: string, date: string) => ({
      ...note(`Secret words of ${url}`),
      kind: 'web',
      file: undefined,
      url,
      date,
    });
    const tool = scriptedTool(() => ({
      documents: [
        page('https://a.org/', '2025-02-02'),
        page('https://b.org/', '2025-02-02'),
        page('https://c.org/', '2001-01-01'),
      ],
      note: '3 results.',
    }));
    const first = admission('b.org');
    const { calls, lines, registry, clock } = harness({ admission: first });
    const call = { key: 't', tool, args: { query: 'Alpha' }, context };
    const outcome = await calls.tool(call, live());
    assert.equal(outcome.sources.length, 1);
    assert.equal(outcome.note, "3 results. Left out, because the user's settings exclude them: 1 by date, 1 by site.");
    assert.deepEqual(first.counts, { date: 1, site: 1 });
    assert.doesNotMatch(lines.join() + registry.toJson(), /Secret words of https:..[bc]/);
    // Today's settings are stricter: what was recorded is sorted again.
    const today = admission('a.org');
    const later = harness({ admission: today, replay: new Replay(new Journal(async () => undefined, lines), clock) });
    await later.calls.restore();
    assert.deepEqual([later.registry.all().length, today.counts], [0, { date: 1, site: 2 }]);
  });

  it('is shared by all who ask the same at the same time, and stopped only for who stops', async () => {
    let runs = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { calls, events } = harness();
    const tool = scriptedTool(async (query) => ((runs += 1), await gate, { documents: [note(query)] }));
    const stop = new AbortController();
    const call = (key: string, signal: AbortSignal) =>
      calls.tool({ key, tool, args: { query: 'Alpha' }, context }, signal);
    const first = call('a', live());
    const second = call('b', stop.signal);
    const third = call('c', live());
    stop.abort(new ResearchError('abort', 'Stopped.'));
    await assert.rejects(second, reasonOf('abort'));
    release();
    assert.deepEqual((await first).sources, (await third).sources);
    assert.equal(runs, 1);
    assert.equal(events.filter(({ type }) => type === 'tool/started').length, 1, 'nothing was sent a second time');
  });

  it('that fails is asked again by the next who wants it', async () => {
    let runs = 0;
    const { calls, events } = harness();
    const tool = scriptedTool((query) => {
      runs += 1;
      if (runs === 1) throw new ResearchError('network', 'Down.');
      return { documents: [note(query)] };
    });
    await assert.rejects(calls.tool({ key: 'a', tool, args: { query: 'A' }, context }, live()), reasonOf('network'));
    assert.equal((await calls.tool({ key: 'b', tool, args: { query: 'A' }, context }, live())).sources.length, 1);
    assert.deepEqual(
      events.filter(({ type }) => type === 'tool/finished').map((event) => (event as { error?: string }).error),
      ['Down.', undefined],
    );
  });

  it('runs with at most seven others', async () => {
    let now = 0;
    let most = 0;
    const { calls } = harness();
    const tool = scriptedTool(async (query) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      now -= 1;
      return { documents: [note(query)] };
    });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        calls.tool({ key: `k${index}`, tool, args: { query: `q${index}` }, context }, live()),
      ),
    );
    assert.equal(most, 8);
  });
});

describe('a call that may change something', () => {
  const effects = (run: Parameters<typeof scriptedTool>[0]) => scriptedTool(run, { name: 'post', hasEffects: true });
  const call = (key: string, tool: ReturnType<typeof effects>) => ({
    ...{ key, tool, args: { query: 'x' } },
    context: { focus: '', language: 'en' },
  });

  it('is made each time it is chosen: its result is nobody else’s', async () => {
    let made = 0;
    const tool = effects(async () => ((made += 1), { documents: [] }));
    const { calls } = harness();
    await calls.tool(call('a', tool), live());
    await calls.tool(call('b', tool), live());
    assert.equal(made, 2);
  });

  it('that would send what may not leave is not made, and the user sees it', async () => {
    const warnings: Warning[] = [];
    const refused = new ResearchError('badRequest', 'Not sent: "zquarkvault" is only in the user\'s own files.');
    const outgoing: CallsOptions['outgoing'] = {
      ...{ asked: () => undefined, retrieved: () => undefined, prepare: () => undefined },
      check: () => Promise.reject(refused),
    };
    const { calls, events } = harness({ outgoing, warn: (warning) => void warnings.push(warning) });
    const tool = scriptedTool(() => assert.fail('it was called'), { source: 'far' });
    await assert.rejects(calls.tool(call('a', tool), live()), refused);
    assert.deepEqual(warnings, [{ kind: 'query.refused', source: 'far', error: refused }]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['tool/started', 'tool/finished'],
    );
  });

  it('is not repeated after a failure of the network', async () => {
    let made = 0;
    const tool = effects(async () => {
      made += 1;
      throw new ResearchError('network', 'gone');
    });
    const { calls } = harness();
    await assert.rejects(calls.tool(call('a', tool), live()), reasonOf('network'));
    assert.equal(made, 1);
  });

  it('that began before the run was interrupted is not made again when it is resumed', async () => {
    let made = 0;
    const stop = new AbortController();
    const hanging = effects(() => {
      made += 1;
      stop.abort(new Error('killed'));
      return new Promise<never>(() => undefined);
    });
    const first = harness();
    await assert.rejects(first.calls.tool(call('a', hanging), stop.signal), /killed/);
    const clock = fakeClock();
    const resumed = harness({ replay: new Replay(new Journal(async () => undefined, first.lines), clock) });
    await assert.rejects(resumed.calls.tool(call('a', hanging), live()), /it is not repeated/);
    assert.equal(made, 1);
  });
});
