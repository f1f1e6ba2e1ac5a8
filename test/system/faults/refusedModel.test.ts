import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultyRun } from '../../support/faultRun.ts';
import { questions, scenarioOf } from '../../support/modelFaults.ts';
import { startSourceServer } from '../../support/sourceServer.ts';

const refusals = {
  'a key that is no longer valid': { status: 401, code: 'invalid_api_key' },
  'a quota that is used up': { status: 429, code: 'insufficient_quota' },
};

describe('a model that stops answering in the middle of a run', () => {
  for (const [what, { status, code }] of Object.entries(refusals))
    for (const strategy of ['sections', 'iterative', 'supervisor'] as const)
      it(`is reported once, and the report is written from what was found (${strategy}, ${what})`, async () => {
        const sources = await startSourceServer();
        let answered = 0;
        const run = await faultyRun({
          ...{ question: questions[strategy], sources, settings: { strategy } },
          script: scenarioOf('act'),
          fault: () =>
            (answered += 1) > 6 ? { status, body: { error: { message: 'No.', type: 'error', code } } } : undefined,
        });
        try {
          assert.equal(run.result?.outcome, 'partial');
          assert.match(run.result?.report ?? '', /\n## References\n/);
          const warnings = run.events.flatMap((event) => (event.type === 'run/warning' ? [event] : []));
          assert.deepEqual(
            warnings.map(({ code: warned }) => warned),
            ['model.refused'],
          );
          assert.ok(run.requests.length <= 6 + 5, 'no more calls than were in progress');
        } finally {
          await run.end();
          await sources.close();
        }
      });
});
