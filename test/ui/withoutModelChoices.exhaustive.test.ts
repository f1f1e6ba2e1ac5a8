import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';

/** Opens what may be open already: it depends on how much of the run the page has seen. */
async function open(toggle: Locator): Promise<void> {
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

describe('without a model and without a network', () => {
  const workspace = copyWorkspace('examples');
  let editor: Editor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    editor = await startEditor({ workspace, installed: true, machineSettings: await offline() });
    page = await editor.openPage();
    panel = await openPanel(page);
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(workspace);
  });

  const research = path.join(workspace, 'research');
  const reports = () =>
    fs.existsSync(research)
      ? fs.readdirSync(research).filter((file) => file.endsWith('.md') && !file.endsWith('.evidence.md'))
      : [];
  const read = (file: string) => fs.readFileSync(path.join(research, file), 'utf8');
  /** After a run, whichever way it ended. */
  const askNext = async (question: string) => {
    await panel.frame.locator('[data-testid="new-question"], [data-testid="edit-question"]').first().click();
    await panel.ask(question);
  };

  describe('a strategy chosen in the question box', () => {
    /** The text of the one report that was saved since the given ones. */
    function newReport(earlier: readonly string[]): string {
      const files = reports().filter((file) => !earlier.includes(file));
      assert.equal(files.length, 1, files.join(', '));
      return read(files[0]!);
    }

    it('researches in rounds, shows them, and saves the strategy with the report', async () => {
      const before = reports();
      await open(panel.get('strategies-toggle'));
      assert.equal(await panel.get('strategy').inputValue(), 'auto');
      await panel.get('strategy').selectOption('iterative');
      await panel.ask('What are the main techniques for retrieval-augmented generation?');
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
      assert.match(newReport(before), /^strategy: "?iterative"?$/m);
    });

    it('remembers the choice for the next question, and another one is taken at once', async () => {
      const before = reports();
      await panel.get('new-question').click();
      await open(panel.get('strategies-toggle'));
      assert.equal(await panel.get('strategy').inputValue(), 'iterative');
      await panel.get('strategy').selectOption('sections');
      await panel.ask('What are the main techniques for retrieval-augmented generation?');
      await panel.reaches('finished');
      assert.equal(await panel.get('rounds').count(), 0);
      assert.match(newReport(before), /^strategy: "?sections"?$/m);
    });
  });

  describe('when a question is asked about', () => {
    const asked = async (text: RegExp) => {
      await panel.get('clarify').waitFor();
      await panel.get('clarify-question').getByText(text).waitFor();
    };
    const own = async (text: string) => {
      await panel.get('own-answer').fill(text);
      await panel.get('own-answer').press('Enter');
    };

    it('asks for a topic, and ends where none is given, saying what to name', async () => {
      await askNext('help me research');
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
});
