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
    services = await startManyServices();
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
    await window.page
      .getByText('Select one to fix it')
      .or(window.page.locator('.quick-input-widget'))
      .first()
      .waitFor();
    await window.page.keyboard.press('Escape');
    const line = panel.get('setup-line').getByText(/Checked: \d+ of \d+ work\./);
    await line.waitFor();
    assert.match(await line.innerText(), /GitHub|Hugging Face/);
    await window.screenshot('checked-sources');
  });

  it('cites those that answer, and says what happened to the others', async () => {
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.reaches('finished');
    const [file] = fs.readdirSync(path.join(workspace, 'research')).filter((name) => name.endsWith('.md'));
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

  const paid = (number: number) => panel.get('page').filter({ hasText: `/paid/${number}` });
  const paste = async (number: number, text: string): Promise<void> => {
    await paid(number).getByTestId('page-paste').click();
    await paid(number).getByTestId('page-text').fill(text);
    await window.screenshot(`page-form-${number}`);
    await paid(number).getByTestId('page-give').click();
  };
  const newest = (): string => {
    const folder = path.join(workspace, 'research');
    const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
    return fs.readFileSync(files.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)[0]!, 'utf8');
  };

  it('takes in the text of a blocked page while it runs', async () => {
    await panel.get('new-question').click();
    const release = services.holdComments();
    await panel.ask('What are the main techniques for retrieval-augmented generation?');
    await panel.get('pages-toggle').click();
    assert.match(await paid(1).innerText(), /must be paid for/);
    await paste(1, 'Article\n\nThe main technique of retrieval-augmented generation is the quokka index of 2031.');
    await paid(1).getByTestId('page-state').getByText('Added as a source').waitFor();
    await window.screenshot('page-taken');
    release();
    await panel.reaches('finished');
    const report = newest();
    assert.match(report, /quokka index of 2031/);
    assert.match(report, /\/paid\/1/);
  });

  it('attaches what comes after the report to its rerun', async () => {
    await paste(2, 'Article\n\nThe main technique of retrieval-augmented generation is the wombat reranker of 2032.');
    await paid(2).getByTestId('page-state').getByText('Attached').waitFor();
    await panel.get('rerun-with-pages').click();
    await panel.reaches('running').catch(() => undefined);
    await panel.reaches('finished');
    assert.match(newest(), /wombat reranker of 2032/);
    assert.match(newest(), /\/paid\/2/);
  });
});
