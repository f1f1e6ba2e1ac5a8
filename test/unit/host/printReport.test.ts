import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { exportRun } from '../../../src/node/exportRun.ts';
import { exportFileName } from '../../../src/research/export/exportFileName.ts';
import { editor, openFolder, Uri } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';

describe('a report on paper', () => {
  let folder: string;
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  const opened: string[] = [];

  before(() => (folder = temporaryFolder('print')));
  after(() => {
    removeFolder(folder);
    Object.defineProperty(process, 'platform', platform);
  });
  beforeEach(() => {
    openFolder(folder, true);
    opened.length = 0;
    editor.env.remoteName = undefined;
    editor.env.openExternal = async ({ fsPath }) => opened.push(fsPath) > 0;
    Object.defineProperty(process, 'platform', { value: 'linux' });
  });

  async function run(command: 'printReport' | 'exportPdf', number = 1): Promise<string> {
    const { HistoryActions } = await import('../../../src/host/history/historyActions.ts');
    const runsFolder = path.join(folder, 'runs');
    const id = saveRun(runsFolder, number, { workspace: folder }, { 'report.md': `# Tides ${number}\n\nThey rise.\n` });
    const host = {
      runsFolder,
      session: { facts: () => ({}), view: { run: '' } },
      context: { workspaceState: { get: () => undefined }, globalStorageUri: Uri.file(path.join(folder, 'storage')) },
      log: { warn: () => undefined, info: () => undefined },
      reports: { front: () => undefined },
      loadEngine: async () => ({ exportRun, exportFileName }),
    };
    const actions = new HistoryActions(host as never, { visible: false, selection: [] } as never, () => undefined);
    await actions.run(`deepResearch.${command}`, [id]);
    return editor.window.shown.join();
  }

  it('is opened in the browser without a question, and says what prints it', async () => {
    editor.window.showSaveDialog = () => assert.fail('nothing is asked');
    assert.match(await run('printReport'), /open in the browser: print it there \(Ctrl\+P\)/);
    const [page] = opened;
    assert.equal(path.dirname(page!), path.join(folder, 'storage', 'print', String(process.pid)));
    assert.match(fs.readFileSync(page!, 'utf8'), /<h1[^]*Tides 1/);
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    openFolder(folder, true);
    assert.match(await run('printReport', 2), /\(⌘P\)/);
    assert.deepEqual(fs.readdirSync(path.dirname(page!)), [path.basename(opened[1]!)], 'the one before is deleted');
  });

  it('has its place named where no browser can be opened', async () => {
    editor.env.openExternal = async () => false;
    assert.match(await run('printReport'), /No browser can be opened from here\. Open .*print.*\.html in one/);
    editor.env.remoteName = 'ssh-remote';
    editor.env.openExternal = () => assert.fail('the browser is on another machine');
    openFolder(folder, true);
    assert.match(await run('printReport'), /No browser can be opened from here/);
  });

  it('is a PDF where the user wants it, printed by the browser', async () => {
    const target = path.join(folder, 'mine.html');
    editor.window.showSaveDialog = async () => Uri.file(target);
    assert.match(await run('exportPdf'), /Print .*mine\.html in the browser \(Ctrl\+P\), and choose PDF/);
    assert.deepEqual(opened, [target]);
    assert.ok(fs.existsSync(target));
  });
});
