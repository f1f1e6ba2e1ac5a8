// A report of 100 kB opened as a report and in the editor's own preview, in one run: from the command to the end of the text.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { startEditor } from '../support/editor.ts';
import { longReport } from '../support/panelStates.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const rounds = 5;
const end = 'The end of it.';
const titles = { report: 'Deep Research: Open as Report', preview: 'Markdown: Open Preview' } as const;
type Way = keyof typeof titles;

const workspace = temporaryFolder('preview');
fs.mkdirSync(path.join(workspace, 'research'));
const frontMatter = '---\nquestion: How long?\nstrategy: sections\nrun: 20261124-101500-1a2b3c\n---\n\n';
const text = `${frontMatter}${longReport.text}\n\n${longReport.text}\n\n${end}\n`;
fs.writeFileSync(path.join(workspace, 'research', 'long.md'), text);
const editor = await startEditor({ workspace });
const times: Record<Way, number[]> = { report: [], preview: [] };
try {
  const window = await editor.openPage({
    prepare: async (page) => {
      await page.addInitScript((wanted) => {
        const looks = new MutationObserver(() => {
          // The document of a webview, not the editor around it.
          if (document.querySelector('.monaco-workbench') || !document.body?.textContent.includes(wanted)) return;
          looks.disconnect();
          requestAnimationFrame(() => document.documentElement.setAttribute('data-ended', String(Date.now())));
        });
        looks.observe(document, { childList: true, subtree: true });
      }, end);
    },
  });
  const { page } = window;
  await window.runCommand('Deep Research: Start');
  await window.webview('#app');
  /** @returns Milliseconds. */
  const open = async (way: Way): Promise<number> => {
    await page.keyboard.press('Control+P');
    await window.quickInput().fill('long.md');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'long.md' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.editor-instance .view-line').first().waitFor();
    await page.keyboard.press('F1');
    await window.quickInput().fill(`>${titles[way]}`);
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: titles[way] }).first();
    await row.waitFor();
    const began = Date.now();
    await row.click();
    const frame = await window.webview('html[data-ended]');
    const ended = Number(await frame.locator('html').getAttribute('data-ended'));
    await window.runCommand('View: Close All Editors');
    await page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
    return ended - began;
  };
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['report', 'preview'] as const) {
      const ms = await open(way);
      console.log(`${round === 0 ? 'first' : `round ${round}`}: ${way} ${ms} ms`);
      if (round > 0) times[way].push(ms);
    }
  }
} finally {
  await editor.stop();
  removeFolder(workspace);
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const ratio = median(times.report) / median(times.preview);
console.log(
  `${(Buffer.byteLength(text) / 1_000).toFixed(0)} kB: report ${median(times.report)} ms, preview ${median(times.preview)} ms, ratio ${ratio.toFixed(2)}`,
);
assert.ok(ratio <= 1.05, "slower than the editor's preview");
