import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { findPanel, keepFailures, offline } from './support/researchPage.ts';

/** A newcomer without a model: every step is done by its button. */
describe('the walkthrough', () => {
  let workspace: string;
  let server: ModelServer;
  let editor: Editor;
  let page: EditorPage;

  before(async () => {
    workspace = copyWorkspace('examples');
    server = await startModelServer();
    editor = await startEditor({
      workspace,
      userSettings: { 'deepResearch.model.provider': 'extractive' },
      machineSettings: await offline(),
    });
    page = await editor.openPage({ viewport: { width: 1400, height: 900 } });
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    await server?.close();
    removeFolder(workspace);
  });

  const step = (id: string) => page.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  const done = (id: string) => step(id).locator('.codicon-getting-started-step-checked').first();
  const rows = () => page.page.locator('.quick-input-list .monaco-list-row');

  async function open(): Promise<void> {
    await page.runCommand('Welcome: Open Walkthrough');
    await rows().filter({ hasText: 'Start with Deep Research' }).first().click();
    await step('ask').waitFor();
  }

  async function press(id: string, button: string): Promise<void> {
    await step(id).click();
    await step(id).getByRole('button', { name: button }).click();
  }

  /** Of a picture, once they are as wanted: a theme reaches a webview a moment after the window, and a step has a page of its own. */
  async function colorsOf(id: string, isWanted: (colors: string) => boolean): Promise<string> {
    for (;;) {
      const frame = await page.webview(`svg[data-picture="${id}"]`);
      const found = await frame
        .evaluate(() => {
          const { stroke, fill } = getComputedStyle(document.querySelector('svg rect')!);
          return stroke === fill ? '' : `${stroke} on ${fill}`;
        })
        // The page is being replaced by that of the step.
        .catch(() => '');
      if (found !== '' && isWanted(found)) return found;
    }
  }

  it('has five steps, none of which is done in an empty profile, with pictures in the colours of each theme', async () => {
    await open();
    const ids = ['ask', 'attach', 'model', 'sources', 'agents'];
    assert.equal(await page.page.locator('.getting-started-step').count(), ids.length);
    assert.equal(await page.page.locator('.codicon-getting-started-step-checked').count(), 0);
    const seen = new Set<string>();
    for (const theme of ['dark', 'high-contrast', 'high-contrast-light', 'light'] as const) {
      await page.setColorTheme(theme);
      for (const id of theme === 'light' ? ids : ['sources']) {
        await step(id).click();
        const colors = await colorsOf(id, (found) => id !== 'sources' || !seen.has(found));
        if (id === 'sources') seen.add(colors);
        await page.screenshot(`walkthrough-${id}-${theme}`);
      }
    }
    assert.equal(seen.size, 4, [...seen].join('; '));
  });

  it('sees a question answered', async () => {
    await press('ask', 'Ask a Question');
    const panel = await findPanel(page);
    await panel.ask('What is HyDE?');
    await panel.reaches('finished');
    await open();
    await done('ask').waitFor();
  });

  it('attaches a file that the user picks, where none is open', async () => {
    await press('attach', 'Attach a File');
    // The dialog writes the folder into its box when it has looked at it, over what was typed before.
    for (let tries = 1; ; tries += 1)
      try {
        await page.quickInput().fill(path.join(workspace, 'references.bib'), { timeout: 10_000 });
        await rows().filter({ hasText: 'references.bib' }).first().waitFor({ timeout: 10_000 });
        break;
      } catch (error) {
        if (tries === 10) throw error;
      }
    // The dialog drops an Enter that comes while it still looks.
    for (let tries = 1; tries <= 10 && (await page.quickInput().isVisible()); tries += 1) {
      await page
        .quickInput()
        .press('Enter', { timeout: 2_000 })
        .catch(() => undefined);
      await page
        .quickInput()
        .waitFor({ state: 'hidden', timeout: 2_000 })
        .catch(() => undefined);
    }
    await done('attach').waitFor();
  });

  it('sees a model chosen', async () => {
    await press('model', 'Select a Model');
    await rows().filter({ hasText: 'Server Address' }).first().click();
    await page.page.locator('.quick-input-widget:visible input[placeholder^="http"]').fill(server.url);
    await page.page.keyboard.press('Enter');
    await rows().filter({ hasText: 'imitation-1' }).first().click();
    await page.notification(/imitation-1 answered/);
    await page.clearNotifications();
    await done('model').waitFor();
  });

  it('sees the sources checked', async () => {
    await press('sources', 'Check the Sources');
    await rows().first().waitFor();
    await page.page.keyboard.press('Escape');
    await done('sources').waitFor();
  });

  it('sees what agents need given to them', async () => {
    await press('agents', 'Use from Agents');
    await rows().filter({ hasText: 'Cursor' }).first().click();
    await page.notification('~/.cursor/mcp.json');
    await page.clearNotifications();
    await open();
    await done('agents').waitFor();
    assert.equal(await page.page.locator('.getting-started-step .codicon-getting-started-step-checked').count(), 5);
    await page.screenshot('walkthrough-done');
  });
});
