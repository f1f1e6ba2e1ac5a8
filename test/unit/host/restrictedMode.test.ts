import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type * as vscode from 'vscode';
import { editor, openFolder, Uri } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { saveRun } from '../../support/savedRuns.ts';

const foreign = '20260102-000000-abcdef';
const report = `---
question: "When does the gate close?"
strategy: "sections"
run: "${foreign}"
---

# Tides

The gate closes at 2.1 m. [[1]](#ref-1)

## References

- <a id="ref-1"></a>[1] Gates. https://gates.example/x
`;
const sidecar = `---\nevidenceOf: "${foreign}"\n---\n\nThe gate closes at 2.1 m. [[1]](#ref-1) — *supported*\n\n> At 2.1 m. [[1]](#ref-1)\n`;

describe('in Restricted Mode', () => {
  let folder: string;
  let elsewhere: string;
  let runsFolder: string;
  const inside = (name = 'tides.md') => path.join(folder, name);
  const uri = (file: string) => Uri.file(file) as unknown as vscode.Uri;

  before(() => {
    folder = temporaryFolder('restricted');
    elsewhere = temporaryFolder('elsewhere');
    runsFolder = temporaryFolder('restricted-runs');
    fs.writeFileSync(inside(), report);
    fs.writeFileSync(inside('tides.evidence.md'), sidecar);
    fs.writeFileSync(path.join(elsewhere, 'own.md'), report);
    fs.symlinkSync(folder, path.join(elsewhere, 'link'), 'dir');
  });
  after(() => [folder, elsewhere, runsFolder].forEach(removeFolder));
  beforeEach(() => openFolder(folder, false));

  /** The history, with the report of the workspace in front. */
  async function history() {
    const { HistoryActions } = await import('../../../src/host/history/historyActions.ts');
    const started: unknown[] = [];
    const exported: { reportText?: string; reportFile?: string }[] = [];
    const host = {
      runsFolder,
      session: { facts: () => ({}), view: { run: '' } },
      context: { workspaceState: { get: () => undefined } },
      log: { warn: () => undefined, info: () => undefined },
      documents: { attachments: () => [] },
      reports: {
        front: () => ({ run: foreign, text: report, document: { uri: uri(inside()), getText: () => report } }),
      },
      describeSetup: async () => ({ analyst: 'llm' }),
      start: async (...call: unknown[]) => void started.push(call),
      loadEngine: async () => ({
        exportFileName: () => 'tides.html',
        exportRun: async (options: (typeof exported)[number]) => void exported.push(options),
      }),
    };
    const view = { visible: false, selection: [] };
    const actions = new HistoryActions(host as never, view as never, () => undefined);
    return { actions, started, exported };
  }

  it('no file of the workspace may be read, by whatever path, and others may', async () => {
    const { mayRead } = await import('../../../src/host/restrictedMode.ts');
    const read = [inside(), folder, path.join(elsewhere, 'link', 'tides.md'), path.dirname(folder), inside('new.md')];
    assert.deepEqual(
      read.filter((file) => mayRead(uri(file))),
      [],
    );
    assert.equal(mayRead(Uri.parse(`git:${inside()}`) as unknown as vscode.Uri), false);
    assert.equal(mayRead(uri(path.join(elsewhere, 'own.md'))), true);
    openFolder(folder, true);
    assert.deepEqual(
      read.filter((file) => mayRead(uri(file))),
      read,
    );
  });

  it('nothing of the workspace is attached to a request of the chat', async () => {
    const { attachedTo } = await import('../../../src/host/chat/attachedReferences.ts');
    const references = [inside(), path.join(elsewhere, 'own.md')].map((file) => ({ id: file, value: uri(file) }));
    const restricted = await attachedTo(references);
    assert.deepEqual(restricted, { attached: [{ path: path.join(elsewhere, 'own.md') }], refused: 1 });
    openFolder(folder, true);
    assert.equal((await attachedTo(references as never)).attached.length, 2);
  });

  it('no file of the workspace is given for a page', async () => {
    const { PanelDocuments } = await import('../../../src/host/documents/panelDocuments.ts');
    const url = 'https://gates.example/x';
    const given: unknown[] = [];
    const posted: unknown[] = [];
    const documents = new PanelDocuments({
      session: { view: { pages: [{ url }] }, givePage: async (page: object) => given.push(page) > 0 },
      panel: { link: { post: (message: object) => posted.push(message) } },
    } as never);
    editor.window.showOpenDialog = async () => [Uri.file(inside())];
    await documents.givePageFile(url);
    assert.deepEqual(given, []);
    assert.match(JSON.stringify(posted), /Restricted Mode/);
    editor.window.showOpenDialog = async () => [Uri.file(path.join(elsewhere, 'own.md'))];
    await documents.givePageFile(url);
    assert.deepEqual(given, [{ path: path.join(elsewhere, 'own.md'), url }]);
  });

  it('the file beside a report counts once the folder is trusted', async () => {
    const { CitedReports } = await import('../../../src/host/reports/citedReports.ts');
    const reports = new CitedReports(runsFolder);
    const document = (await editor.workspace.openTextDocument(inside())) as unknown as vscode.TextDocument;
    editor.workspace.textDocuments = [document];
    assert.deepEqual([await reports.evidenceOf(document), await reports.sidecarOf(document)], [[], undefined]);
    editor.workspace.isTrusted = true;
    reports.forget();
    assert.equal((await reports.evidenceOf(document)).length, 1);
    assert.equal(await reports.sidecarOf(document), inside('tides.evidence.md'));
  });

  it('a report of the workspace is neither answered about, researched further, nor exported', async () => {
    const { actions, started, exported } = await history();
    for (const as of ['answer', 'research']) {
      await actions.run('deepResearch.askRun', [uri(inside()), 'Why?', { as }]);
      assert.match(editor.window.shown.splice(0).join(), /Restricted Mode/);
    }
    editor.window.showQuickPick = async ([kind]) => kind;
    editor.window.showSaveDialog = async () => Uri.file(path.join(elsewhere, 'tides.html'));
    await actions.run('deepResearch.exportReport', [foreign]);
    assert.match(editor.window.shown.join(), /Restricted Mode/);
    assert.deepEqual([started, exported], [[], []]);
    openFolder(folder, true);
    await actions.run('deepResearch.askRun', [uri(inside()), 'Why?', { as: 'research' }]);
    assert.deepEqual(started, [['Why?', { attached: [{ path: inside() }] }]]);
  });

  it('a run is exported and reviewed without its report in the workspace', async () => {
    const { actions, exported } = await history();
    const run = saveRun(runsFolder, 1, { path: inside() }, { 'report.md': '# The copy\n' });
    editor.window.showSaveDialog = async () => Uri.file(path.join(elsewhere, 'tides.html'));
    await actions.run('deepResearch.exportHtml', [run]);
    const [{ reportText, reportFile } = {}] = exported;
    assert.deepEqual([reportText, reportFile], ['# The copy\n', undefined]);
    await actions.run('deepResearch.compareVersion', [run, 2]);
    assert.match(editor.window.shown.join(), /Restricted Mode/);
    assert.deepEqual(editor.workspace.asked, []);
  });

  it('a question about a report of the workspace is not resumed', async () => {
    const { ReopenedRuns } = await import('../../../src/host/sessions/reopenedRuns.ts');
    const followUp = { file: inside(), as: 'answer' } as const;
    const run = saveRun(runsFolder, 2, { status: 'failed', parent: foreign, followUp, workspace: undefined });
    const resumed: unknown[] = [];
    const session = { view: { run }, running: false, resume: (...call: unknown[]) => resumed.push(call) };
    const documents = { attachments: () => [] };
    const reopened = new ReopenedRuns({ session, runsFolder, documents, memory: {} } as never);
    await reopened.resumeShown();
    assert.deepEqual(resumed, []);
    assert.match(editor.window.shown.join(), /Restricted Mode/);
    openFolder(folder, true);
    await reopened.resumeShown();
    assert.equal(resumed.length, 1);
  });
});
