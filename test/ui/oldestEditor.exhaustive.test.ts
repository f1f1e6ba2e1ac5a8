// The oldest editor that the manifest names: what it doesn't know of the manifest it ignores, and the rest works.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { installOldEditor } from '../../scripts/bootstrap.mjs';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder, root } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly engines: { readonly vscode: string };
};
/** The package code-server 4.104.0 carries VS Code 1.104.0, and so on. */
const oldest = engines.vscode.replace(/^\^1\./, '4.');

describe('in the oldest editor that is supported', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    const { server, node } = await installOldEditor(oldest);
    const { version } = JSON.parse(fs.readFileSync(path.join(server, 'package.json'), 'utf8')) as { version: string };
    assert.equal(`^${version}`, engines.vscode);
    editor = await startEditor({ workspace, server, node, installed: true, machineSettings: await offline() });
    page = await editor.openPage();
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  it('researches a question in the panel', async () => {
    panel = await openPanel(page);
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.reaches('finished');
    await page.editorTab(/^\d{4}-\d\d-\d\d-what-are-the-main-techniques/).waitFor();
    await page.screenshot('oldest-finished');
  });

  it('opens the walkthrough with all its steps', async () => {
    await page.runCommand('Welcome: Open Walkthrough');
    await page.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'Start with Deep Research' })
      .first()
      .click();
    const steps = page.page.locator('.getting-started-step');
    await steps.first().waitFor();
    assert.equal(await steps.count(), 5);
    await page.screenshot('oldest-walkthrough');
  });
});
