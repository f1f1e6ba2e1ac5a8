// The draft of a report is read by a critic, and the parts that it names are written again, before the reader's eyes.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EditorPage } from '../support/editor.ts';
import { askForChanges, either, requestsOf } from '../support/modelScenarios.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { keepFailures, type Panel } from './support/researchPage.ts';

const point = 'The findings are listed and not weighed against each other.';
const weighed = 'Taken together, this suggests';

describe('the revision of a draft', () => {
  let modelEditor: ModelEditor;
  let page: EditorPage;
  let panel: Panel;
  /** Lets the parts be written again. */
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));

  before(async () => {
    modelEditor = await openModelEditor({
      model: {
        delayMs: 10,
        script: either(askForChanges(0, point), ({ step, prompt }) =>
          step === 'section' && prompt.includes('<points>') ? { until: released } : undefined,
        ),
        imitation: { sections: 3 },
      },
    });
    ({ page, panel } = modelEditor);
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  it('shows the draft and what the critic asks for, while parts are written again', async () => {
    await panel.ask('How does retrieval-augmented generation work?');
    await panel.get('revision-points').waitFor({ timeout: 90_000 });
    assert.ok((await panel.get('revision-points').innerText()).includes(point));
    await panel.get('report').getByText('References', { exact: true }).waitFor();
    assert.ok(!(await panel.get('report').innerText()).includes(weighed));
    await panel.get('revision').scrollIntoViewIfNeeded();
    await page.screenshot('revision-draft');
    release();
  });

  it('puts the changed section into its place, and says what was changed', async () => {
    await panel.reaches('finished');
    const { requests } = modelEditor.server;
    assert.equal(requestsOf(requests, 'critique').length, 1);
    assert.equal(requestsOf(requests, 'section').filter(({ prompt }) => prompt.includes('<points>')).length, 1);
    await panel.get('report').getByText(weighed).first().waitFor();
    const report = await panel.get('report').innerText();
    assert.equal(report.split(weighed).length, 2);
    // The critic names a section and the summary.
    assert.match(await panel.get('revised-toggle').innerText(), /2 parts changed/);
    await panel.get('revised-toggle').click();
    await panel.get('revised').scrollIntoViewIfNeeded();
    await page.screenshot('revision-done');
  });
});
