import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { requestsOf } from '../support/modelScenarios.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { offline, openPanel, type Panel } from './support/researchPage.ts';

/** The one report that was saved since the given ones. */
function newReport(
  workspace: string,
  before: readonly string[] = [],
): { readonly file: string; readonly text: string } {
  const files = fs
    .readdirSync(path.join(workspace, 'research'))
    .filter((file) => file.endsWith('.md') && !before.includes(file));
  assert.equal(files.length, 1, files.join(', '));
  return { file: files[0]!, text: fs.readFileSync(path.join(workspace, 'research', files[0]!), 'utf8') };
}

/** Opens what may be open already: it depends on how much of the run the page has seen. */
async function open(toggle: Locator): Promise<void> {
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

describe('a strategy chosen in the question box, without a model', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    editor = await startEditor({ workspace, machineSettings: await offline() });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  it('researches in rounds, shows them, and saves the strategy with the report', async () => {
    assert.equal(await panel.get('strategy').inputValue(), 'auto');
    await panel.get('strategy').selectOption('iterative');
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.get('round').first().waitFor();
    await panel.reaches('finished');
    assert.match(await panel.get('run-strategy').innerText(), /^Strategy: Iterative\./);
    await open(panel.get('rounds-toggle'));
    const rounds = await panel
      .get('round')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-status')));
    assert.ok(rounds.length >= 1 && rounds.every((status) => status === 'completed'), rounds.join(', '));
    assert.match(await panel.get('round-facts').first().innerText(), /new source/);
    await open(panel.get('round-toggle').first());
    assert.ok((await panel.get('query').count()) > 0);
    await page.screenshot('strategy-iterative');
    assert.match(newReport(workspace).text, /^strategy: "?iterative"?$/m);
  });

  it('remembers the choice for the next question, and another one is taken at once', async () => {
    const before = [newReport(workspace).file];
    await panel.get('new-question').click();
    assert.equal(await panel.get('strategy').inputValue(), 'iterative');
    await panel.get('strategy').selectOption('sections');
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.reaches('finished');
    assert.equal(await panel.get('rounds').count(), 0);
    assert.match(newReport(workspace, before).text, /^strategy: "?sections"?$/m);
  });
});

describe('a supervisor with a model behind an OpenAI-compatible server', () => {
  let modelEditor: ModelEditor;
  let workspace: string;
  let server: ModelServer;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    modelEditor = await openModelEditor({
      model: { delayMs: 30, tokenDelayMs: 2 },
      settings: { strategy: 'supervisor', planApproval: 'always' },
    });
    ({ workspace, server, page, panel } = modelEditor);
  });
  after(() => modelEditor?.close());

  it('is what the settings say, and lets its brief be changed first', async () => {
    assert.equal(await panel.get('strategy').inputValue(), 'supervisor');
    await panel.ask('Compare dense retrieval and sparse retrieval');
    const brief = panel.get('plan-brief');
    await brief.waitFor();
    await page.screenshot('strategy-supervisor-brief');
    await brief.fill(`${await brief.inputValue()}\nLook at zebra benchmarks too.`);
    await panel.get('approve-plan').click();
    await panel.get('topic').first().waitFor();
    const [first] = requestsOf(server.requests, 'supervise');
    assert.ok(first?.prompt.includes('zebra benchmarks'), 'the supervisor works from the changed brief');
  });

  it('shows the tree of its topics, each with its full text, and saves the strategy with the report', async () => {
    await panel.reaches('finished');
    assert.match(await panel.get('run-strategy').innerText(), /^Strategy: Supervisor\./);
    assert.equal(await panel.get('sections').count(), 0);
    await open(panel.get('topics-toggle'));
    const topics = await panel
      .get('topic')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-status')));
    assert.deepEqual(topics, ['completed', 'completed']);
    assert.ok((await panel.get('topic-round').count()) >= 1);
    await open(panel.get('topic-toggle').first());
    assert.ok((await panel.get('topic').first().locator('.section-details').innerText()).length > 20);
    await page.screenshot('strategy-supervisor');
    assert.match(newReport(workspace).text, /^strategy: "?supervisor"?$/m);
  });
});
