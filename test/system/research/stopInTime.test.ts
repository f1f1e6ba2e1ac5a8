import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import { stopCases } from '../../support/stopCases.ts';

/** Ends a run that hangs, as each of these once did for minutes; `npm run bench -- stopInTime` has how long each takes. */
const timeout = 120_000;

for (const { name, run } of stopCases)
  test(`Stop is heard while ${name}`, { timeout }, async () => {
    let isStopped = false;
    await assert.rejects(
      run(() => (isStopped = true)),
      (error) => ResearchError.is(error, 'abort'),
    );
    assert.ok(isStopped);
  });
