import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

describe('when a question is asked about, in the editor, without a model', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    editor = await startEditor({ workspace, machineSettings: await offline() });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  /** After a run, whichever way it ended. */
  const askNext = async (question: string) => {
    await panel.frame.locator('[data-testid="new-question"], [data-testid="edit-question"]').first().click();
    await panel.ask(question);
  };
  const asked = async (text: RegExp) => {
    await panel.get('clarify').waitFor();
    await panel.get('clarify-question').getByText(text).waitFor();
  };
  const own = async (text: string) => {
    await panel.get('own-answer').fill(text);
    await panel.get('own-answer').press('Enter');
  };

  it('refuses a task, with the reason and what could be asked instead', async () => {
    await panel.ask('schreib mir ein Gedicht');
    await panel.reaches('failed');
    assert.match(await panel.get('end-message').innerText(), /Aufgabe/);
    assert.match(await panel.get('end-next').innerText(), /Frag nach/);
  });

  it('asks twice about different things, in the language of the question, and takes a skip in Chinese', async () => {
    await askNext('帮我研究一下');
    await asked(/要研究什么/);
    assert.ok((await panel.get('option').count()) >= 2);
    await own('那个新技术');
    await asked(/那个新技术/);
    await page.screenshot('clarify-twice');
    await own('直接开始研究');
    await panel.reaches('finished', 'failed');
    assert.equal(await panel.get('clarify').count(), 0);
  });

  it('looks an unknown name up, starts where nobody can be asked, and states the assumption', async () => {
    await askNext('QZX9 gene and the evaluation of retrieval');
    await panel.reaches('finished');
    const files = fs
      .readdirSync(path.join(workspace, 'research'))
      .map((file) => path.join(workspace, 'research', file));
    assert.ok(files.some((file) => /"QZX9" could not be looked up/.test(fs.readFileSync(file, 'utf8'))));
  });

  it('starts a complete question at once', async () => {
    await askNext('How is retrieval evaluated?');
    await panel.reaches('finished');
    assert.equal(await panel.get('clarify').count(), 0);
  });

  it('waits with the plan where the answer is still vague', async () => {
    await askNext('technology');
    await asked(/wide field/);
    await own('software');
    await panel.get('plan-card').waitFor();
    await page.screenshot('clarify-plan');
    await panel.get('stop').click();
    await panel.reaches('cancelled');
  });
});
