import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { badDays } from '../support/badDays.ts';
import { floorRun, places, verified, warningsOf, type FloorStrategy } from '../support/floorRuns.ts';
import { removeFolder } from '../support/paths.ts';

const strategies = ['sections', 'iterative', 'supervisor'] as const;

/** Something of the model's work was done in another way. */
const replaced = /byRules|quotesOnly|givenUp|failed/;

describe('an answer in a form that nobody asked for', { concurrency: 3 }, () => {
  const place = places[1]!;
  let folder: string;
  const floors = new Map<FloorStrategy, number>();
  before(async () => {
    folder = place.make();
    for (const strategy of strategies) floors.set(strategy, verified(await floorRun(place, folder, strategy, 'none')));
  });
  after(() => removeFolder(folder));

  for (const model of badDays)
    it(`is read as it was meant: ${model.name}`, { timeout: 120_000 }, async () => {
      for (const strategy of strategies) {
        const run = await floorRun(place, folder, strategy, model);
        assert.equal(run.exit, 0, `${strategy}: ${String(run.error)}`);
        const floor = floors.get(strategy)!;
        assert.ok(verified(run) >= floor, `${strategy}: ${verified(run)} of ${floor}\n${run.report}`);
        assert.deepEqual(
          warningsOf(run).filter((warning) => replaced.test(warning)),
          [],
          strategy,
        );
      }
    });
});
