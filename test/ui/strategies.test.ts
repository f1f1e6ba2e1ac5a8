import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { EditorPage } from '../support/editor.ts';
import { requestsOf } from '../support/modelScenarios.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures, type Panel } from './support/researchPage.ts';

/** The one report that was saved. */
function savedReport(workspace: string): string {
  const files = fs
    .readdirSync(path.join(workspace, 'research'))
    .filter((file) => file.endsWith('.md') && !file.endsWith('.evidence.md'));
  assert.equal(files.length, 1, files.join(', '));
  return fs.readFileSync(path.join(workspace, 'research', files[0]!), 'utf8');
}

/** Opens what may be open already: it depends on how much of the run the page has seen. */
async function open(toggle: Locator): Promise<void> {
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

describe('a supervisor with a model behind an OpenAI-compatible server', () => {
  let modelEditor: ModelEditor;
  let workspace: string;
  let server: ModelServer;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    modelEditor = await openModelEditor({
      model: { delayMs: 30 },
      settings: { strategy: 'supervisor', planApproval: 'always' },
    });
    ({ workspace, server, page, panel } = modelEditor);
  });
  keepFailures(() => page);
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
    assert.match(savedReport(workspace), /^strategy: "?supervisor"?$/m);
  });
});
