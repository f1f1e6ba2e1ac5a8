import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startCommand } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { isOfStep, whenever } from '../support/modelScenarios.ts';
import { startModelServer } from '../support/modelServer.ts';
import { root, temporaryFolder } from '../support/paths.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('a terminal that is closed', () => {
  let place: CommandPlace;
  let runs: string;
  before(async () => void (place = await makeCommandPlace()));
  after(() => place.remove());

  const start = (...args: string[]) => {
    runs = temporaryFolder('runs');
    return startCommand([
      ...[question, '--yes', '--workspace', place.workspace, '--run-dir', runs, '--settings', place.settings],
      ...args,
    ]);
  };
  const record = () => {
    const [run = ''] = fs.readdirSync(runs).filter((name) => /^\d{8}-/.test(name));
    return JSON.parse(fs.readFileSync(path.join(runs, run, 'run.json'), 'utf8')) as { status: string; path?: string };
  };

  for (const stream of ['stdout', 'stderr'] as const) {
    it(`changes nothing when ${stream} is gone: the report is saved, exit code 0`, async () => {
      const command = start('--provider', 'extractive', '--verbose');
      command.child[stream]!.destroy();
      const { code, stderr } = await command.done;
      assert.equal(code, 0, stderr);
      const { status, path: report } = record();
      assert.equal(status, 'finished');
      assert.match(fs.readFileSync(report!, 'utf8'), /## References\n\n- <a id="ref-1"><\/a>\[1\] /);
    });
  }

  it('stops the run by SIGHUP as by SIGTERM, though both may come: it can be resumed', async () => {
    const server = await startModelServer({ script: whenever({ hang: true }, { step: 'distil' }) });
    const command = start('--base-url', server.url, '--model', 'imitation-1');
    await server.waitFor((request) => isOfStep(request, 'distil'));
    command.child.kill('SIGTERM');
    command.child.kill('SIGHUP');
    const { code, stderr } = await command.done;
    await server.close();
    assert.equal(code, 130, stderr);
    assert.match(stderr, /Resume with: deep-research --resume /);
    assert.equal(record().status, 'cancelled');
  });

  it('stops the run by SIGHUP alone', async () => {
    const server = await startModelServer({ script: whenever({ hang: true }, { step: 'distil' }) });
    const command = start('--base-url', server.url, '--model', 'imitation-1');
    await server.waitFor((request) => isOfStep(request, 'distil'));
    command.child.stderr!.destroy();
    command.child.stdout!.destroy();
    command.child.kill('SIGHUP');
    const { code } = await command.done;
    await server.close();
    assert.equal(code, 130);
    assert.equal(record().status, 'cancelled');
  });
});

it('a closed stderr ends no script that bootstraps', async () => {
  const url = pathToFileURL(path.join(root, 'scripts/bootstrap.mjs')).href;
  const program = `import ${JSON.stringify(url)}; process.stdin.once('data', () => {
    process.stderr.write('Building…\\n');
    setImmediate(() => setImmediate(() => process.stdout.write('done', () => process.exit())));
  });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  child.stderr.destroy();
  child.stdin.write('go\n');
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, output], [0, 'done']);
});
