import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { floorRun, places } from '../support/floorRuns.ts';
import { repeatsItself } from '../support/modelScenarios.ts';
import { removeFolder } from '../support/paths.ts';
import { plainMarks } from '../support/plainMarks.ts';

describe('the report of a model whose sections all say the same', () => {
  const place = places[0]!;
  let folder: string;
  before(() => {
    folder = place.make();
  });
  after(() => removeFolder(folder));

  for (const strategy of ['sections', 'iterative', 'supervisor'] as const)
    it(`states each finding once: ${strategy}`, async () => {
      const model = { name: 'repeats itself', script: repeatsItself };
      const { report, error } = await floorRun(place, folder, strategy, model);
      assert.equal(error, undefined);
      const sections = plainMarks(report)
        .split(/^(?=## )/m)
        .slice(1);
      const written = sections
        .filter((part) => !/^## (?:Analysis|Conclusion|References|How this)/.test(part))
        .join('\n');
      const stated = [...written.matchAll(/[^.\n]{20,}\[\d+\]\./g)].map(([sentence]) =>
        sentence.trim().replace(/^The notes add: /, ''),
      );
      assert.ok(stated.length >= 8, report);
      assert.deepEqual(
        stated.filter((sentence, index) => stated.indexOf(sentence) < index),
        [],
      );
    });
});
