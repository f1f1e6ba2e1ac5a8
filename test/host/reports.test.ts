import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ReportService } from '../../src/host/reports/reportService.ts';

describe('opening a report', () => {
  // An untitled document with text would be asked about.
  afterEach(async () => {
    while (vscode.window.tabGroups.activeTabGroup.activeTab)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows in front what was asked for last', async () => {
    const log = () => {};
    const reports = new ReportService({ trace: log, debug: log, info: log, warn: log, error: log });
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
    await tabInFront(/^Preview /);
    reports.dispose();
  });
});

/** Resolves when the tab in front has a label like this: the extension host learns of tabs later than they open. */
function tabInFront(label: RegExp): Promise<void> {
  const { tabGroups } = vscode.window;
  const isInFront = () => label.test(tabGroups.activeTabGroup.activeTab?.label ?? '');
  return new Promise((resolve) => {
    if (isInFront()) return resolve();
    const watch = tabGroups.onDidChangeTabs(() => {
      if (!isInFront()) return;
      watch.dispose();
      resolve();
    });
  });
}
