import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { listenToSignals } from '../../src/node/terminalSignals.ts';
import { askQuestion } from '../../src/node/terminalDialogue.ts';
import { runCommand, startCommand, type Command } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { startModelServer } from '../support/modelServer.ts';
import { isOfStep, whenever } from '../support/modelScenarios.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType } from '../support/scriptedParts.ts';

const question = 'How do retrieval-augmented generation systems work?';

/** The signals of a process that notes what it is asked. */
function listening(mayHaveFound: boolean) {
  const handlers = new Map<string, () => void>();
  const exits: number[] = [];
  const said: string[] = [];
  const process = {
    on: (name: string, handler: () => void) => void handlers.set(name, handler),
    exit: (code: number) => void exits.push(code),
  };
  const write = (text: string): void => void said.push(text.trim());
  const signals = listenToSignals({ process: process as unknown as NodeJS.Process, write, mayHaveFound });
  return { handlers, exits, said, signals };
}

describe('signals to the command line', () => {
  let place: CommandPlace;
  before(async () => void (place = await makeCommandPlace()));
  after(() => place.remove());

  /** A run whose model never gives an answer of a step. */
  async function hangingAt(step: 'analyze' | 'distil' | 'frame', { workspace, settings } = place) {
    const server = await startModelServer({
      script: whenever({ hang: true }, step === 'frame' ? { step, times: 1 } : { step }),
    });
    const command = startCommand([
      question,
      '--workspace',
      workspace,
      '--run-dir',
      place.runs,
      '--settings',
      settings,
      '--base-url',
      server.url,
      '--model',
      'imitation-1',
      '--yes',
      '--events',
    ]);
    await server.waitFor((request) => isOfStep(request, step));
    return { server, command };
  }

  /** Its exit; the call that hangs would end by itself only after `limits.idleSeconds`, and not with 130. */
  async function exit(command: Command) {
    const result = await command.done;
    return { ...result, run: result.events[0]!.run };
  }

  it('Ctrl+C once, when something was found: says so and how to stop, and writes a cited report', async () => {
    const { server, command } = await hangingAt('distil');
    command.child.kill('SIGINT');
    const { code, events, stderr } = await exit(command);
    await server.close();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Finishing with the \d+ sources found so far\. Press Ctrl\+C again to stop\./);
    const end = ofType(events, 'run/finished')[0]!;
    assert.equal(end.outcome, 'partial');
    assert.match(fs.readFileSync(end.path!, 'utf8'), /## References\n\n- <a id="ref-1"><\/a>\[1\] /);
  });

  it('Ctrl+C once, when nothing was found: stops with 130, and says how to resume', async () => {
    const workspace = temporaryFolder('nothing');
    const settings = path.join(place.runs, 'of-the-folder.json');
    const given = JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object;
    fs.writeFileSync(settings, JSON.stringify({ ...given, 'deepResearch.sources.enabled': ['workspace'] }));
    const { server, command } = await hangingAt('analyze', { ...place, workspace, settings });
    command.child.kill('SIGINT');
    const { code, events, stderr, run } = await exit(command);
    removeFolder(workspace);
    assert.equal(code, 130);
    assert.equal(server.inFlight, 0);
    assert.equal(events.at(-1)!.type, 'run/cancelled');
    assert.match(
      stderr,
      new RegExp(`Resume with: deep-research --resume ${run} --run-dir ${place.runs} .*--base-url ${server.url}\n$`),
    );
    await server.close();
  });

  it('Ctrl+C twice: stops, and the run can be resumed by the command that is shown', async () => {
    const { server, command } = await hangingAt('frame');
    command.child.kill('SIGINT');
    await command.seen('The report is being written. Press Ctrl+C again to stop.');
    // A second press, not a copy of the first one.
    await new Promise((resolve) => setTimeout(resolve, 150));
    command.child.kill('SIGINT');
    const { code, stderr } = await exit(command);
    assert.equal(code, 130, stderr);
    const sent = server.requests.length;
    const shown = /Resume with: deep-research (.+)\n$/.exec(stderr)![1]!;
    const resumed = await runCommand([...shown.split(' '), '--yes']);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual(
      server.requests.slice(sent).map(({ step }) => step),
      ['frame'],
    );
    await server.close();
  });

  it('SIGTERM stops, whatever was found', async () => {
    const { server, command } = await hangingAt('distil');
    command.child.kill('SIGTERM');
    const { code, events, stderr } = await exit(command);
    assert.equal(code, 130);
    assert.equal(server.inFlight, 0);
    assert.ok(!stderr.includes('Finishing'));
    assert.equal(events.at(-1)!.type, 'run/cancelled');
    await server.close();
  });

  it('copies of one Ctrl+C are one, the third press does not wait for the stop', () => {
    const { handlers, exits, said, signals } = listening(true);
    const press = (): void => handlers.get('SIGINT')!();
    press();
    press();
    assert.deepEqual([signals.finish.aborted, signals.stop.aborted], [true, false]);
    handlers.get('SIGTERM')!();
    assert.equal(signals.stop.aborted, true);
    handlers.get('SIGTERM')!();
    assert.deepEqual(exits, [130]);
    assert.deepEqual(said, ['Finishing with what was found. Press Ctrl+C again to stop.', 'Stopping.']);
  });

  it('Ctrl+C while the folder is indexed answers from what is, and the second stops', (test) => {
    const { handlers, said, signals } = listening(false);
    const at = { run: 'r', seq: 1, at: '2026-03-04T10:00:00.000Z' };
    let now = 1_000;
    test.mock.method(performance, 'now', () => now);
    signals.onEvent({ ...at, type: 'folder/indexed', files: 3, of: 9 });
    handlers.get('SIGINT')!();
    assert.deepEqual([signals.answer.aborted, signals.stop.aborted], [true, false]);
    now += 1_000;
    handlers.get('SIGINT')!();
    assert.deepEqual([signals.finish.aborted, signals.stop.aborted], [false, true]);
    assert.deepEqual(said, ['Answering from what is indexed. Press Ctrl+C again to stop.', 'Stopping.']);
  });

  it('Ctrl+C at a question on a terminal is heard, though the line editor takes the keys', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const stop = new AbortController();
    const onSignal = (): void => stop.abort(new Error('stopped'));
    process.once('SIGINT', onSignal);
    const asked = askQuestion({ input, output, signal: stop.signal });
    input.write('\u0003');
    await assert.rejects(asked, /stopped/);
    process.off('SIGINT', onSignal);
  });
});
