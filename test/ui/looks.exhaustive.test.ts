import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ColorTheme, EditorPage } from '../support/editor.ts';
import { askedFor, askForChanges, clarifyOnce, either, requestsOf, sendBackOnce } from '../support/modelScenarios.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { drawn, keepFailures, type Panel } from './support/researchPage.ts';

const themes: readonly ColorTheme[] = ['light', 'dark', 'high-contrast'];
const widths = { narrow: 200, usual: 300, wide: 620 } as const;

/** The question of each suite: they share a window, and the model answers each in its own way. */
const looked = 'How does retrieval-augmented generation work?';
const revised = 'How is retrieval evaluated?';

const point = 'The findings are listed and not weighed against each other.';
const weighed = 'Taken together, this suggests';
/** Resolves when the parts of the draft may be written again. */
const released = Promise.withResolvers<void>();

let modelEditor: ModelEditor;
let page: EditorPage;
let panel: Panel;

before(async () => {
  modelEditor = await openModelEditor({
    settings: { depth: 'deep' },
    model: {
      delayMs: 10,
      script: either(
        askedFor(looked, either(clarifyOnce(), sendBackOnce())),
        askedFor(revised, askForChanges(0, point)),
        ({ step, prompt }) =>
          step === 'section' && prompt.includes('<points>') ? { until: released.promise } : undefined,
      ),
    },
  });
  ({ page, panel } = modelEditor);
});
keepFailures(() => page);
after(() => modelEditor?.close());

describe('the look of the panel', () => {
  /** Drags the edge of the side bar, as a person does. */
  async function widen(to: number): Promise<void> {
    const bar = (await page.page.locator('.part.sidebar').boundingBox())!;
    await page.page.mouse.move(bar.x + bar.width, bar.y + bar.height / 2);
    await page.page.mouse.down();
    await page.page.mouse.move(bar.x + to, bar.y + bar.height / 2, { steps: 5 });
    await page.page.mouse.up();
    await page.page.mouse.move(bar.x + to + 200, bar.y + 5);
    await panel.frame.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 40, to);
  }

  async function fitsEveryWidth(state: string): Promise<void> {
    for (const [name, width] of Object.entries(widths)) {
      await widen(width);
      await drawn(panel.frame);
      const { content, room } = await panel.frame.evaluate(() => ({
        content: document.documentElement.scrollWidth,
        room: document.documentElement.clientWidth,
      }));
      assert.ok(content <= room, `${state} at ${width}: ${content} px of content in ${room} px`);
      await page.screenshot(`look-${state}-${name}`);
    }
    await widen(widths.usual);
  }

  it('fits every width while it asks', async () => {
    await fitsEveryWidth('ask');
  });

  it('fits every width while it asks back', async () => {
    await panel.ask(looked);
    await panel.get('clarify').waitFor();
    await fitsEveryWidth('clarify');
  });

  it('fits every width with a report, and has the colours of every theme', async () => {
    await panel.get('just-start').click();
    await panel.reaches('finished');
    await page.editorTab(/^\d{4}-/).waitFor();
    await fitsEveryWidth('finished');
    const grounds = new Set<string>();
    for (const theme of themes) {
      await page.setColorTheme(theme);
      await drawn(panel.frame);
      const { text, ground } = await panel.frame.evaluate(() => {
        const style = getComputedStyle(document.body);
        return { text: style.color, ground: style.getPropertyValue('--vscode-sideBar-background') };
      });
      assert.notEqual(text, ground);
      grounds.add(ground);
      await page.screenshot(`look-finished-${theme}`);
    }
    assert.equal(grounds.size, themes.length, 'each theme reaches the panel');
  });
});

// The draft of a report is read by a critic, and the parts that it names are written again, before the reader's eyes.
describe('the revision of a draft', () => {
  let begun = 0;

  it('shows the draft and what the critic asks for, while parts are written again', async () => {
    begun = modelEditor.server.requests.length;
    await panel.get('new-question').click();
    await panel.ask(revised);
    await panel.get('revision-points').waitFor();
    assert.ok((await panel.get('revision-points').innerText()).includes(point));
    await panel.get('report').getByText('References', { exact: true }).waitFor();
    assert.ok(!(await panel.get('report').innerText()).includes(weighed));
    await panel.get('revision').scrollIntoViewIfNeeded();
    await page.screenshot('revision-draft');
    released.resolve();
  });

  it('puts the changed section into its place, and says what was changed', async () => {
    await panel.reaches('finished');
    const requests = modelEditor.server.requests.slice(begun);
    assert.equal(requestsOf(requests, 'critique').length, 2);
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
