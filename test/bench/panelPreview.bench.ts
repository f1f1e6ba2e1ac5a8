// A report of 100 kB whose statements were all judged, opened as a report and in the editor's own preview, in one run: from the command to the
// end of the text. Its evidence is that of its run, or, where that is on another machine, what is beside it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { startEditor } from '../support/editor.ts';
import { longCitedReport } from '../support/longCitedReport.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const rounds = 5;
const end = 'The end of it.';
const asReport = 'Deep Research: Open as Report';
const ways = {
  report: { file: 'long.md', title: asReport },
  elsewhere: { file: 'moved.md', title: asReport },
  preview: { file: 'long.md', title: 'Markdown: Open Preview' },
} as const;
type Way = keyof typeof ways;

const workspace = temporaryFolder('preview');
fs.mkdirSync(path.join(workspace, 'research'));
const run = '20261124-101500-1a2b3c';
const { text, events, sidecar } = longCitedReport(run, end);
const elsewhere = longCitedReport('20261124-101500-4d5e6f', end);
for (const [name, written] of Object.entries({
  ...{ 'long.md': text, 'long.evidence.md': sidecar },
  ...{ 'moved.md': elsewhere.text, 'moved.evidence.md': elsewhere.sidecar },
}))
  fs.writeFileSync(path.join(workspace, 'research', name), written);
const editor = await startEditor({ workspace });
fs.mkdirSync(path.join(editor.runs, run), { recursive: true });
fs.writeFileSync(path.join(editor.runs, run, 'events.ndjson'), events);
fs.writeFileSync(path.join(editor.runs, run, 'report.md'), text);
const times: Record<Way, number[]> = { report: [], elsewhere: [], preview: [] };
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
    const { file, title } = ways[way];
    await window.quickInput().fill(path.join(workspace, 'research', file));
    await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.editor-instance .view-line').first().waitFor();
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    // The command is there once the extension knows the text as a report.
    for (let tries = 1; tries === 1 || !(await row.isVisible()); tries += 1) {
      await page.keyboard.press('F1');
      await window.quickInput().fill(`>${title}`);
      await row.waitFor({ timeout: 5_000 * tries }).catch(() => page.keyboard.press('Escape'));
    }
    const began = Date.now();
    await row.click();
    const frame = await window.webview('html[data-ended]');
    const ended = Number(await frame.locator('html').getAttribute('data-ended'));
    await window.runCommand('View: Close All Editors');
    await page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
    return ended - began;
  };
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['report', 'elsewhere', 'preview'] as const) {
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
const preview = median(times.preview);
console.log(`${(Buffer.byteLength(text) / 1_000).toFixed(0)} kB: preview ${preview} ms`);
for (const way of ['report', 'elsewhere'] as const) {
  const ratio = median(times[way]) / preview;
  console.log(`${way} ${median(times[way])} ms, ratio ${ratio.toFixed(2)}`);
  assert.ok(ratio <= 1.05, "slower than the editor's preview");
}
