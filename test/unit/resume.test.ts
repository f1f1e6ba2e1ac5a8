import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand, startCommand } from '../support/commandLine.ts';
import { startModelServer } from '../support/modelServer.ts';
import { clarifyOnce } from '../support/modelScenarios.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType } from '../support/scriptedRun.ts';
import { startSourceServer, type SourceServer } from '../support/sourceServer.ts';

const question = 'How do retrieval-augmented generation systems work?';

describe('a run that was cut off', () => {
  let workspace: string;
  let runs: string;
  let sources: SourceServer;
  let settings: string;
  before(async () => {
    workspace = copyWorkspace('examples');
    runs = temporaryFolder('runs');
    sources = await startSourceServer();
    settings = path.join(runs, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.endpoints.arxiv': sources.arxivUrl, 'deepResearch.endpoints.github': sources.githubUrl }));
  });
  after(async () => {
    await sources.close();
    removeFolder(workspace);
    removeFolder(runs);
  });

  it('waits with its question, and goes on with --answer', async () => {
    const server = await startModelServer({ script: clarifyOnce() });
    const common = ['--run-dir', runs, '--settings', settings, '--base-url', server.url, '--model', 'imitation-1', '--events'];
    const waiting = await runCommand([question, '--workspace', workspace, ...common]);
    assert.equal(waiting.code, 3);
    const run = waiting.events[0]!.run;
    const still = await runCommand(['--resume', run, '--run-dir', runs, '--events']);
    assert.equal(still.code, 3);
    const answered = await runCommand(['--resume', run, '--run-dir', runs, '--answer', '2', '--yes', '--events']);
    await server.close();
    assert.equal(answered.code, 0, answered.stderr);
    assert.equal(ofType(answered.events, 'clarify/answered')[0]?.answer, 'Recent results');
    assert.equal(server.requests.filter(({ step }) => step === 'assess').length, 2, 'the first assessment was not paid again');
  });

  it('tells what changed since it began', async () => {
    const server = await startModelServer({ delayMs: 60 });
    const first = startCommand([question, '--workspace', workspace, '--run-dir', runs, '--settings', settings, '--base-url', server.url, '--model', 'imitation-1', '--yes', '--events']);
    await server.waitFor((request) => request.step === 'plan');
    first.child.kill('SIGKILL');
    const run = (await first.done).events[0]!.run;
    const changed = path.join(runs, 'changed.json');
    fs.writeFileSync(changed, JSON.stringify({ ...(JSON.parse(fs.readFileSync(settings, 'utf8')) as object), 'deepResearch.depth': 'deep' }));
    const { events, code } = await runCommand(['--resume', run, '--run-dir', runs, '--settings', changed, '--yes', '--events']);
    await server.close();
    assert.equal(code, 0);
    assert.ok(ofType(events, 'run/warning').some(({ message }) => /settings it began with; changed since: .*deepResearch\.depth/.test(message)));
  });

  it('is refused when it is finished, unknown or no run id, and survives damaged files', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const first = startCommand([question, '--workspace', workspace, '--run-dir', runs, '--settings', settings, '--base-url', server.url, '--model', 'imitation-1', '--yes', '--events']);
    await server.waitFor((request) => request.step === 'act');
    first.child.kill('SIGKILL');
    const run = (await first.done).events[0]!.run;
    for (const file of ['events.ndjson', 'journal.ndjson']) fs.appendFileSync(path.join(runs, run, file), '{"torn": ');
    fs.appendFileSync(path.join(runs, run, 'journal.ndjson'), '\n[]\nnull\n{"v":1}\n');
    const resumed = await runCommand(['--resume', run, '--run-dir', runs, '--yes', '--events']);
    assert.equal(resumed.code, 0, resumed.stderr);
    await server.close();
    for (const [id, says] of [[run, /is finished: .*\.md/], ['20200101-000000-abcdef', /There is no run/], ['../../etc', /There is no run/]] as const) {
      const refused = await runCommand(['--resume', id, '--run-dir', runs]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, says);
    }
  });
});
