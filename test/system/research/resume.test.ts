import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RunRecord } from '../../../src/protocol/runRecord.ts';
import type { Analyst } from '../../../src/research/analyst/analyst.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ProposedPlan } from '../../../src/protocol/ports.ts';
import { activeMs, emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';
import { type ChatAnswer, type ChatPort, type Reading, unwatched } from '../../../src/research/ports.ts';
import {
  clearAssessment,
  fakeClock,
  goodReview,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedTool,
} from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

const reasonOf = (reason: string) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

const said: ChatAnswer = {
  text: '',
  toolCalls: [],
  finish: 'stop',
  usage: { in: 1, out: 1, cached: 0, estimated: false },
};

/** What a run saved, for resuming it. */
function savedOf({ folder }: ReturnType<typeof scriptedRun>, status: RunRecord['status']) {
  return {
    journal: folder.calls,
    checkpoints: folder.checkpoints,
    events: folder.events,
    resume: { created: '2026-03-04T10:00:00.000Z', status, changes: [] },
  };
}

describe('a resumed run', () => {
  it('continues at its last checkpoint: completed steps are not repeated', async () => {
    const stop = new AbortController();
    const first = scriptedRun({
      signal: stop.signal,
      analyst: scriptedAnalyst({ review: async () => (stop.abort(), goodReview) }),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    const again: string[] = [];
    const { kind, ...steps } = scriptedAnalyst();
    const counting = Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [
        name,
        (...args: never[]) => (again.push(name), (step as (...all: never[]) => unknown)(...args)),
      ]),
    );
    const second = scriptedRun({ analyst: { kind, ...counting } as Analyst, ...savedOf(first, 'cancelled') });
    const { report } = await second.result;
    assert.deepEqual(again, ['review', 'writeReport']);
    assert.equal(report, (await scriptedRun().result).report);
    assert.deepEqual(
      ofType(second.events, 'run/phase').map(({ phase }) => phase),
      ['review', 'report'],
    );
    assert.equal(ofType(second.events, 'source/added').length, 0, 'every source was shown before');
  });

  it('skips the source and the call in which its process got stuck, with a warning each', async () => {
    const stop = new AbortController();
    const first = scriptedRun({
      signal: stop.signal,
      analyst: scriptedAnalyst({ review: async () => (stop.abort(), goodReview) }),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    const source = ofType(first.events, 'source/added').at(-1)!;
    const [call] = ofType(first.events, 'tool/started');
    const saved = savedOf(first, 'failed');
    const second = scriptedRun({
      ...saved,
      journal: saved.journal.filter((line) => (JSON.parse(line) as { readonly key: string }).key !== call!.call),
      reading: {
        ...unwatched,
        stopped: [
          { kind: 'source', name: `${source.file!.path}#L1-L3` },
          { kind: 'call', name: `${call!.name}: ${call!.args}` },
        ],
      },
    });
    const { sources, warnings } = await second.result;
    assert.ok(!sources.some(({ id }) => id === source.id), 'the source is not read again');
    assert.equal(ofType(second.events, 'tool/finished').filter(({ error }) => /skipped/.test(error ?? '')).length, 1);
    assert.equal(warnings.filter(({ kind }) => kind === 'resume.skipped').length, 2);
  });

  it('asks once more for the answer of a model in which its process got stuck, and only once', async () => {
    let asked = 0;
    const stop = new AbortController();
    const port: ChatPort = {
      ...{ provider: 'test', model: 'm', contextTokens: 8_000 },
      complete: async () => ({ ...said, text: `answer ${(asked += 1)}` }),
    };
    const heard: string[] = [];
    const options = (stopped: Reading['stopped']): Parameters<typeof scriptedRun>[0] => ({
      models: async () => port,
      reading: { ...unwatched, stopped },
      analyst: scriptedAnalyst({
        assess: async (_input, scope) => {
          heard.push((await scope.model('one', 'main', { messages: [{ role: 'user', content: 'Hi' }] })).text);
          return clearAssessment;
        },
        review: async () => (stop.abort(), goodReview),
      }),
    });
    const first = scriptedRun({ ...options([]), signal: stop.signal });
    await assert.rejects(first.result, reasonOf('abort'));
    const { key } = first.folder.calls
      .map((line) => JSON.parse(line) as { readonly key: string; readonly kind: string })
      .find(({ kind }) => kind === 'model')!;
    const saved = savedOf(first, 'failed');
    const second = scriptedRun({ ...options([{ kind: 'answer', name: key }]), ...saved });
    await second.result;
    const third = scriptedRun({
      ...options([{ kind: 'answer', name: key }]),
      ...saved,
      journal: [...saved.journal, ...second.folder.calls],
    });
    await third.result;
    assert.deepEqual(heard, ['answer 1', 'answer 2', 'answer 2']);
  });

  it('counts what a recorded call took, once, also when it was killed before it could say so', async () => {
    const port: ChatPort = {
      ...{ provider: 'test', model: 'm', contextTokens: 8_000 },
      complete: async () => ({ ...said, usage: { in: 700, out: 30, cached: 5, estimated: false } }),
    };
    const stop = new AbortController();
    const options: Parameters<typeof scriptedRun>[0] = {
      models: async () => port,
      analyst: scriptedAnalyst({
        assess: async (_input, scope) => {
          await scope.model('one', 'main', { messages: [{ role: 'user', content: 'Hi' }] });
          return clearAssessment;
        },
        review: async () => (stop.abort(), goodReview),
      }),
    };
    const first = scriptedRun({ ...options, signal: stop.signal });
    await assert.rejects(first.result, reasonOf('abort'));
    const saved = savedOf(first, 'failed');
    for (const events of [saved.events, saved.events.filter(({ type }) => type !== 'usage')]) {
      const second = scriptedRun({ ...options, ...saved, events });
      await second.result;
      const counted = [...events, ...second.events].filter(({ type }) => type === 'usage');
      assert.deepEqual(
        counted.map((event) => event.type === 'usage' && [event.tokens.in, event.model, event.role, event.phase]),
        [[700, 'm', 'main', 'assess']],
      );
    }
  });

  it('counts its running time from before and after, and not the time between', async () => {
    const stop = new AbortController();
    const clock = fakeClock();
    const signal = new AbortController().signal;
    const first = scriptedRun({
      clock,
      signal: stop.signal,
      analyst: scriptedAnalyst({
        review: async () => {
          await clock.sleep(40_000, signal);
          stop.abort();
          return goodReview;
        },
      }),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    // A week between, an answer that takes a minute, and a review of 20 s.
    const later = fakeClock('2026-03-11T10:00:00.000Z');
    const second = scriptedRun({
      ...savedOf(first, 'cancelled'),
      clock: later,
      settings: { reviewApproval: 'always' },
      decideReview: async () => (await later.sleep(60_000, signal), 'report'),
      analyst: scriptedAnalyst({
        review: async () => {
          await later.sleep(20_000, signal);
          return { ...goodReview, isSufficient: false, sectionsToRetry: ['s1'] };
        },
      }),
    });
    await second.result;
    const { ms } = ofType(second.events, 'run/finished')[0]!;
    assert.equal(ms, 60_000);
    const view = [...first.events, ...second.events].reduce(reduceRun, emptyView());
    assert.equal(activeMs(view, new Date(view.updatedAt)), ms, 'the clock of the panel shows the same');
  });

  it('continues in the middle of a fan-out: completed sections are not researched again', async () => {
    const stop = new AbortController();
    const searched: string[] = [];
    const tool = (beta: () => Promise<void>) =>
      scriptedTool(async (query) => {
        searched.push(query);
        if (query === 'Beta') await beta();
        return { documents: [note(query)] };
      });
    const first = scriptedRun({
      signal: stop.signal,
      tools: [tool(() => new Promise(() => undefined))],
      onEvent: (event) => {
        if (
          event.type === 'section/updated' &&
          event.status === 'completed' &&
          ofType(first.events, 'section/updated').filter(({ status }) => status === 'completed').length === 2
        )
          setImmediate(() => stop.abort());
      },
    });
    await assert.rejects(first.result, reasonOf('abort'));
    searched.length = 0;
    const second = scriptedRun({ tools: [tool(async () => undefined)], ...savedOf(first, 'running') });
    const { report } = await second.result;
    assert.deepEqual(searched, ['Beta']);
    assert.deepEqual([...new Set(ofType(second.events, 'section/updated').map(({ title }) => title))], ['Beta']);
    assert.equal(report, (await scriptedRun().result).report);
  });

  for (const [what, damage] of [
    ['is gone', () => []],
    [
      'was written before the first step',
      (lines: string[]) => lines.slice(0, lines.findIndex((line) => line.includes('"checkpoint"')) + 1),
    ],
    ['is foreign', () => ['null', '{"v":1,"type":"delete","thread":"x"}']],
    ['lacks a part', (lines: string[]) => lines.filter((line) => !line.includes('"type":"part"'))],
    [
      'lacks the values of an earlier step',
      (lines: string[]) => lines.filter((line) => !line.includes('"values":{"outline"')),
    ],
    ['holds another shape', (lines: string[]) => lines.map((line) => line.replaceAll('"attempt":', '"tried":'))],
    [
      'speaks of sources that nobody found',
      (lines: string[]) => lines.map((line) => line.replace(/S[0-9a-f]{5}"/g, 'S00000"')),
    ],
  ] as [string, (lines: string[]) => string[]][]) {
    it(`begins at its start, with its journal, when the checkpoint ${what}`, async () => {
      const stop = new AbortController();
      const first = scriptedRun({
        signal: stop.signal,
        analyst: scriptedAnalyst({ review: async () => (stop.abort(), goodReview) }),
      });
      await assert.rejects(first.result, reasonOf('abort'));
      let searches = 0;
      const tools = [scriptedTool((query) => ((searches += 1), { documents: [note(query)] }))];
      const checkpoints = damage(first.folder.checkpoints);
      const second = scriptedRun({ tools, ...savedOf(first, 'running'), checkpoints });
      const { report } = await second.result;
      assert.equal(searches, 0, 'what was finished is in the journal');
      assert.match(report, /\[3\]/);
      const told = ofType(second.events, 'run/warning').some(({ code }) => code === 'resume.checkpoint');
      assert.equal(told, /part|values|shape|nobody/.test(what));
    });
  }

  it('tries again what failed, when the whole run had failed', async () => {
    const down = scriptedTool(() => Promise.reject(new ResearchError('network', 'The host is down.')));
    const first = scriptedRun({ tools: [down] });
    await assert.rejects(first.result, (error) => ResearchError.is(error));
    const second = scriptedRun({ ...savedOf(first, 'failed') });
    assert.match((await second.result).report, /\[3\]/);
  });

  it('is complete when all of it succeeds, whatever had failed before', async () => {
    const first = scriptedRun({
      analyst: scriptedAnalyst({ act: () => Promise.reject(new ResearchError('quota', 'The quota is used up.')) }),
    });
    await assert.rejects(first.result, reasonOf('quota'));
    assert.ok(ofType(first.events, 'run/warning').some(({ code }) => code === 'section.quota'));
    const { outcome, warnings, report } = await scriptedRun({ ...savedOf(first, 'failed') }).result;
    assert.equal(outcome, 'complete');
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(report, /used up/);
  });

  it('repeats a warning from before the resume only when its text differs', async () => {
    const stop = new AbortController();
    const first = scriptedRun({
      signal: stop.signal,
      warnings: [{ kind: 'resume.settings', keys: 'one' }],
      analyst: scriptedAnalyst({ review: async () => (stop.abort(), goodReview) }),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    const kept = savedOf(first, 'cancelled');
    const second = scriptedRun({
      ...kept,
      resume: { ...kept.resume, changes: [{ kind: 'resume.settings', keys: 'another' }] },
      warnings: [{ kind: 'resume.settings', keys: 'one' }],
    });
    await second.result;
    assert.deepEqual(
      ofType(second.events, 'run/warning').map(({ message }) => message),
      ['The run keeps the settings that it began with; changed since: another.'],
    );
  });

  it('shows the plan that waits again, and asks nobody else for it', async () => {
    const settings = { planApproval: 'always' };
    const stop = new AbortController();
    const first = scriptedRun({
      settings,
      signal: stop.signal,
      approve: () => (setImmediate(() => stop.abort()), new Promise(() => undefined)),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    let plans = 0;
    const analyst = scriptedAnalyst({ plan: async () => ((plans += 1), planOf(['Other'])) });
    const second = scriptedRun({
      settings,
      analyst,
      approve: async (plan: ProposedPlan) => plan,
      ...savedOf(first, 'waiting'),
      events: [],
    });
    await second.result;
    assert.equal(plans, 0);
    assert.deepEqual(
      second.events.slice(0, 3).map(({ type }) => type),
      ['run/resumed', 'plan/proposed', 'plan/approved'],
    );
    assert.equal(ofType(second.events, 'plan/proposed')[0]!.needsApproval, true);
  });

  for (const [where, keep] of [
    ['its checkpoint', (lines: string[]) => lines],
    [
      'a checkpoint before it',
      (lines: string[]) =>
        lines.slice(
          0,
          lines.findLastIndex((line) => line.includes('"finalReport"')),
        ),
    ],
    ['no checkpoint', () => []],
  ] as [string, (lines: string[]) => string[]][]) {
    it(`and had saved its report is done, and saves no second one, with ${where}`, async () => {
      const first = scriptedRun();
      const { report } = await first.result;
      const second = scriptedRun({ ...savedOf(first, 'running'), checkpoints: keep(first.folder.checkpoints) });
      const result = await second.result;
      assert.equal(second.saved.length, 0);
      assert.deepEqual([result.path, result.report], ['/reports/2026-03-04-a-plan.md', report]);
      const last = second.events.at(-1)!;
      assert.ok(last.type === 'run/finished' && last.path === '/reports/2026-03-04-a-plan.md');
    });
  }

  it('was left as it stood when its window closed: it is neither stopped nor failed', async () => {
    const leave = new AbortController();
    const first = scriptedRun({
      settings: { planApproval: 'always' },
      signal: leave.signal,
      approve: () => (
        setImmediate(() => leave.abort({ name: 'AbortError', closing: true })),
        new Promise(() => undefined)
      ),
    });
    await assert.rejects(first.result, reasonOf('abort'));
    assert.equal(first.events.at(-1)!.type, 'plan/proposed');
    assert.equal(first.folder.records.at(-1)!.status, 'waiting');
  });

  it('and was to finish early does so, and says so', async () => {
    const finish = new AbortController();
    const leave = new AbortController();
    const searched: string[] = [];
    const tools = [
      scriptedTool(async (query) => {
        searched.push(query);
        if (query === 'Gamma') await new Promise((resolve) => finish.signal.addEventListener('abort', resolve));
        return { documents: [note(query)] };
      }),
    ];
    const hangs = scriptedAnalyst({
      writeReport: async function* () {
        yield '# T\n\n';
        setImmediate(() => leave.abort({ name: 'AbortError', closing: true }));
        await new Promise(() => undefined);
      },
    });
    const first = scriptedRun({
      tools,
      analyst: hangs,
      signal: leave.signal,
      finishSignal: finish.signal,
      onEvent: (event) => {
        if (event.type === 'section/updated' && event.status === 'completed' && event.title === 'Beta')
          setImmediate(() => finish.abort());
      },
    });
    await assert.rejects(first.result, reasonOf('abort'));
    searched.length = 0;
    const second = scriptedRun({ tools, ...savedOf(first, 'running') });
    const { report, outcome } = await second.result;
    assert.equal(outcome, 'partial');
    assert.match(report, /Finished early/);
    assert.deepEqual(searched, []);
  });

  it('after it had been finished with nothing found is researched to its end', async () => {
    const finish = new AbortController();
    const first = scriptedRun({
      finishSignal: finish.signal,
      analyst: scriptedAnalyst({ plan: async () => (finish.abort(), planOf(['Alpha'])) }),
    });
    await assert.rejects(first.result, reasonOf('noEvidence'));
    const second = scriptedRun(savedOf(first, 'failed'));
    const { report, outcome } = await second.result;
    assert.equal(outcome, 'complete');
    assert.doesNotMatch(report, /Finished early/);
  });
});
