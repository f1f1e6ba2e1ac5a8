// The reader of reports in the editor's own window, in every theme and at three widths, of reports from anywhere.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import type { ColorTheme, EditorPage } from '../support/editor.ts';
import { barriersOf } from '../support/panelHarness.ts';
import { longCitedReport } from '../support/longCitedReport.ts';
import { type ModelEditor, openModelEditor } from './support/modelEditor.ts';
import { drawn, keepFailures, type Panel } from './support/researchPage.ts';

const themes: readonly ColorTheme[] = ['light', 'dark', 'high-contrast', 'high-contrast-light'];
const question = 'What are the main techniques for retrieval-augmented generation?';

/** German and Chinese, without a run on this machine, but with its evidence beside it. */
const foreign = {
  text: `---
title: "Schleusen und 船闸"
question: "Wie heben Schleusen Schiffe, und wie alt sind sie?"
created: 2026-01-02T10:00:00.000Z
strategy: "sections"
model: "imitation-1"
run: "20260102-000000-abcdef"
sources: 2
tokens: 9
cost: 0.12
---

# Schleusen und 船闸

Die Schleuse von Iffezheim hebt Schiffe um elf Meter. [[1]](#ref-1) 三峡船闸共有五级，全长六公里。[[2]](#ref-2)

## 三峡船闸

- 船只通过五级船闸大约需要三个小时。[[2]](#ref-2)

| Schleuse | Hub |
| --- | ---: |
| Iffezheim | 11 m [[1]](#ref-1) |
| 三峡 | 113 m [[2]](#ref-2) |
| Uelzen | 23 m [[1]](#ref-1) |

## Quellen

- <a id="ref-1"></a>[1] Binnenschifffahrtsstraßenverkehrsordnung. https://schleusen.example/iffezheim. Abgerufen 2026-01-02
- <a id="ref-2"></a>[2] 三峡工程. https://sanxia.example/. Abgerufen 2026-01-02

## Wie dieser Bericht entstand

- Geschrieben am 2026-01-02.
`,
  sidecar: `---
evidenceOf: "20260102-000000-abcdef"
verdicts: {"quoted":"Zitat","supported":"gestützt","corrected":"berichtigt","unverified":"ungeprüft"}
---

# Schleusen und 船闸

Die Schleuse von Iffezheim hebt Schiffe um elf Meter. [[1]](#ref-1) — *gestützt, eine Stimme*

> In Iffezheim werden Schiffe um elf Meter gehoben. [[1]](#ref-1)

三峡船闸共有五级，全长六公里。 [[2]](#ref-2) — *gestützt*

> 三峡船闸为双线五级船闸，全长六千四百米。 [[2]](#ref-2)

船只通过五级船闸大约需要三个小时。 [[2]](#ref-2) — *ungeprüft (das Budget war verbraucht)*

> 过闸约三小时。 [[2]](#ref-2)

11 m [[1]](#ref-1) — *gestützt*

> 11 m [[1]](#ref-1)

113 m [[2]](#ref-2) — *gestützt*

> 113 m [[2]](#ref-2)

23 m [[1]](#ref-1) — *gestützt*

> 23 m [[1]](#ref-1)
`,
};

describe('the reader in the window of the editor', () => {
  let modelEditor: ModelEditor;
  let page: EditorPage;
  let panel: Panel;
  let folder: string;

  before(async () => {
    modelEditor = await openModelEditor({
      settings: { 'report.openAs': 'preview' },
      viewport: { width: 1280, height: 900 },
    });
    ({ page, panel } = modelEditor);
    folder = path.join(modelEditor.workspace, 'research');
    await panel.ask(question);
    await panel.reaches('finished');
    await page.editorTab(/^\d{4}-/).waitFor();
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  /** Opens a file of the folder of reports as a report, alone. */
  async function open(name: string, title: string): Promise<Frame> {
    await page.runCommand('View: Close All Editors');
    await page.page.keyboard.press('Control+P');
    // By its path: nothing is searched for it.
    await page.quickInput().fill(path.join(folder, name));
    await page.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await page.page.keyboard.press('Enter');
    await page.page.locator('.editor-instance .view-line').first().waitFor();
    await page.runCommand('Deep Research: Open as Report');
    const reader = await page.webview(`.reader h1:has-text(${JSON.stringify(title)})`);
    await drawn(reader);
    return reader;
  }

  /** The reader as wide as this, beside nothing. */
  async function widen(reader: Frame, width: number): Promise<void> {
    const { page: window } = page;
    const { width: was, height } = window.viewportSize()!;
    await window.setViewportSize({ width: was + width - (await reader.evaluate(() => innerWidth)), height });
    await reader.waitForFunction((wanted) => Math.abs(innerWidth - wanted) < 3, width);
    await drawn(reader);
  }

  /** Walks to a citation, whose card has to be whole; nothing sticks out, and nothing keeps people from reading it. */
  async function isWhole(reader: Frame, name: string, steps = 2, barriers?: readonly string[]): Promise<void> {
    await reader.locator('h1').click();
    await reader.evaluate(() => scrollTo(0, 0));
    for (let step = 0; step < steps; step += 1) await page.page.keyboard.press(']');
    const card = reader.getByTestId('evidence');
    await card.getByTestId('verdict').waitFor();
    await drawn(reader);
    await page.screenshot(name);
    const { left, right, top, bottom, width, height, content } = await card.evaluate((element) => {
      const { left: x, right: r, top: t, bottom: b } = element.getBoundingClientRect();
      const { scrollWidth, clientWidth } = document.documentElement;
      return { left: x, right: r, top: t, bottom: b, width: clientWidth, height: innerHeight, content: scrollWidth };
    });
    assert.ok(
      left >= 0 && right <= width + 1 && top >= 0 && bottom <= height + 1,
      `${name}: ${[left, right, top, bottom].join()}`,
    );
    const button = (await card.getByRole('button').last().boundingBox())!;
    const around = (await card.boundingBox())!;
    assert.ok(button.y + button.height <= around.y + around.height, `${name}: what can be opened is in sight`);
    assert.ok(content <= width, `${name}: ${content} px of content in ${width} px`);
    // Of a thousand citations it would take minutes.
    assert.deepEqual(barriers ?? (await barriersOf(reader)), [], name);
    await page.page.keyboard.press('Escape');
  }

  it('is whole with the report of a run in four themes, narrow and wide', async () => {
    const [file] = fs.readdirSync(folder).filter((name) => !name.endsWith('.evidence.md'));
    const reader = await open(file!, 'Techniques');
    await page.runCommand('View: Toggle Primary Side Bar Visibility');
    for (const width of [1200, 600, 300]) {
      await widen(reader, width);
      await page.screenshot(`reader-top-${width}`);
      for (const theme of themes) {
        await page.setColorTheme(theme);
        await isWhole(reader, `reader-run-${theme}-${width}`);
      }
    }
    await page.setColorTheme('dark');
    await page.page.setViewportSize({ width: 1280, height: 900 });
  });

  it('is whole with a German and Chinese report of another machine', async () => {
    fs.writeFileSync(path.join(folder, 'schleusen.md'), foreign.text);
    fs.writeFileSync(path.join(folder, 'schleusen.evidence.md'), foreign.sidecar);
    const reader = await open('schleusen.md', 'Schleusen');
    for (const width of [300, 1200]) {
      await widen(reader, width);
      await isWhole(reader, `reader-foreign-${width}`, 3);
      assert.equal(await reader.locator('.report svg').count(), 1);
    }
  });

  it('is whole with 300 references, and walks to the last one', async () => {
    const { text, sidecar, evidence } = longCitedReport('20260102-000000-fedcba', 'The end of it.');
    fs.writeFileSync(path.join(folder, 'long.md'), text);
    fs.writeFileSync(path.join(folder, 'long.evidence.md'), sidecar);
    const reader = await open('long.md', 'Retrieval');
    const { length } = evidence.filter(({ verdict }) => verdict === 'supported');
    // Cells with the same words rest on other sources.
    await reader.getByTestId('facts').getByText(`${length} of ${evidence.length} verified`).waitFor();
    await reader.getByText('The end of it.').waitFor();
    await isWhole(reader, 'reader-long', 2, []);
    const all = reader.getByTestId('report').locator('[data-citation]:not([data-target], .chart *)');
    await all.nth(-2).focus();
    await page.page.keyboard.press(']');
    await all.last().and(reader.locator(':focus')).waitFor();
    const title = `Retrieval, part ${await all.last().innerText()}`;
    await reader.getByTestId('evidence').getByText(title, { exact: true }).waitFor();
    await page.screenshot('reader-long-end');
  });

  it('has the history of its runs in four themes', async () => {
    await page.runCommand('View: Toggle Primary Side Bar Visibility');
    await page.runCommand('Deep Research: Focus on History View');
    for (const theme of themes) {
      await page.setColorTheme(theme);
      await page.screenshot(`reader-history-${theme}`);
    }
  });
});
