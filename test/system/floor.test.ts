import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { badModels } from '../support/badModels.ts';
import { lyingModels } from '../support/lyingModels.ts';
import { floorRun, places, strategies, verified, warningsOf, type FloorStrategy } from '../support/floorRuns.ts';
import { removeFolder } from '../support/paths.ts';

/** Two silent tries of every kind of call, and the retries between them; a busy machine takes longer. */
const longestMs = 60_000;

describe('a run with a model', { concurrency: 3 }, () => {
  for (const place of places) {
    let folder: string;
    const floors = new Map<FloorStrategy, number>();
    before(async () => {
      folder = place.make();
      for (const strategy of strategies)
        floors.set(strategy, verified(await floorRun(place, folder, strategy, 'none')));
    });
    after(() => removeFolder(folder));

    for (const model of ['good', ...badModels] as const) {
      // What waits for a silence to end is run on one folder.
      if (typeof model !== 'string' && model.settings && place !== places[0]) continue;
      const name = typeof model === 'string' ? model : model.name;
      it(`states at least as much as one without, ${place.name}: ${name}`, { timeout: 5 * longestMs }, async () => {
        for (const strategy of strategies) {
          const run = await floorRun(place, folder, strategy, model);
          assert.equal(run.exit, 0, `${strategy}: ${String(run.error)}`);
          const floor = floors.get(strategy)!;
          assert.ok(floor > 0);
          assert.ok(verified(run) >= floor, `${strategy}: ${verified(run)} of ${floor}\n${run.report}`);
          assert.ok(run.ms < longestMs, `${strategy}: ${Math.round(run.ms)} ms`);
          const warnings = warningsOf(run);
          assert.equal(new Set(warnings).size, warnings.length, 'each step is warned of once');
        }
      });
    }
  }
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
  let floor = 0;
  before(async () => {
    folder = place.make();
    floor = verified(await floorRun(place, folder, 'sections', 'none'));
  });
  after(() => removeFolder(folder));

  for (const model of lyingModels) {
    it(`states what its sources say, and nothing else: ${model.name}`, { timeout: longestMs }, async () => {
      const run = await floorRun(place, folder, 'sections', model);
      assert.equal(run.exit, 0, String(run.error));
      assert.ok(verified(run) >= floor, `${verified(run)} of ${floor}\n${run.report}`);
      assert.ok(run.lies.length <= (stillPassed[model.name] ?? 0), run.lies.join('\n'));
    });
  }
});
