import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before } from 'node:test';
import { type CommandResult, runCommand, runInHost } from './commandLine.ts';
import { removeFolder, temporaryFolder } from './paths.ts';

export const answer = 'The quarry gate closes at 18:45 on weekdays.\n';
const question = 'When does the quarry gate close?';

export interface BadFolders {
  /** Where the runs of the file's tests are. */
  runs(): string;
  /** Asks the question of a folder made for it. */
  ask(
    files: (write: (name: string, data: string | Buffer) => void, folder: string) => void,
    run?: typeof runInHost,
  ): Promise<string>;
  /** The same of a folder that is there, in a process of its own: the report, or what is said instead of one. */
  askIn(folder: string): Promise<string>;
  /** Asks any question of a folder, with further arguments. */
  command(folder: string, args: readonly string[]): Promise<CommandResult>;
}

/** Folders of which the built command is asked one question, without a model. */
export function useBadFolders(): BadFolders {
  let runs: string;
  let settings: string;
  before(() => {
    runs = temporaryFolder('runs');
    settings = path.join(runs, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] }));
  });
  after(() => removeFolder(runs));

  const argumentsFor = (folder: string): string[] => [
    ...['--workspace', folder, '--run-dir', runs, '--settings', settings, '-p', 'extractive', '--yes'],
  ];
  const said = ({ stdout, stderr, code }: CommandResult): string => {
    assert.ok(code === 0 || code === 1, `${code}: ${stderr}`);
    assert.equal(code === 0, stdout !== '');
    return stdout === '' ? stderr : stdout;
  };
  return {
    runs: () => runs,
    async ask(files, run = runInHost) {
      const folder = temporaryFolder('bad');
      try {
        files((name, data) => {
          fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
          fs.writeFileSync(path.join(folder, name), data);
        }, folder);
        return said(await run(['-q', question, ...argumentsFor(folder)]));
      } finally {
        removeFolder(folder);
      }
    },
    askIn: async (folder) => said(await runCommand(['-q', question, ...argumentsFor(folder)])),
    command: (folder, args) => runInHost([...argumentsFor(folder), ...args]),
  };
}
