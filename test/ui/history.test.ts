import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import type { Locator } from 'playwright-core';
import type { RunRecord } from '../../src/protocol/runRecord.ts';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { savedFiles, notes, paper } from '../support/savedRun.ts';
import { holdLock, saveManyRuns, saveRun } from '../support/savedRuns.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root } from '../support/paths.ts';
import { findPanel, keepFailures, offline, openPanel } from './support/researchPage.ts';

const hostile = '[Undo](command:workbench.action.closeWindow) $(trash) **bold** <img src=x>\u202Egpj.exe\nsecond line';
const hour = 3_600_000;

describe('the history of runs', () => {
  const workspace = copyWorkspace('examples');
  let server: ModelServer;
  let script: Script | undefined;
  let editor: Editor;
  let page: EditorPage;
  let runs: string;
  const ids: Record<string, string> = {};
  let holder: NodeJS.Timeout | undefined;

  before(async () => {
    server = await startModelServer({ delayMs: 10, script: (request) => script?.(request) });
    const endpoints = await offline();
    editor = await startEditor({
      workspace,
      userSettings: { 'deepResearch.model.provider': 'openai-compatible', 'deepResearch.model.name': 'imitation-1' },
      machineSettings: { ...endpoints, 'deepResearch.model.baseUrl': server.url },
    });
    ({ runs } = editor);
    fs.mkdirSync(editor.outsideRuns, { recursive: true });
    seed(endpoints);
    // As the window that runs it does: a lock that was last touched a minute ago is no one's.
    holder = setInterval(() => holdLock(runs, ids['elsewhere']!), 20_000);
    page = await editor.openPage({ viewport: { width: 1280, height: 1200 } });
    await page.activityBarIcon().click();
    await findPanel(page);
    await header().click();
    await row('Late chunking explained').waitFor();
    await enlarge();
  });
  keepFailures(() => page);
  after(async () => {
    clearInterval(holder);
    await editor?.stop();
    await server?.close();
    removeFolder(workspace);
  });

  /** The view begins with a few rows: draws its border up, again when that came before it was laid out. */
  async function enlarge(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { x, y, width } = (await header().boundingBox())!;
      await page.page.mouse.move(x + width / 2, y - 1);
      await page.page.mouse.down();
      await page.page.mouse.move(x + width / 2, y - 420, { steps: 8 });
      await page.page.mouse.up();
      try {
        return await row('Stopped').waitFor({ timeout: 5_000 });
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  /** One run of each kind, an hour after the other. */
  function seed(endpoints: Readonly<Record<string, unknown>>): void {
    const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
    const settings = {
      ...Object.fromEntries(Object.entries(endpoints).map(([key, value]) => [key.replace('deepResearch.', ''), value])),
      'model.provider': 'openai-compatible',
      'model.name': 'imitation-1',
      'model.baseUrl': server.url,
    };
    const keep = (number: number, record: Partial<RunRecord>, files: Record<string, string> = {}) =>
      saveRun(runs, number, { workspace, settings, ...record }, files);
    const finished = (number: number, record: Partial<RunRecord>) => {
      const run = keep(number, record);
      const { report, sources } = savedFiles([paper, notes], { record: { ...record, run } });
      keep(
        number,
        { outcome: 'complete', cited: 2, ...record },
        { 'report.md': report, 'sources.json': sources, 'events.ndjson': eventsOf(run, record, report) },
      );
      return { run, report };
    };
    const moved = finished(1, {
      created: ago(1),
      title: 'Late chunking explained',
      question: 'What is late chunking?',
      path: path.join(workspace, 'research', 'gone.md'),
    });
    ids['moved'] = moved.run;
    fs.mkdirSync(path.join(workspace, 'notes', 'moved'), { recursive: true });
    fs.writeFileSync(
      path.join(workspace, 'notes', 'moved', 'chunking.md'),
      moved.report.replace('A summary.', 'A summary, edited by hand.'),
    );
    ids['lost'] = finished(2, {
      created: ago(2),
      title: 'Reranking with small models',
      outcome: 'partial',
      path: path.join(workspace, 'research', 'lost.md'),
    }).run;
    const interrupted = {
      created: ago(3),
      name: 'To be resumed',
      question: 'How is retrieval evaluated?',
      title: undefined,
      status: 'running' as const,
    };
    ids['interrupted'] = keep(3, interrupted);
    keep(3, interrupted, { 'events.ndjson': started(ids['interrupted'], interrupted) });
    ids['failed'] = keep(4, {
      created: ago(4),
      title: undefined,
      question: 'Which vector index is fastest?',
      status: 'failed',
      failure: { reason: 'network', message: 'The model server could not be reached.' },
    });
    ids['elsewhere'] = keep(5, {
      created: ago(5),
      title: undefined,
      question: 'What does another window research?',
      status: 'running',
    });
    holdLock(runs, ids['elsewhere']);
    ids['hostile'] = keep(6, {
      created: ago(30),
      title: undefined,
      question: hostile.repeat(200),
      status: 'cancelled',
    });
    ids['other'] = keep(7, { created: ago(31), title: 'Of another folder', workspace: '/somewhere/else' });
    for (let month = 2; month < 6; month += 1)
      keep(10 + month, { created: ago(month * 31 * 24), title: `Old report ${month}`, cited: month });
  }

  const header = () => page.page.locator('.pane-header[aria-label^="History"]');
  const tree = () => page.page.locator('.pane').filter({ has: header() });
  const tab = (name: string) => page.page.locator(`.editor-group-container .tab[data-resource-name="${name}"]`);
  const row = (text: string | RegExp): Locator => tree().locator('.monaco-list-row').filter({ hasText: text });
  const choose = async (text: string | RegExp, action: string) => {
    await openMenu(text);
    await pick(action);
  };
  /** A row of the list is drawn again as another one while it is clicked: the menu is that of the row in focus. */
  const openMenu = async (text: string | RegExp) => {
    for (let tries = 1; tries <= 5; tries += 1) {
      await row(text).click({ button: 'right' });
      await page.page.locator('.monaco-menu').first().waitFor();
      if ((await tree().locator('.monaco-list-row.focused').filter({ hasText: text }).count()) === 1) return;
      await page.page.keyboard.press('Escape');
    }
    throw new Error(`No menu of ${String(text)}.`);
  };
  /** Chooses in the open menu. The editor's menus take no click in their first moments: a person would click again. */
  const pick = async (action: string) => {
    const label = page.page.locator('.monaco-menu .action-label').filter({ hasText: action }).first();
    for (let tries = 1; tries <= 10; tries += 1) {
      await label.click({ timeout: tries === 1 ? 30_000 : 2_000 }).catch((error: unknown) => {
        if (tries === 1) throw error;
      });
      const closed = await label.waitFor({ state: 'hidden', timeout: 1_000 }).then(
        () => true,
        () => false,
      );
      if (closed) return;
    }
    throw new Error(`The menu stays open at ${action}.`);
  };
  const folderOf = (name: string) => path.join(runs, ids[name]!);
  const record = (name: string): RunRecord =>
    JSON.parse(fs.readFileSync(path.join(folderOf(name), 'run.json'), 'utf8')) as RunRecord;

  it('lists the runs of this folder by date, each with its state, and shows every text as plain text', async () => {
    await row('Late chunking explained').waitFor();
    await page.screenshot('history');
    assert.equal(await row('Of another folder').count(), 0);
    for (const [run, words] of [
      ['Late chunking', 'Finished'],
      ['Reranking', 'Finished with gaps'],
      ['To be resumed', 'Interrupted'],
      ['Which vector', 'Failed'],
      ['another window', 'Running in another window'],
      ['closeWindow', 'Stopped'],
    ] as const) {
      assert.match((await row(run).getAttribute('aria-label')) ?? '', new RegExp(`, ${words}, `), run);
    }
    const label = await row('closeWindow').locator('.label-name').textContent();
    assert.match(
      label ?? '',
      /^\[Undo\]\(command:workbench\.action\.closeWindow\) \$\(trash\) \*\*bold\*\* <img src=x> gpj\.exe second line/,
    );
    assert.equal(await row('closeWindow').locator('.label-name .codicon').count(), 0);
  });

  it('opens a run in the panel and its report where it was moved to, and records the new place', async () => {
    await row('Late chunking explained').click();
    await tab('chunking.md').waitFor();
    const panel = await findPanel(page);
    await panel.reaches('finished');
    assert.equal(await panel.get('shown-question').innerText(), 'What is late chunking?');
    assert.equal(record('moved').path, path.join(workspace, 'notes', 'moved', 'chunking.md'));
    assert.equal(
      await page.page.evaluate(() => document.activeElement?.closest('.customview-tree, .monaco-list') !== null),
      true,
      'the focus stays in the tree',
    );
  });

  it('opens the saved copy of a report whose file is missing, and says so', async () => {
    await row('Reranking with small models').click();
    await page.editorTab(/Untitled/).waitFor();
    await (
      await page.notification('This is the copy saved with the run')
    )
      .getByRole('button', { name: 'Save As…' })
      .waitFor();
    await page.clearNotifications();
    await page.runCommand('View: Revert and Close Editor');
  });

  it('finds the run of a report that is open', async () => {
    await row('Which vector').click();
    await tab('chunking.md').click();
    await page.runCommand('Deep Research: Show the Run of This Report');
    await tree().locator('.monaco-list-row.selected').filter({ hasText: 'Late chunking explained' }).waitFor();
    const panel = await findPanel(page);
    await panel.frame.getByText('What is late chunking?').first().waitFor();
  });

  it('renames a run with F2', async () => {
    await row('Late chunking explained').click();
    await page.page.keyboard.press('F2');
    const input = page.quickInput();
    await input.fill('My name for it');
    await input.press('Enter');
    await row('My name for it').waitFor();
    assert.deepEqual([record('moved').name, record('moved').title], ['My name for it', 'Late chunking explained']);
  });

  it('deletes with the Delete key, restores with Undo, and never touches the saved report', async () => {
    await row('My name for it').click();
    await page.page.keyboard.press('Delete');
    await row('My name for it').waitFor({ state: 'detached' });
    assert.equal(fs.existsSync(folderOf('moved')), false);
    assert.ok(fs.existsSync(path.join(workspace, 'notes', 'moved', 'chunking.md')));
    await page.screenshot('history-deleted');
    await (await page.notification('Deleted “My name for it”')).getByRole('button', { name: 'Undo' }).click();
    await row('My name for it').waitFor();
    assert.ok(fs.existsSync(path.join(folderOf('moved'), 'report.md')));
  });

  it('deletes what is selected but not a run in progress, and restores it with Ctrl+Z', async () => {
    await row('Which vector').click({ modifiers: ['Control'] });
    await row('another window').click({ modifiers: ['Control'] });
    await page.page.keyboard.press('Delete');
    await row('Which vector').waitFor({ state: 'detached' });
    assert.ok(fs.existsSync(folderOf('elsewhere')));
    await page.notification('A run in progress can’t be deleted');
    await page.clearNotifications();
    await row('another window').click();
    await page.page.keyboard.press('ControlOrMeta+Z');
    await row('Which vector').waitFor();
  });

  it('finds rows with the editor’s own Find, the older ones too', async () => {
    await row('another window').click();
    await page.page.keyboard.press('F3');
    await tree().locator('.monaco-findInput input').fill('Old report 5');
    await tree().locator('.monaco-list-row.focused').filter({ hasText: 'Old report 5' }).waitFor();
    await page.screenshot('history-find');
    await page.page.keyboard.press('Escape');
    await page.page.keyboard.press('Escape');
  });

  it('shows the runs of other folders when asked to', async () => {
    const menu = async (action: string) => {
      await header().hover();
      await tree()
        .getByRole('button', { name: /More Actions/ })
        .click();
      await pick(action);
    };
    await menu('Show Runs of All Folders');
    await row('Of another folder').waitFor();
    await menu('Show Runs of This Folder Only');
    await row('Of another folder').waitFor({ state: 'detached' });
  });

  it('sees a run of another program come and go while it is visible', async () => {
    const run = saveRun(runs, 99, { created: new Date().toISOString(), workspace, title: 'Made by the command line' });
    await row('Made by the command line').waitFor();
    fs.rmSync(path.join(runs, run), { recursive: true });
    await row('Made by the command line').waitFor({ state: 'detached' });
  });

  it('lists what the command line saved in its own folder, live, opens it and leaves it as it is', async () => {
    const { outsideRuns } = editor;
    const created = new Date().toISOString();
    const { report } = savedFiles([paper, notes], { record: { workspace, title: 'From a terminal' } });
    const begun = saveRun(outsideRuns, 98, { created, workspace, status: 'running', title: 'From a terminal' });
    holdLock(outsideRuns, begun);
    await tree().locator('.monaco-list-row[aria-label^="From a terminal, Running on the command line"]').waitFor();
    await row('From a terminal').click();
    await page.notification('is in progress on the command line');
    await page.clearNotifications();
    fs.rmSync(path.join(outsideRuns, begun, 'run.lock'));
    const ended = { created, workspace, status: 'finished', outcome: 'complete', title: 'From a terminal' } as const;
    assert.equal(saveRun(outsideRuns, 98, ended, { 'report.md': report }), begun);
    // A file beside the runs changes their folder at once; else the next look is within 15 s.
    fs.writeFileSync(path.join(outsideRuns, '.touched'), '');
    await tree().locator('.monaco-list-row[aria-label^="From a terminal, Finished"]').waitFor();
    await row('From a terminal').click();
    await page.editorTab(/Untitled/).waitFor();
    await page.page.keyboard.press('Delete');
    await page.notification('can be opened here, and is changed there');
    assert.ok(fs.existsSync(path.join(outsideRuns, begun, 'run.json')));
    await page.clearNotifications();
    await page.runCommand('View: Revert and Close Editor');
    fs.rmSync(path.join(outsideRuns, begun), { recursive: true });
    await row('From a terminal').waitFor({ state: 'detached' });
  });

  it('shows live how far a run is that an agent has begun by the server of the command line', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    script = ({ step }) => (step === 'section' ? { until: held } : undefined);
    const client = await createMCPClient({
      transport: new StdioMCPTransport({
        command: process.execPath,
        args: [
          ...[path.join(root, 'dist', 'cli.js'), 'mcp', '--workspace', workspace],
          ...['--base-url', server.url, '--model', 'imitation-1'],
        ],
        env: { XDG_DATA_HOME: path.join(editor.dataDir, 'home') },
        stderr: 'ignore',
      }),
    });
    try {
      const question = 'Explain how retrieval-augmented generation works, and what it costs';
      const started = await client.callTool({
        name: 'start_research',
        arguments: { question, strategy: 'sections', sources: ['workspace'] },
      });
      const { id } = started.structuredContent as { readonly id: string };
      const live = row('how retrieval-augmented generation works');
      await live.filter({ hasText: /Running on the command line · 0 of [2-9] sections · [1-9]\d* sources?/ }).waitFor();
      assert.match(await live.innerText(), /^0\/\d · Explain how/);
      await page.screenshot('history-agent');
      release();
      for (let state: unknown; state !== 'finished';) {
        const { structuredContent } = await client.callTool({
          name: 'get_research',
          arguments: { id, waitSeconds: 20 },
        });
        ({ state } = structuredContent as { readonly state: unknown });
        assert.ok(state === 'running' || state === 'finished', String(state));
      }
      await row(/Running on the command line/).waitFor({ state: 'hidden' });
      assert.ok(fs.existsSync(path.join(editor.outsideRuns, id, 'report.md')));
    } finally {
      release();
      script = undefined;
      await client.close();
    }
  });

  it('lists the runs of a batch, and opens their reports', async () => {
    const { outsideRuns } = editor;
    const created = new Date().toISOString();
    const { report } = savedFiles([paper, notes], { record: { workspace, title: 'Of a batch' } });
    const batch = path.join(outsideRuns, 'batches', '0123456789abcdef');
    saveRun(
      batch,
      97,
      { created, workspace, status: 'finished', outcome: 'complete', title: 'Of a batch' },
      { 'report.md': report },
    );
    fs.writeFileSync(path.join(outsideRuns, '.touched'), 'again');
    await row('Of a batch').click();
    await page.editorTab(/Untitled/).waitFor();
    await page.runCommand('View: Revert and Close Editor');
    fs.rmSync(path.join(outsideRuns, 'batches'), { recursive: true });
    fs.writeFileSync(path.join(outsideRuns, '.touched'), 'once more');
    await row('Of a batch').waitFor({ state: 'detached' });
  });

  it('resumes an interrupted run, which ends finished in the tree', async () => {
    await choose('To be resumed', 'Resume Run');
    await tree().locator('.monaco-list-row[aria-label^="To be resumed, Finished"]').waitFor();
    assert.deepEqual([record('interrupted').status, record('interrupted').name], ['finished', 'To be resumed']);
    assert.ok(record('interrupted').path?.startsWith(workspace));
    assert.ok(server.requests.length > 5);
    const panel = await findPanel(page);
    await panel.reaches('finished');
    assert.equal(await panel.get('shown-question').innerText(), 'How is retrieval evaluated?');
    assert.doesNotMatch(
      await panel.get('run-header').innerText(),
      /\d:\d\d:\d\d/,
      'the hours in which it was interrupted do not count',
    );
    await page.setViewport(1000, 700);
    await page.screenshot('history-small');
    await page.setViewport(1280, 1200);
  });

  it('offers the formats of the export, and what else can be done', async () => {
    await openMenu('My name for it');
    const action = (text: string) => page.page.locator('.monaco-menu .action-label').filter({ hasText: text }).first();
    for (const text of ['Open Run', 'Rerun', 'Rename Run', 'Reveal Run Folder', 'Delete Run'])
      await action(text).waitFor();
    assert.equal(await action('Resume Run').count(), 0, 'it is finished');
    await action('Export').hover();
    for (const text of ['Web Page', 'CSL-JSON', 'Zip']) await action(text).waitFor();
    await page.screenshot('history-menu');
    await pick('BibTeX');
    await page.saveAs('/sys/cited.bib', 'kernel');
    await (await page.notification(/Could not .*: /)).getByRole('button', { name: 'Choose Another Place' }).click();
    await page.saveAs(path.join(workspace, 'cited.bib'), 'notes');
    await page.notification('Exported to');
    assert.match(fs.readFileSync(path.join(workspace, 'cited.bib'), 'utf8'), /Retrieval-Augmented Generation/);
    await page.clearNotifications();
  });

  it('shares a report in one step: a page beside it, and never over another file', async () => {
    const pages = () =>
      fs.readdirSync(workspace, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
    for (const count of [1, 2]) {
      await openMenu('My name for it');
      await pick('Share Report');
      await page.notification('Exported to');
      await page.clearNotifications();
      assert.equal(pages().length, count);
      // It is shown in the explorer.
      await page.activityBarIcon().click();
    }
    assert.match(fs.readFileSync(path.join(workspace, pages()[0]!), 'utf8'), /Retrieval-Augmented Generation/);
  });

  it('finds a run by the words of its question, from the command palette', async () => {
    await page.runCommand('Deep Research: View Saved Run');
    await page.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: '[Undo](command:' }).waitFor();
    await page.screenshot('history-picker');
    await page.quickInput().fill('Reranking');
    await page.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'Reranking with small models' })
      .click();
    await page.editorTab(/^(Untitled|# )/).waitFor();
  });

  it('keeps what only makes sense on a row, with a key or with a report out of the palette, and shows the rest by title', async () => {
    await page.runCommand('View: Revert and Close Editor');
    await page.runCommand('View: Close All Editors');
    await page.runCommand('Clear Command History');
    const clear = page.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Clear' });
    await clear.click();
    await page.page.keyboard.press('F1');
    await page.quickInput().fill('>Deep Research: ');
    const rows = page.page.locator('.quick-input-list .monaco-list-row .label-name');
    await rows.filter({ hasText: 'Deep Research: Start' }).waitFor();
    // A row that was reused keeps the hidden detail of the one before.
    const titles = (await rows.allTextContents()).flatMap((title) => title.split('Deep Research: ').slice(1));
    await page.screenshot('palette');
    assert.deepEqual(
      // The editor makes these for every view, and sorts all by title.
      titles.filter((title) => !/^Focus on .* View$/.test(title)),
      [
        // Whoever types the name of the extension and presses Enter has the question box.
        'Ask a Question…',
        ...[
          'Check Sources',
          'Export Report…',
          'Select Model',
          'Share Report',
          'Start',
          'Use API Key…',
          'Use from Agents…',
          'Use Tools of the Editor…',
        ],
        ...['View Last Report', 'View Log', 'View Saved Run…'],
      ],
    );
    await page.page.keyboard.press('Escape');
  });

  it('shows thousands of runs that it never saw before, and finds one among all of them', async () => {
    saveManyRuns(runs, 2_000, new Date(Date.now() - 400 * 24 * hour), workspace);
    await page.reload();
    await openPanel(page);
    if ((await header().getAttribute('aria-expanded')) !== 'true') await header().click();
    await row('Reranking with small models').waitFor();
    await page.runCommand('Deep Research: View Saved Run');
    await page.quickInput().fill('what system 1999 reads');
    await page.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'What system 1999 reads' })
      .waitFor();
  });
});

function started(run: string, { created, question }: Partial<RunRecord>): string {
  return `${JSON.stringify({ run, seq: 1, at: created, type: 'run/started', question, strategy: 'sections', model: 'imitation-1', provider: 'openai-compatible', analyst: 'llm' })}\n`;
}

function eventsOf(run: string, record: Partial<RunRecord>, report: string): string {
  const text = report.slice(report.indexOf('\n# ') + 1);
  const bodies = [
    { type: 'report/delta', offset: 0, text, citations: [] },
    { type: 'report/finished', path: record.path, citations: { cited: 2, dropped: 0, verified: 2 } },
    { type: 'run/finished', outcome: 'complete', path: record.path, tokens: { in: 10, out: 10, cached: 0 }, ms: 5_000 },
  ];
  const events = bodies.map((body, index) => JSON.stringify({ run, seq: index + 2, at: record.created, ...body }));
  return `${started(run, record)}${events.join('\n')}\n`;
}
