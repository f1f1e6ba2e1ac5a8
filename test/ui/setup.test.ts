import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

describe('an editor without a model, a keychain and a network', () => {
  const workspace = copyWorkspace('examples');
  let server: ModelServer;
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    server = await startModelServer();
    editor = await startEditor({ workspace, machineSettings: await offline() });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    await server?.close();
    removeFolder(workspace);
  });

  const row = (text: string) => page.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();

  it('says in the check that there is no model, and shows the list of models from there', async () => {
    await panel.get('check-sources').click();
    await row('Model: none').click();
    const dialog = page.page.getByRole('dialog').filter({ hasText: 'Model: none' });
    assert.match(await dialog.innerText(), /The report consists of quotes\..*ways to get one/s);
    await page.screenshot('check-without-model');
    await dialog.getByRole('button', { name: 'Select Model' }).click();
    await row('Ollama').waitFor();
    await page.page.keyboard.press('Escape');
  });

  it('has a row for each way to a model, and lists those of an address at once', async () => {
    await panel.get('select-model').click();
    for (const way of ['GitHub Copilot', 'Ollama', 'LM Studio', 'Server Address…', 'Use API Key…'])
      await row(way).waitFor();
    await page.screenshot('ways-to-a-model');
    await row('Server Address…').click();
    await page.page.getByText('The API’s address').waitFor();
    await page.quickInput().fill(server.url);
    await page.quickInput().press('Enter');
    await row('imitation-1').waitFor();
    await page.page.keyboard.press('Escape');
    assert.match(await panel.get('setup-line').innerText(), /Without a model/, 'nothing is set before one is chosen');
  });

  it('shows the whole advice for a source, and its setting on the tab that has it', async () => {
    await panel.get('check-sources').click();
    await row('arXiv').click();
    const dialog = page.page.getByRole('dialog').filter({ hasText: 'arXiv: not reachable' });
    await dialog.waitFor();
    await page.screenshot('check-advice');
    await dialog.getByRole('button', { name: 'Open Settings' }).click();
    await page.page.locator('.settings-editor .setting-item-contents', { hasText: 'Arxiv' }).first().waitFor();
    const tab = page.page.locator('.settings-tabs-widget .action-label.checked');
    assert.match(await tab.innerText(), /^Remote/);
    await page.screenshot('check-settings');
  });

  it('keeps what the check found to a few words below the question', async () => {
    const line = await panel.get('setup-line').innerText();
    assert.match(line, /Checked: \d+ of \d+ work\.$/);
  });

  it('says beside the key that it may be gone after a reload, and after the reload that it is', async () => {
    await page.runCommand('Deep Research: Use API Key');
    await row('Tavily').click();
    await page.page.locator('.quick-input-message', { hasText: 'gone when the window reloads' }).waitFor();
    await page.screenshot('key-without-keychain');
    await page.quickInput().fill('tvly-0123456789');
    await page.quickInput().press('Enter');
    await page.notification('may be gone when the window reloads');
    await page.reload();
    const lost = await page.notification('did not keep the key for Tavily');
    await page.screenshot('key-gone');
    // By the keyboard: the bell's tooltip may cover the button.
    await lost.getByRole('button', { name: 'Use API Key…' }).press('Enter');
    await page.page.locator('.quick-input-title', { hasText: 'Key for Tavily' }).waitFor();
  });
});
