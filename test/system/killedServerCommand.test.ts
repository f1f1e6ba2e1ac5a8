import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { breakableConnection, type BreakableConnection } from '../support/breakableConnection.ts';
import { runCommand } from '../support/commandLine.ts';
import type { Step } from '../support/modelRequest.ts';
import { isOfStep } from '../support/modelScenarios.ts';
import { type ModelOverride, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';

/** What only the log may say: fields of our schemas, and what a validator says of them. */
const schemaWords =
  /none of the fields|JSON object|\bschema\b|\bZod|expected (?:string|array|object|number)|invalid_type|\b[a-z]+_[a-z]+(?:_[a-z]+)*\b(?=:| is| are|,)/;

/** The built command with a small model's server: one slot, a window of 2,048 tokens, three tokens a second while it is in trouble. */
describe('a command whose model server is killed', () => {
  const preload = pathToFileURL(path.join(root, 'test', 'support', 'quickWaits.mjs')).href;
  let runs: string;
  let workspace: string;
  before(() => {
    runs = temporaryFolder('runs');
    workspace = copyWorkspace('examples');
  });
  after(() => [runs, workspace].forEach(removeFolder));

  async function troubledAt(step: Step, trouble: (way: BreakableConnection) => ModelOverride) {
    let way: BreakableConnection | undefined = undefined;
    const model = await startModelServer({
      pieceLength: 12,
      imitation: { searches: 1, thinks: false },
      isTried: true,
      script: (request) => (isOfStep(request, step) ? trouble(way!) : undefined),
    });
    way = await breakableConnection(model.origin);
    const folder = temporaryFolder('run');
    const settings = path.join(folder, 'settings.json');
    // Researchers of a deep run ask the model where to search next, whatever the plan's queries have found.
    const depth = step === 'act' ? 'deep' : 'standard';
    const small = { 'limits.maxContextTokens': 2_048, 'limits.maxConcurrentResearchers': 1, depth };
    fs.writeFileSync(settings, JSON.stringify({ ...small, planApproval: 'never', 'sources.enabled': ['workspace'] }));
    try {
      return await runCommand(
        [
          ...['How do retrieval-augmented generation systems work?', '--strategy', 'sections', '--yes'],
          ...['--base-url', `${way.origin}/v1`, '--provider', 'openai-compatible', '--model', 'imitation-1'],
          ...['--workspace', workspace, '--run-dir', folder, '--settings', settings],
        ],
        { env: { NODE_OPTIONS: `--import ${preload}` } },
      );
    } finally {
      await Promise.all([way.close(), model.close()]);
      removeFolder(folder);
    }
  }

  const killed = (way: BreakableConnection): ModelOverride => ({
    ...{ stopAfter: { pieces: 3, how: 'stall' }, tokenDelayMs: 333 },
    until: way.cut(),
  });

  for (const step of sampled(['plan', 'act', 'distil', 'review', 'report'] as const))
    it(`during ${step} exits with 0, prints the report, and says what it did without`, async () => {
      const { code, stdout, stderr } = await troubledAt(step, killed);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\n## References\n/);
      assert.match(stderr, /can't be reached: .* The rest was done without this model\./);
      assert.doesNotMatch(stdout + stderr, schemaWords);
    });

  it('during the first step exits with 1, and offers to do without', async () => {
    const { code, stdout, stderr } = await troubledAt('assess', killed);
    assert.equal(code, 1, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /--provider extractive/);
    assert.doesNotMatch(stderr, schemaWords);
  });

  for (const step of sampled(['assess', 'plan', 'distil', 'review'] as const))
    it(`says in words of the user that an answer to ${step} can't be used, and exits with 0`, async () => {
      const { code, stdout, stderr } = await troubledAt(step, () => ({ json: { colour: 'green', items: [{}] } }));
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\n## References\n/);
      assert.doesNotMatch(stdout + stderr, schemaWords);
    });
});
