// Panel and reader in a language of no one, which shows what no translator would see and what a longer language clips.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReaderHostMessage, ShownEvidence } from '../../src/protocol/readerMessages.ts';
import type { PanelPage } from '../support/panelHarness.ts';
import { postedOf, usePanelPages } from '../support/panelPages.ts';
import { panelStates } from '../support/panelStates.ts';
import { notLocalised, pseudo, pseudoStrings } from '../support/pseudoLocale.ts';

const open = usePanelPages();
const widths = [300, 600] as const;

/** Every text of a page: what is drawn, and what is said by tooltips, labels and placeholders. */
async function textsOf(page: PanelPage): Promise<string[]> {
  return page.page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
    for (const element of document.querySelectorAll('#app *'))
      for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext', 'alt'])
        texts.push(element.getAttribute(name) ?? '');
    return texts;
  });
}

describe('in the pseudo-locale', () => {
  for (const [name, messages] of Object.entries(panelStates)) {
    test(`the panel's ${name} is localised, and nothing of it is clipped at 300 and 600 px`, async () => {
      const page = await open(
        messages.map((message) => (message.type === 'snapshot' ? { ...message, strings: pseudoStrings } : message)),
      );
      assert.deepEqual(notLocalised(await textsOf(page), messages), []);
      for (const width of widths) {
        await page.page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await page.clipped(), [], `at ${width} px`);
      }
      assert.deepEqual(await page.barriers(), []);
    });
  }

  test("the reader's page is localised, and nothing of it is clipped at 300 and 600 px", async () => {
    const text =
      '# Locks\n\nA lock has two gates. [[1]](#ref-1)\n\n## Lifts\n\nWater moves.\n\n## References\n\n- <a id="ref-1"></a>[1] Gates. https://locks.example/. Retrieved 2026-01-02\n';
    const message: ReaderHostMessage = {
      type: 'report',
      report: {
        origin: 'file:///a.md',
        text,
        facts: [pseudo('quotes'), pseudo('{0} sources')],
        charts: [],
        writing: true,
      },
      strings: pseudoStrings,
      locale: 'en',
    };
    const evidence: ShownEvidence = {
      verdict: pseudo('the second reader failed its control statements'),
      judged: 'unverified',
      title: 'Gates of locks',
      facts: ['web', 'locks.example', pseudo('retrieved 2026-01-02')],
      passages: [{ before: 'Locks are old. ', marked: 'A lock has two gates', after: '.' }],
      opens: 'page',
      hasCopy: true,
    };
    const page = await open([message], { bundle: 'reportPage', width: 600, height: 700 });
    await page.page.keyboard.press(']');
    await page.waitForPosted('findEvidence');
    const { id } = (await postedOf(page, 'findEvidence')).at(-1)!;
    await page.say({ type: 'evidence', id, evidence });
    assert.deepEqual(notLocalised(await textsOf(page), [message, evidence]), []);
    for (const width of widths) {
      await page.page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await page.clipped(), [], `at ${width} px`);
    }
  });
});
