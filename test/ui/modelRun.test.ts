import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EditorPage } from '../support/editor.ts';
import { clarifyOnce, either, failResearcher, requestsOf, sendBackOnce } from '../support/modelScenarios.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { root } from '../support/paths.ts';
import { keepFailures, type Panel } from './support/researchPage.ts';

describe('a research with a model behind an OpenAI-compatible server', () => {
  let modelEditor: ModelEditor;
  let workspace: string;
  let server: ModelServer;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    modelEditor = await openModelEditor({
      beside: [path.join(root, 'test', 'fixtures', 'modelProvider')],
      env: { IMITATED_MODEL: 'Modest' },
      model: {
        models: ['imitation-1', 'imitation-2'],
        delayMs: 20,
        script: either(clarifyOnce(), failResearcher(/Limits/), sendBackOnce()),
        imitation: { sections: 4 },
      },
    });
    ({ workspace, server, page, panel } = modelEditor);
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  it('says before it starts which host gets the question and the found text', async () => {
    assert.ok((await panel.get('setup-line').innerText()).includes(new URL(server.url).host));
  });

  const offered = () => page.page.locator('.quick-input-list .monaco-list-row');

  it('lists the models of the server and of the editor by a command, and tests and takes the one that is chosen', async () => {
    await page.runCommand('Deep Research: Select Model');
    const chosen = offered().filter({ hasText: 'imitation-2' }).first();
    await chosen.waitFor();
    for (const model of ['imitation-1', 'Modest']) await offered().filter({ hasText: model }).first().waitFor();
    await page.screenshot('select-model');
    await chosen.click();
    await page.notification(/imitation-2 answered in [\d.]+ s/);
    assert.deepEqual(
      server.requests.map(({ model, step }) => [model, step]),
      [['imitation-2', 'other']],
    );
    await panel.get('setup-line').filter({ hasText: 'imitation-2' }).waitFor();
    await page.clearNotifications();
  });

  it('asks back, and an option button answers', async () => {
    await panel.ask('How does retrieval-augmented generation work?');
    await panel.get('clarify').waitFor();
    assert.equal(await panel.get('option').count(), 3);
    await page.screenshot('model-clarify');
    await panel.get('option').nth(1).click();
    await panel.get('section').first().waitFor();
    assert.equal(await panel.get('clarify').count(), 0);
    await page.screenshot('model-sections');
  });

  it('sends one section back, gives one that the model fails as quotes, and ends with a report that says so', async () => {
    await panel.get('attempt').first().waitFor({ timeout: 60_000 });
    await panel.reaches('finished');
    const sections = await panel.sections();
    assert.deepEqual(
      sections.map(({ status }) => status),
      Array<string>(4).fill('completed'),
    );
    const failing = sections.find(({ title }) => /Limits/.test(title))!.title;
    const distilled = requestsOf(server.requests, 'distil').filter(({ section }) => section === failing);
    assert.equal(distilled.length, 3, 'asked, and tried twice again');
    assert.equal(requestsOf(server.requests, 'review').length, 2);
    assert.ok(
      server.requests.some(({ prompt }) => prompt.includes('Recent results')),
      'the chosen option reaches the model',
    );
    await page.screenshot('model-finished');
  });

  it('opens the saved report, with every citation resolved', async () => {
    await page
      .editorTab(/^\d{4}-\d\d-\d\d-/)
      .first()
      .waitFor();
    const [file] = fs.readdirSync(path.join(workspace, 'research')).filter((name) => !name.endsWith('.evidence.md'));
    const text = fs.readFileSync(path.join(workspace, 'research', file!), 'utf8');
    assert.doesNotMatch(text, /\[S[0-9a-f]{5,}\]/);
    assert.match(text, /^- <a id="ref-1"><\/a>\[1\] .*\]\(\.\.\/notes\/[\w-]+\.md#L\d+-L\d+\)/m);
    assert.match(text, /^## .*Limits/m, 'the section that the model failed is there');
    assert.match(text, /^- Note: The findings could not be condensed: .*HTTP 500.*given as quotes\.$/m);
    assert.match(text, /model: ["']?imitation-2/);
  });

  it('counts tokens and time', async () => {
    assert.match(await panel.get('tokens').innerText(), /tokens/);
    assert.match(await panel.get('elapsed').innerText(), /\d:\d\d/);
  });

  it('offers the models from under its question box too, and says when one of the editor is taken', async () => {
    await panel.get('new-question').click();
    await panel.get('select-model').click();
    await offered().filter({ hasText: 'Modest' }).first().click();
    await page.notification(/imitated\/modest answered in/);
    await panel.get('setup-line').filter({ hasText: 'imitated/modest' }).waitFor();
    assert.match(await panel.get('setup-line').innerText(), /VS Code/);
    assert.match((await panel.get('setup-line').getAttribute('title')) ?? '', /imitated\/modest/);
  });

  it('still lists the models of the server whose address that choice replaced', async () => {
    await page.clearNotifications();
    await panel.get('select-model').click();
    await offered().filter({ hasText: 'imitation-1' }).first().click();
    await page.notification(/imitation-1 answered in/);
    await panel
      .get('setup-line')
      .filter({ hasText: new URL(server.url).host })
      .waitFor();
  });
});
