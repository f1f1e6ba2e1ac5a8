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
    editor = await startEditor({ workspace, machineSettings: services.settings });
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
});
