import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { badDays } from '../support/badDays.ts';
import { floorRun, floorOf, places, verified, warningsOf } from '../support/floorRuns.ts';
import { removeFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';

const strategies = ['sections', 'iterative', 'supervisor'] as const;

/** Something of the model's work was done in another way. */
const replaced = /byRules|quotesOnly|refused|failed/;

describe('an answer in a form that nobody asked for', { concurrency: 3 }, () => {
  const place = places[1]!;
  let folder: string;
  before(() => {
    folder = place.make();
  });
  after(() => removeFolder(folder));

  const runs = badDays.flatMap((model) => strategies.map((strategy) => ({ model, strategy })));
  for (const { model, strategy } of sampled(runs, (one) => [one.model.name, one.strategy]))
    it(`is read as it was meant: ${model.name}, ${strategy}`, async () => {
      const run = await floorRun(place, folder, strategy, model);
      assert.equal(run.exit, 0, `${strategy}: ${String(run.error)}`);
      const floor = verified(await floorOf(place, folder, strategy));
      assert.ok(verified(run) >= floor, `${strategy}: ${verified(run)} of ${floor}\n${run.report}`);
      assert.deepEqual(
        warningsOf(run).filter((warning) => replaced.test(warning)),
        [],
        strategy,
      );
    });
});
