import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { drawn, keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('the tab that shows a report', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;
  let reader: Frame;

  before(async () => {
    editor = await startEditor({
      workspace,
      userSettings: { 'deepResearch.report.openAs': 'preview' },
      machineSettings: await offline(),
    });
    page = await editor.openPage({ viewport: { width: 1200, height: 800 } });
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  it('opens while the report is written, and shows its file when it is saved', async () => {
    panel = await openPanel(page);
    await panel.ask(question);
    await panel.reaches('finished');
    await page.editorTab(/^\d{4}-\d\d-\d\d-what-are-the-main-techniques/).waitFor();
    assert.equal((await page.editorTabs()).length, 1);
    assert.equal(await panel.get('report').count(), 0, 'the panel leaves it to the tab');
    reader = await page.webview('.reader');
    await reader.getByTestId('facts').getByText('quotes').waitFor();
    const checked = /\d+/.exec(await panel.get('checked').innerText())?.[0];
    await reader.getByTestId('facts').getByText(`${checked} of ${checked} verified`).waitFor();
    await reader.getByTestId('report').getByText('References', { exact: true }).waitFor();
    await drawn(reader);
    await page.screenshot('reader');
  });

  it('shows the passage of a citation that is walked to by keyboard', async () => {
    await reader.locator('article').click({ position: { x: 5, y: 5 } });
    await page.page.keyboard.press(']');
    await reader.getByTestId('evidence').locator('mark').first().waitFor();
    assert.match(await reader.getByTestId('verdict').innerText(), /quoted/i);
    await page.screenshot('reader-evidence');
  });

  it('opens the cited file with its lines selected, and what was read of it', async () => {
    await page.page.keyboard.press('Enter');
    await page.page.locator('.editor-group-container .monaco-editor .selected-text').first().waitFor();
    await page.screenshot('reader-file');
    reader = await page.webview('.reader');
    await reader.getByTestId('citation').first().focus();
    await reader.getByTestId('open-copy').click();
    await page.page.locator('.tab', { hasText: /\.txt$/ }).waitFor();
    await page.screenshot('reader-copy');
  });

  it('is text at a click, and as it is read at another', async () => {
    await page.runCommand('View: Focus First Editor Group');
    await page.runCommand('Deep Research: Reopen as Text');
    await page.page.locator('.monaco-editor .view-line', { hasText: 'strategy:' }).waitFor();
    await page.runCommand('Deep Research: Open as Report');
    reader = await page.webview('.reader');
    await reader.getByTestId('facts').getByText('verified').waitFor();
  });
});
