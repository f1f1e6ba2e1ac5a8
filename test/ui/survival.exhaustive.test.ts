import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EditorPage } from '../support/editor.ts';
import { clarifyOnce, either } from '../support/modelScenarios.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { findPanel, keepFailures, type Panel } from './support/researchPage.ts';
import { isWriting } from '../support/modelRequest.ts';

describe('a run while the panel is hidden or the window reloads', () => {
  let modelEditor: ModelEditor;
  let server: ModelServer;
  let page: EditorPage;
  let panel: Panel;
  /** While true, the report's model hangs, so that the run stays on as long as a test needs it. */
  let holdReport = false;
  /** How many requests there were before the run that is interrupted. */
  let begun = 0;

  before(async () => {
    const ask = clarifyOnce();
    modelEditor = await openModelEditor({
      model: {
        delayMs: 20,
        script: either(
          (request) => (request.question.includes('Clarify') ? ask(request) : undefined),
          (request) =>
            holdReport && isWriting(request.step) ? { stopAfter: { pieces: 12, how: 'stall' } } : undefined,
        ),
      },
    });
    ({ server, page, panel } = modelEditor);
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  const hide = () =>
    page.page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Explorer/ })
      .click();
  const show = async () => {
    await page.activityBarIcon().click();
    panel = await findPanel(page);
  };
  it('calls with a badge, the status bar and a notification when a question waits', async () => {
    await panel.ask('Clarify retrieval-augmented generation for me');
    await hide();
    await page.badge().waitFor();
    assert.match((await page.statusItem().getAttribute('aria-label')) ?? '', /has a question for you/);
    await page.screenshot('hidden-waiting');
    const notice = await page.notification('has a question for you');
    await notice.getByRole('button', { name: 'Show' }).click();
    panel = await findPanel(page);
    await panel.get('clarify').waitFor();
    await page.badge().waitFor({ state: 'hidden' });
    await page.statusItem().waitFor({ state: 'hidden' });
  });

  it('continues while the panel is hidden, and a click on its status bar item shows the report', async () => {
    await panel.get('just-start').click();
    await hide();
    await page.statusItem().getByText('Researching').waitFor();
    await page.badge().waitFor();
    await page.notification('Your report is ready');
    await page.clearNotifications();
    await page.statusItem().click();
    panel = await findPanel(page);
    await panel.reaches('finished');
    await panel.get('report').getByText('How this report was made').waitFor();
    await page.badge().waitFor({ state: 'hidden' });
  });

  it('shows the run in progress instead of losing it when Start is run again', async () => {
    holdReport = true;
    begun = server.requests.length;
    await panel.get('new-question').click();
    await panel.ask('How is retrieval evaluated?');
    await panel.get('report').waitFor();
    await page.runCommand('Deep Research: Start');
    const notice = await page.notification('is still running');
    assert.equal(await panel.get('run-header').getAttribute('data-status'), 'running');
    await page.screenshot('second-start');
    await notice.getByRole('button', { name: 'Show' }).click();
    assert.equal(await panel.get('shown-question').innerText(), 'How is retrieval evaluated?');
  });

  it('looks the same when its page is rebuilt in the middle of a report', async () => {
    const before = await panel.get('report').innerText();
    assert.ok(before.length > 100);
    await hide();
    await show();
    await panel.reaches('running');
    assert.equal(await panel.get('report').innerText(), before);
  });

  it('shows a run that a reload interrupted, with everything that it had found', async () => {
    const openSections = async () => {
      if ((await panel.get('section').count()) === 0)
        await panel.frame.getByRole('button', { name: /^Sections/ }).click();
      return (await panel.sections()).map(({ title }) => title);
    };
    const sections = await openSections();
    assert.equal(sections.length, 3);
    const report = await panel.get('report').innerText();
    await page.reload();
    panel = await findPanel(page);
    await panel.get('end').waitFor();
    await page.screenshot('interrupted');
    assert.match(await panel.get('status').innerText(), /Interrupted/);
    assert.deepEqual(await openSections(), sections);
    assert.equal(await panel.get('report').innerText(), report);
  });

  it('resumes where it left off, and repeats no completed call', async () => {
    holdReport = false;
    const before = server.requests.length;
    await panel.get('resume').click();
    await panel.reaches('finished');
    const resumed = server.requests.slice(before);
    const completed = server.requests.slice(begun, before).flatMap(({ prompt, aborted }) => (aborted ? [] : [prompt]));
    assert.ok(completed.length > 5);
    assert.deepEqual(
      resumed.filter(({ prompt }) => completed.includes(prompt)).map(({ step, section }) => `${step} ${section}`),
      [],
    );
    assert.deepEqual(
      resumed
        .map(({ step }) => step)
        // The frame is written beside the sections: it may have been there.
        .filter((step) => !['act', 'review', 'distil', 'verify', 'frame'].includes(step))
        .sort(),
      ['section', 'section', 'section'],
      'only what was in flight or not sent yet: a local server answers one call at a time',
    );
    await panel.get('report').getByText('How this report was made').waitFor();
  });

  it('reruns a stopped run with one click', async () => {
    holdReport = true;
    await panel.get('new-question').click();
    await panel.ask('How is retrieval evaluated?');
    await panel.get('report').waitFor();
    await panel.get('stop').click();
    await panel.reaches('cancelled');
    await panel.get('rerun').click();
    await panel.get('report').waitFor();
    await panel.reaches('running');
    assert.equal(await panel.get('shown-question').innerText(), 'How is retrieval evaluated?');
  });

  it('stops the run for a new one when the user says so', async () => {
    await page.runCommand('Deep Research: Start');
    await (await page.notification('is still running')).getByRole('button', { name: 'Stop and Start New' }).click();
    await panel.get('question').waitFor();
    assert.equal(await panel.get('run').count(), 0);
    await panel.get('question').fill('How is retrieval evaluated?');
  });

  it('stops without the end of an answer, keeps what was found, and sends nothing more', async () => {
    await panel.get('question').press('Enter');
    await panel.get('report').waitFor();
    await panel.get('stop').click();
    await panel.reaches('cancelled');
    assert.ok((await panel.sections()).length > 0);
    assert.equal(server.inFlight, 0);
  });
});
