import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runInHost } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { sendBackInFirstRound } from '../support/modelScenarios.ts';
import { startModelServer, type ModelServer } from '../support/modelServer.ts';
import { ofType } from '../support/scriptedParts.ts';

describe('a review on the command line', () => {
  let place: CommandPlace;
  let server: ModelServer;
  const research = (...args: string[]) =>
    runInHost([
      ...args,
      ...['--workspace', place.workspace, '--run-dir', place.runs, '--settings', place.settings],
      ...['--base-url', server.url, '--model', 'imitation-1', '--events'],
    ]);

  before(async () => {
    place = await makeCommandPlace({
      'deepResearch.planApproval': 'never',
      'deepResearch.reviewApproval': 'always',
      'deepResearch.strategy': 'sections',
    });
    server = await startModelServer({ script: sendBackInFirstRound(0, 'No figures.') });
  });
  after(async () => {
    await server.close();
    await place.remove();
  });

  it('names verdict, gaps and answers with exit code 3, rejects other answers, and takes sections with a remark', async () => {
    const asked = await research('How do retrieval-augmented generation systems work?');
    assert.equal(asked.code, 3, asked.stderr);
    assert.match(asked.stderr, /The review rates the findings 5 of 10, insufficient\. s1 "[^"]+": No figures\./);
    assert.match(asked.stderr, /Allowed answers: yes \(research s1 further\), no .*, or sections of s1, s2/);
    assert.doesNotMatch(asked.stderr, /sent back/);
    const { run } = asked.events[0]!;
    const wrong = await research('--resume', run, '--answer', 's99');
    assert.equal(wrong.code, 3, wrong.stderr);
    assert.match(wrong.stderr, /"s99" is not an answer to the review\..* Allowed answers: yes/);
    const answered = await research('--resume', run, '--answer', '2: look at 2026', '--answer', 'no');
    assert.equal(answered.code, 0, answered.stderr);
    assert.deepEqual(
      ofType(answered.events, 'review/decided').map(({ retry }) => retry),
      [['s2'], []],
    );
    assert.match(answered.stderr, /sent back: s2\n/);
    const remark = ofType(answered.events, 'section/remark')[0]!;
    assert.deepEqual([remark.section, remark.text], ['s2', 'look at 2026']);
  });
});
