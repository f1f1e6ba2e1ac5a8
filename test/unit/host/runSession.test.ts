import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Asked,
  EngineOptions,
  Log,
  ResearchCallbacks,
  ProposedPlan,
  ResearchEngine,
  ReviewToDecide,
  RunResult,
} from '../../../src/protocol/ports.ts';
import { RunSession } from '../../../src/runs/runSession.ts';
import type { EventBody, PlanEstimate } from '../../../src/protocol/events.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunView } from '../../../src/protocol/runView.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';

const quiet: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const options: EngineOptions = {
  settings: {},
  runsFolder: '/runs',
  secrets: { key: async () => undefined },
  log: quiet,
  version: '0',
};
const result: RunResult = { run: 'r1', report: '# Report', outcome: 'complete', gaps: [] };
const question = (id: string): Asked => ({
  id,
  question: 'Which?',
  options: [],
  missingInfo: 'topic',
  why: '',
  topicMissing: false,
});
const toDecide: ReviewToDecide = { review: { overallScore: 5, gaps: [] }, retry: ['s1'] };
const estimate: PlanEstimate = { calls: 1, tokens: 1, minutes: 1, cost: null };
const startedBody: EventBody = {
  type: 'run/started',
  question: 'Q?',
  strategy: 'sections',
  model: null,
  provider: 'extractive',
  analyst: 'extractive',
};

/** An engine whose research is the given function, which emits events by their bodies. */
function session(
  research: (asked: EngineOptions & ResearchCallbacks, emit: (body: EventBody) => void) => Promise<RunResult>,
  load?: () => Promise<Pick<ResearchEngine, 'research'>>,
  now: (place?: string) => EngineOptions = () => options,
) {
  const seen: string[] = [];
  const folders: (string | undefined)[] = [];
  const reports: RunResult[] = [];
  const engine: Pick<ResearchEngine, 'research'> = {
    research: (asked) => {
      let seq = 0;
      const emit = (body: EventBody) =>
        asked.onEvent?.({ run: 'r1', seq: ++seq, at: new Date(seq).toISOString(), ...body });
      return research(asked, emit);
    },
  };
  const run = new RunSession({
    loadEngine: load ?? (async () => engine),
    options: now,
    log: quiet,
    onReplaced: (view) => void seen.push(`replaced ${view.status}`),
    onEvent: (event, _, { workspaceFolder }) => {
      seen.push(event.type);
      folders.push(workspaceFolder);
    },
    onReport: (report) => void reports.push(report),
    onEnd: (view: RunView) => void seen.push(`end ${view.status}`),
  });
  return { run, seen, reports, folders };
}

test('a run is shown as running at once, then by its events, and its report is handed on', async () => {
  const { run, seen, reports } = session(async (_, emit) => {
    emit(startedBody);
    emit({ type: 'run/finished', outcome: 'complete', tokens: { in: 0, out: 0, cached: 0 }, ms: 1 });
    return result;
  });
  const end = run.start('Q?');
  assert.equal(run.running, true);
  assert.deepEqual([run.view.status, run.view.question], ['running', 'Q?']);
  await end;
  assert.equal(run.running, false);
  assert.equal(run.view.status, 'finished');
  assert.deepEqual(seen, ['replaced running', 'run/started', 'run/finished', 'end finished']);
  assert.deepEqual(reports, [result]);
});

test('a question about a report is one from its first moment, also where it fails at once', async () => {
  const { run } = session(async () => Promise.reject(new Error('This run can’t be read.')));
  const end = run.start('Shorter, please.', { followUp: { run: 'r0', as: 'rewrite' } });
  assert.equal(run.view.parent, 'r0');
  await end;
  assert.deepEqual([run.view.status, run.view.parent], ['failed', 'r0']);
});

test('a second start while a run is on changes nothing', async () => {
  const gate = Promise.withResolvers<RunResult>();
  const { run, seen } = session(async (_, emit) => (emit(startedBody), gate.promise));
  const end = run.start('Q?');
  assert.equal(run.start('Other?'), false);
  run.show();
  assert.equal(run.view.question, 'Q?');
  gate.resolve(result);
  await end;
  assert.deepEqual(
    seen.filter((line) => line.startsWith('replaced')),
    ['replaced running'],
  );
});

test('a run that is started while the engine of the last one still closes follows it', async () => {
  const gate = Promise.withResolvers<RunResult>();
  const asked: string[] = [];
  const { run, seen, reports } = session(async (options, emit) => {
    emit(startedBody);
    emit({ type: 'run/finished', outcome: 'complete', tokens: { in: 0, out: 0, cached: 0 }, ms: 1 });
    asked.push(options.question ?? '');
    return asked.length === 1 ? gate.promise : result;
  });
  const first = run.start('Q?');
  while (run.view.status !== 'finished') await Promise.resolve();
  assert.equal(run.running, false);
  const second = run.start('Other?');
  assert.deepEqual([run.running, run.view.question, run.start('Third?')], [true, 'Other?', false]);
  await Promise.resolve();
  assert.deepEqual(asked, ['Q?']);
  gate.reject(new Error('The engine can not close.'));
  await Promise.all([first, second]);
  assert.deepEqual(asked, ['Q?', 'Other?']);
  assert.deepEqual([run.running, run.view.status, reports.length], [false, 'finished', 1]);
  assert.deepEqual(
    seen.filter((line) => line.startsWith('end')),
    ['end finished'],
  );
});

test('an answer goes to the question that it belongs to, and only once', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked) => {
    const first = asked.answer!(question('q1'));
    queueMicrotask(() => {
      run.answer('q2', 'to no question');
      run.answer('q1', null);
      run.answer('q1', 'too late');
    });
    heard.push(await first);
    return result;
  });
  await run.start('Q?');
  assert.deepEqual(heard, [null]);
});

const asks: EventBody = {
  type: 'clarify/asked',
  id: 'q1',
  question: 'Which?',
  options: [],
  missingInfo: 'scope',
  why: '',
};

test('an answer to a run that has ended changes nothing, and is none for the next one', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    emit(asks);
    const given = asked.answer!(question('q1'));
    if (heard.length === 0) queueMicrotask(() => run.answer('q1', 'in time'));
    heard.push(await soon(given));
    return result;
  });
  await run.start('Q?');
  run.answer('q1', 'too late');
  await run.start('Another?');
  assert.deepEqual(heard, ['in time', 'waits']);
});

test('an answer that comes before a resumed run has asked its question again is not lost', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    emit(asks);
    run.answer('q1', 'the first');
    run.answer('q9', 'to no question');
    heard.push(await asked.answer!(question('q1')));
    return result;
  });
  await run.start('Q?');
  assert.deepEqual(heard, ['the first']);
});

const proposed: Extract<EventBody, { type: 'plan/proposed' }> = {
  type: 'plan/proposed',
  title: 'T',
  sections: [{ id: 's1', title: 'A', description: '' }],
  estimate,
  needsApproval: true,
};
const plan: ProposedPlan = {
  ...{ title: 'T', sections: [{ id: 's1', title: 'A', description: '', queries: ['a'] }], estimate },
  ...{ strategy: 'sections', focus: [], round: 0 },
  basis: {
    ...{ analyst: 'extractive', depth: 'standard', sources: ['notes'], price: null },
    ...{ atOnce: 5, maxToolCalls: 10, reviewRounds: 2, maxIterations: 5, maxSupervisorIterations: 6, topics: 1 },
  },
};
const reviewed = (round: number): EventBody => ({
  type: 'review/finished',
  score: 50,
  sufficient: false,
  round,
  retry: ['s1'],
  gaps: [],
  needsApproval: true,
});
/** What an engine's promise gives, or that it still waits when everything else is done. */
const soon = async <T>(said: Promise<T>) =>
  Promise.race([said, new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')))]);

test('a plan that is approved before the engine asks for it is not lost', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    run.answerPlan(0, { sections: [{ id: 's0', title: 'No card is shown yet', description: '' }] });
    emit(proposed);
    run.answerPlan(0, { sections: [{ id: 's1', title: 'A', description: 'as I mean it' }] });
    // A resumed run shows its card again.
    emit(proposed);
    heard.push(await soon(asked.approve!(plan)));
    return result;
  });
  await run.start('Q?');
  assert.deepEqual(heard, [{ sections: [{ id: 's1', title: 'A', description: 'as I mean it' }] }]);
});

test('an early word on a plan is not taken for another plan', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    emit(proposed);
    run.answerPlan(0, { sections: proposed.sections });
    emit({ ...proposed, title: 'Another' });
    const answer = asked.approve!(plan);
    heard.push(await soon(answer));
    run.answerPlan(0, { sections: [] });
    heard.push(await soon(answer));
    return result;
  });
  await run.start('Q?');
  assert.deepEqual(heard, ['waits', { sections: [] }]);
});

test('an answer to a plan that another one has replaced, or to a run that has ended, changes nothing', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    emit(proposed);
    const first = asked.approve!(plan);
    run.answerPlan(0, { remark: 'Fewer sections.' });
    heard.push(await soon(first));
    emit({ type: 'plan/sentBack', remark: 'Fewer sections.', round: 0 });
    emit({ ...proposed, round: 1 });
    const second = asked.approve!({ ...plan, round: 1 });
    run.answerPlan(0, { sections: proposed.sections });
    heard.push(await soon(second));
    run.answerPlan(1, { remark: '' });
    heard.push(await soon(second));
    return result;
  });
  await run.start('Q?');
  run.answerPlan(1, { sections: [] });
  assert.deepEqual(heard, [{ remark: 'Fewer sections.' }, 'waits', { remark: '' }]);
});

test('a review that is decided before the engine asks is decided, in every round; what is said of one round counts for no other', async () => {
  const heard: unknown[] = [];
  const { run } = session(async (asked, emit) => {
    emit(startedBody);
    emit(reviewed(1));
    const first = asked.decideReview!(toDecide);
    run.decideReview('continue');
    heard.push(await soon(first));
    // Said twice.
    run.decideReview('report');
    emit({ type: 'run/phase', phase: 'research' });
    run.decideReview('report');
    emit(reviewed(2));
    const second = asked.decideReview!(toDecide);
    heard.push(await soon(second));
    run.decideReview('continue');
    heard.push(await soon(second));
    emit({ type: 'run/phase', phase: 'research' });
    emit(reviewed(3));
    run.decideReview('report');
    heard.push(await soon(asked.decideReview!(toDecide)));
    return result;
  });
  await run.start('Q?');
  assert.deepEqual(heard, ['continue', 'waits', 'continue', 'report']);
});

test('stopping aborts the engine and everything that waits for the user, and what was found stays', async () => {
  const { run, seen, reports } = session(async (asked, emit) => {
    emit(startedBody);
    emit({ type: 'source/added', id: 'S1', kind: 'web', title: 'Found' });
    await asked.answer!(question('q1'));
    return result;
  });
  const end = run.start('Q?');
  await new Promise((resolve) => setImmediate(resolve));
  await run.stop();
  await end;
  assert.equal(run.view.status, 'cancelled');
  assert.equal(run.view.sources.length, 1);
  assert.deepEqual(reports, []);
  assert.equal(seen.at(-1), 'end cancelled');
});

test('a stop before the engine is loaded ends the run too', async () => {
  const { run } = session(async (asked) => {
    asked.signal?.throwIfAborted();
    return result;
  });
  void run.start('Q?');
  await run.stop();
  assert.deepEqual([run.running, run.view.status], [false, 'cancelled']);
});

test('a failure that the engine reports as an event is shown as reported', async () => {
  const { run, seen } = session(async (_, emit) => {
    emit(startedBody);
    emit({ type: 'run/failed', reason: 'auth', message: 'The key is wrong.', next: 'Set the key.' });
    throw new Error('The key is wrong.');
  });
  await run.start('Q?');
  assert.deepEqual(run.view.end, { reason: 'auth', message: 'The key is wrong.', next: 'Set the key.' });
  assert.deepEqual(seen, ['replaced running', 'run/started', 'run/failed', 'end failed']);
});

test('a failure without an event, even of loading the engine, is shown with what to do next', async () => {
  const broken = Object.assign(new Error('A setting can’t be used.'), { reason: 'config', next: 'Correct it.' });
  const { run } = session(async () => Promise.reject(broken));
  await run.start('Q?');
  assert.equal(run.view.status, 'failed');
  assert.deepEqual(run.view.end, { reason: 'config', message: 'A setting can’t be used.', next: 'Correct it.' });

  const unloadable = session(
    async () => result,
    () => Promise.reject(new Error('no such module')),
  );
  await unloadable.run.start('Q?');
  assert.deepEqual(
    [unloadable.run.running, unloadable.run.view.status, unloadable.run.view.end?.reason],
    [false, 'failed', 'bug'],
  );
});

test('after a run has ended another one begins with a clean picture', async () => {
  const { run } = session(async (_, emit) => {
    emit(startedBody);
    emit({ type: 'source/added', id: 'S1', kind: 'web', title: 'Found' });
    throw new Error('broken');
  });
  await run.start('One?');
  const second = run.start('Two?');
  assert.deepEqual([run.view.question, run.view.sources.length, run.view.end], ['Two?', 0, null]);
  await second;
});

test('what is chosen for a run overrules the settings for that run alone', async () => {
  const used: unknown[] = [];
  const { run } = session(async ({ settings, attached }) => {
    const { 'deepResearch.strategy': strategy, 'deepResearch.sources.enabled': sources } = settings;
    used.push([strategy, sources, settings['deepResearch.model.provider'], attached]);
    return result;
  });
  await run.start('Q?', { strategy: 'iterative', sources: ['arxiv'], attached: [{ path: '/w/plan.md' }] });
  await run.start('Q?', { withoutModel: true });
  await run.start('Q?');
  assert.deepEqual(used, [
    ['iterative', ['arxiv'], undefined, [{ path: '/w/plan.md' }]],
    [undefined, undefined, 'extractive', []],
    [undefined, undefined, undefined, []],
  ]);
  assert.deepEqual(options.settings, {}, 'the settings themselves are left alone');
});

test('a session knows what was attached to the shown run, in a resume too, and nothing of another run', async () => {
  const { run } = session(async (_, emit) => (emit(startedBody), result));
  const [plan, page] = [{ path: '/w/plan.md' }, { path: 'pasted text', url: 'https://example.com' }];
  await run.start('Q?', { attached: [plan] });
  assert.deepEqual(run.attached, [plan]);
  await run.resume(undefined, [page]);
  assert.deepEqual(run.attached, [plan, page]);
  run.show({ ...emptyView(), run: 'r2', status: 'finished' });
  assert.deepEqual(run.attached, []);
});

test('a stopped run is resumed with its view; without one there is nothing to resume', async () => {
  let asked: ResearchCallbacks | undefined;
  let life = 0;
  const { run, seen } = session(async (given, emit) => {
    asked = given;
    life += 1;
    if (life === 1) {
      emit(startedBody);
      emit({ type: 'run/cancelled', reason: 'abort', message: 'Stopped.', next: '' });
      throw new Error('Stopped.');
    }
    // The engine numbers its events on from the first life.
    for (let seq = 0; seq < 2; seq += 1) emit({ type: 'thought', text: 'known' });
    emit({ type: 'run/resumed', reason: 'resume', message: '', next: '' });
    emit({ type: 'run/finished', outcome: 'complete', tokens: { in: 0, out: 0, cached: 0 }, ms: 1 });
    return result;
  });
  assert.equal(run.resume(), false);
  await run.start('Q?');
  assert.equal(run.view.status, 'cancelled');
  const end = run.resume();
  assert.equal(run.view.status, 'running');
  assert.equal(run.resume(), false, 'one run at a time');
  await end;
  assert.deepEqual([asked?.resume, asked?.question], ['r1', undefined]);
  assert.deepEqual([run.view.status, run.view.question], ['finished', 'Q?']);
  assert.equal(seen.filter((what) => what === 'run/started').length, 1);
});

test('events of a run come with the folder that it was started with, whatever the user opens meanwhile', async () => {
  let current = '/one';
  const { run, folders } = session(
    async ({ workspaceFolder }, emit) => {
      current = '/two';
      emit(startedBody);
      emit({ type: 'thought', text: workspaceFolder ?? '' });
      return result;
    },
    undefined,
    () => ({ ...options, workspaceFolder: current }),
  );
  await run.start('Q?');
  assert.deepEqual(folders, ['/one', '/one']);
});

test('what is asked about a report is researched where its run was, or where its file is', async () => {
  const runsFolder = temporaryFolder('runs');
  try {
    const parent = saveRun(runsFolder, 1, { workspace: '/of/the/parent' });
    const places: unknown[] = [];
    const open = (place?: string) => ({ ...options, runsFolder, workspaceFolder: place ?? '/in/front' });
    const research = async (asked: EngineOptions) => (places.push(asked.workspaceFolder), result);
    const { run } = session(research, undefined, open);
    await run.start('And then?', { followUp: { run: parent } });
    await run.start('And then?', { followUp: { run: '', file: '/of/the/file/report.md' } });
    await run.start('Something else?');
    assert.deepEqual(places, ['/of/the/parent', '/of/the/file/report.md', '/in/front']);
  } finally {
    removeFolder(runsFolder);
  }
});

test('a run is resumed in its own folder, without one when it started so, and in none where none may be read', async () => {
  const used: (string | undefined)[] = [];
  let readable: { readonly workspaceFolder?: string } = { workspaceFolder: '/open' };
  const { run, folders } = session(
    async (asked, emit) => {
      used.push('workspaceFolder' in asked ? asked.workspaceFolder : 'none');
      emit(startedBody);
      throw new Error('cut off');
    },
    undefined,
    () => ({ ...options, ...readable }),
  );
  await run.start('Q?');
  await run.resume('/its/own');
  await run.resume();
  readable = {};
  await run.resume('/its/own');
  assert.deepEqual(used, ['/open', '/its/own', 'none', 'none']);
  assert.equal(folders[0], '/open');
});

test('answer now reaches the engine, and the run is not finished by it', async () => {
  const { run } = session(async ({ answerSignal, finishSignal }, emit) => {
    emit(startedBody);
    await new Promise((resolve) => answerSignal?.addEventListener('abort', resolve, { once: true }));
    assert.equal(finishSignal?.aborted, false);
    emit({ type: 'run/finished', outcome: 'complete', tokens: { in: 0, out: 0, cached: 0 }, ms: 1 });
    return result;
  });
  const end = run.start('Q?');
  await new Promise((resolve) => setImmediate(resolve));
  run.answerNow();
  await end;
  assert.equal(run.view.status, 'finished');
});

test('finish now reaches the engine, and the run is not stopped by it', async () => {
  const { run } = session(async ({ finishSignal, signal }, emit) => {
    emit(startedBody);
    await new Promise((resolve) => finishSignal?.addEventListener('abort', resolve, { once: true }));
    assert.equal(signal?.aborted, false);
    emit({ type: 'run/finished', outcome: 'partial', tokens: { in: 0, out: 0, cached: 0 }, ms: 1 });
    return result;
  });
  const end = run.start('Q?');
  await new Promise((resolve) => setImmediate(resolve));
  run.finish();
  await end;
  assert.equal(run.view.status, 'finished');
});

test('the clock of a resumed run continues where it stopped', async () => {
  const views: RunView[] = [];
  const follow = (view: RunView) => void views.push(view);
  const now = new Date('2026-03-04T12:00:00.000Z');
  const run = new RunSession({
    loadEngine: async () => ({ research: async () => result }),
    options: () => options,
    log: quiet,
    now: () => now,
    ...{ onReplaced: follow, onEvent: () => undefined, onReport: () => undefined, onEnd: () => undefined },
  });
  const ended: RunView = {
    ...emptyView(),
    run: 'r1',
    status: 'failed',
    startedAt: '2026-03-04T10:00:00.000Z',
    updatedAt: '2026-03-04T10:01:05.000Z',
    waitedMs: 5_000,
    end: { reason: 'network', message: '', next: '' },
  };
  run.show(ended);
  await run.resume();
  const resumed = views.at(-1)!;
  assert.equal(resumed.status, 'running');
  assert.equal(resumed.updatedAt, now.toISOString());
  assert.equal(now.getTime() - Date.parse(resumed.startedAt) - resumed.waitedMs, 60_000);
});
