import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runResearch, type RunResearchOptions } from '../../src/api.ts';
import type { ResearchEvent, ResearchEventType } from '../../src/protocol/events.ts';
import { ResearchError } from '../../src/research/errors.ts';
import { breakableConnection, type BreakableConnection } from '../support/breakableConnection.ts';
import type { Step } from '../support/modelRequest.ts';
import { startModelServer, type ModelOverride, type ModelServer, type Script } from '../support/modelServer.ts';
import { isOfStep, clarifyOnce, discoverList, either, sendBackOnce, whenever } from '../support/modelScenarios.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';
import { imitatedSettings, startSourceServer, type SourceServer } from '../support/sourceServer.ts';

/** Stop and "Finish now" at every place where a run can stand. What is silent there stays silent: who waits for it never ends. */

const question = 'How do retrieval-augmented generation systems work?';

const hang: ModelOverride = { hang: true };
/** As long as a test may take, and no loop. */
const endless = Array.from({ length: 20_000 }, (_, index) => `Line ${index} says ${index * 7}.`).join(' ');
const limited: ModelOverride = {
  status: 429,
  headers: { 'retry-after': '45' },
  body: { error: { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' } },
};

interface Setting {
  readonly model: ModelServer;
  readonly sources: SourceServer;
  readonly way: BreakableConnection;
  /** Resolves with the first event of the type, seen or yet to come. */
  event(type: ResearchEventType, test?: (event: ResearchEvent) => boolean): Promise<ResearchEvent>;
}

interface Place {
  readonly name: string;
  readonly strategy?: 'sections' | 'iterative' | 'supervisor';
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the model does there; made anew for each run. */
  readonly script?: () => Script;
  /** The source does not answer. */
  readonly silent?: 'github' | 'all';
  /** Resolves when the run stands there. */
  readonly reached: (setting: Setting) => Promise<unknown>;
  /** What "finish now" gives there. */
  /** `begun`: a report when the searches that begin beside the assessment have found something by then. */
  readonly finish: 'report' | 'nothing' | 'begun';
}

const asked =
  (step: Step, nth = 1) =>
  async ({ model }: Setting) => {
    let seen = 0;
    await model.waitFor((request) => isOfStep(request, step) && ++seen === nth);
  };
const told =
  (type: ResearchEventType) =>
  ({ event }: Setting) =>
    event(type);
const searched = ({ sources }: Setting) => until(() => sources.requests.some(({ service }) => service === 'arxiv'));
/** One source is silent, and the others have answered. */
const searchedInPart = async (setting: Setting) => {
  await searched(setting);
  await setting.event('source/added', (event) => event.type === 'source/added' && event.kind === 'arxiv');
};

/** The queries of the sections have found something; the model is asked where to search next all the same. */
const guided = { depth: 'deep' };
const unknownTerm = (): Script => (request) =>
  request.step === 'assess' && !request.prompt.includes('XQRAG9 was looked up')
    ? {
        json: {
          need_clarification: false,
          question: '',
          options: [],
          recommended: '',
          missing_info: '',
          verification: 'Understood.',
          refined_query: question,
          assessment: {
            topic_clear: true,
            scope_inferable: true,
            goal_clear: true,
            unknown_terms: ['XQRAG9'],
            focus: ['a', 'b', 'c'],
            confidence: 0.95,
            reasoning: 'One term is unknown.',
          },
        },
      }
    : undefined;

const places: readonly Place[] = [
  { name: 'assess', script: () => whenever(hang, { step: 'assess' }), reached: asked('assess'), finish: 'begun' },
  {
    name: 'assess, in the wait before a retry',
    script: () => whenever(limited, { step: 'assess' }),
    reached: told('run/warning'),
    finish: 'begun',
  },
  {
    name: 'verify, a search',
    script: unknownTerm,
    silent: 'all',
    settings: { 'sources.enabled': ['arxiv'] },
    reached: searched,
    finish: 'nothing',
  },
  { name: 'a question to the user', script: () => clarifyOnce(), reached: told('clarify/asked'), finish: 'begun' },
  { name: 'analyze', script: () => whenever(hang, { step: 'analyze' }), reached: asked('analyze'), finish: 'begun' },
  {
    name: 'discover, a second round',
    script: () => either(discoverList(), whenever(hang, { step: 'act', after: 1 })),
    reached: asked('act', 2),
    finish: 'report',
  },
  {
    name: 'discover, the extraction',
    script: () => either(discoverList(), whenever(hang, { step: 'discover' })),
    reached: asked('discover'),
    finish: 'report',
  },
  { name: 'plan', script: () => whenever(hang, { step: 'plan' }), reached: asked('plan'), finish: 'begun' },
  {
    name: 'plan after a discovery',
    script: () => either(discoverList(), whenever(hang, { step: 'plan' })),
    reached: asked('plan'),
    finish: 'report',
  },
  {
    name: 'approval of the plan',
    settings: { planApproval: 'always' },
    reached: told('plan/proposed'),
    finish: 'begun',
  },
  {
    name: 'research, the second turn',
    script: () => whenever(hang, { step: 'act' }),
    settings: guided,
    reached: asked('act'),
    finish: 'report',
  },
  { name: 'research, a search', silent: 'github', reached: searchedInPart, finish: 'report' },
  {
    name: 'research, in the wait before a retry',
    script: () => whenever(limited, { step: 'act' }),
    settings: guided,
    reached: told('run/warning'),
    finish: 'report',
  },
  {
    name: 'research, others wait for a free researcher',
    script: () => whenever(hang, { step: 'act' }),
    settings: { ...guided, 'limits.maxConcurrentResearchers': 1 },
    reached: asked('act'),
    finish: 'report',
  },
  {
    name: 'research, paused',
    script: () => whenever(hang, { step: 'act' }),
    settings: guided,
    reached: async (setting) => {
      await asked('act')(setting);
      await setting.way.cut();
      await setting.event('run/paused');
    },
    finish: 'report',
  },
  { name: 'distil', script: () => whenever(hang, { step: 'distil' }), reached: asked('distil'), finish: 'report' },
  { name: 'review', script: () => whenever(hang, { step: 'review' }), reached: asked('review'), finish: 'report' },
  {
    name: 'decision on the review',
    script: () => sendBackOnce(),
    settings: { reviewApproval: 'always' },
    reached: told('review/finished'),
    finish: 'report',
  },
  { name: 'report', script: () => whenever(hang, { step: 'report' }), reached: asked('report'), finish: 'report' },
  {
    name: 'report, in the middle of the text',
    script: () => whenever({ stopAfter: { pieces: 9, how: 'stall' } }, { step: 'report' }),
    reached: told('report/delta'),
    finish: 'report',
  },
  {
    name: 'report, written slowly without an end',
    script: () => whenever({ text: endless, tokenDelayMs: 600 }, { step: 'report' }),
    reached: asked('report'),
    finish: 'report',
  },
  { name: 'retrieve', strategy: 'iterative', silent: 'github', reached: searchedInPart, finish: 'report' },
  {
    name: 'read',
    strategy: 'iterative',
    script: () => whenever(hang, { step: 'distil' }),
    reached: asked('distil'),
    finish: 'report',
  },
  {
    name: 'reflect',
    strategy: 'iterative',
    script: () => whenever(hang, { step: 'reflect' }),
    reached: asked('reflect'),
    finish: 'report',
  },
  {
    name: 'report',
    strategy: 'iterative',
    script: () => whenever(hang, { step: 'report' }),
    reached: asked('report'),
    finish: 'report',
  },
  {
    name: 'brief',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'brief' }),
    reached: asked('brief'),
    finish: 'begun',
  },
  {
    name: 'supervise, the first round',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'supervise' }),
    reached: asked('supervise'),
    finish: 'begun',
  },
  {
    name: 'supervise, the second round',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'supervise', after: 2 }),
    reached: asked('supervise', 3),
    finish: 'report',
  },
  {
    name: 'research',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'act' }),
    settings: guided,
    reached: asked('act'),
    finish: 'report',
  },
  {
    name: 'distil',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'distil' }),
    reached: asked('distil'),
    finish: 'report',
  },
  {
    name: 'report',
    strategy: 'supervisor',
    script: () => whenever(hang, { step: 'report' }),
    reached: asked('report'),
    finish: 'report',
  },
];

describe('Stop and Finish now', () => {
  let workspace: string;
  before(() => {
    workspace = copyWorkspace('examples');
  });
  after(() => removeFolder(workspace));

  const cases = places.flatMap((place) => {
    const at = `${place.strategy ?? 'sections'}, ${place.name}`;
    return [
      { at, place, what: 'Stop', act: stopped },
      { at, place, what: 'Finish now', act: finished },
    ];
  });
  /** Each step, whatever a run waits for in it, and both buttons in each strategy with each end. */
  const kindOf = ({ place, what }: (typeof cases)[number]) => [
    place.name.split(',')[0]!,
    `${what}, ${place.finish}, ${place.strategy ?? ''}`,
  ];
  for (const { at, place, what, act } of sampled(cases, kindOf))
    it(`${at}: ${what}`, () => act(place, place.strategy ?? 'sections'));

  async function stopped(place: Place, strategy: string): Promise<void> {
    const bench = await begin(place, strategy);
    try {
      await bench.standing();
      bench.stop.abort();
      const failure = await bench.failure;
      await until(() => bench.open() === 0);
      assert.equal(failure?.reason, 'abort');
      const sent = bench.sent();
      const record = bench.record();
      assert.equal(record.status, 'cancelled');
      assert.equal(bench.events.at(-1)!.type, 'run/cancelled');
      // It can be gone on with, to its end.
      const resumed = await bench.resume();
      assert.ok(resumed.report.includes('## References'), 'a cited report');
      assert.ok(bench.sent() > sent);
    } finally {
      await bench.close();
    }
  }

  async function finished(place: Place, strategy: string): Promise<void> {
    const bench = await begin(place, strategy);
    try {
      await bench.standing();
      bench.finish.abort();
      const [failure, result] = await Promise.all([bench.failure, bench.result]);
      await until(() => bench.open() === 0);
      const isReport = place.finish === 'report' || (place.finish === 'begun' && failure === undefined);
      if (isReport) {
        assert.equal(failure, undefined, failure?.message);
        assert.match(result!.report, /\[1\]/);
        assert.match(result!.report, /## References\n\n- <a id="ref-1"><\/a>\[1\] /);
        assert.match(result!.report, /Finished early/);
        assert.equal(result!.outcome, 'partial');
        assert.equal(bench.record().status, 'finished');
      } else {
        assert.equal(failure?.reason, 'noEvidence', failure?.message);
        assert.match(failure.message, /finished before anything that answers the question was found/);
        assert.notEqual(bench.record().status, 'finished');
      }
    } finally {
      await bench.close();
    }
  }

  /** A run that is about to stand at a place; `healed` lets everything answer again. */
  async function begin(place: Place, strategy: string) {
    const runs = temporaryFolder('runs');
    const sources = await startSourceServer();
    const silent =
      place.silent === 'all' ? (['arxiv', 'github'] as const) : place.silent === 'github' ? (['github'] as const) : [];
    for (const service of silent) sources.script(service, { fault: 'hang', times: Infinity });
    let script: Script | undefined = place.script?.();
    const model = await startModelServer({ script: (request) => script?.(request) });
    const way = await breakableConnection(model.origin);
    const events: ResearchEvent[] = [];
    const waiting: {
      readonly test: (event: ResearchEvent) => boolean;
      readonly seen: (event: ResearchEvent) => void;
    }[] = [];
    const stop = new AbortController();
    const finish = new AbortController();
    const never = (): Promise<never> => new Promise(() => undefined);
    const config = {
      ...imitatedSettings(sources),
      'model.provider': 'openai-compatible',
      'model.baseUrl': `${way.origin}/v1`,
      'model.name': 'imitation-1',
      'limits.idleSeconds': 3_600,
      planApproval: 'never',
      strategy,
      ...place.settings,
    };
    const common: RunResearchOptions = {
      config,
      workspace,
      runDir: runs,
      secrets: { key: async () => undefined },
      saveTo: { save: async (name) => `/reports/${name}` },
      onEvent: (event) => {
        events.push(event);
        for (const waiter of waiting) if (waiter.test(event)) waiter.seen(event);
      },
    };
    const result = runResearch({
      ...common,
      question,
      signal: stop.signal,
      finishSignal: finish.signal,
      answer: never,
      approve: never,
      decideReview: never,
    });
    const setting: Setting = {
      model,
      sources,
      way,
      event: (type, also = () => true) =>
        new Promise((seen) => {
          const test = (event: ResearchEvent): boolean => event.type === type && also(event);
          const known = events.find(test);
          if (known) seen(known);
          else waiting.push({ test, seen });
        }),
    };
    const openAtSources = new Set<Promise<boolean>>();
    const watchSources = (): number => {
      for (const { closed } of sources.requests) {
        if (openAtSources.has(closed)) continue;
        openAtSources.add(closed);
        void closed.then(() => (closedAtSources += 1));
      }
      return sources.requests.length - closedAtSources;
    };
    let closedAtSources = 0;
    const run = (): string => fs.readdirSync(runs).find((name) => /^\d{8}-/.test(name))!;
    return {
      events,
      stop,
      finish,
      result: result.catch(() => undefined),
      failure: result.then(
        () => undefined,
        (error: unknown) => ResearchError.from(error),
      ),
      standing: () =>
        Promise.race([place.reached(setting), result.then(() => assert.fail('the run ended before it stood there'))]),
      open: () => model.inFlight + watchSources(),
      sent: () => model.requests.length,
      record: () =>
        JSON.parse(fs.readFileSync(path.join(runs, run(), 'run.json'), 'utf8')) as { readonly status: string },
      async resume() {
        script = undefined;
        sources.clearScripts();
        await way.cut();
        await way.restore();
        return await runResearch({
          ...common,
          resume: run(),
          answer: async () => null,
          approve: async (plan) => plan,
          decideReview: async () => 'continue',
        });
      },
      async close() {
        stop.abort();
        await result.catch(() => undefined);
        await Promise.all([way.close(), model.close(), sources.close()]);
        removeFolder(runs);
      },
    };
  }
});

/** Looks again and again until it holds; the test's own limit of time ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
