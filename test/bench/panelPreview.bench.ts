// A report of 100 kB whose statements were all judged, opened as a report and in the editor's own preview, in one run: from the command to the
// frame that has the end of the text, and to the one that has its beginning. Its evidence is that of its run, or, where that is on another machine, what is beside it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { startEditor } from '../support/editor.ts';
import { longCitedReport } from '../support/longCitedReport.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const rounds = 5;
const end = 'The end of it.';
const asReport = 'Deep Research: Open as Report';
const ways = { report: asReport, elsewhere: asReport, preview: 'Markdown: Open Preview' } as const;
type Way = keyof typeof ways;
type Shown = Readonly<Record<'begun' | 'ended', number>>;

const workspace = temporaryFolder('preview');
fs.mkdirSync(path.join(workspace, 'research'));
const run = '20261124-101500-1a2b3c';
const here = longCitedReport(run, end);
const written = { report: here, elsewhere: longCitedReport('20261124-101500-4d5e6f', end), preview: here };
const { text, events } = here;
/** A file that was open as a report is opened so again: each round has files of its own. */
const fileOf = (way: Way, round: number) => path.join(workspace, 'research', `${way}-${round}.md`);
for (let round = 0; round <= rounds; round += 1)
  for (const way of ['report', 'elsewhere', 'preview'] as const) {
    fs.writeFileSync(fileOf(way, round), written[way].text);
    fs.writeFileSync(fileOf(way, round).replace(/md$/, 'evidence.md'), written[way].sidecar);
  }
const editor = await startEditor({ workspace });
fs.mkdirSync(path.join(editor.runs, run), { recursive: true });
fs.writeFileSync(path.join(editor.runs, run, 'events.ndjson'), events);
fs.writeFileSync(path.join(editor.runs, run, 'report.md'), text);
const times: Record<Way, Shown[]> = { report: [], elsewhere: [], preview: [] };
try {
  const window = await editor.openPage();
  const { page } = window;
  // The document that a frame begins with is replaced, and nothing that looks at it sees the next one.
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame())
      void frame.evaluate(markShown, { 'data-begun': 'Section 0', 'data-ended': end }).catch(() => undefined);
  });
  await window.runCommand('Deep Research: Start');
  await window.webview('#app');
  /** @returns Milliseconds. */
  const open = async (way: Way, round: number): Promise<Shown> => {
    await page.keyboard.press('Control+P');
    const [file, title] = [fileOf(way, round), ways[way]];
    await window.quickInput().fill(file);
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: path.basename(file) })
      .first()
      .waitFor();
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
    const timeOf = async (name: string) => Number(await frame.locator('html').getAttribute(name)) - began;
    const shown = { begun: await timeOf('data-begun'), ended: await timeOf('data-ended') };
    await window.runCommand('View: Close All Editors');
    await page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
    return shown;
  };
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['report', 'elsewhere', 'preview'] as const) {
      const shown = await open(way, round);
      console.log(`${round === 0 ? 'first' : `round ${round}`}: ${way} ${shown.begun} ms, its end ${shown.ended} ms`);
      if (round > 0) times[way].push(shown);
    }
  }
} finally {
  await editor.stop();
  removeFolder(workspace);
}

/** Marks a document of a webview with the times from which on its beginning and its end are shown. */
function markShown(wanted: Readonly<Record<string, string>>): void {
  const left = new Map(Object.entries(wanted));
  // What was there before is not read again: that would cost who draws in steps the most.
  const looks = new MutationObserver((changes) => look(changes.flatMap(({ addedNodes }) => [...addedNodes])));
  looks.observe(document, { childList: true, subtree: true });
  look([document.documentElement]);

  function look(added: readonly Node[]): void {
    for (const [name, words] of left) {
      if (!added.some(({ textContent }) => textContent?.includes(words))) continue;
      left.delete(name);
      // The task behind a frame: it was laid out and painted.
      requestAnimationFrame(() => setTimeout(() => document.documentElement.setAttribute(name, String(Date.now()))));
    }
    if (left.size === 0) looks.disconnect();
  }
}

const median = (way: Way, which: keyof Shown): number =>
  times[way].map((shown) => shown[which]).toSorted((a, b) => a - b)[times[way].length >> 1]!;
console.log(`${(Buffer.byteLength(text) / 1_000).toFixed(0)} kB`);
const ratios = (['report', 'elsewhere'] as const).flatMap((way) =>
  (['begun', 'ended'] as const).map((which) => {
    const [ms, preview] = [median(way, which), median('preview', which)];
    console.log(`${way} ${which} ${ms} ms, preview ${preview} ms, ratio ${(ms / preview).toFixed(2)}`);
    return ms / preview;
  }),
);
assert.ok(Math.max(...ratios) <= 1.05, "slower than the editor's preview");
