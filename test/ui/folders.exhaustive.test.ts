import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { savePicture } from '../support/browser.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { findPanel, keepFailures, offline, openPanel, type Panel } from './support/researchPage.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

/** A window of the editor for one test. */
async function inWindow(
  editor: Editor,
  workspace: string | null,
  use: (page: EditorPage, panel: Panel) => Promise<void>,
): Promise<void> {
  const page = await editor.openPage({ workspace });
  try {
    await use(page, await openPanel(page));
  } catch (error) {
    await savePicture(page.page, 'failed-folders');
    throw error;
  } finally {
    await page.page.close();
  }
}

describe('where a report goes', () => {
  let sources: SourceServer;
  let editor: Editor;

  before(async () => {
    sources = await startSourceServer();
    // arXiv would be asked once in three seconds.
    const enabled = { 'deepResearch.sources.enabled': ['workspace', 'github'] };
    editor = await startEditor({ workspace: null, machineSettings: { ...imitatedSettings(sources), ...enabled } });
  });
  after(async () => {
    await editor?.stop();
    await sources?.close();
  });

  /** A file of the newest run. */
  const saved = (file: string) => {
    const run = fs.readdirSync(editor.runs).sort().at(-1)!;
    return fs.readFileSync(path.join(editor.runs, run, file), 'utf8');
  };

  it('opens as an untitled document when no folder is open, and can be saved from there', async () => {
    await inWindow(editor, null, async (page, panel) => {
      assert.match(await panel.get('setup-line').innerText(), /No folder is open/);
      await panel.ask(question);
      await panel.reaches('finished');
      await page
        .editorTab(/^Untitled-1|^# /)
        .first()
        .waitFor();
      await page.screenshot('no-folder');
      assert.match(saved('report.md'), /^## References$/m);
    });
  });

  describe('where two are open, one of which cannot be written', () => {
    let parent: string;
    let first: string;
    let second: string;
    let page: EditorPage;
    let panel: Panel;

    before(async () => {
      parent = temporaryFolder('folders');
      [first, second] = [path.join(parent, 'first'), path.join(parent, 'second')];
      for (const folder of [first, second]) fs.cpSync(path.join(root, 'examples'), folder, { recursive: true });
      fs.renameSync(path.join(first, 'notes', 'chunking.md'), path.join(first, 'notes', 'pieces.md'));
      // A file where the folder should be: it can't be written by anybody, the superuser of a container included.
      fs.writeFileSync(path.join(first, 'research'), 'in the way');
      const workspace = path.join(parent, 'both.code-workspace');
      fs.writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
      page = await editor.openPage({ workspace });
      // A window reads its workspace file while it starts, and loses the folders when that ends between two steps of its own
      // (`updateWorkspaceAndInitializeConfiguration`). Opened again it has them from its cache.
      const row = page.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'second' });
      const none = page.page.locator('.welcome-view-content', { hasText: 'not yet added a folder' });
      for (let opened = 1; opened <= 5; opened += 1) {
        await row.or(none).first().waitFor();
        if (await row.isVisible()) break;
        await page.reload();
      }
      await row.waitFor();
      panel = await openPanel(page);
    });
    keepFailures(() => page);
    after(async () => {
      await page?.page.close();
      removeFolder(parent);
    });

    /** Makes a file the active editor: once it has the focus, it takes none that the panel has got. */
    async function open(file: string): Promise<void> {
      await page.page.keyboard.press('ControlOrMeta+P');
      await page.quickInput().fill(file);
      await page.page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().waitFor();
      await page.page.keyboard.press('Enter');
      await page.editorTab(path.parse(file).name).waitFor();
      await page.page.locator('.editor-group-container .monaco-editor.focused').waitFor();
    }

    it('goes into the folder of the active editor, and into that of the report in front', async () => {
      const before = fs.readdirSync(first);
      const reports = () =>
        fs.readdirSync(path.join(second, 'research')).filter((name) => !name.endsWith('.evidence.md'));
      await open('chunking.md');
      await panel.ask(question);
      await panel.reaches('finished');
      assert.equal(reports().length, 1);
      await page.runCommand('Deep Research: Open as Report');
      await page.page.locator('.editor-group-container .monaco-editor').waitFor({ state: 'detached' });
      await panel.get('new-question').click();
      await panel.ask(question);
      await panel.reaches('finished');
      assert.equal(reports().length, 2);
      assert.deepEqual(fs.readdirSync(first), before);
    });

    it('is not lost in a folder that cannot be written: it says so, offers two ways on, and does so again', async () => {
      await page.runCommand('View: Close All Editors');
      await open('pieces.md');
      await panel.get('new-question').click();
      await panel.ask(question);
      await panel.reaches('finished');
      const notice = await page.notification('Could not save the report');
      await page.screenshot('unsaved');
      await notice.getByRole('button', { name: 'Open Untitled' }).click();
      await page
        .editorTab(/^Untitled-1|^# /)
        .first()
        .waitFor();
      assert.equal(fs.readFileSync(path.join(first, 'research'), 'utf8'), 'in the way');
      await panel.get('save-report').click();
      await page.screenshot('save-as');
      // A folder that no file can be created in.
      await page.saveAs('/sys/copy.md', 'kernel');
      await (
        await page.notification('The report couldn’t be saved')
      )
        .getByRole('button', { name: 'Save As…' })
        .waitFor();
      // No other place was chosen and the window closed: the text is still there.
      await page.reload();
      panel = await findPanel(page);
      await panel.reaches('finished');
      await panel.get('save-report').click();
      await page.saveAs(path.join(first, 'copy.md'), 'notes');
      await page.editorTab(/^copy$/).waitFor();
      assert.match(fs.readFileSync(path.join(first, 'copy.md'), 'utf8'), /^## References$/m);
      await panel.get('open-report').click();
      // An untitled text may be called by its first line.
      const untitled = page.editorTab(/^Untitled-|^# /);
      await untitled.first().waitFor();
      assert.equal(await untitled.count(), 1, 'the saved file is opened and no second copy');
      const known = () => (JSON.parse(saved('run.json')) as { path?: unknown }).path;
      for (const deadline = Date.now() + 10_000; known() === undefined && Date.now() < deadline;)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(known(), path.join(first, 'copy.md'), 'the run knows its report');
    });
  });
});

describe('Restricted Mode', () => {
  it('reads no file of the workspace, and the panel says so', async () => {
    const workspace = copyWorkspace('examples');
    let server: ModelServer | undefined;
    let editor: Editor | undefined;
    try {
      server = await startModelServer();
      // What a hostile repository would like: its own model, its own folder.
      fs.mkdirSync(path.join(workspace, '.vscode'));
      fs.writeFileSync(
        path.join(workspace, '.vscode', 'settings.json'),
        JSON.stringify({
          'deepResearch.model.baseUrl': server.url,
          'deepResearch.model.provider': 'openai-compatible',
          'deepResearch.model.name': 'imitation-1',
          'deepResearch.report.folder': '../elsewhere',
        }),
      );
      editor = await startEditor({ workspace, workspaceTrust: true, machineSettings: await offline() });
      await inWindow(editor, workspace, async (page, panel) => {
        const line = await panel.get('setup-line').innerText();
        assert.match(line, /Restricted Mode/);
        assert.match(line, /Without a model/);
        await page.screenshot('restricted');
        await panel.ask(question);
        await panel.get('end').waitFor();
        assert.equal(fs.existsSync(path.join(workspace, '..', 'elsewhere')), false);
        assert.equal(fs.existsSync(path.join(workspace, 'research')), false);
      });
      assert.equal(server.requests.length, 0);
    } finally {
      await editor?.stop();
      await server?.close();
      removeFolder(workspace);
    }
  });
});
