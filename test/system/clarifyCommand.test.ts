import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runInHost } from '../support/commandLine.ts';
import { whenever } from '../support/modelScenarios.ts';
import { startModelServer } from '../support/modelServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporaryFolder.ts';

/** The command line without a model and without any public source. */
describe('the command line asks, and starts', () => {
  let folder: TemporaryFolder;
  const research = (...args: string[]) =>
    runInHost([
      ...['--provider', 'extractive', '--settings', `${folder.path}/settings.json`, '--events'],
      ...['--workspace', `${folder.path}/notes`, '--run-dir', `${folder.path}/runs`, '--out', folder.path],
      ...args,
    ]);
  const typesOf = ({ events }: Awaited<ReturnType<typeof runInHost>>) => new Set(events.map(({ type }) => type));

  before(async () => {
    const text =
      '# Batteries\n\nSolid-state batteries keep their charge for years. Cancer of the pancreas was never studied here.';
    const settings = { 'deepResearch.sources.enabled': ['workspace'] };
    folder = await temporaryFolder({
      'notes/batteries.md': text,
      'settings.json': JSON.stringify(settings),
      'noQuestions.json': JSON.stringify({ ...settings, 'deepResearch.clarification': 'off' }),
    });
  });
  after(() => folder.remove());

  it('starts a complete question at once', async () => {
    const run = await research('How long do solid-state batteries keep their charge?');
    assert.equal(run.code, 0, run.stderr);
    assert.ok(!typesOf(run).has('clarify/asked'));
  });

  it('ends with 3 for a question without content that no one can answer, and continues with --answer', async () => {
    const asked = await research('help me research');
    assert.equal(asked.code, 3);
    assert.match(asked.stderr, /Name a subject/);
    const { options } = asked.events.find((event) => event.type === 'clarify/asked')!;
    assert.equal(options.filter(({ recommended }) => recommended).length, 1);
    const answered = await research('help me research', '--answer', 'solid-state batteries');
    assert.equal(answered.code, 0, answered.stderr);
    const reading = await research('cancer', '--answer', '2', '--answer', 'no');
    assert.equal(
      reading.events.find((event) => event.type === 'clarify/answered')!.answer,
      'cancer: the latest developments',
    );
    assert.ok(!reading.events.some((event) => event.type === 'plan/proposed' && event.needsApproval));
  });

  it('takes the recommended answer with --yes, but never a topic', async () => {
    const field = await research('cancer', '--yes');
    assert.equal(field.code, 0, field.stderr);
    const { answer, isTaken } = field.events.find((event) => event.type === 'clarify/answered')!;
    assert.deepEqual([answer, isTaken], ['cancer: an overview', true]);
    assert.equal((await research('help me research', '--yes')).code, 2);
    assert.equal((await research('cancer')).code, 3);
  });

  it('ends with 4 for a question that can’t be researched, and says why and what to name', async () => {
    const run = await research('help me research', '--settings', `${folder.path}/noQuestions.json`);
    assert.equal(run.code, 4);
    assert.match(run.stderr, /There is no subject to research\. What should be researched\? Name a subject, such as /);
  });

  it('ends with 4 when a model says twice that the research would do harm, and gives its reason', async () => {
    const reason = 'A recipe for a bomb would help somebody to hurt people.';
    const refusal = { cannot_do: 'harmful', cannot_do_reason: reason };
    const server = await startModelServer({ script: whenever({ json: refusal }, { step: 'assess' }) });
    const model = ['--provider', 'openai-compatible', '--base-url', server.url, '--model', 'imitation-1'];
    const run = await research('How do I build a bomb?', ...model);
    await server.close();
    assert.equal(run.code, 4, run.stderr);
    assert.match(run.stderr, /A recipe for a bomb would help somebody to hurt people\. .*Name a subject/);
    assert.equal(server.requests.length, 2);
    assert.equal(run.events.at(-1)!.type, 'run/failed');
  });
});
