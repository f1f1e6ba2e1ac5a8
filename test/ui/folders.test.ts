import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { savePicture } from '../support/browser.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { type ModelServer, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { findPanel, offline, openPanel, type Panel } from './support/researchPage.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

/** A window of the editor for one test. */
async function inWindow(
  editor: Editor,
  workspace: string | null,
  use: (page: EditorPage, panel: Panel) => Promise<void>,
  /**
   * A row of the explorer. A window reads its workspace file while it starts, and loses the folders when that ends between two
   * steps of its own (`updateWorkspaceAndInitializeConfiguration`). Opened again it has them from its cache.
   */
  row?: string,
): Promise<void> {
  const page = await editor.openPage({ workspace });
  try {
    if (row !== undefined) {
      await page.reload();
      await page.page.locator('.explorer-folders-view .monaco-list-row', { hasText: row }).waitFor();
    }
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

  it('is not lost in a folder that cannot be written: it says so, offers two ways on, and does so again', async () => {
    const workspace = copyWorkspace('examples');
    // A file where the folder should be: it can't be written by anybody, the superuser of a container included.
    fs.writeFileSync(path.join(workspace, 'research'), 'in the way');
    try {
      await inWindow(editor, workspace, async (page, shown) => {
        let panel = shown;
        await panel.ask(question);
        await panel.reaches('finished');
        const notice = await page.notification('Could not save the report');
        await page.screenshot('unsaved');
        await notice.getByRole('button', { name: 'Open Untitled' }).click();
        await page
          .editorTab(/^Untitled-1|^# /)
          .first()
          .waitFor();
        assert.equal(fs.readFileSync(path.join(workspace, 'research'), 'utf8'), 'in the way');
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
        await page.saveAs(path.join(workspace, 'copy.md'), 'notes');
        await page.editorTab(/^copy$/).waitFor();
        assert.match(fs.readFileSync(path.join(workspace, 'copy.md'), 'utf8'), /^## References$/m);
        await panel.get('open-report').click();
        assert.equal(await page.editorTab(/^Untitled-/).count(), 1, 'the saved file is opened and no second copy');
        const known = () => (JSON.parse(saved('run.json')) as { path?: unknown }).path;
        for (const deadline = Date.now() + 10_000; known() === undefined && Date.now() < deadline;)
          await new Promise((resolve) => setImmediate(resolve));
        assert.equal(known(), path.join(workspace, 'copy.md'), 'the run knows its report');
      });
    } finally {
      removeFolder(workspace);
    }
  });

  it('goes into the folder of the active editor where several are open', async () => {
    const parent = temporaryFolder('folders');
    const [first, second] = ['first', 'second'].map((name) => path.join(parent, name));
    fs.mkdirSync(first!);
    fs.cpSync(path.join(root, 'examples'), second!, { recursive: true });
    const workspace = path.join(parent, 'both.code-workspace');
    fs.writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
    try {
      await inWindow(
        editor,
        workspace,
        async (page, panel) => {
          await page.page.keyboard.press('ControlOrMeta+P');
          await page.quickInput().fill('chunking.md');
          await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'chunking.md' }).first().waitFor();
          await page.page.keyboard.press('Enter');
          await page.editorTab(/^chunking$/).waitFor();
          await panel.ask(question);
          await panel.reaches('finished');
          const reports = fs
            .readdirSync(path.join(second!, 'research'))
            .filter((name) => !name.endsWith('.evidence.md'));
          assert.equal(reports.length, 1);
          assert.deepEqual(fs.readdirSync(first!), []);
        },
        'second',
      );
    } finally {
      removeFolder(parent);
    }
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
        await panel.get('end').waitFor({ timeout: 60_000 });
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
