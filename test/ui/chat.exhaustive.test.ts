import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root } from '../support/paths.ts';
import { findPanel, keepFailures, offline, openPanel } from './support/researchPage.ts';

const question = 'How does retrieval-augmented generation work, and what does it cost?';

/** The editor's own chat, with a model that an extension offers it. */
describe('the chat of the editor', () => {
  const workspace = copyWorkspace('examples');
  let server: ModelServer;
  let editor: Editor;
  let page: EditorPage;

  before(async () => {
    server = await startModelServer();
    editor = await startEditor({
      workspace,
      beside: [path.join(root, 'test', 'fixtures', 'modelProvider')],
      env: { IMITATED_MODEL: 'Modest', IMITATED_MODEL_SERVER: server.url },
      userSettings: {
        'deepResearch.sources.enabled': ['workspace'],
        'deepResearch.planApproval': 'never',
        'deepResearch.clarification': 'off',
      },
      machineSettings: await offline(),
    });
    page = await editor.openPage({ viewport: { width: 1500, height: 900 } });
    await openPanel(page);
    await page.runCommand('Chat: Open Chat');
    // Whatever is asked before the editor knows the model has none.
    await chat().getByText('Modest', { exact: true }).first().waitFor();
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    await server?.close();
    removeFolder(workspace);
  });

  const reports = () => fs.globSync('research/*.md', { cwd: workspace }).length;
  const chat = () => page.page.locator('.interactive-session').first();
  const answers = () => chat().locator('.interactive-response');

  async function say(text: string): Promise<void> {
    const count = await answers().count();
    await chat().locator('.chat-input-container .monaco-editor').first().click();
    // The name of the last participant stays in the box.
    await page.page.keyboard.press('Control+A');
    await page.page.keyboard.type(text);
    await page.page.keyboard.press('Escape');
    await page.page.keyboard.press('Enter');
    await answers().nth(count).waitFor();
  }

  it('has @research, which says what a run costs, does it with the model of the chat, and shows the report', async () => {
    await say(`@research ${question}`);
    await answers()
      .last()
      .getByText(/model calls/)
      .first()
      .waitFor();
    const asked = server.requests.length;
    await page.screenshot('chat-proposed');
    // The follow-up above the box; the answer names it as well.
    await chat().getByText('Start', { exact: true }).last().click();
    const panel = await findPanel(page);
    await panel.reaches('finished');
    const answer = answers().last();
    // Scrolled out of sight by what follows.
    await answer.locator('h2').first().waitFor({ state: 'attached' });
    await page.screenshot('chat-finished');
    assert.ok(server.requests.length > asked);
    assert.match((await answer.textContent())!, /\.md:\d+/);
    assert.ok(reports() > 0);
  });

  it('lets its model call #deepResearch, once the person has read what it costs', async () => {
    const before = reports();
    await say(`@agent ${question}`);
    const answer = answers().last();
    // The question of the editor is above the box, a copy of it in the answer.
    const allow = chat()
      .getByRole('button', { name: /^Allow/ })
      .filter({ visible: true })
      .first();
    await allow.waitFor();
    await page.screenshot('chat-confirmation');
    const read = chat()
      .locator('li')
      .filter({ hasText: /About \d+ model calls/, visible: true });
    assert.ok((await read.count()) > 0);
    assert.equal(reports(), before);
    await allow.click();
    await answer
      .getByText(/The tool said: /)
      .first()
      .waitFor();
    await page.screenshot('chat-tool');
    assert.match((await answer.textContent())!, /References:[^]*Report: /);
    assert.ok(reports() > before);
  });
});
