import { builtIn } from '../../src/catalogue.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import { runCommand, startCommand } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { isWriting, type Step } from '../support/modelRequest.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { clarifyOnce, isOfStep, whenever } from '../support/modelScenarios.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';

const question = 'How do retrieval-augmented generation systems work?';

describe('an interrupted run', () => {
  let place: CommandPlace;
  before(async () => void (place = await makeCommandPlace()));
  after(() => place.remove());

  const begin = ({ url }: ModelServer, settings = place.settings) =>
    startCommand([
      question,
      '--workspace',
      place.workspace,
      '--run-dir',
      place.runs,
      '--settings',
      settings,
      '--base-url',
      url,
      '--model',
      'imitation-1',
      '--yes',
      '--events',
    ]);

  /** The arguments of a command that resumes a run where it began, with its server. */
  const resuming = (run: string, url: string, model = 'imitation-1', settings = place.settings): string[] => [
    ...['--resume', run, '--workspace', place.workspace, '--run-dir', place.runs, '--settings', settings],
    ...['--base-url', url, '--model', model, '--events'],
  ];

  /** The id of a run whose process is killed once its model is asked for the step. */
  async function killedAt(step: Step, server: ModelServer, settings?: string): Promise<string> {
    const first = begin(server, settings);
    await server.waitFor((request) => isOfStep(request, step));
    first.child.kill('SIGKILL');
    const { events } = await first.done;
    // What it had sent may still lie in a socket of ours: whatever came before these is counted before them.
    for (let times = 0; times < 2; times += 1) await (await fetch(`${server.url}/models`)).text();
    return events[0]!.run;
  }

  it('waits with its question, and resumes with --answer', async () => {
    const server = await startModelServer({ script: clarifyOnce() });
    const common = [
      '--run-dir',
      place.runs,
      '--settings',
      place.settings,
      '--base-url',
      server.url,
      '--model',
      'imitation-1',
      '--events',
    ];
    const waiting = await runCommand([question, '--workspace', place.workspace, ...common]);
    assert.equal(waiting.code, 3);
    const run = waiting.events[0]!.run;
    const still = await runCommand(resuming(run, server.url));
    assert.equal(still.code, 3);
    const answered = await runCommand([...resuming(run, server.url), '--answer', '2', '--yes']);
    await server.close();
    assert.equal(answered.code, 0, answered.stderr);
    assert.equal(ofType(answered.events, 'clarify/answered')[0]?.answer, 'Recent results');
    assert.equal(
      server.requests.filter(({ step }) => step === 'assess').length,
      2,
      'the first assessment was not paid again',
    );
  });

  it('reports what changed since it began', async () => {
    const server = await startModelServer({ delayMs: 60 });
    const run = await killedAt('plan', server);
    const changed = path.join(place.runs, 'changed.json');
    fs.writeFileSync(
      changed,
      JSON.stringify({
        ...(JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object),
        'deepResearch.depth': 'deep',
      }),
    );
    const { events, code } = await runCommand([...resuming(run, server.url, 'imitation-1', changed), '--yes']);
    await server.close();
    assert.equal(code, 0);
    assert.ok(
      ofType(events, 'run/warning').some(({ message }) =>
        /settings that it began with; changed since: .*deepResearch\.depth/.test(message),
      ),
    );
  });

  it('replays what one model answered when another resumes, and reports the change, as for another version', async () => {
    const server = await startModelServer({
      delayMs: 40,
      models: ['imitation-1', 'other-1'],
      script: whenever({ hang: true }, { step: 'frame', times: 1 }),
    });
    // Its frame is written last.
    const deep = path.join(place.runs, 'deep.json');
    const settings = JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object;
    fs.writeFileSync(deep, JSON.stringify({ ...settings, 'deepResearch.depth': 'deep' }));
    const run = await killedAt('frame', server, deep);
    const file = path.join(place.runs, run, 'run.json');
    const record = JSON.parse(fs.readFileSync(file, 'utf8')) as { program: string };
    fs.writeFileSync(file, JSON.stringify({ ...record, program: '0.0.1' }));
    const before = server.requests.length;
    const { code, events, stderr } = await runCommand([...resuming(run, server.url, 'other-1', deep), '--yes']);
    const after = server.requests.slice(before);
    await server.close();
    assert.equal(code, 0, stderr);
    // A section may have been checked before the end.
    const others = after.filter(({ step }) => step !== 'verify');
    assert.deepEqual(
      others.map(({ step, body }) => `${step} by ${String((body as { model?: unknown }).model)}`),
      ['frame by other-1', 'critique by other-1'],
    );
    const told = ofType(events, 'run/warning')
      .map(({ message }) => message)
      .join('\n');
    assert.match(told, /began with version 0\.0\.1; this is /);
    assert.match(told, /began with imitation-1 \(.*\) and continues with other-1 \(/);
  });

  it('takes nothing of a server along to another: not its address, nor the models of single roles', async () => {
    const old = await startModelServer({ delayMs: 40, models: ['imitation-1', 'big-1'] });
    const roles = path.join(place.runs, 'roles.json');
    fs.writeFileSync(
      roles,
      JSON.stringify({
        ...(JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object),
        'deepResearch.model.report': 'big-1',
      }),
    );
    const run = await killedAt('distil', old, roles);
    const before = old.requests.length;
    const other = await startModelServer({ models: ['other-1'] });
    const { code, stderr } = await runCommand([...resuming(run, other.url, 'other-1'), '--yes']);
    await old.close();
    await other.close();
    assert.equal(code, 0, stderr);
    assert.equal(old.requests.length, before);
    assert.deepEqual([...new Set(other.requests.map(({ body }) => (body as { model?: unknown }).model))], ['other-1']);
    assert.ok(other.requests.some(({ step }) => isWriting(step)));
  });

  it('resumes without a model when the settings of an editor no longer name one', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const run = await killedAt('distil', server);
    const before = server.requests.length;
    const settings = JSON.parse(fs.readFileSync(place.settings, 'utf8')) as Record<string, unknown>;
    const { report } = await research({
      resume: run,
      settings,
      workspaceFolder: place.workspace,
      runsFolder: place.runs,
      secrets: environmentSecrets({}, builtIn.keyServices),
      log: silentLog,
      version: 'test',
    });
    await server.close();
    assert.equal(server.requests.length, before);
    assert.match(report, /\[1\]/);
  });

  it('stays a run of its folder when that must not be read today', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const run = await killedAt('report', server);
    const settings = {
      ...(JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object),
      'model.baseUrl': server.url,
      'model.name': 'imitation-1',
    };
    await research({
      resume: run,
      settings,
      runsFolder: place.runs,
      secrets: environmentSecrets({}, builtIn.keyServices),
      log: silentLog,
      version: 'test',
    });
    await server.close();
    const record = JSON.parse(fs.readFileSync(path.join(place.runs, run, 'run.json'), 'utf8')) as {
      status: string;
      workspace: string;
    };
    assert.deepEqual([record.status, record.workspace], ['finished', place.workspace]);
  });

  it('sends nothing to a server that its record alone names, and reads no folder that its record alone names', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const run = await killedAt('distil', server);
    const before = server.requests.length;
    const env = { OPENAI_API_KEY: ['sk', 'test', '0123456789abcdef'].join('-') };
    const flags = ['--resume', run, '--run-dir', place.runs, '--settings', place.settings, '--yes'];
    const lost = await runCommand([...flags, '--workspace', place.workspace], { env });
    assert.equal(lost.code, 2);
    assert.match(lost.stderr, /began with imitation-1 .*which today's settings don't name[^]*--base-url/);
    const elsewhere = await runCommand([...flags, '--workspace', place.runs, '--base-url', server.url], { env });
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /researches another folder: .*[^]*--workspace/);
    assert.equal(server.requests.length, before);
    // The same folder by another path.
    const link = `${place.workspace}-link`;
    fs.symlinkSync(place.workspace, link, 'dir');
    const without = await runCommand([...flags, '--workspace', link, '-p', 'extractive'], { env });
    fs.rmSync(link);
    await server.close();
    assert.equal(without.code, 0, without.stderr);
    assert.equal(server.requests.length, before);
  });

  it('is stopped at once while a silent server is asked for its models', async () => {
    const silent = net.createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const stop = new AbortController();
    silent.once('connection', () => stop.abort(new Error('Stopped by the test.')));
    const settings = {
      'model.provider': 'openai-compatible',
      'model.baseUrl': `http://127.0.0.1:${(silent.address() as net.AddressInfo).port}/v1`,
    };
    await assert.rejects(
      research({
        question,
        settings,
        runsFolder: place.runs,
        secrets: environmentSecrets({}, builtIn.keyServices),
        log: silentLog,
        version: 'test',
        signal: stop.signal,
      }),
      /Stopped by the test/,
    );
    silent.close();
  });

  it('is refused while another process uses it, which is not disturbed', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const first = begin(server);
    await server.waitFor((request) => request.step === 'assess');
    const run = fs
      .readdirSync(place.runs)
      .filter((name) => name.startsWith('2'))
      .sort()
      .at(-1)!;
    const refused = await runCommand([...resuming(run, server.url), '--yes']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /This run is in progress in another window or terminal\. Wait until it ends there/);
    const { code, events, stderr } = await first.done;
    await server.close();
    assert.equal(code, 0, stderr);
    assert.equal(events[0]!.run, run);
  });

  it('is refused when it is finished, unknown or no run id, and survives damaged files', async () => {
    const server = await startModelServer({ delayMs: 40 });
    const run = await killedAt('distil', server);
    for (const file of ['events.ndjson', 'journal.ndjson'])
      fs.appendFileSync(path.join(place.runs, run, file), '{"torn": ');
    fs.appendFileSync(path.join(place.runs, run, 'journal.ndjson'), '\n[]\nnull\n{"v":1}\n');
    const resumed = await runCommand([...resuming(run, server.url), '--yes']);
    assert.equal(resumed.code, 0, resumed.stderr);
    await server.close();
    for (const [id, says] of [
      [run, /is finished: .*\.md/],
      ['20200101-000000-abcdef', /There is no run/],
      ['../../etc', /There is no run/],
    ] as const) {
      const refused = await runCommand(['--resume', id, '--run-dir', place.runs, '--workspace', place.workspace]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, says);
    }
  });
});
