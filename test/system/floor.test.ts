import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { research } from '../../src/engine.ts';
import { badModels } from '../support/badModels.ts';
import { lyingModels } from '../support/lyingModels.ts';
import { floorOf, floorRun, places, strategies, verified, warningsOf, worseThan } from '../support/floorRuns.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';
import { silentLog } from '../support/scriptedParts.ts';

describe('a run with a model', { concurrency: 3 }, () => {
  const folders = new Map<string, string>();
  before(() => {
    for (const place of places) folders.set(place.name, place.make());
  });
  after(() => folders.forEach(removeFolder));

  const runs = places.flatMap((place) =>
    (['good', ...badModels] as const).flatMap((model) => {
      // What waits for a silence to end is run on one folder.
      if (typeof model !== 'string' && model.settings && place !== places[0]) return [];
      const answerable = strategies.map((strategy) => ({
        place,
        model,
        strategy,
        question: place.questions[strategy],
      }));
      return [...answerable, { place, model, strategy: 'sections', question: place.unanswerable } as const];
    }),
  );
  const nameOf = ({ model }: (typeof runs)[number]): string => (typeof model === 'string' ? model : model.name);
  // Each question with some model, and the good one; each model, with each question, when exhaustive.
  const kindsOf = (run: (typeof runs)[number]) => [
    run.model === 'good' ? 'good' : 'bad',
    `${run.place.name}, ${run.strategy}, ${run.question}`,
  ];
  for (const one of sampled(runs, kindsOf)) {
    const { place, model, strategy, question } = one;
    it(`is never worse than one without, ${place.name}, ${strategy}, ${question}: ${nameOf(one)}`, async () => {
      const folder = folders.get(place.name)!;
      const run = await floorRun(place, folder, strategy, model, question);
      const floor = await floorOf(place, folder, strategy, question);
      if (question === place.unanswerable) assert.equal(floor.outcome, 'notFound');
      else assert.ok(verified(floor) > 0);
      assert.deepEqual(worseThan(floor, run), [], run.report);
      const warnings = warningsOf(run);
      assert.equal(new Set(warnings).size, warnings.length, 'each step is warned of once');
    });
  }
});

describe('a report of which nothing is the model’s', () => {
  const [place] = places;
  const [workspaceFolder, runsFolder] = [place!.make(), temporaryFolder('floor-runs')];
  after(() => [workspaceFolder, runsFolder].forEach(removeFolder));

  it('says that nothing answers also when its run is resumed at the report', async () => {
    const script = badModels.find(({ name }) => name === 'quotes invented')!.script();
    const server = await startModelServer({ pieceLength: 120, script });
    const leave = new AbortController();
    let run = '';
    const options = {
      settings: {
        ...{ strategy: 'sections', 'sources.enabled': ['workspace'], planApproval: 'never', clarification: 'off' },
        ...{ 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
      },
      ...{ workspaceFolder, runsFolder, log: silentLog, version: 'test' },
      secrets: { key: async () => undefined },
      saveTo: { save: () => Promise.resolve(undefined) },
    };
    const interrupted = research({
      ...options,
      question: place!.unanswerable,
      signal: leave.signal,
      onEvent: (event) => {
        run = event.run;
        if (event.type === 'report/finished') leave.abort({ name: 'AbortError', closing: true });
      },
    });
    await assert.rejects(interrupted);
    const sent = server.requests.length;
    const { outcome, report } = await research({ ...options, resume: run });
    assert.equal(outcome, 'notFound');
    assert.match(report, /^# Who won the chess championship of Reykjavik\?$/m);
    assert.equal(server.requests.length, sent);
    await server.close();
  });
});

/** Untrue sentences that still pass: what they turn round is in no word list, or too short to be compared. */
const stillPassed: Readonly<Record<string, number>> = {
  'says the opposite': 3,
  'units changed': 1,
  'broken tables': 1,
};

describe('a run with a model that lies', { concurrency: 3 }, () => {
  const place = places[1]!;
  let folder: string;
  before(() => {
    folder = place.make();
  });
  after(() => removeFolder(folder));

  for (const model of lyingModels) {
    it(`states what its sources say, and nothing else: ${model.name}`, async () => {
      const run = await floorRun(place, folder, 'sections', model);
      assert.equal(run.exit, 0, String(run.error));
      const floor = verified(await floorOf(place, folder, 'sections'));
      assert.ok(verified(run) >= floor, `${verified(run)} of ${floor}\n${run.report}`);
      assert.ok(run.lies.length <= (stillPassed[model.name] ?? 0), run.lies.join('\n'));
    });
  }
});
