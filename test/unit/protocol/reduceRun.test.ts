import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type EventBody,
  type Phase,
  type ResearchEvent,
  parseEvent,
  phases,
  sectionStatuses,
} from '../../../src/protocol/events.ts';
import { hasGaps, type RunView } from '../../../src/protocol/runView.ts';
import { interrupted } from '../../../src/protocol/interrupted.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { activeMs, emptyView, reduceRun, resuming } from '../../../src/protocol/reduceRun.ts';
import { strategies } from '../../../src/protocol/strategy.ts';

const started: EventBody = {
  type: 'run/started',
  question: 'q',
  strategy: 'sections',
  model: 'm',
  provider: 'openai',
  analyst: 'llm',
};
const estimate = { calls: 3, tokens: 100, minutes: 1, cost: null };
const twoSections = [
  { id: 's1', title: 'One', description: 'first' },
  { id: 's2', title: 'Two', description: 'second' },
];
const asked: EventBody = {
  type: 'clarify/asked',
  id: 'q1',
  question: 'Which?',
  options: [{ label: 'A', recommended: true }],
  missingInfo: 'scope',
  why: 'two meanings',
};

/** Puts bodies into envelopes: one second apart, `seq` from `from`. */
function events(bodies: readonly EventBody[], run = 'r1', from = 1): ResearchEvent[] {
  return bodies.map((body, i) => ({
    ...body,
    run,
    seq: from + i,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, from + i)).toISOString(),
  }));
}

function fold(all: readonly ResearchEvent[], view: RunView = emptyView()): RunView {
  return all.reduce(reduceRun, view);
}

function viewOf(...bodies: EventBody[]): RunView {
  return fold(events([started, ...bodies]));
}

function section(change: Partial<Extract<EventBody, { type: 'section/updated' }>> = {}): EventBody {
  return {
    type: 'section/updated',
    id: 's1',
    title: 'One',
    status: 'researching',
    attempt: 1,
    activity: 'searching',
    sources: 0,
    ...change,
  };
}

const id = fc.constantFrom('s1', 's2', 's3', 'q1');
const text = fc.string({ maxLength: 12 });
const end = { reason: text, message: text, next: text };
const plan = {
  title: text,
  sections: fc.array(fc.record({ id, title: text, description: text }), { maxLength: 3 }),
  estimate: fc.constant(estimate),
};

const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constant(started),
  fc.record({ type: fc.constant('run/phase' as const), phase: fc.constantFrom(...phases) }),
  fc.constant(asked),
  fc.record({ type: fc.constant('clarify/answered' as const), id, answer: fc.option(text), skipped: fc.boolean() }),
  fc.record({ type: fc.constant('plan/proposed' as const), ...plan, needsApproval: fc.boolean() }),
  fc.record({ type: fc.constant('plan/approved' as const), ...plan }),
  fc
    .record({ id, status: fc.constantFrom(...sectionStatuses), attempt: fc.nat(3), sources: fc.nat(9) })
    .map((change) => section(change)),
  fc.record({ type: fc.constant('thought' as const), section: id, text }),
  fc.record({ type: fc.constant('thought' as const), text }),
  fc.record({ type: fc.constant('tool/started' as const), call: text, name: text, args: text }),
  fc.record({
    type: fc.constant('tool/finished' as const),
    call: text,
    name: text,
    ms: fc.nat(),
    sources: fc.array(text),
  }),
  fc.record({ type: fc.constant('source/added' as const), id: text, kind: fc.constant('arxiv'), title: text }),
  fc.record({
    type: fc.constant('usage' as const),
    model: text,
    role: text,
    phase: fc.constantFrom(...phases),
    tokens: fc.record({ in: fc.nat(99), out: fc.nat(99), cached: fc.nat(99) }),
    cost: fc.option(fc.nat(3)),
    estimated: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('review/finished' as const),
    score: fc.nat(10),
    sufficient: fc.boolean(),
    gaps: fc.array(fc.record({ section: id, gap: text })),
    retry: fc.array(id),
    round: fc.nat(3),
    needsApproval: fc.boolean(),
  }),
  fc.record({ type: fc.constant('run/strategy' as const), strategy: fc.constantFrom(...strategies), why: text }),
  fc.record({
    type: fc.constant('round/updated' as const),
    round: fc.integer({ min: 1, max: 3 }),
    maxRounds: fc.constant(5),
    status: fc.constantFrom('retrieving' as const, 'completed' as const),
    queries: fc.array(text),
    sources: fc.nat(9),
  }),
  fc.record({
    type: fc.constant('topic/updated' as const),
    id,
    title: text,
    topic: text,
    round: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(...sectionStatuses),
    sources: fc.nat(9),
  }),
  fc.record({ type: fc.constant('report/delta' as const), offset: fc.nat(20), text }),
  fc.record({ type: fc.constant('report/delta' as const), offset: fc.nat(20), text, citations: fc.array(text) }),
  fc.record({
    type: fc.constant('report/finished' as const),
    citations: fc.constant({ cited: 1, dropped: 0, verified: 1 }),
  }),
  fc.record({ type: fc.constant('run/warning' as const), code: text, message: text }),
  fc.record({
    type: fc.constant('run/finished' as const),
    outcome: fc.constantFrom('complete' as const, 'partial' as const),
    tokens: fc.constant({ in: 1, out: 2, cached: 0 }),
    ms: fc.nat(),
  }),
  fc.record({
    type: fc.constantFrom(
      'run/failed' as const,
      'run/cancelled' as const,
      'run/paused' as const,
      'run/resumed' as const,
    ),
    ...end,
  }),
);
// Cloned: fast-check's records have no prototype, parsed events do.
const history = fc.array(body, { maxLength: 40 }).map((bodies) => events(structuredClone([started, ...bodies])));

describe('the fold of a run', () => {
  test('of any prefix and then the rest is the fold of the whole', () => {
    fc.assert(
      fc.property(history, fc.nat(), (all, cut) => {
        const at = cut % (all.length + 1);
        assert.deepEqual(fold(all.slice(at), fold(all.slice(0, at))), fold(all));
      }),
    );
  });

  test('does not change when events arrive again, as after a reload', () => {
    fc.assert(
      fc.property(history, fc.nat(), (all, from) => {
        const view = fold(all);
        const again = all.slice(from % all.length);
        assert.equal(fold(again, view), view, 'the same object');
      }),
    );
  });

  test('never changes a view that it was given', () => {
    fc.assert(
      fc.property(history, (all) => {
        let view = emptyView();
        for (const event of all) {
          const before = structuredClone(view);
          const next = reduceRun(view, event);
          assert.deepEqual(view, before);
          view = next;
        }
      }),
    );
  });

  test('survives JSON, as a snapshot to the panel', () => {
    fc.assert(
      fc.property(history, (all) => {
        const view = fold(all);
        assert.deepEqual(JSON.parse(JSON.stringify(view)), view);
      }),
    );
  });

  test('waits for something exactly while its status says so', () => {
    fc.assert(
      fc.property(history, (all) => {
        const view = fold(all);
        assert.equal(view.waitingFor !== null, view.status === 'waiting');
        if (view.waitingFor === 'answer') assert.ok(view.pending);
      }),
    );
  });

  test('every event that the schema accepts is understood', () => {
    fc.assert(fc.property(history, (all) => all.forEach((event) => assert.deepEqual(parseEvent(event), event))));
  });
});

describe('events of other runs', () => {
  test('are ignored, whether stragglers or of a run that was never started', () => {
    const view = viewOf({ type: 'run/phase', phase: 'plan' });
    assert.equal(fold(events([{ type: 'run/phase', phase: 'report' }], 'r0', 99), view), view);
    const idle = emptyView();
    assert.equal(
      fold(events([{ type: 'run/cancelled', reason: 'abort', message: '', next: '' }], 'r0', 9), idle),
      idle,
    );
  });

  test('a new run starts from the empty view', () => {
    const old = viewOf(section(), { type: 'report/delta', offset: 0, text: 'old' });
    const view = fold(events([{ ...started, question: 'new' }], 'r2'), old);
    assert.deepEqual(
      [view.run, view.question, view.sections.length, view.report.text, view.lastSeq],
      ['r2', 'new', 0, '', 1],
    );
  });
});

describe('waiting', () => {
  test('a question is waited for until it is answered, and the answer is remembered', () => {
    const view = viewOf(asked);
    assert.deepEqual([view.status, view.waitingFor, view.pending?.id], ['waiting', 'answer', 'q1']);
    const answered = fold(events([{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }], 'r1', 3), view);
    assert.deepEqual([answered.status, answered.waitingFor, answered.pending], ['running', null, null]);
    assert.deepEqual(answered.answered, [{ id: 'q1', question: 'Which?', answer: 'A' }]);
  });

  test('a skipped question has no answer', () => {
    assert.equal(
      viewOf(asked, { type: 'clarify/answered', id: 'q1', answer: null, skipped: true }).answered[0]?.answer,
      null,
    );
  });

  test('a plan is waited for only when it needs approval', () => {
    const proposed = (needsApproval: boolean): EventBody => ({
      type: 'plan/proposed',
      title: 'P',
      sections: twoSections,
      estimate,
      needsApproval,
    });
    assert.equal(viewOf(proposed(false)).status, 'running');
    assert.equal(viewOf(proposed(true)).waitingFor, 'plan');
    const approved = viewOf(proposed(true), {
      type: 'plan/approved',
      title: 'P',
      sections: twoSections.slice(1),
      estimate,
    });
    assert.deepEqual([approved.status, approved.plan?.approved], ['running', true]);
    assert.deepEqual(
      approved.sections.map((s) => s.id),
      ['s2'],
      'what runs is what was approved',
    );
  });

  test('a review is waited for only when it needs a decision; the next phase ends the wait', () => {
    const review: EventBody = {
      type: 'review/finished',
      score: 5,
      sufficient: false,
      gaps: [],
      retry: ['s1'],
      round: 1,
      needsApproval: true,
    };
    assert.equal(viewOf(review).waitingFor, 'review');
    assert.equal(viewOf(review, { type: 'run/phase', phase: 'report' }).status, 'running');
  });

  test('what went back is what the user decided, not what the review proposed', () => {
    const gaps = [{ section: 's1', gap: 'No figures.' }];
    const view = viewOf(
      {
        ...{ type: 'review/finished', score: 5, sufficient: false, gaps, retry: ['s1'], round: 1 },
        needsApproval: true,
      },
      { type: 'review/decided', retry: [] },
    );
    assert.deepEqual([view.status, view.review?.retry, view.review?.gaps], ['running', [], gaps]);
  });

  test('time in which the run waits is not counted as work', () => {
    const view = fold([
      ...events([started, asked]),
      ...events([{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }], 'r1', 30),
      ...events([{ type: 'run/phase', phase: 'plan' }], 'r1', 40),
    ]);
    assert.equal(view.waitedMs, 28_000);
    assert.equal(Date.parse(view.updatedAt) - Date.parse(view.startedAt) - view.waitedMs, 11_000);
  });

  test('the clock does not jump while a run is being resumed', () => {
    const stopped = viewOf({ type: 'run/cancelled', reason: 'abort', message: '', next: '' });
    const at = new Date(Date.parse(stopped.updatedAt) + 3_600_000);
    const view = resuming(stopped, at);
    assert.deepEqual([view.status, view.end], ['running', null]);
    assert.equal(activeMs(view, at), activeMs(stopped, at));
    assert.equal(activeMs(view, new Date(at.getTime() + 5_000)), activeMs(stopped, at) + 5_000);
  });

  test('time between an interruption and the resume does not count as running time', () => {
    const view = fold([
      ...events([started]),
      ...events([{ type: 'run/resumed', reason: 'resumed', message: '', next: '' }], 'r1', 3_600),
      ...events([{ type: 'run/phase', phase: 'plan' }], 'r1', 3_610),
    ]);
    assert.equal(Date.parse(view.updatedAt) - Date.parse(view.startedAt) - view.waitedMs, 10_000);
  });

  test('a paused question is asked again when the run is resumed', () => {
    const paused: EventBody = { type: 'run/paused', reason: 'needsAnswer', message: 'm', next: 'n' };
    const view = viewOf(asked, paused);
    assert.deepEqual([view.status, view.waitingFor, view.end?.reason], ['paused', null, 'needsAnswer']);
    const resumed = fold(events([{ ...paused, type: 'run/resumed' }], 'r1', 9), view);
    assert.deepEqual([resumed.status, resumed.waitingFor, resumed.end], ['waiting', 'answer', null]);
  });
});

describe('sections', () => {
  test('stand in the order of the plan, keep what was found, and lose an error once they heal', () => {
    const view = viewOf(
      section({ id: 's2', title: 'Two', status: 'failed', error: 'no network', sources: 3 }),
      { type: 'plan/approved', title: 'P', sections: twoSections, estimate },
      { type: 'thought', section: 's2', text: 'first' },
      { type: 'thought', section: 's2', text: 'second' },
      section({ id: 's2', title: 'Two', status: 'researching', attempt: 2, sources: 3 }),
    );
    assert.deepEqual(
      view.sections.map((s) => s.id),
      ['s1', 's2'],
    );
    const [, two] = view.sections;
    assert.deepEqual(two?.thoughts, ['second', 'first']);
    assert.deepEqual([two?.attempt, two?.sources, two?.description], [2, 3, 'second']);
    assert.equal('error' in (two ?? {}), false);
  });

  test('keep the 20 latest thoughts', () => {
    const view = viewOf(
      section(),
      ...Array.from({ length: 30 }, (_, i): EventBody => ({ type: 'thought', section: 's1', text: `t${i}` })),
    );
    assert.equal(view.sections[0]?.thoughts.length, 20);
    assert.equal(view.sections[0]?.thoughts[0], 't29');
  });

  test('an event about one section leaves the others and the rest of the view as they are', () => {
    const before = viewOf({ type: 'plan/approved', title: 'P', sections: twoSections, estimate });
    const after = fold(events([section()], 'r1', 9), before);
    assert.equal(after.sections[1], before.sections[1]);
    assert.equal(after.sources, before.sources);
    assert.equal(after.report, before.report);
  });
});

describe('the report', () => {
  test('each delta replaces everything from its offset on', () => {
    const view = viewOf(
      { type: 'report/delta', offset: 0, text: 'Hello wrld' },
      { type: 'report/delta', offset: 6, text: 'world [1].', citations: ['Sa'] },
      { type: 'report/delta', offset: 16, text: ' More.' },
    );
    assert.equal(view.report.text, 'Hello world [1]. More.');
    assert.deepEqual(view.report.citations, ['Sa'], 'a delta without citations keeps them');
  });

  test('is finished with its path and what the check counted', () => {
    const view = viewOf(
      { type: 'report/finished', path: 'research/a.md', citations: { cited: 4, dropped: 1, verified: 3 } },
      { type: 'run/finished', outcome: 'partial', path: 'research/a.md', tokens: { in: 5, out: 6, cached: 1 }, ms: 9 },
    );
    assert.deepEqual(
      [view.status, view.end?.outcome, view.report.done, view.report.path],
      ['finished', 'partial', true, 'research/a.md'],
    );
    assert.deepEqual(view.tokens, { in: 5, out: 6, cached: 1, estimated: false });
    assert.equal(view.report.checked?.dropped, 1);
    assert.deepEqual(view.end?.gaps, [], 'of an older version');
  });

  test('says what was not answered', () => {
    const gaps = [{ section: 's1', gap: 'No figures.' }];
    const view = viewOf({
      type: 'run/finished',
      outcome: 'complete',
      gaps,
      tokens: { in: 5, out: 6, cached: 1 },
      ms: 9,
    });
    assert.deepEqual([view.end?.gaps, hasGaps(view)], [gaps, true]);
  });
});

describe('ends', () => {
  test('what arrives after the end is folded but does not revive the run', () => {
    const cancelled: EventBody = { type: 'run/cancelled', reason: 'abort', message: 'Stopped.', next: '' };
    const view = viewOf(cancelled, { type: 'run/phase', phase: 'report' }, asked, section({ sources: 2 }));
    assert.deepEqual([view.status, view.waitingFor, view.sections[0]?.sources], ['cancelled', null, 2]);
  });

  test('what arrives of a slow call is shown until the call is counted or its phase ends', () => {
    const arriving = (call: string, tokens: number): EventBody => ({
      type: 'model/progress',
      call,
      phase: 'plan',
      tokens,
    });
    const usage: EventBody = {
      ...{ type: 'usage', model: 'm', role: 'main', phase: 'plan', cost: null, estimated: false, call: 'a' },
      tokens: { in: 10, out: 2, cached: 1 },
    };
    const begun = [arriving('a', 40), arriving('b', 5), arriving('a', 90)];
    assert.deepEqual(viewOf(...begun).receiving, { a: 90, b: 5 });
    assert.deepEqual(viewOf(...begun, usage).receiving, { b: 5 });
    assert.equal(viewOf(...begun, usage, { type: 'run/phase', phase: 'report' }).receiving, undefined);
  });

  test('usage adds up, is estimated when a part of it was, and has a cost when any price is known', () => {
    const usage = (cost: number | null, estimated: boolean, phase: Phase = 'plan'): EventBody => ({
      type: 'usage',
      model: 'm',
      role: 'research',
      phase,
      tokens: { in: 10, out: 2, cached: 1 },
      cost,
      estimated,
    });
    const view = viewOf(usage(null, false), usage(0.5, true), usage(0.25, false));
    assert.deepEqual([view.tokens, view.cost], [{ in: 30, out: 6, cached: 3, estimated: true }, 0.75]);
    const other = viewOf(usage(0.5, false), usage(null, true, 'report'), usage(0.25, false));
    assert.deepEqual(other.usage, [
      { model: 'm', phase: 'plan', calls: 2, in: 20, out: 4, cached: 2, cost: 0.75, estimated: false },
      { model: 'm', phase: 'report', calls: 1, in: 10, out: 2, cached: 1, cost: null, estimated: true },
    ]);
  });

  test('the same warning appears once, a source once', () => {
    const warning: EventBody = { type: 'run/warning', code: 'c', message: 'limited' };
    const source: EventBody = { type: 'source/added', id: 'Sa', kind: 'arxiv', title: 'T' };
    const view = viewOf(warning, warning, { ...warning, section: 's1' }, source, source);
    assert.deepEqual([view.warnings.length, view.sources.length], [2, 1]);
  });

  test('a run interrupted by a reload says so, marks what was in progress, and shows everything it had found', () => {
    const view = viewOf(section({ sources: 2 }), section({ id: 's2', title: 'Two', status: 'completed', sources: 4 }), {
      type: 'report/delta',
      offset: 0,
      text: '# Half',
    });
    const cut = interrupted(view, panelStrings);
    assert.deepEqual([cut.status, cut.end?.reason, cut.report.text], ['failed', 'interrupted', '# Half']);
    assert.match(`${cut.end?.message} ${cut.end?.next}`, /window closed.*Resume where it left off/);
    assert.deepEqual(
      cut.sections.map((s) => [s.status, s.sources]),
      [
        ['failed', 2],
        ['completed', 4],
      ],
    );
    assert.match(cut.sections[0]?.error ?? '', /Interrupted/);
    assert.equal(interrupted(cut, panelStrings), cut);
    assert.equal(interrupted(emptyView(), panelStrings).status, 'idle');
  });
});

describe('strategies', () => {
  const round = (change: Partial<Extract<EventBody, { type: 'round/updated' }>> = {}): EventBody => ({
    type: 'round/updated',
    round: 1,
    maxRounds: 5,
    status: 'retrieving',
    queries: ['a'],
    sources: 0,
    ...change,
  });
  const topic = (change: Partial<Extract<EventBody, { type: 'topic/updated' }>> = {}): EventBody => ({
    type: 'topic/updated',
    id: 't1',
    title: 'One',
    topic: 'All about one.',
    round: 1,
    status: 'researching',
    sources: 0,
    ...change,
  });

  test('the requested strategy is shown until the choice and its reason are known', () => {
    const before = fold(events([{ ...started, strategy: 'auto' }]));
    assert.deepEqual([before.strategy, before.strategyWhy], ['auto', '']);
    const after = fold(
      events([
        { ...started, strategy: 'auto' },
        { type: 'run/strategy', strategy: 'short', why: 'A small question.' },
      ]),
    );
    assert.deepEqual([after.strategy, after.strategyWhy], ['short', 'A small question.']);
  });

  test('a round is one entry that its latest event replaces; the next round comes after it', () => {
    const view = viewOf(
      round(),
      round({ status: 'completed', sources: 3, score: 6, sufficient: false }),
      round({ round: 2, queries: ['b'] }),
    );
    assert.deepEqual(view.rounds, [
      { round: 1, maxRounds: 5, status: 'completed', queries: ['a'], sources: 3, score: 6, sufficient: false },
      { round: 2, maxRounds: 5, status: 'retrieving', queries: ['b'], sources: 0 },
    ]);
  });

  test('a topic keeps its place, and an error that healed is gone', () => {
    const view = viewOf(
      topic({ status: 'failed', error: 'No answer.' }),
      topic({ id: 't2', round: 2 }),
      topic({ status: 'completed', sources: 4 }),
    );
    assert.deepEqual(
      view.topics.map(({ id, status, sources }) => [id, status, sources]),
      [
        ['t1', 'completed', 4],
        ['t2', 'researching', 0],
      ],
    );
    assert.ok(!('error' in view.topics[0]!));
  });

  test('the brief of a supervisor is a plan without sections; only what is delegated is one', () => {
    const brief = { id: 'brief', title: 'Research brief', description: 'Find out.' };
    const view = viewOf({ type: 'plan/proposed', title: 'T', sections: [brief], estimate, needsApproval: true });
    assert.equal(view.waitingFor, 'plan');
    assert.deepEqual(view.plan?.sections, [brief]);
    assert.deepEqual(view.sections, []);
  });

  test('another run begins without the rounds and topics of the last', () => {
    const first = viewOf({ type: 'run/strategy', strategy: 'iterative', why: 'Deep.' }, round(), topic());
    const next = fold(events([started], 'r2'), first);
    assert.deepEqual([next.rounds, next.topics, next.strategyWhy], [[], [], '']);
  });

  test('topics in progress when the window closed are interrupted, finished ones stay finished', () => {
    const view = interrupted(viewOf(topic({ status: 'completed', sources: 2 }), topic({ id: 't2' })), panelStrings);
    assert.deepEqual(
      view.topics.map(({ status }) => status),
      ['completed', 'failed'],
    );
    assert.match(view.topics[1]!.error!, /Interrupted/);
  });
});
