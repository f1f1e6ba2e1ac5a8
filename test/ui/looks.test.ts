import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ColorTheme, EditorPage } from '../support/editor.ts';
import { clarifyOnce, either, sendBackOnce } from '../support/modelScenarios.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { drawn, keepFailures, type Panel } from './support/researchPage.ts';

const themes: readonly ColorTheme[] = ['light', 'dark', 'high-contrast'];
const widths = { narrow: 200, usual: 300, wide: 620 } as const;

describe('the look of the panel', () => {
  let modelEditor: ModelEditor;
  let page: EditorPage;
  let panel: Panel;

  before(async () => {
    modelEditor = await openModelEditor({ model: { script: either(clarifyOnce(), sendBackOnce()) } });
    ({ page, panel } = modelEditor);
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

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
    await panel.ask('How does retrieval-augmented generation work?');
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
