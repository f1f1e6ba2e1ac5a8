import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { exportRun } from '../../src/engine.ts';
import { runFiles } from '../../src/protocol/runFolder.ts';
import { savedFiles, savedRunId, notes, paper, repository } from '../support/savedRun.ts';
import { launchBrowser, savePictureIfWanted } from '../support/browser.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const body = `Retrieval-augmented generation pairs a language model with a search step, so that answers rest on documents that can be checked. [1] It keeps knowledge out of the weights. [1][2]

## How it works

A retriever finds passages; a generator writes from them. [1] The order matters:

1. **Chunk** the documents, with an overlap of a few sentences.
2. **Embed** them. [3]
   - dense vectors
   - sparse weights such as \`BM25\` or \`SPLADE-v2-distil-with-a-very-long-name-that-cannot-be-broken-anywhere\`
3. *Rerank* what was found. [2]

> Late interaction sits between dense retrieval and cross-encoders in both quality and cost. [3]

### Code

\`\`\`ts
const graph = new StateGraph(ResearchState).addNode('retrieve', retrieve).addNode('generate', generate).compile({ checkpointer });
await graph.invoke({ question });
\`\`\`

## Comparison

| Technique | Index size | Latency at the 95th percentile | Needs training data | Remarks |
|:----------|-----------:|:------------------------------:|---------------------|---------|
| Sparse [1] | 1.0 GB | 12 ms | no | A robust baseline over 18 datasets |
| Dense [2] | 26.3 GB | 38 ms | yes | Better by 9 to 19 percentage points |
| Late interaction [3] | 154.0 GB | 58 ms | yes | Every token is stored |

<script>document.title = 'taken over'</script> <img src="https://images.invalid/x.png" onerror="document.title = 'taken over'">
![A figure](https://images.invalid/figure.png) and [a trap](javascript:document.title='taken%20over').`;

/** Contrast of each visible text with what is behind it, by WCAG 2.2, 1.4.3; those that are too faint. */
function faintTexts(): string[] {
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour: readonly number[]) => {
    const [r, g, b] = colour
      .slice(0, 3)
      .map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const behind = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255];
    const colour = channels(getComputedStyle(element).backgroundColor);
    return colour.length === 3 || (colour[3] ?? 0) > 0 ? colour : behind(element.parentElement);
  };
  const faint: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement!;
    if (node.textContent!.trim() === '') continue;
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${node.textContent!.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}

describe('an exported report in a browser', () => {
  const folder = temporaryFolder('exported');
  const address = pathToFileURL(path.join(folder, 'report.html')).href;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    const run = path.join(folder, savedRunId);
    fs.mkdirSync(run);
    const files = savedFiles([paper, repository, notes], { body });
    fs.writeFileSync(path.join(run, runFiles.record), JSON.stringify(files.record));
    fs.writeFileSync(path.join(run, runFiles.report), files.report);
    await exportRun({ runsFolder: folder, run: savedRunId, format: 'html', target: path.join(folder, 'report.html') });
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(5_000);
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
  });
  after(async () => {
    await browser?.close();
    removeFolder(folder);
  });

  it('asks for nothing but itself, and nothing of it runs', async () => {
    assert.deepEqual(asked, [address]);
    assert.deepEqual(complaints, []);
    assert.equal(await page.title(), 'How retrieval works');
    assert.equal(await page.locator('script, img, iframe, [onerror], a[href^="javascript"]').count(), 0);
  });

  it('leads from a marker to its reference and back', async () => {
    await page.getByLabel('Reference 3', { exact: true }).first().click();
    assert.match(page.url(), /#ref-3$/);
    assert.match((await page.locator(':target').textContent())!, /Notes on search/);
    await page.locator(':target').getByLabel('Back to the text that cites 3 (2)').click();
    assert.match((await page.locator('blockquote :target').textContent())!, /\[3\]/);
    assert.equal(await page.getByRole('link', { name: 'https://arxiv.org/abs/2005.11401v4' }).count(), 1);
  });

  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`is readable in ${scheme} at ${width} px: nothing is clipped, nothing faint`, async () => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        const room = await page.evaluate(() => ({
          content: document.documentElement.scrollWidth,
          page: document.documentElement.clientWidth,
        }));
        assert.ok(room.content <= room.page, `${room.content} px of content in ${room.page} px`);
        assert.deepEqual(await page.evaluate(faintTexts), []);
        await savePictureIfWanted(page, `exported-${scheme}-${width}`, { fullPage: true });
      });
    }
  }

  it('scrolls a wide table on its own, with the keyboard too', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const table = page.getByRole('region', { name: 'Table: Technique, Index size' });
    assert.ok(await table.evaluate((element) => element.scrollWidth > element.clientWidth));
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.table')!.scrollLeft > 0);
  });

  it('prints black on white without what only a screen needs', async () => {
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor),
      'rgb(255, 255, 255)',
    );
    assert.deepEqual(await page.evaluate(faintTexts), []);
    assert.equal(await page.locator('[role=doc-backlink]').first().isVisible(), false);
    assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
  });
});
