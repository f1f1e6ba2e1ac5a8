import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { drawn, findPanel, keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('without a model and without a network', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    // As at a newcomer's: nothing is set.
    editor = await startEditor({ workspace, installed: true, machineSettings: await offline() });
    page = await editor.openPage();
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  const reports = () =>
    fs
      .readdirSync(path.join(workspace, 'research'))
      .filter((file) => file.endsWith('.md') && !file.endsWith('.evidence.md'));
  const read = (file: string) => fs.readFileSync(path.join(workspace, 'research', file), 'utf8');
  /** After a run, whichever way it ended. */
  const askNext = async (question: string) => {
    await panel.frame.locator('[data-testid="new-question"], [data-testid="edit-question"]').first().click();
    await panel.ask(question);
  };

  describe('the first research on a fresh machine', () => {
    it('opens the panel from the palette, with the cursor in the question box, and says what is sent where', async () => {
      panel = await openPanel(page);
      await panel.get('question').waitFor();
      assert.equal(await panel.frame.evaluate(() => document.activeElement?.id), 'question');
      const line = await panel.get('setup-line').innerText();
      assert.match(line, /Without a model/);
      assert.ok(line.includes(path.basename(workspace)), line);
      assert.equal(await panel.get('setup-problem').count(), 0);
      await page.screenshot('first-ask');
    });

    it('refuses an empty question in place', async () => {
      await panel.ask('   ');
      await panel.get('question-problem').getByText('Enter a question first.').waitFor();
      assert.equal(await panel.get('run').count(), 0);
    });

    it('offers three questions that the folder answers, and puts one into the box', async () => {
      await panel.get('example').nth(2).waitFor();
      const asked = await panel.get('example').first().innerText();
      assert.match(asked, /\?$/);
      await panel.get('example').first().click();
      assert.equal(await panel.get('question').inputValue(), asked);
      await page.screenshot('first-examples');
    });

    it('researches a question, and shows the section that answers', async () => {
      await panel.ask(question);
      await panel.get('run-header').waitFor();
      await panel.get('section').first().waitFor();
      const titles = (await panel.sections()).map(({ title }) => title);
      assert.deepEqual(titles, ['Answer']);
    });

    it('streams the report into the panel, saves it, and opens it in a tab', async () => {
      await panel.reaches('finished');
      await page.editorTab(/^\d{4}-\d\d-\d\d-what-are-the-main-techniques/).waitFor();
      assert.equal(reports().length, 1);
      const saved = fs.readFileSync(path.join(workspace, 'research', reports()[0]!), 'utf8');
      assert.match(saved, /^---\ntitle: .+\nquestion: /);
      assert.match(saved, /^model: "?extractive"?$/m);
      assert.match(saved, /\[\[1\]\]\(#ref-1\)/);
      assert.match(saved, /^## References$/m);
      const shown = await panel.get('report').innerText();
      const title = /^# (.+)$/m.exec(saved)?.[1] ?? 'no title';
      assert.ok(shown.includes(title), 'the panel shows the same report');
      await page.screenshot('first-finished');
    });

    it('has a button at the report’s tab that shows it as it is read', async () => {
      await page.page
        .locator('.editor-actions')
        .getByRole('button', { name: /Open as Report/ })
        .click();
      const reader = await page.webview('.reader');
      await reader.locator('h1').first().waitFor();
      await drawn(reader);
      await page.screenshot('first-report');
      await panel.get('report').waitFor({ state: 'detached' });
      await page.runCommand('View: Close Editor');
      await panel.get('report').waitFor();
    });

    it('opens the file that a citation stands for, with the cited lines selected', async () => {
      await panel.get('report').locator('button[data-citation]').first().click();
      await page.page.locator('.editor-group-container .monaco-editor .selected-text').first().waitFor();
      const tabs = await page.editorTabs();
      assert.ok(
        tabs.some((tab) =>
          fs
            .readdirSync(workspace, { recursive: true, encoding: 'utf8' })
            .some((file) => path.parse(file).name === tab),
        ),
        tabs.join(', '),
      );
      await page.screenshot('first-citation');
    });

    it('asks the next question in an empty box and saves its report beside the first', async () => {
      const first = reports();
      await panel.get('new-question').click();
      await panel.get('question').waitFor();
      assert.equal(await panel.get('question').inputValue(), '');
      await panel.ask(question);
      await panel.reaches('finished');
      assert.equal(reports().length, 2);
      assert.ok(reports().includes(first[0]!), 'the first report is untouched');
    });

    it('puts a selected text into the question box, so that the user sees what would be sent', async () => {
      await page.page.keyboard.press('ControlOrMeta+P');
      await page.quickInput().fill('references.bib');
      await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'references.bib' }).first().waitFor();
      await page.page.keyboard.press('Enter');
      await page.editorTab(/^references$/).waitFor();
      await page.runCommand('Select All');
      await page.runCommand('Deep Research: Research Selection');
      const box = panel.get('question');
      await box.waitFor();
      await panel.frame.waitForFunction(() => document.querySelector('textarea')?.value.includes('@'));
      assert.equal(
        (await box.inputValue()).trim(),
        fs.readFileSync(path.join(workspace, 'references.bib'), 'utf8').trim(),
      );
      assert.equal(await panel.get('run').count(), 0, 'nothing was started');
      await box.fill('');
    });

    it('opens the last report again from the palette', async () => {
      await page.runCommand('View: Close All Editors');
      await page.runCommand('Deep Research: View Last Report');
      await page.editorTab(/-2$/).waitFor();
    });

    it('shows the finished run again after the panel was hidden', async () => {
      await panel.ask(question);
      await panel.reaches('finished');
      await page.page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Explorer/ })
        .click();
      await page.activityBarIcon().click();
      panel = await findPanel(page);
      await panel.reaches('finished');
      await panel.get('report').getByText('References', { exact: true }).waitFor();
    });
  });

  describe('when nothing that was searched answers', () => {
    it('says what was searched, what came nearest, and what a search of the web needs', async () => {
      await askNext('What is the boiling point of ammonia on Mars?');
      await panel.reaches('finished');
      assert.equal(await panel.get('status').innerText(), 'Not in what was searched');
      await panel.frame.waitForFunction(() => {
        const { top = -1, bottom = 0 } = document.querySelector('[data-read-first]')?.getBoundingClientRect() ?? {};
        return top >= 0 && bottom - top > 0 && top < innerHeight / 2;
      });
      assert.match(await panel.get('not-found-searched').innerText(), /Workspace \(\d+ files\)/);
      assert.match(await panel.get('not-found-web').innerText(), /a key of Tavily or Bocha/);
      assert.ok((await panel.get('nearest').getByRole('button').count()) >= 1);
      await page.screenshots('not-found', ['light', 'high-contrast', 'dark']);
    });

    it('opens the nearest passage, and puts the question into the box to be rephrased', async () => {
      const nearest = panel.get('nearest').getByRole('button').first();
      await nearest.click();
      await page.page.locator('.editor-group-container .monaco-editor').first().waitFor();
      await panel.get('not-found').getByTestId('edit-question').click();
      assert.equal(await panel.get('question').inputValue(), 'What is the boiling point of ammonia on Mars?');
      await panel.ask('How is retrieval evaluated?');
      await panel.reaches('finished');
    });
  });

  describe('the check, the models to choose from and the keys', () => {
    let server: ModelServer;
    before(async () => {
      server = await startModelServer();
      // A window reads it when it is loaded again: for the tab that shows a report, after these tests.
      editor.setUserSettings({ 'deepResearch.report.openAs': 'preview' });
      await panel.frame.locator('[data-testid="new-question"], [data-testid="edit-question"]').first().click();
    });
    after(() => server?.close());

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
      assert.match(line, /Checked: \d+ of \d+ working\.$/);
    });

    it('says beside the key that it may be gone after a reload, and after the reload that it is', async () => {
      await page.runCommand('Deep Research: Use API Key');
      await row('Tavily').click();
      await page.page.locator('.quick-input-message', { hasText: 'gone when the window reloads' }).waitFor();
      await page.screenshot('key-without-keychain');
      await page.quickInput().fill('tvly-0123456789');
      await page.quickInput().press('Enter');
      await page.notification('may be gone when the window reloads');
      // What an extension has stored is written a moment later.
      await page.clearNotifications();
      await page.reload();
      const lost = await page.notification('did not keep the key for Tavily');
      await page.screenshot('key-gone');
      // By the keyboard: the bell's tooltip may cover the button.
      await lost.getByRole('button', { name: 'Use API Key…' }).press('Enter');
      await page.page.locator('.quick-input-title', { hasText: 'Key for Tavily' }).waitFor();
    });
  });

  describe('the tab that shows a report', () => {
    let reader: Frame;

    before(async () => {
      await page.page.keyboard.press('Escape');
      panel = await openPanel(page);
      await page.runCommand('View: Close All Editors');
    });

    it('opens while the report is written, and shows its file when it is saved', async () => {
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

    it('marks after a refresh what its sources no longer say, once the user accepts it', async () => {
      const made = (name: string): number => fs.statSync(path.join(workspace, 'research', name)).mtimeMs;
      const [shown] = reports().sort((one, other) => made(other) - made(one));
      const newest = (): string => read(shown!);
      const file = path.join(workspace, /\]\(\.\.\/(notes\/[^)#]+)#L/.exec(newest())![1]!);
      const before = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, `${before.split('\n')[0]}\n\nAll of it was written again.\n`);
      await page.runCommand('Deep Research: Refresh Report');
      const change = await page.notification(/Version \d+ changes/);
      await page.page.locator('.tab', { hasText: /Version \d+/ }).waitFor();
      await page.screenshot('refresh-diff');
      assert.doesNotMatch(newest(), /What has changed/, 'it waits');
      await change.getByRole('button', { name: 'Accept' }).click();
      await page.runCommand('View: Close All Editors');
      await page.runCommand('Deep Research: View Last Report');
      reader = await page.webview('.reader');
      await reader.getByTestId('report').getByText('What has changed', { exact: true }).waitFor();
      assert.match(newest(), /\(#ref-\d+\) ↻/);
      await page.screenshots('refresh-report', ['dark', 'high-contrast', 'light'], () => drawn(reader));
    });
  });
});
