import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';

describe('the panel in the real editor', () => {
  const workspace = copyWorkspace();
  let editor: Editor;
  let page: EditorPage;

  before(async () => {
    editor = await startEditor({ workspace });
    page = await editor.openPage();
  });
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  it('opens from the command palette', async () => {
    await page.runCommand('Deep Research: Start');
    const frame = await page.webview('body');
    assert.ok(frame.url().startsWith('http'));
    await page.page.locator('.sidebar .composite.title', { hasText: 'Deep Research' }).waitFor();
  });
});
