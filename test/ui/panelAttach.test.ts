// Attaching documents and choosing sources in the built panel, in a real browser with the test as its host.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DocumentItem } from '../../src/protocol/messages.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import { themeNames } from '../support/panelHarness.ts';
import { postedOf, usePanelPages } from '../support/panelPages.ts';
import { keyless, snapshot, withModel } from '../support/panelStates.ts';

const open = usePanelPages();
const idle = snapshot(emptyView());

const plan: DocumentItem = { id: 'file:///w/docs/plan.md', name: 'plan.md', place: 'docs', icon: 'file' };
const planning: DocumentItem = {
  id: 'file:///w/a-folder-with-a-rather-long-name/planning-of-the-third-quarter.ipynb',
  name: 'planning-of-the-third-quarter.ipynb',
  place: 'a-folder-with-a-rather-long-name',
  icon: 'file',
};

describe('a document that is named with @', () => {
  test('is chosen with the keyboard, attached, and named in the question', async () => {
    const page = await open([idle]);
    const box = page.at('question');
    await box.pressSequentially('Summarise @pla');
    assert.deepEqual((await page.waitForPosted('findDocuments')).query, '');
    await page.say({ type: 'documents', query: 'pla', items: [plan, planning] });
    const options = page.page.getByRole('listbox', { name: 'Documents to attach' }).getByRole('option');
    assert.equal(await options.count(), 2);
    assert.equal(await box.getAttribute('aria-activedescendant'), 'document-choices-0');
    await box.press('ArrowDown');
    assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
    await box.press('ArrowDown');
    await box.press('Enter');
    assert.deepEqual(await postedOf(page, 'attach'), [{ type: 'attach', ids: [plan.id] }]);
    assert.equal(await box.inputValue(), 'Summarise plan.md ');
    assert.equal(await options.count(), 0);
    assert.deepEqual(await postedOf(page, 'start'), [], 'Enter has chosen a document and started nothing');
  });

  test('closes its list with Escape and leaves what was typed', async () => {
    const page = await open([idle]);
    const box = page.at('question');
    await box.pressSequentially('About @xyz');
    await page.say({ type: 'documents', query: 'xyz', items: [] });
    assert.equal(await page.at('document-choices').innerText(), 'No file matches “xyz”.');
    await box.press('Escape');
    assert.equal(await page.at('document-choices').count(), 0);
    assert.equal(await box.inputValue(), 'About @xyz');
  });

  test('is not looked for in an address', async () => {
    const page = await open([idle]);
    await page.at('question').pressSequentially('Who is ann@example.org?');
    assert.deepEqual(await postedOf(page, 'findDocuments'), []);
  });
});

describe('attached documents', () => {
  test('are chips that can be removed with the keyboard, and the focus stays near', async () => {
    const page = await open([idle, { type: 'attached', items: [plan, planning] }]);
    const list = page.page.getByRole('list', { name: 'Attached documents' });
    assert.deepEqual(await list.getByRole('listitem').allInnerTexts(), [plan.name, planning.name]);
    await page.page.getByRole('button', { name: 'Remove plan.md' }).press('Enter');
    assert.deepEqual(await postedOf(page, 'detach'), [{ type: 'detach', id: plan.id }]);
    await page.say({ type: 'attached', items: [planning] });
    assert.equal(await page.at('announcement').innerText(), 'plan.md removed');
    assert.equal(
      await page.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      `Remove ${planning.name}`,
    );
  });

  test('stay when the view is replaced, and are told in the privacy line of a model', async () => {
    const page = await open([snapshot(emptyView(), withModel), { type: 'attached', items: [plan] }]);
    await page.say(snapshot(emptyView(), withModel));
    assert.equal(await page.at('detach').count(), 1);
    assert.match(await page.at('setup-line').innerText(), /passages of the attached documents are sent to the model/);
  });

  for (const width of [170, 300, 600])
    test(`with a long name fit ${width} pixels, and each can be removed`, async () => {
      const name = 'Quarterly-infrastructure-cost-and-capacity-review-2026-Q3-final-version-with-comments-v7.pdf';
      const long = { id: `file:///w/docs/${name}`, name, place: 'docs', icon: 'file' };
      const page = await open([snapshot(emptyView(), withModel), { type: 'attached', items: [long, plan] }], { width });
      assert.deepEqual(await page.clipped(), []);
      await page.page.getByRole('button', { name: `Remove ${name}` }).click();
      assert.deepEqual(await postedOf(page, 'detach'), [{ type: 'detach', id: long.id }]);
      await page.screenshot(`attach-long-${width}`);
    });

  test('are picked in a dialog, or dropped as addresses of files', async () => {
    const page = await open([idle]);
    await page.at('attach').click();
    assert.equal((await postedOf(page, 'pickDocuments')).length, 1);
    await page.at('ask').evaluate((target, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', text);
      target.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, `# two\r\n${plan.id}\r\nhttps://example.org/a.md`);
    assert.deepEqual(await postedOf(page, 'attach'), [{ type: 'attach', ids: [plan.id] }]);
  });
});

describe('the chooser of sources', () => {
  test('leaves sources out with the keyboard, is remembered, and is sent with the question', async () => {
    const page = await open([idle]);
    const toggle = page.at('sources-toggle');
    assert.equal(await toggle.innerText(), 'Sources: all');
    await toggle.press('Enter');
    await page.page.getByRole('checkbox', { name: 'GitHub' }).press('Space');
    assert.equal(await toggle.innerText(), 'Sources: 2 of 3');
    assert.doesNotMatch(await page.at('setup-line').innerText(), /github/);
    await page.page.getByRole('checkbox', { name: 'arXiv' }).press('Escape');
    assert.equal(await page.at('sources-list').count(), 0);
    await page.reload();
    await page.say(idle);
    assert.equal(await page.at('sources-toggle').innerText(), 'Sources: 2 of 3');
    await page.at('question').fill('What now?');
    await page.at('question').press('Enter');
    assert.deepEqual(await page.waitForPosted('start'), {
      type: 'start',
      question: 'What now?',
      sources: ['arxiv', 'workspace'],
    });
  });

  test('does not start a run without any', async () => {
    const page = await open([idle]);
    await page.at('sources-toggle').click();
    for (const { name } of keyless.sources) await page.at(`source-${name}`).uncheck();
    assert.equal(await page.at('sources-problem').innerText(), 'Choose at least one source.');
    await page.at('question').fill('What now?');
    await page.at('question').press('Enter');
    assert.deepEqual(await postedOf(page, 'start'), []);
  });

  for (const theme of themeNames)
    test(`and the attached documents fit 300 pixels (${theme})`, async () => {
      const page = await open([idle, { type: 'attached', items: [plan, planning] }], { width: 300, theme });
      await page.at('question').pressSequentially('See @pl');
      await page.say({ type: 'documents', query: 'pl', items: [plan, planning] });
      await page.at('document-choice').first().waitFor();
      await page.screenshot(`attach-list-${theme}`, true);
      await page.at('question').press('Escape');
      await page.at('sources-toggle').click();
      await page.at('source-github').uncheck();
      const { content, room } = await page.page.evaluate(() => ({
        content: document.documentElement.scrollWidth,
        room: document.documentElement.clientWidth,
      }));
      assert.ok(content <= room, `${content} px of content in ${room} px`);
      await page.screenshot(`attach-chooser-${theme}`, true);
    });
});
