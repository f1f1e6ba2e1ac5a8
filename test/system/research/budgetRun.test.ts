import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createModels } from '../../../src/models/createModels.ts';
import { extractiveAnalyst } from '../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { llmAnalyst } from '../../../src/research/analyst/llm/llmAnalyst.ts';
import { criticalModel } from '../../support/criticalModel.ts';
import { startModelServer, type ModelServerOptions } from '../../support/modelServer.ts';
import { sampled } from '../../support/sampled.ts';
import { memoryFolder, note, ofType, scriptedTool, silentLog } from '../../support/scriptedParts.ts';
import { scriptedRun, settingsOf, type ScriptedOptions } from '../../support/scriptedRun.ts';

const question = 'How do dense retrieval, sparse retrieval and reranking compare?';
const documents = ['Dense retrieval', 'Sparse retrieval', 'Reranking'].map((title, index) => ({
  ...note(
    title,
    `${title} is described here in a full sentence. ${title} gains ${index + 3} points on the benchmark. `.repeat(30),
  ),
  ids: { arxiv: `2101.0000${index}` },
}));

async function run(
  settings: Readonly<Record<string, unknown>>,
  server: ModelServerOptions = {},
  over: Partial<ScriptedOptions> = {},
) {
  const models = await startModelServer(server);
  try {
    const all = { 'model.baseUrl': models.url, 'model.name': 'imitation-1', planApproval: 'never', ...settings };
    const created = await createModels({
      settings: settingsOf(all),
      secrets: { key: async () => undefined },
      log: silentLog,
    });
    assert.ok(created.kind === 'llm');
    const started = scriptedRun({
      question,
      analyst: llmAnalyst,
      fallback: extractiveAnalyst,
      provider: created.provider,
      model: created.model,
      models: created.models,
      tools: [scriptedTool(() => ({ documents }))],
      ...over,
      settings: all,
    });
    const { report } = await started.result;
    const usage = ofType(started.events, 'usage');
    const tokens = usage.reduce((sum, { tokens: { in: tokensIn, out } }) => sum + tokensIn + out, 0);
    const largest = Math.max(0, ...usage.map(({ tokens: { in: tokensIn, out } }) => tokensIn + out));
    const codes = ofType(started.events, 'run/warning').map(({ kind }) => kind);
    return { report, usage, tokens, largest, codes, events: started.events, requests: models.requests.length };
  } finally {
    await models.close();
  }
}

/** Reviews that send back, critics with points, drafts beside searches: nothing of it may be begun that has no room. */
const critical = () => ({ script: criticalModel(), imitation: { rounds: 2, sections: 5 } });
const long = documents.map((one) => ({ ...one, text: one.text.repeat(8) }));
const tools = [scriptedTool(() => ({ documents: long }))];

describe('a run with a budget of tokens', () => {
  for (const strategy of ['sections', 'iterative', 'supervisor']) {
    it(`always ends in a report and within its budget (${strategy})`, async () => {
      const free = await run({ strategy });
      for (const share of sampled([0.01, 0.1, 0.3, 0.6, 0.9], (one) => (one < 0.2 ? 'hardly any' : 'some'))) {
        const budget = Math.round(free.tokens * share);
        const { report, tokens, codes, largest } = await run({ strategy, 'budget.maxTokens': budget });
        assert.match(report, /^---[^]*\n# [^]*\[1\]/, `${share}: a report with a citation`);
        assert.ok(tokens <= Math.max(budget * 1.05, budget + largest), `${share}: ${tokens} of ${budget}`);
        if (share < 0.5) assert.ok(codes.includes('budget.reached') || tokens < budget * 0.9, `${share}`);
      }
    });
  }

  const budgets = ['sections', 'iterative', 'supervisor'].flatMap((strategy) =>
    [5_000, 20_000, 60_000, 150_000].map((budget) => ({ strategy, budget })),
  );
  for (const { strategy, budget } of sampled(budgets, (one) => [one.strategy, `${one.budget}`]))
    it(`ends in a report within ${budget} tokens, with a critical model, also after it was killed (${strategy})`, async () => {
      const limits = { strategy, depth: 'deep', 'budget.maxTokens': budget };
      const whole = await run(limits, critical(), { tools });
      assert.match(whole.report, /^---[^]*\n# [^]*\[1\]/);
      const most = Math.max(budget * 1.05, budget + whole.largest);
      assert.ok(whole.tokens <= most, `${whole.tokens} of ${budget}`);
      if (whole.usage.length < 4) return;
      const folder = memoryFolder();
      const stop = new AbortController();
      const half = Math.ceil(whole.usage.length / 2);
      let paid = 0;
      const killed = run(limits, critical(), {
        tools,
        folder,
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === 'usage' && (paid += 1) === half)
            stop.abort(Object.assign(new Error('closes'), { closing: true }));
        },
      });
      await killed.catch(() => undefined);
      assert.ok(stop.signal.aborted);
      const before = ofType(folder.events, 'usage').reduce((sum, { tokens: { in: a, out: b } }) => sum + a + b, 0);
      const resumed = await run(limits, critical(), {
        tools,
        folder,
        resume: { created: '2026-03-04T10:00:00.000Z', status: 'running', changes: [] },
        journal: [...folder.calls],
        checkpoints: [...folder.checkpoints],
        events: [...folder.events],
      });
      assert.match(resumed.report, /\[1\]/);
      assert.ok(before + resumed.tokens <= most, `${before} + ${resumed.tokens} of ${budget}`);
    });

  it('asks a model nothing that the budget has no room for', async () => {
    const { requests, report, codes } = await run({ 'budget.maxTokens': 100 });
    assert.equal(requests, 0);
    assert.match(report, /points on the benchmark/);
    assert.ok(codes.includes('budget.reached'));
    assert.match(report, /What is left of the budget of 100 tokens isn't enough for the next call of the model/);
    assert.match(report, /none of it was written by/);
  });

  it('counts what was spent before the run was resumed', async () => {
    const folder = memoryFolder();
    const free = await run({});
    const budget = Math.round(free.tokens * 0.8);
    const stop = new AbortController();
    let paid = 0;
    await assert.rejects(
      run(
        { 'budget.maxTokens': budget },
        {},
        {
          folder,
          signal: stop.signal,
          onEvent: (event) => {
            if (event.type === 'usage' && (paid += 1) === 6)
              stop.abort(Object.assign(new Error('closes'), { closing: true }));
          },
        },
      ),
    );
    const before = ofType(folder.events, 'usage').reduce((sum, { tokens: { in: a, out: b } }) => sum + a + b, 0);
    assert.ok(before > 0);
    const resumed = await run(
      { 'budget.maxTokens': budget },
      {},
      {
        folder,
        resume: { created: '2026-03-04T10:00:00.000Z', status: 'running', changes: [] },
        journal: [...folder.calls],
        checkpoints: [...folder.checkpoints],
        events: [...folder.events],
      },
    );
    assert.ok(
      before + resumed.tokens <= Math.max(budget * 1.05, budget + resumed.largest),
      `${before} + ${resumed.tokens} of ${budget}`,
    );
    assert.match(resumed.report, /\[1\]/);
  });
});

describe('a run with a budget of money', () => {
  const prices = { imitation: { in: 2, out: 8, cached: 0.5 } };

  it('stays within it, and says what it cost by phase', async () => {
    const { report, usage, events } = await run({ 'budget.maxCost': 0.02, prices });
    const cost = usage.reduce((sum, one) => sum + one.cost!, 0);
    assert.ok(cost > 0 && cost <= 0.02 * 1.05, `${cost}`);
    assert.match(report, /\ncost: 0\.0\d+\n/);
    assert.match(
      report,
      /\nusage:\n {2}- \{ phase: assess, model: "imitation-1", calls: 1, in: \d+, out: \d+, cached: \d+, cost: [\d.]+ \}/,
    );
    assert.ok(ofType(events, 'plan/proposed')[0]!.estimate.cost! > 0);
  });

  it('of a cent asks for what that pays, and writes its report', async () => {
    for (const budget of [0.000_001, 0.001, 0.01]) {
      const { report, usage } = await run({ 'budget.maxCost': budget, prices }, critical(), { tools });
      const cost = usage.reduce((sum, one) => sum + one.cost!, 0);
      const most = Math.max(0, ...usage.map((one) => one.cost!));
      assert.ok(cost <= Math.max(budget * 1.05, budget + most), `${cost} of ${budget}`);
      assert.match(report, /\[1\]/);
    }
  });

  it('warns when no price is known', async () => {
    const { codes, report } = await run({ 'budget.maxCost': 0.02 });
    assert.equal(codes.filter((kind) => kind === 'budget.noPrice').length, 1);
    assert.doesNotMatch(report.split('\n---\n')[0]!, /\bcost: \S|\bnull\b/);
  });
});

describe('a run with a small window', () => {
  it('ends in a report of the model in the smallest window that can be set', async () => {
    const { report, codes, requests } = await run({ 'limits.maxContextTokens': 2_000 });
    assert.match(report, /\[1\]/);
    assert.ok(requests > 10);
    assert.deepEqual(codes, []);
  });

  it('is done by rules, and says so, when no step fits', async () => {
    const script = () => ({
      status: 400,
      body: { error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' } },
    });
    const { report, codes } = await run({}, { script });
    assert.match(report, /points on the benchmark/);
    assert.ok(codes.includes('step.byRules'), codes.join(' '));
  });
});

describe('a run with a budget of minutes', () => {
  it('has a report also when hardly a moment is left', async () => {
    const clock = { now: () => new Date(), monotonic: () => performance.now(), sleep: () => Promise.resolve() };
    const { report, codes } = await run(
      { 'budget.maxMinutes': 0.001 },
      { delayMs: 300, ...critical() },
      { clock, tools },
    );
    assert.ok(codes.includes('budget.reached'), codes.join(' '));
    assert.match(report, /\[1\]/);
  });

  it('writes its report in time, from what was found until then', async () => {
    let ms = 0;
    const clock = { now: () => new Date(), monotonic: () => ms, sleep: () => Promise.resolve() };
    // 4.2 s, of which the last 0.6 s are the report's. Every answer takes 0.8 s of a clock that moves when nothing else is left to
    // do, so that answers of calls that are open together come together, and the whole run would take 7.2 s.
    const open: { readonly end: number; readonly answer: () => void }[] = [];
    let turns = 0;
    const advance = (): void => {
      turns -= 1;
      if (turns > 0) return void setTimeout(advance, 1);
      ms = Math.max(
        ms,
        open.map(({ end }) => end).reduce((one, other) => Math.min(one, other)),
      );
      for (const due of open.filter(({ end }) => end <= ms)) {
        open.splice(open.indexOf(due), 1);
        due.answer();
      }
      if (open.length > 0) wait();
    };
    const wait = (): void => {
      if (turns <= 0) setTimeout(advance, 1);
      turns = 200;
    };
    const script = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.push({ end: ms + 800, answer: resolve });
      wait();
      return { until: promise };
    };
    const { report, codes } = await run({ 'budget.maxMinutes': 0.07 }, { script }, { clock });
    assert.ok(ms < 5_200, `${ms} ms`);
    assert.ok(codes.includes('budget.reached'));
    assert.match(report, /\[1\]/);
  });
});
