import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

describe('an editor without a model and a network', () => {
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
});
