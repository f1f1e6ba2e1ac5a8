import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { research } from '../../src/engine.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { trialAnswers } from '../support/modelAnswers.ts';
import { refusals } from '../support/modelScenarios.ts';
import { startModelServer, type Script } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('a model is tried before it leads', () => {
  const workspaceFolder = copyWorkspace('examples');
  const folders = [workspaceFolder];
  after(() => folders.forEach(removeFolder));

  function newFolder(): string {
    const folder = temporaryFolder('trial');
    folders.push(folder);
    return folder;
  }

  /** The steps that were asked for, the report, and the events of a run. */
  async function run(
    script: Script | 'none',
    settings: Record<string, unknown> = {},
    runsFolder = newFolder(),
    { onEvent, ...more }: Pick<Parameters<typeof research>[0], 'onEvent' | 'plan'> = {},
  ) {
    const server = await startModelServer({ isTried: true, ...(script !== 'none' && { script }) });
    const events: ResearchEvent[] = [];
    try {
      const { report } = await research({
        question,
        settings: {
          ...{ strategy: 'sections', depth: 'quick', 'sources.enabled': ['workspace'], planApproval: 'never' },
          ...(script === 'none'
            ? { 'model.provider': 'extractive' }
            : { 'model.baseUrl': server.url, 'model.name': 'imitation-1' }),
          ...settings,
        },
        ...{ workspaceFolder, runsFolder, log: silentLog, version: 'test' },
        secrets: { key: async () => undefined },
        saveTo: { save: () => Promise.resolve(undefined) },
        onEvent: (event) => {
          events.push(event);
          onEvent?.(event);
        },
        ...more,
      });
      return { steps: server.requests.map(({ step }) => step), report, events, url: server.url };
    } finally {
      await server.close();
    }
  }

  const warned = (events: readonly ResearchEvent[]): string[] =>
    ofType(events, 'run/warning').map(({ message }) => message);
  /** Answers so many of the ten tasks wrong. */
  const wrongIn =
    (wrong: number): Script =>
    ({ step, prompt }) => {
      if (step !== 'trial') return undefined;
      const right = Object.entries(trialAnswers(prompt));
      // Six are in one of the calls, and four in the other.
      const here = right.length === 6 ? wrong : 0;
      return { json: Object.fromEntries(right.map(([field, answer], at) => [field, at < here ? '?' : answer])) };
    };
  const withoutAccount = (report: string): string =>
    report.replace(/^---[\s\S]*?\n---\n/, '').split(/^## How this report was made/m)[0]!;

  it('leads when it answers right; the outcome holds for the next run', async () => {
    const runsFolder = newFolder();
    const server = await startModelServer({ isTried: true });
    const asked = async (): Promise<string[]> => {
      const before = server.requests.length;
      await research({
        question,
        settings: {
          ...{ strategy: 'sections', depth: 'quick', 'sources.enabled': ['workspace'], planApproval: 'never' },
          ...{ 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
        },
        ...{ workspaceFolder, runsFolder, log: silentLog, version: 'test' },
        secrets: { key: async () => undefined },
        saveTo: { save: () => Promise.resolve(undefined) },
      });
      return server.requests.slice(before).map(({ step }) => step);
    };
    const first = await asked();
    assert.deepEqual(first.slice(0, 2), ['trial', 'trial']);
    assert.ok(first.includes('plan') && first.includes('section'));
    const saved = JSON.parse(fs.readFileSync(path.join(runsFolder, '.trials.json'), 'utf8')) as object;
    assert.deepEqual(
      Object.values(saved).map(({ at, ...outcome }: { at: string }) => outcome),
      [{ trust: 'leads', right: 10, of: 10 }],
    );
    assert.ok(!(await asked()).includes('trial'));
    await server.close();
  });

  it('keeps no search waiting while it is tried, and none is made twice', async () => {
    const found = Promise.withResolvers<void>();
    const waits: Script = ({ step }) => (step === 'trial' ? { until: found.promise } : undefined);
    const onEvent = ({ type }: ResearchEvent): void => void (type === 'tool/finished' && found.resolve());
    const { steps, events } = await run(waits, {}, newFolder(), { onEvent });
    assert.deepEqual(warned(events), []);
    assert.ok(steps.includes('plan'));
    const asked = ofType(events, 'tool/started').map(({ name, args }) => `${name} ${args}`);
    assert.ok(asked.some((one) => one.includes(question)));
    assert.deepEqual(asked, [...new Set(asked)]);
  });

  it('whose answers are wrong writes nothing: the report is the one without a model, and one line says why', async () => {
    const without = await run('none');
    const tried = await run(wrongIn(6));
    assert.deepEqual(tried.steps, ['trial', 'trial']);
    assert.equal(withoutAccount(tried.report), withoutAccount(without.report));
    assert.match(tried.report, /Made on .* without a language model/);
    assert.equal(ofType(tried.events, 'report/finished')[0]!.writtenBy, 'quotes');
    const [line, ...others] = warned(tried.events);
    assert.match(line!, /imitation-1 is too small to judge sources \(\d of 10.*Select another model, or use it anyway/);
    assert.deepEqual(others, []);
    assert.equal(ofType(tried.events, 'usage').length, 2);
  });

  it('that is right in most writes and reads what is written, and decides nothing', async () => {
    const { steps, events, report } = await run(wrongIn(3));
    assert.ok(steps.some((step) => step === 'section' || step === 'report'));
    assert.deepEqual(
      steps.filter((step) => !['trial', 'section', 'report', 'verify'].includes(step)),
      [],
    );
    assert.ok(steps.includes('verify'));
    assert.match(report, /A second reader compared each/);
    assert.match(warned(events)[0]!, /too small to plan and to judge sources \(7 of 10/);
    assert.match(report, /\[1\]/);
  });

  it('that is right in most and writes what can’t be used: the report is the one without a model, and says so', async () => {
    const chats: Script = (request) =>
      request.step === 'section' || request.step === 'report'
        ? { text: 'Sure! I hope this helps.' }
        : wrongIn(3)(request);
    const { report, events, steps } = await run(chats);
    const without = await run('none');
    assert.equal(withoutAccount(report), withoutAccount(without.report));
    assert.match(report, /^model: "extractive"$/m);
    assert.equal(ofType(events, 'report/finished')[0]!.writtenBy, 'quotes');
    assert.doesNotMatch(report, /second reader|Written on/);
    const plan = {
      title: 'Our notes',
      sections: [{ id: 's1', title: 'Reranking', description: 'How reranking works' }],
    };
    const planned = await run(chats, {}, newFolder(), { plan });
    assert.match(planned.report, /^# Our notes\n[^]*^## Reranking$[^]*\[1\]/m, 'the plan of the user stays');
    assert.ok(!steps.includes('verify'));
  });

  it('of a role is tried too, and the main one is in its place where it is too weak', async () => {
    const runsFolder = newFolder();
    const asked: string[] = [];
    const weak =
      (wrong: number): Script =>
      (request) => {
        asked.push(`${request.step} ${request.model}`);
        return request.model === 'imitation-1' ? undefined : wrongIn(wrong)(request);
      };
    const roles = { 'model.compression': 'small', 'model.report': 'small' };
    const { events, report } = await run(weak(3), roles, runsFolder);
    // It writes and is checked, and doesn't judge what is read.
    assert.ok(asked.some((one) => /^(?:section|report) small$/.test(one)));
    assert.ok(asked.includes('distil imitation-1') && !asked.includes('distil small'));
    assert.equal(asked.filter((one) => one === 'trial small').length, 2, 'once for both of its roles');
    assert.deepEqual(
      ofType(events, 'run/warning').map(({ code }) => code),
      ['model.replaced'],
    );
    assert.match(warned(events)[0]!, /^small \(deepResearch\.model\.compression\) did badly.*imitation-1 is used/);
    assert.match(report, /\[1\]/);
    asked.length = 0;
    const worse = await run(weak(6), { 'model.report': 'smaller' }, runsFolder);
    assert.ok(asked.every((one) => one === 'trial smaller' || one.endsWith('imitation-1')));
    assert.equal(warned(worse.events).length, 1);
    asked.length = 0;
    await run(weak(6), { 'model.report': 'smaller', 'model.trust': 'always' }, runsFolder);
    assert.ok(asked.some((one) => /^(?:section|report) smaller$/.test(one)));
  });

  it('is not tried when it is always trusted', async () => {
    const { steps } = await run(wrongIn(6), { 'model.trust': 'always' });
    assert.ok(!steps.includes('trial') && steps.includes('plan'));
  });

  it('whose answers can’t be read writes nothing either', async () => {
    const unread: Script = ({ step }) => (step === 'trial' ? { text: 'Certainly!' } : undefined);
    const { steps, report, events } = await run(unread);
    assert.deepEqual(steps, ['trial', 'trial']);
    assert.match(report, /without a language model/);
    assert.match(warned(events)[0]!, /0 of 10.*deepResearch\.model\.trust: always.*--settings/);
  });

  it('that thinks for longer than its answer may be only writes, and is tried again in the next run', async () => {
    const runsFolder = newFolder();
    const thinks: Script = ({ step }) => (step === 'trial' ? { text: '', finish: 'length' } : undefined);
    for (let round = 0; round < 2; round += 1) {
      const { steps, events } = await run(thinks, {}, runsFolder);
      assert.ok(steps.includes('trial') && !steps.includes('plan'));
      assert.ok(
        steps.some((step) => step === 'section' || step === 'report'),
        steps.join(),
      );
      assert.match(warned(events)[0]!, /did not complete its trial.*it writes from quotes/);
    }
    assert.ok(!fs.existsSync(path.join(runsFolder, '.trials.json')));
  });

  it('reads sentences of the folder only where a model may see them', async () => {
    const ofFolder = fs
      .readdirSync(workspaceFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => fs.readFileSync(path.join(workspaceFolder, name), 'utf8').replace(/\s+/g, ' '))
      .join(' ');
    for (const [forModel, isShown] of [
      ['content', true],
      ['metadata', false],
      ['off', false],
    ] as const) {
      const shown: string[] = [];
      const seen: Script = ({ step, prompt }) => {
        if (step === 'trial') shown.push(...[...prompt.matchAll(/^\d+\. (.+)$/gm)].map(([, one = '']) => one));
        return undefined;
      };
      const sources = { 'sources.enabled': ['workspace', 'arxiv'], 'endpoints.arxiv': 'http://127.0.0.1:9' };
      await run(seen, { ...sources, 'workspace.forModel': forModel }).catch(() => undefined);
      assert.equal(shown.length, 8, forModel);
      assert.equal(
        shown.some((one) => ofFolder.includes(one)),
        isShown,
        forModel,
      );
    }
  });

  it('is tried again in a resumed run that has another model', async () => {
    const runsFolder = newFolder();
    const [weak, good] = await Promise.all([
      startModelServer({ isTried: true, script: wrongIn(6) }),
      startModelServer({ isTried: true }),
    ]);
    const stop = new AbortController();
    let id = '';
    const base = (url: string, model: string) => ({
      settings: {
        ...{ strategy: 'sections', depth: 'quick', 'sources.enabled': ['workspace'], planApproval: 'always' },
        ...{ 'model.baseUrl': url, 'model.name': model },
      },
      ...{ workspaceFolder, runsFolder, log: silentLog, version: 'test' },
      secrets: { key: async () => undefined },
      saveTo: { save: () => Promise.resolve(undefined) },
    });
    await assert.rejects(
      research({
        ...base(weak.url, 'weak'),
        ...{ question, signal: stop.signal, onEvent: (event) => (id = event.run) },
        approve: () => (stop.abort(), new Promise(() => undefined)),
      }),
    );
    const { report } = await research({
      ...base(good.url, 'good'),
      resume: id,
      approve: (plan) => Promise.resolve(plan),
    });
    assert.deepEqual(
      good.requests.slice(0, 2).map(({ step }) => step),
      ['trial', 'trial'],
    );
    assert.ok(good.requests.some(({ step }) => step === 'section' || step === 'report'));
    assert.match(report, /Written on .* by good/);
    await Promise.all([weak.close(), good.close()]);
  });

  it('that was right and then gives nothing at its first step goes on, in this run and in the next', async () => {
    const runsFolder = newFolder();
    const server = await startModelServer({
      isTried: true,
      script: ({ step }) => (step === 'assess' ? refusals.emptyChoices : undefined),
    });
    const asked = () =>
      run(
        'none',
        { 'model.provider': 'openai-compatible', 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
        runsFolder,
      );
    for (const steps of [
      ['trial', 'trial', 'assess'],
      ['assess', 'analyze'],
    ]) {
      const before = server.requests.length;
      const { report, events } = await asked();
      const made = server.requests.slice(before).map(({ step }) => step);
      assert.deepEqual(made.slice(0, steps.length), steps);
      assert.match(report, /\[1\]/);
      assert.deepEqual(
        ofType(events, 'run/warning').map(({ code }) => code),
        ['step.assess.byRules'],
      );
    }
    await server.close();
  });

  it('whose reasoning goes round in circles is asked for less, and does without it where that is no help', async () => {
    const thought = 'Wait, I should think about it again, and so on and on. ';
    const loops: Script = ({ step }) =>
      step === 'assess' ? { text: '', reasoning: thought.repeat(200), tokenDelayMs: 1 } : undefined;
    const { steps, events, report } = await run(loops);
    assert.equal(steps.filter((step) => step === 'assess').length, 2);
    assert.ok(steps.includes('plan'));
    assert.match(report, /\[1\]/);
    assert.deepEqual(
      ofType(events, 'run/warning').map(({ code }) => code),
      ['step.assess.byRules'],
    );
  });

  it('that can’t be asked fails as before', async () => {
    const refuses: Script = () => ({
      status: 401,
      body: { error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } },
    });
    await assert.rejects(run(refuses), { reason: 'auth' });
  });
});
