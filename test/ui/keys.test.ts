import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Editor, EditorPage } from '../support/editor.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures, type Panel } from './support/researchPage.ts';

describe('keys', () => {
  const key = 'sk-imitated-0123456789abcdef';
  let modelEditor: ModelEditor;
  let server: ModelServer;
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    modelEditor = await openModelEditor({
      model: { key },
      settings: { 'model.provider': 'openai', clarification: 'off' },
    });
    ({ server, editor, page, panel } = modelEditor);
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  /** Types a key into the box, which is for the imitated server. */
  async function typeKey(typed: string): Promise<void> {
    await page.page.locator('.quick-input-message', { hasText: `sent only to ${server.origin}` }).waitFor();
    await page.page.locator('.quick-input-widget:visible input[type="password"]').fill(typed);
    await page.page.keyboard.press('Enter');
  }

  it('are asked for in the panel before a run that needs one', async () => {
    await panel.get('setup-problem').waitFor();
    assert.match(
      await panel.get('setup-line').innerText(),
      /sent to imitation-1/,
      'a model is meant, though it has no key yet',
    );
    await panel.get('setup-problem-setKey').click();
    await page.quickInput().waitFor();
    await page.screenshot('key-asked');
  });

  it('are refused when they hold white space, with a reason, and nothing is saved', async () => {
    await typeKey('two words');
    await page.page.locator('.quick-input-message', { hasText: 'no spaces' }).waitFor();
    assert.equal(
      await page.page.locator('.quick-input-widget:visible input[type="password"]').count(),
      1,
      'the key stays hidden and can be corrected',
    );
    await page.screenshot('key-refused');
    await page.page.keyboard.press('Escape');
    assert.equal(await panel.get('setup-problem').count(), 1);
  });

  it('that a service refuses end the run with the one thing to do', async () => {
    await page.runCommand('Deep Research: Use API Key');
    await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'For OpenAI models' }).first().click();
    await typeKey('sk-wrong-0123456789');
    const refusal = await page.notification(/key/i);
    assert.doesNotMatch(await refusal.innerText(), /sk-wrong/);
    // A gateway may refuse the test alone, so the user may insist.
    await refusal.getByRole('button', { name: 'Save Anyway' }).click();
    await page.notification('sent only to');
    await page.clearNotifications();
    await panel.get('setup-problem').waitFor({ state: 'detached' });
    await panel.ask('How does retrieval-augmented generation work?');
    await panel.get('end').waitFor();
    await panel.get('set-key').waitFor();
    assert.doesNotMatch(await panel.get('end').innerText(), /sk-wrong|\n\s+at /);
    await page.screenshot('key-wrong');
  });

  it('are used after they were set, trimmed, and stand in no log and no file of the run', async () => {
    await panel.get('set-key').click();
    await typeKey(`  ${key} `);
    await page.notification('The key works. It is sent only to');
    await panel.get('rerun').click();
    await panel.reaches('finished');
    assert.ok(server.requests.length > 5);
    const found = fs
      .readdirSync(editor.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => fs.readFileSync(file).includes(key));
    assert.deepEqual(found, []);
  });

  it('are gone when they are cleared', async () => {
    await page.runCommand('Deep Research: Clear API Key');
    await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'For OpenAI models' }).first().click();
    await page.notification('is cleared');
    await panel.get('new-question').click();
    await panel.get('setup-problem').waitFor();
  });

  it('are not needed for a run without a model', async () => {
    const before = server.requests.length;
    await panel.get('question').fill('How does retrieval-augmented generation work?');
    await panel.get('setup-problem-withoutModel').click();
    await panel.reaches('finished');
    assert.equal(await panel.get('model').innerText(), 'Without a model: every sentence is a quote');
    assert.equal(server.requests.length, before);
  });
});
