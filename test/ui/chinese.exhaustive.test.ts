import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { englishIn } from '../support/englishWords.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { drawn, keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

/** The editor's own texts stay English: it has no language pack. The extension's are those of its language. */
describe('in an editor that is set to Simplified Chinese', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    fs.writeFileSync(
      path.join(workspace, '船闸.md'),
      '# 船闸\n\n船闸是让船只通过水位差的建筑物，由上闸门、闸室和下闸门组成。船只驶入闸室后，闸门关闭，阀门向闸室充水或泄水，直到水位齐平。\n',
    );
    editor = await startEditor({
      workspace,
      installed: true,
      userSettings: { 'deepResearch.model.provider': 'extractive' },
      machineSettings: await offline(),
    });
    page = await editor.openPage({
      viewport: { width: 1400, height: 900 },
      prepare: async (opened) => {
        await opened.addInitScript(() => {
          (globalThis as { _VSCODE_NLS_LANGUAGE?: string })._VSCODE_NLS_LANGUAGE = 'zh-cn';
        });
      },
    });
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  const rows = () => page.page.locator('.quick-input-list .monaco-list-row');

  /** Everything that a frame of ours says, but for what the folder holds: questions about it, and the titles of its files. */
  const said = (frame: Frame): Promise<string> =>
    frame.evaluate(() => {
      const foreign = '[data-testid="example"], [data-testid="source"], script, style';
      const texts: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        if (!walker.currentNode.parentElement?.closest(foreign)) texts.push(walker.currentNode.textContent ?? '');
      for (const element of document.querySelectorAll('body *'))
        if (!element.closest(foreign))
          for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
            texts.push(element.getAttribute(name) ?? '');
      return texts.join('\n');
    });

  it('notifies', async () => {
    await page.runCommand('Deep Research: View Last Report');
    const notice = await page.notification('报告');
    await page.screenshot('zh-notification');
    assert.deepEqual(englishIn(await notice.locator('.notification-list-item-message').innerText()), []);
    await page.clearNotifications();
  });

  it('asks in the panel', async () => {
    panel = await openPanel(page);
    await panel.get('example').nth(2).waitFor();
    assert.match(await panel.frame.locator('body').innerText(), /你想研究什么？/);
    assert.deepEqual(englishIn(await said(panel.frame)), []);
    await page.screenshot('zh-ask');
  });

  it('researches, and shows the report', async () => {
    await panel.ask('船闸由什么组成？');
    await panel.reaches('finished');
    await panel.get('report').getByText('船闸是让船只通过水位差的建筑物').first().waitFor();
    await drawn(panel.frame);
    await page.screenshot('zh-finished');
    assert.deepEqual(englishIn(await said(panel.frame)), []);
  });

  it('says in Chinese what a run warns of whose report is in English', async () => {
    await panel.get('new-question').click();
    await panel.ask('What is HyDE?');
    await panel.reaches('finished');
    await panel.get('warnings-toggle').click();
    await panel.get('warning').first().waitFor();
    const warnings = await panel.get('warning').allInnerTexts();
    await page.screenshot('zh-warnings');
    assert.ok(warnings.length > 0);
    assert.deepEqual(englishIn(warnings.join('\n')), []);
  });

  it('says what a check of the sources found', async () => {
    await page.runCommand('Deep Research: Check Sources');
    await rows().filter({ hasText: '工作区' }).first().waitFor();
    const found = await rows().allInnerTexts();
    await page.screenshot('zh-check');
    assert.ok(found.length >= 4, found.join('\n'));
    assert.deepEqual(englishIn(found.join('\n')), []);
    await rows().filter({ hasText: 'arXiv' }).first().click();
    const dialog = page.page.getByRole('dialog').filter({ hasText: 'arXiv' });
    assert.match(await dialog.innerText(), /无法连接/);
    await page.screenshot('zh-check-dialog');
    await page.page.keyboard.press('Escape');
    await page.page.keyboard.press('Escape');
  });

  it('walks through its first hour', async () => {
    await page.runCommand('Welcome: Open Walkthrough');
    await rows().filter({ hasText: 'Deep Research' }).first().click();
    const steps = page.page.locator('.getting-started-step');
    await steps.first().waitFor();
    for (const id of ['ask', 'model'] as const) {
      await page.page.locator(`.getting-started-step[data-step-id$="#${id}"]`).click();
      await page.webview(`svg[data-picture="${id}"]`);
      await page.screenshot(`zh-walkthrough-${id}`);
    }
    assert.equal(await steps.count(), 5);
    assert.deepEqual(englishIn((await steps.allInnerTexts()).join('\n')), []);
  });
});
