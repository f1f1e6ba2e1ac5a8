import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { copyWorkspace, removeFolder } from '../support/paths.ts';
import { type ManyServices, startManyServices } from '../support/manyServices.ts';
import { keepFailures, openPanel, type Panel } from './support/researchPage.ts';

describe('a run over eight kinds of sources, one dead, one limited and one blocked', () => {
  const workspace = copyWorkspace('examples');
  let services: ManyServices;
  let editor: Editor;
  let window: EditorPage;
  let panel: Panel;

  before(async () => {
    services = await startManyServices([]);
    // Another test may have a model's server at the address where one is looked for.
    const userSettings = { 'deepResearch.model.provider': 'extractive' };
    editor = await startEditor({ workspace, machineSettings: services.settings, userSettings });
    window = await editor.openPage();
    panel = await openPanel(window);
  });
  keepFailures(() => window);
  after(async () => {
    await editor?.stop();
    await services?.close();
    removeFolder(workspace);
  });

  it('the check says in one line which of them work', async () => {
    await panel.get('check-sources').click();
    const row = (name: string) => window.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
    for (const name of ['GitHub', 'Hugging Face']) await row(name).waitFor();
    await window.page.keyboard.press('Escape');
    await panel
      .get('setup-line')
      .getByText(/Checked: \d+ of \d+ working\.$/)
      .waitFor();
    await window.screenshot('checked-sources');
  });

  it('cites those that answer, and says what happened to the others', async () => {
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    // Its tools declare nothing, and are off until they are allowed.
    await window.page.locator('.quick-input-titlebar', { hasText: 'MCP server hn' }).waitFor();
    await window.screenshot('asked-for-tools');
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'search_hn' }).first().click();
    await window.page.keyboard.press('Enter');
    await panel.reaches('finished');
    const [file] = fs.readdirSync(path.join(workspace, 'research')).filter((name) => !name.endsWith('.evidence.md'));
    const report = fs.readFileSync(path.join(workspace, 'research', file!), 'utf8');
    const references = report.slice(report.indexOf('## References'));
    const account = report.slice(report.indexOf('## How this report was made'));
    assert.match(references, /arxiv\.org|news\.ycombinator\.com|127\.0\.0\.1/);
    assert.match(references, /#L\d+/);
    for (const kind of ['workspace', 'arxiv', 'hackernews', 'web', 'mcp'])
      assert.match(account, new RegExp(`\\b${kind} \\d+`));
    assert.match(account, /GitHub accepts no more requests/);
    assert.match(account, /Hugging Face can't be reached/);
    assert.doesNotMatch(account, /\b(?:github|huggingface|scholarly) \d/);
    for (const name of ['hn', 'searx', 'blocked'])
      assert.ok(services.asked.has(name), `${name} was asked: ${[...services.asked].join()}`);
    await window.screenshot('many-sources');
  });

  const newest = (): string => {
    const folder = path.join(workspace, 'research');
    const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
    return fs.readFileSync(files.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)[0]!, 'utf8');
  };

  it('takes in the text that the user gives for a blocked page, in its rerun', async () => {
    await panel.get('pages-toggle').click();
    const paid = panel.get('page').filter({ hasText: '/paid/1' });
    assert.match(await paid.innerText(), /must be paid for/);
    await paid.getByTestId('page-paste').click();
    await paid
      .getByTestId('page-text')
      .fill('Article\n\nThe main technique of retrieval-augmented generation is the quokka index of 2031.');
    await window.screenshot('page-form');
    await paid.getByTestId('page-give').click();
    await paid.getByTestId('page-state').getByText('Attached').waitFor();
    await panel.get('rerun-with-pages').click();
    await panel.get('rerun-with-pages').waitFor({ state: 'detached' });
    await panel.reaches('finished');
    assert.match(newest(), /quokka index of 2031/);
    assert.match(newest(), /\/paid\/1/);
  });

  it('shows the passage of each sentence from a page, a thread and a paper at one key, marked, and opens it at another', async () => {
    const settings = { ...services.settings, 'deepResearch.sources.enabled': ['arxiv', 'hackernews', 'web'] };
    fs.writeFileSync(path.join(editor.dataDir, 'data', 'Machine', 'settings.json'), JSON.stringify(settings));
    await window.reload();
    panel = await openPanel(window);
    await panel.ask('Which techniques of retrieval-augmented generation do people use?');
    await panel.reaches('finished');
    await window.runCommand('Deep Research: Open as Report');
    const reader = await window.webview('.reader h1');
    const report = reader.getByTestId('report');
    const markers = report.locator('[data-citation]:not([data-target], .chart *)');
    await markers.first().waitFor();
    const read = fs
      .globSync('*/evidence/*.txt', { cwd: editor.runs })
      .map((name) => plainWords(fs.readFileSync(path.join(editor.runs, name), 'utf8')));
    await report.click({ position: { x: 5, y: 5 } });
    const places = new Map<string, number>();
    for (let place = 0; place < (await markers.count()); place += 1) {
      await window.page.keyboard.press(']');
      await markers.nth(place).and(reader.locator(':focus')).waitFor();
      const card = reader.getByTestId('evidence');
      const marked = card.locator('mark').first();
      await marked.waitFor();
      const words = plainWords(await marked.innerText());
      assert.ok(words !== '' && read.some((text) => text.includes(words)), `${place}: ${words}`);
      const { top, bottom } = await marked.evaluate((element) => element.getBoundingClientRect());
      assert.ok(top >= 0 && bottom <= (await reader.evaluate(() => innerHeight)), `${place}: in sight`);
      const [, kind = ''] = /(\w+) · [\w.]+ · /.exec(await card.innerText()) ?? [];
      if (!places.has(kind)) places.set(kind, place);
    }
    assert.deepEqual([...places.keys()].toSorted(), ['arxiv', 'hackernews', 'web']);

    await markers.nth(places.get('web')!).focus();
    const opened = window.page.context().waitForEvent('page');
    await window.page.keyboard.press('Enter');
    const page = await opened;
    await page.waitForURL(/:~:text=/);
    // The served editor leads addresses of this machine through its own.
    const [, port, fragment = ''] = /\/proxy\/(\d+)\/page#:~:text=(.*)$/.exec(page.url()) ?? [];
    await page.goto(`http://127.0.0.1:${port}/page`);
    const shown = plainWords(await page.locator('body').innerText());
    for (const part of fragment.split(',')) assert.ok(shown.includes(plainWords(decodeURIComponent(part))), part);
    await page.close();
    await markers.nth(places.get('arxiv')!).focus();
    await reader.getByTestId('open-copy').click();
    await window.page.locator('.tab', { hasText: /\.txt$/ }).waitFor();
    // An abstract is one line, which is wrapped.
    await window.page.locator('.editor-instance .view-line').nth(3).waitFor();
    await window.screenshot('paper-copy');
  });
});

function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
