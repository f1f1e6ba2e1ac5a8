import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Command, startCommand } from '../support/commandLine.ts';
import { root } from '../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporaryFolder.ts';

const word = 'neverendingparser';

describe('a run whose process got stuck in a file', () => {
  let place: TemporaryFolder;
  before(async () => {
    place = await temporaryFolder({
      'workspace/notes.md': '# Gateways\n\nThe gateway of the cold store sends a reading every four minutes.\n',
      'workspace/stuck.md': `# Gateways\n\nThe gateway ${word} sends a reading.\n`,
      'settings.json': JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] }),
    });
  });
  after(() => place.remove());

  const start = (...what: string[]): Command =>
    startCommand(
      [
        ...[...what, '--workspace', path.join(place.path, 'workspace'), '--run-dir', path.join(place.path, 'runs')],
        ...['--settings', path.join(place.path, 'settings.json'), '--provider', 'extractive', '--yes', '--events'],
      ],
      {
        env: {
          NODE_OPTIONS: `--import ${pathToFileURL(path.join(root, 'test', 'support', 'hangOnWord.mjs')).href}`,
          DEEP_RESEARCH_HANG_ON: word,
        },
      },
    );

  it('is killed, resumes without that file, with a warning, and finishes', async () => {
    const stuck = start('How often does the gateway send a reading?');
    const noted = await appearance(path.join(place.path, 'runs'), 'stopped.ndjson', stuck);
    stuck.child.kill('SIGKILL');
    await stuck.done;
    assert.deepEqual(JSON.parse(fs.readFileSync(noted, 'utf8')), { kind: 'file', name: 'stuck.md' });

    const { code, events, stderr } = await start('--resume', path.basename(path.dirname(noted))).done;
    assert.equal(code, 0, stderr);
    const warnings = events.flatMap((event) => (event.type === 'run/warning' ? [event] : []));
    const skipped = warnings.filter(({ kind }) => kind === 'resume.skipped');
    assert.match(skipped[0]?.message ?? '', /stuck\.md/);
    assert.equal(skipped.length, 1);
    const last = events.at(-1)!;
    assert.ok(last.type === 'run/finished' && last.path !== undefined, last.type);
    assert.match(fs.readFileSync(last.path, 'utf8'), /every four minutes/);
  });
});

/** Resolves with the path of the first file of this name in a folder of the folder. */
async function appearance(folder: string, name: string, command: Command): Promise<string> {
  const find = (): string | undefined =>
    fs.existsSync(folder)
      ? fs
          .readdirSync(folder)
          .map((run) => path.join(folder, run, name))
          .find((file) => fs.existsSync(file) && fs.statSync(file).size > 0)
      : undefined;
  let isOver = false;
  const end = command.done.then(({ stderr }) => ((isOver = true), stderr));
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (isOver) throw new Error(`The command ended: ${await end}`);
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
}
