import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

describe('a plan that the user edits', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    editor = await startEditor({
      workspace,
      userSettings: { 'deepResearch.planApproval': 'always' },
      machineSettings: await offline(),
    });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  const focused = () =>
    panel.frame.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid'));

  it('is researched as it was approved, with one row for each of its sections up to the end', async () => {
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.get('plan-card').waitFor();
    const titles = panel.get('plan-section-title');
    await panel.get('plan-remove').first().click();
    await titles.nth(1).fill('Reranking of passages');
    await panel.get('plan-down').first().click();
    await panel.get('plan-add').click();
    await titles.last().fill('Evaluation of retrieval');
    const approved = await titles.evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value));
    await page.screenshot('plan-edited');
    await panel.get('approve-plan').focus();
    await panel.get('approve-plan').press('Enter');
    await panel.get('section').first().waitFor();
    assert.equal(await focused(), 'run-header', 'the focus stays with the run');
    assert.deepEqual(
      (await panel.sections()).map(({ title }) => title),
      approved,
    );
    await panel.reaches('finished');
    if ((await panel.get('section').count()) === 0) await panel.get('sections-toggle').click();
    const sections = await panel.sections();
    assert.deepEqual(
      sections.map(({ title }) => title),
      approved,
    );
    assert.deepEqual(
      sections.filter(({ status }) => status !== 'completed' && status !== 'failed'),
      [],
      'no row stays pending',
    );
    await page.screenshot('plan-edited-finished');
    const [file] = fs.readdirSync(path.join(workspace, 'research'));
    const report = fs.readFileSync(path.join(workspace, 'research', file!), 'utf8');
    assert.match(report, /^## Reranking of passages$/m);
    assert.doesNotMatch(report, /\[s\d+\]/, 'no marker of a section is left');
  });
});
