import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../src/research/errors.ts';
import type { RunParts } from '../../src/research/runner/createRun.ts';
import { breakableConnection, type BreakableConnection } from '../support/breakableConnection.ts';
import { faultyRun } from '../support/faultRun.ts';
import { questions, scenarioOf } from '../support/modelFaults.ts';
import type { Step } from '../support/modelRequest.ts';
import { isOfStep } from '../support/modelScenarios.ts';
import { startModelServer } from '../support/modelServer.ts';
import { ofType } from '../support/scriptedParts.ts';
import { startSourceServer } from '../support/sourceServer.ts';

/** A small model's server with one slot and a short window, which is killed while it answers and never comes back. */
describe('a model server that is killed', () => {
  async function killedAt(step: Step, parts: Partial<RunParts>) {
    const sources = await startSourceServer();
    let way: BreakableConnection | undefined = undefined;
    const usual = scenarioOf('act');
    const model = await startModelServer({
      pieceLength: 12,
      imitation: { searches: 1, thinks: false },
      script: (request) =>
        isOfStep(request, step)
          ? { stopAfter: { pieces: 3, how: 'stall' }, tokenDelayMs: 333, until: way!.cut() }
          : usual(request),
    });
    way = await breakableConnection(model.origin);
    const run = await faultyRun({
      question: questions.sections,
      sources,
      settings: {
        ...{ 'model.provider': 'openai-compatible', 'model.baseUrl': `${way.origin}/v1`, 'model.name': 'imitation-1' },
        ...{ 'limits.maxContextTokens': 2_048, 'limits.maxConcurrentResearchers': 1, strategy: 'sections' },
      },
      parts: () => parts,
    });
    await Promise.all([run.end(), way.close(), model.close(), sources.close()]);
    const waits = ofType(run.events, 'run/resumed').map(({ reason }) => reason);
    return { ...run, waits, warned: ofType(run.events, 'run/warning').map(({ code }) => code) };
  }

  for (const step of ['plan', 'act', 'distil', 'review', 'report'] as const)
    it(`during ${step}: the report is finished from what was found, and says so`, async () => {
      const { result, error, warned, waits } = await killedAt(step, { isUnattended: true });
      assert.equal(error, undefined);
      assert.equal(result?.outcome, 'partial');
      assert.match(result.report, /\n## References\n/);
      assert.match(result.report, /can't be reached: .* The rest was done without this model\./);
      assert.deepEqual(
        warned.filter((code) => code.startsWith('model.')),
        ['model.refused'],
      );
      assert.deepEqual(waits, ['withoutModel']);
    });

  it('during the first step: a run whose model was found continues without it', async () => {
    const { result, error, warned, waits } = await killedAt('assess', { isModelFound: true });
    assert.equal(error, undefined);
    assert.match(result!.report, /\n## References\n/);
    assert.deepEqual([warned, waits], [['model.refused'], []]);
  });

  it('during the first step: a run whose model was chosen ends, with the offer to do without', async () => {
    const { error } = await killedAt('assess', { isUnattended: true });
    assert.ok(ResearchError.is(error, 'network'));
    assert.match(error.next, /--provider extractive/);
  });
});
