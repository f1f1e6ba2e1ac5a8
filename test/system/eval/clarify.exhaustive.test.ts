import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSigns } from '../../../src/research/policy/signs.ts';
import { readCases } from '../../eval/clarify/cases.ts';
import { runCase } from '../../eval/clarify/runCase.ts';
import { readSet } from '../../eval/keyless/questions.ts';

const evals = join(import.meta.dirname, '..', '..', 'eval');

describe('labelled questions, without a model', () => {
  for (const set of ['dev', 'heldOut']) {
    it(`gives at least 90 % of ${set} the right outcome, and asks about no complete one`, async () => {
      const cases = readCases(join(evals, 'clarify', set));
      const results = [];
      for (const one of cases) results.push(await runCase(one));
      const wrong = results.filter(({ isRight }) => !isRight);
      assert.deepEqual(
        results.filter(({ isNeedless }) => isNeedless).map(({ id }) => id),
        [],
      );
      const names = wrong.map(({ id, path }) => `${id} ${path.join(', ')}`).join('; ');
      assert.ok(wrong.length <= cases.length * 0.1, `${wrong.length} of ${cases.length}: ${names}`);
    });
  }

  it('asks about none of the questions that folders are asked', () => {
    for (const set of ['dev', 'heldOut', 'kinds/dev', 'kinds/heldOut'])
      for (const { name, questions, files } of readSet(join(evals, 'keyless', set)))
        for (const { id, question } of questions) {
          const known = { repos: [], languages: [], packages: [], arxivIds: [], githubLinks: [] };
          const workspace = { name, fileCount: files.size, ...known };
          assert.equal(readSigns(question, undefined, { workspace }).subject, 'named', `${name} ${id}: ${question}`);
        }
  });
});
