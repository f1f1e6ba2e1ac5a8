// A model's server that is down, in the real editor: no button of the card is a dead end.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { breakableConnection, type BreakableConnection } from '../support/breakableConnection.ts';
import { startEditor, type Editor, type EditorPage } from '../support/editor.ts';
import { startModelServer, type ModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

describe('a model whose server is down', () => {
  const workspace = copyWorkspace('examples');
  let server: ModelServer;
  let connection: BreakableConnection;
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    server = await startModelServer();
    connection = await breakableConnection(server.url);
    await connection.cut();
    const { origin } = connection;
    editor = await startEditor({
      workspace,
      userSettings: { 'deepResearch.model.provider': 'openai-compatible', 'deepResearch.model.name': 'imitation-1' },
      machineSettings: {
        ...(await offline()),
        'deepResearch.model.baseUrl': server.url.replace(new URL(server.url).origin, origin),
      },
    });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    await connection?.close();
    await server?.close();
    removeFolder(workspace);
  });

  it('is tried again, and says when', async () => {
    await panel.get('setup-problem').waitFor();
    await page.screenshot('model-down');
    await panel.get('setup-problem-tryAgain').click();
    await panel.get('setup-problem').filter({ hasText: 'Tried again at' }).waitFor();
  });

  it('can be exchanged: the list of models opens', async () => {
    await panel.get('setup-problem-selectModel').click();
    await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Ollama' }).first().waitFor();
    await page.page.keyboard.press('Escape');
  });

  it('is used once it answers again', async () => {
    await connection.restore();
    await panel.get('setup-problem-tryAgain').click();
    await panel.get('setup-problem').waitFor({ state: 'detached' });
    await panel.get('setup-line').filter({ hasText: 'imitation-1' }).waitFor();
  });

  it('is done without: the question that was typed is researched by quotes', async () => {
    await connection.cut();
    await page.reload();
    panel = await openPanel(page);
    await panel.get('setup-problem').waitFor();
    const asked = server.requests.length;
    await panel.get('question').fill('How does hybrid search combine its results?');
    await panel.get('setup-problem-withoutModel').click();
    await panel.reaches('finished');
    assert.equal(server.requests.length, asked);
  });
});
