import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import { activateExtension } from './support/extension.ts';

const add = 'deepResearch.addToQuestion';

describe('adding documents to the question', () => {
  let host: ResearchHost;
  let elsewhere: string;
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const names = () => host.documents.items().map(({ name }) => name);

  before(async () => {
    host = await activateExtension();
    elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'deep-research-attach-'));
    fs.writeFileSync(
      path.join(elsewhere, 'outside.md'),
      '# Outside\n\nThe lighthouse keeper counts 4711 ships a year.\n',
    );
  });
  afterEach(() => host.documents.clear());
  after(() => fs.rmSync(elsewhere, { recursive: true, force: true }));

  it('takes all that is selected in the explorer, folders too, each once', async () => {
    const [file] = await vscode.workspace.findFiles('**/*.md', null, 1);
    await vscode.commands.executeCommand(add, file, [file, folder(), file]);
    assert.equal(host.documents.items().length, 2);
    assert.deepEqual(host.documents.attachments()[0], { path: file!.fsPath });
  });

  it('takes the selected lines of the active editor, else its file', async () => {
    const [file] = await vscode.workspace.findFiles('**/*.md', null, 1);
    const editor = await vscode.window.showTextDocument(file!);
    const name = path.basename(file!.fsPath);
    await vscode.commands.executeCommand(add);
    assert.deepEqual(names(), [name]);
    editor.selection = new vscode.Selection(1, 0, 2, 1);
    await vscode.commands.executeCommand(add);
    assert.deepEqual(names(), [name, `${name}:2-3`]);
    assert.equal(host.documents.attachments()[1]?.excerpt?.firstLine, 2);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('refuses what is no file of this machine', async () => {
    assert.equal(
      await host.documents.attach(['untitled:Untitled-1', 'https://example.org/a.md', ':::', 'file:///no/such/file']),
      4,
    );
    assert.deepEqual(names(), []);
  });

  it('takes a file of a server for no other of the same path on this machine', async () => {
    const { path: file } = vscode.Uri.file(path.join(elsewhere, 'outside.md'));
    // The page of a remote window names its machine.
    assert.equal(await host.documents.attach([`vscode-remote://machine${file}`]), 0);
    assert.deepEqual(host.documents.attachments(), [{ path: path.join(elsewhere, 'outside.md') }]);
    host.documents.clear();
    assert.equal(await host.documents.attach([`file://server${file}`]), 1);
    assert.deepEqual(names(), []);
  });

  it('finds a report in the folder of the reports after all other files, though it is closed', async () => {
    const { findDocuments } = await import('../../src/host/documents/findDocuments.ts');
    const write = (file: vscode.Uri) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode('# Quagga\n'));
    const report = vscode.Uri.joinPath(folder(), 'research', '2026-03-04-quagga.md');
    const notes = vscode.Uri.joinPath(folder(), 'about-the-other-quagga-in-short.md');
    await Promise.all([write(report), write(notes)]);
    try {
      assert.deepEqual(
        (await findDocuments('quagga')).map(({ id }) => id),
        [notes, report].map(String),
      );
    } finally {
      await Promise.all([report, notes].map((file) => vscode.workspace.fs.delete(file)));
    }
  });

  it('finds files by the letters of their path', async () => {
    const { findDocuments } = await import('../../src/host/documents/findDocuments.ts');
    const [file] = await vscode.workspace.findFiles('**/*.md', null, 1);
    const found = await findDocuments(path.basename(file!.fsPath).slice(0, 6).toUpperCase());
    assert.ok(found.some(({ id }) => id === file!.toString()));
  });

  it('finds the report that is open after all other files', async () => {
    const { findDocuments } = await import('../../src/host/documents/findDocuments.ts');
    const text = '---\nquestion: "Q"\nstrategy: "sections"\nrun: "20261122-101500-abcdef"\n---\n\n# Report\n';
    const file = vscode.Uri.joinPath(folder(), 'moved-report.md');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    try {
      await vscode.window.showTextDocument(file);
      const found = await findDocuments('');
      assert.ok(found.length > 1);
      assert.notEqual(found[0]?.name, 'moved-report.md');
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(file);
    }
  });

  it('makes them sources of the run, from outside of the folder too', async () => {
    const configuration = vscode.workspace.getConfiguration('deepResearch');
    await configuration.update('sources.enabled', ['workspace'], vscode.ConfigurationTarget.Global);
    try {
      await host.documents.attach([vscode.Uri.file(path.join(elsewhere, 'outside.md')).toString()]);
      const run = host.session.start('How many ships does the lighthouse keeper count?', {
        attached: host.documents.attachments(),
      });
      const page = { item: { id: 'page', name: 'page', place: '', icon: 'globe' }, attachment: { path: 'page' } };
      host.documents.attachText(page);
      await run;
      assert.deepEqual(names(), ['page'], 'what came too late for the run is for the next one');
      const { status, sources, report } = host.session.view;
      assert.equal(status, 'finished', JSON.stringify(host.session.view.end));
      assert.deepEqual(
        sources.filter(({ kind }) => kind === 'attached').map(({ title }) => title),
        ['outside.md'],
      );
      assert.match(report.text, /4711 ships/);
      assert.ok(!report.text.includes(elsewhere), 'the report does not say where it lies');
    } finally {
      await configuration.update('sources.enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
