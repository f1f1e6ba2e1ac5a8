import assert from 'node:assert/strict';
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

  it('asks for a topic, and ends where none is given, saying what to name', async () => {
    await panel.ask('help me research');
    await asked(/What should be researched/);
    assert.ok((await panel.get('option').count()) >= 2);
    await own('just start');
    await panel.reaches('failed');
    assert.match(await panel.get('end-next').innerText(), /Name a subject/);
  });

  it('asks in the language of the question, and takes a skip in Chinese', async () => {
    await askNext('药物');
    await asked(/范围很广/);
    await own('直接开始研究');
    await panel.reaches('finished', 'failed');
    assert.equal(await panel.get('clarify').count(), 0);
  });

  it('starts a complete question at once', async () => {
    await askNext('How is retrieval evaluated?');
    await panel.reaches('finished');
    assert.equal(await panel.get('clarify').count(), 0);
  });
});
