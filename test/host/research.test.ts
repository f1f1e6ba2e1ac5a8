import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { deadEndpoint } from '../support/deadEndpoint.ts';
import { startModelServer } from '../support/modelServer.ts';
import { saveRun } from '../support/savedRuns.ts';
import { emptyView } from '../../src/protocol/reduceRun.ts';
import type { RunView } from '../../src/protocol/runView.ts';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import { activateExtension, runUntil, when } from './support/extension.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('a research in the extension host, without a key and without a network', () => {
  let host: ResearchHost;
  const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const reports = () =>
    fs.existsSync(path.join(workspace, 'research'))
      ? fs.readdirSync(path.join(workspace, 'research')).filter((name) => !name.endsWith('.evidence.md'))
      : [];
  const set = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration('deepResearch').update(key, value, vscode.ConfigurationTarget.Global);
  /** The file of the report that a tab shows: opened with its first text, or from the file when that was there sooner. */
  const reportTab = () => {
    const saved = host.session.view.report.path;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isShown = tabs.some(
      ({ input, label }) =>
        (input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom) &&
        label === path.basename(saved ?? ''),
    );
    return saved !== undefined && isShown ? vscode.Uri.file(saved) : undefined;
  };

  before(async () => {
    host = await activateExtension();
    await set('report.openAs', 'preview');
    await set('sources.enabled', ['workspace', 'arxiv', 'github']);
    await set('endpoints.arxiv', await deadEndpoint());
    await set('endpoints.github', await deadEndpoint());
  });
  after(async () => {
    for (const key of [
      'report.openAs',
      'sources.enabled',
      'endpoints.arxiv',
      'endpoints.github',
      'model.provider',
      'model.name',
      'model.baseUrl',
    ])
      await set(key, undefined);
  });
  afterEach(async () => {
    await host.session.stop();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is started by the command with a question, saves a report that cites files of the workspace, and opens it', async () => {
    await vscode.commands.executeCommand('deepResearch.start', question);
    assert.deepEqual([host.session.running, host.session.view.question], [true, question]);
    const uri = await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    const text = fs.readFileSync(uri.fsPath, 'utf8');
    assert.match(text, /^---\n[\s\S]*\n---\n/);
    assert.match(text, /#L\d+-L\d+/);
    assert.equal(host.session.view.status, 'finished');
    assert.equal(host.session.view.report.path, uri.fsPath);
    assert.equal(host.session.view.analyst, 'extractive');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'markdown');
  });

  it('is asked about, and answers from what it has read without another file or tab', async () => {
    await vscode.commands.executeCommand('deepResearch.start', question);
    await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    const [{ run: parent }, before] = [host.session.view, reports().length];
    // What the title bar of the tab passes.
    const address = vscode.Uri.from({ scheme: 'webview-panel', path: 'webview-panel/webview-1' });
    assert.deepEqual(host.runToExport([address]), [parent]);
    await vscode.commands.executeCommand('deepResearch.askRun', address, 'How does reranking work?');
    const isAnswer = ({ run, status }: RunView) => run !== parent && status === 'finished';
    await host.session.until(isAnswer, new AbortController().signal);
    const { view } = host.session;
    assert.equal(view.parent, parent);
    assert.notEqual(view.run, parent);
    assert.equal(view.question, 'How does reranking work?');
    assert.match(view.report.text, /rerank/i);
    assert.equal(reports().length, before);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1, 'the report’s own');
    const again = new AbortController();
    const ended = new Promise<RunView>((resolve) =>
      host.session.follow(() => {
        const { view: now } = host.session;
        if (![parent, view.run].includes(now.run) && now.status === 'finished') resolve(now);
      }, again.signal),
    );
    await host.panel.link.receive({ type: 'start', question: view.question, strategy: 'sections' });
    const { parent: about, question: asked } = await ended;
    again.abort();
    assert.deepEqual([about, asked], [parent, view.question], 'its rerun');
  });

  it('says whether a run has begun with a question about its report', async () => {
    await vscode.commands.executeCommand('deepResearch.start', question);
    await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    const { run: parent } = host.session.view;
    const ask = (how: object) =>
      vscode.commands.executeCommand('deepResearch.askRun', parent, 'How does reranking work?', how);
    assert.equal(await runUntil('workbench.action.closeQuickOpen', ask({})), false, 'no kind was chosen');
    void host.session.start('What is late chunking?');
    assert.equal(await runUntil('notifications.clearAll', ask({ as: 'answer' })), false, 'another run is in progress');
    await host.session.stop();
    assert.equal(await ask({ as: 'answer' }), true);
  });

  it('challenges what is selected in its report as text, as far as the user leaves it so', async () => {
    await vscode.commands.executeCommand('deepResearch.start', question);
    const uri = await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    const { run: parent } = host.session.view;
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const text = editor.document.getText();
    const { 0: sentence, index } = /[A-Z][^\n[\]]{20,}?(?= ?\[\[\d+\]\]\(#ref-)/.exec(text)!;
    const [begin, end] = [index, index + sentence.length].map((at) => editor.document.positionAt(at));
    editor.selection = new vscode.Selection(begin!, end!);
    const challenge = vscode.commands.executeCommand('deepResearch.challengeSelection');
    assert.equal(await runUntil('workbench.action.acceptSelectedQuickOpenItem', challenge), true);
    await host.session.until(({ status }) => status === 'failed', new AbortController().signal);
    const { view } = host.session;
    assert.deepEqual([view.parent, view.question], [parent, sentence]);
    assert.match(view.end?.message ?? '', /challenge.* needs a model/);
  });

  it('is changed by a version that the diff editor shows, which leaves what was edited by hand', async () => {
    await vscode.commands.executeCommand('deepResearch.start', question);
    const uri = await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    const { run: parent } = host.session.view;
    const written = fs.readFileSync(uri.fsPath, 'utf8').replace('\n## ', '\nA remark of mine.\n\n## ');
    fs.writeFileSync(uri.fsPath, written);
    const isDiff = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputTextDiff && input.original.fsPath === uri.fsPath) ||
      undefined;
    const how = { as: 'research' };
    await vscode.commands.executeCommand('deepResearch.askRun', parent, 'How does reranking work?', how);
    await when(vscode.window.tabGroups.onDidChangeTabs, isDiff);
    assert.equal(fs.readFileSync(uri.fsPath, 'utf8'), written, 'it waits');
    await vscode.commands.executeCommand('deepResearch.compareVersion', parent, 2, 'accept');
    const accepted = fs.readFileSync(uri.fsPath, 'utf8');
    assert.match(accepted, /^## How does reranking work/m);
    assert.match(accepted, /^A remark of mine\.$/m);
    await vscode.commands.executeCommand('deepResearch.removeSection', parent, 'How does reranking work');
    // The second and the third version are those of the change, and of the report with the remark before it.
    await vscode.commands.executeCommand('deepResearch.compareVersion', parent, 4, 'accept');
    assert.doesNotMatch(fs.readFileSync(uri.fsPath, 'utf8'), /^## How does reranking work/m);
    await vscode.commands.executeCommand('deepResearch.compareVersion', parent, 2, 'accept');
    const restored = fs.readFileSync(uri.fsPath, 'utf8');
    assert.match(restored, /^## How does reranking work/m);
    assert.match(restored, /^A remark of mine\.$/m);
  });

  it('is not lost by a second Start, and continues', async () => {
    const before = reports().length;
    await vscode.commands.executeCommand('deepResearch.start', question);
    // Resolves when its message is answered, which clearing the notifications does.
    const second = vscode.commands.executeCommand('deepResearch.start', 'Another question?');
    await when(vscode.window.tabGroups.onDidChangeTabs, reportTab);
    assert.equal(host.session.view.question, question);
    assert.equal(reports().length, before + 1);
    await vscode.commands.executeCommand('notifications.clearAll');
    await second;
    assert.equal(host.session.view.question, question);
  });

  it('stops while the model is silent, with every request to it ended', async () => {
    const server = await startModelServer({ script: ({ step }) => (step === 'plan' ? { hang: true } : undefined) });
    try {
      await set('model.provider', 'openai-compatible');
      await set('model.name', 'imitation-1');
      await set('model.baseUrl', server.url);
      await vscode.commands.executeCommand('deepResearch.start', question);
      await server.waitFor(({ step }) => step === 'plan');
      await vscode.commands.executeCommand('deepResearch.stop');
      assert.deepEqual([host.session.running, host.session.view.status], [false, 'cancelled']);
      assert.equal(server.inFlight, 0);
    } finally {
      await server.close();
      for (const key of ['model.provider', 'model.name', 'model.baseUrl']) await set(key, undefined);
    }
  });

  it('says that a model cannot be reached, and at which address', async () => {
    const nowhere = await deadEndpoint();
    try {
      await set('model.provider', 'openai-compatible');
      await set('model.name', 'imitation-1');
      await set('model.baseUrl', nowhere);
      await host.session.start(question);
      const { status, end } = host.session.view;
      assert.equal(status, 'failed');
      assert.ok(end?.message.includes(new URL(nowhere).host), end?.message);
      assert.match(end?.next ?? '', /\w/);
    } finally {
      for (const key of ['model.provider', 'model.name', 'model.baseUrl']) await set(key, undefined);
    }
  });

  it('rejects a bad setting before anything is sent, by name and with what is allowed', async () => {
    await set('limits.maxReviewIterations', 99);
    try {
      const { problem } = await host.describeSetup();
      assert.match(problem?.message ?? '', /limits\.maxReviewIterations.*99.*0 to 5/);
      await host.session.start(question);
      assert.deepEqual([host.session.view.status, host.session.view.end?.reason], ['failed', 'config']);
      assert.match(host.session.view.end?.message ?? '', /limits\.maxReviewIterations/);
    } finally {
      await set('limits.maxReviewIterations', undefined);
    }
  });

  it('refuses an overlong question and says what to do', async () => {
    await host.session.start('why '.repeat(50_000));
    assert.equal(host.session.view.status, 'failed');
    assert.match(host.session.view.end?.message ?? '', /200,000|199,999/);
    assert.match(host.session.view.end?.next ?? '', /\w/);
  });

  it('does not leave the panel waiting when what it asks for starts no run', async () => {
    const run = saveRun(host.runsFolder, 1, { workspace: path.join(os.tmpdir(), 'another-folder') });
    const { link } = host.panel;
    try {
      for (const [shown, message] of [
        [run, { type: 'resume' }],
        ['20260304-100000-00000f', { type: 'followUp', question, as: 'answer' }],
      ] as const) {
        host.session.show({ ...emptyView(), run: shown, question, status: 'failed' });
        const answered = new Promise<void>((resolve) => (link.replaced = resolve));
        await link.receive(message);
        await answered;
        assert.equal(host.session.running, false);
      }
    } finally {
      Reflect.deleteProperty(link, 'replaced');
      host.session.show();
      fs.rmSync(path.join(host.runsFolder, run), { recursive: true });
    }
  });

  it('puts the selected text into the question box and starts nothing', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: 'Some text. What is late chunking?',
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 11, 0, 33);
    await vscode.commands.executeCommand('deepResearch.researchSelection');
    assert.deepEqual([host.session.running, host.session.view.status], [false, 'idle']);
  });
});
