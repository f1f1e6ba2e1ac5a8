import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activateExtension } from './support/extension.ts';

const markdown = `---
title: "Locks"
question: "How do locks work?"
strategy: "sections"
run: "20260102-000000-abcdef"
---

# Locks

A lock has two gates. [[1]](#ref-1)

## References

- <a id="ref-1"></a>[1] Notes. [locks.md#L2-L3](../locks.md#L2-L3). Retrieved 2026-01-02
`;

describe('opening a report', () => {
  let file: vscode.Uri;

  before(async () => {
    await activateExtension();
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    file = vscode.Uri.file(path.join(workspace, 'research', 'locks.md'));
    fs.mkdirSync(path.dirname(file.fsPath), { recursive: true });
    fs.writeFileSync(file.fsPath, markdown);
  });

  beforeEach(() => set('deepResearch.report.openAs', 'preview'));
  // An untitled document with text would be asked about.
  afterEach(async () => {
    await set('deepResearch.report.openAs', undefined);
    await set('workbench.editorAssociations', undefined);
    while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows in front what was asked for last', async () => {
    const { reports } = await activateExtension();
    const asked: string[] = [];
    const first = Promise.withResolvers<string>();
    const report = (run: string, text: Promise<string>) => ({ run, text: () => (asked.push(run), text) });
    const opened = [
      reports.open(report('slow', first.promise)),
      reports.read(report('quick', Promise.resolve('# Quick'))),
    ];
    await new Promise(setImmediate);
    assert.deepEqual(asked, ['slow']);
    first.resolve('# Slow');
    await Promise.all(opened);
    await tabInFront((tab) => isReader(tab) && textOf(tab) === '# Quick');
  });

  it('shows it as it is read, and as text in the same place when the user wants that', async () => {
    const { reports } = await activateExtension();
    await reports.open({ run: 'x', path: file.fsPath, text: () => Promise.resolve('') });
    await tabInFront(isReader);
    await vscode.commands.executeCommand('deepResearch.openReportText');
    await tabInFront((tab) => tab.input instanceof vscode.TabInputText && tab.label === 'locks.md');
    await until(() => !vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isReader)));
    await vscode.commands.executeCommand('deepResearch.readReport');
    await tabInFront(isReader);
  });

  it('shows it as text, or as both, where the settings say so', async () => {
    const { reports } = await activateExtension();
    const report = { run: 'x', path: file.fsPath, text: () => Promise.resolve('') };
    await set('deepResearch.report.openAs', 'text');
    await reports.open(report);
    await tabInFront((tab) => tab.input instanceof vscode.TabInputText);
    await set('deepResearch.report.openAs', 'both');
    await reports.open(report);
    const { tabGroups } = vscode.window;
    await until(() => tabGroups.all.length === 2 && isReader(tabGroups.all[0]?.activeTab));
  });

  it('streams a report into no tab of its own where the user has chosen another editor for such files', async () => {
    const { reports, session } = await activateExtension();
    const view = (run: string) => ({ ...session.view, run, report: { ...session.view.report, text: '# Streamed' } });
    await set('workbench.editorAssociations', { '*.md': 'default' });
    await reports.stream(view('20260102-000000-000001'), 0);
    assert.deepEqual(reports.readers?.isOpen('20260102-000000-000001') ?? false, false);
    await set('workbench.editorAssociations', { '*.md': 'deepResearch.report' });
    await reports.stream(view('20260102-000000-000002'), 0);
    assert.deepEqual(reports.readers?.isOpen('20260102-000000-000002'), true);
  });

  it('leaves the editor to the user who has chosen one for such files', async () => {
    const { reports } = await activateExtension();
    await set('workbench.editorAssociations', { '*.md': 'default' });
    await reports.open({ run: 'x', path: file.fsPath, text: () => Promise.resolve('') });
    await tabInFront((tab) => tab.input instanceof vscode.TabInputText);
  });
});

function isReader(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputCustom && tab.input.viewType === 'deepResearch.report';
}

function textOf({ input }: vscode.Tab): string | undefined {
  const shown = vscode.workspace.textDocuments.find(
    ({ uri }) => input instanceof vscode.TabInputCustom && uri.toString() === input.uri.toString(),
  );
  return shown?.getText();
}

function set(key: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
}

/** Resolves when the tab in front is like this: the extension host learns of tabs later than they open. */
function tabInFront(isIt: (tab: vscode.Tab) => boolean): Promise<void> {
  return until(() => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab !== undefined && isIt(tab);
  });
}

function until(holds: () => boolean): Promise<void> {
  const { tabGroups } = vscode.window;
  return new Promise((resolve) => {
    if (holds()) return resolve();
    const watch = tabGroups.onDidChangeTabs(() => {
      if (!holds()) return;
      watch.dispose();
      resolve();
    });
  });
}
