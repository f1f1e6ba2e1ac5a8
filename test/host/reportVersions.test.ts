import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findVersion } from '../../src/files/readVersions.ts';
import { addVersion, rejectVersion } from '../../src/files/versions.ts';
import { ReportVersions } from '../../src/host/reports/reportVersions.ts';
import { activateExtension, when } from './support/extension.ts';

const run = '20260305-120000-abcdef';
const report = '# Tides\n\nSummary.\n\n## Gates\n\nOld words.\n';
/** Of the files that only extensions have open the editor closes the oldest when there are 60. */
const otherFiles = 120;

describe('a version that is accepted long after it was shown', () => {
  let folder: string;
  let file: string;
  let runFolder: string;
  let versions: ReportVersions;
  let number: number;
  let accepted: Promise<void>;
  let failed: Promise<unknown>;

  before(activateExtension);
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'report-versions-'));
    runFolder = path.join(folder, run);
    file = path.join(folder, 'tides.md');
    fs.mkdirSync(runFolder);
    for (const copy of [file, path.join(runFolder, 'report.md')]) fs.writeFileSync(copy, report);
    number = await addVersion(runFolder, {
      ...{ kind: 'rewrite', title: 'Shorter', state: 'waiting', sources: {}, gone: [], statements: [] },
      ...{ text: report.replace('Old', 'New'), base: report },
    });
    const [onAccepted, onFailed] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    [accepted, failed] = [onAccepted.promise, onFailed.promise];
    versions = new ReportVersions(folder, async () => onAccepted.resolve(), onFailed.resolve);
    await vscode.commands.executeCommand('notifications.clearAll');
    await versions.review(run, number, file);
  });
  afterEach(async () => {
    versions.dispose();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(folder, { recursive: true });
  });
  const accept = () => vscode.commands.executeCommand('notification.acceptPrimaryAction');

  it('is taken into the report as it is then, when the editor has closed its file', async () => {
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (let index = 0; index < otherFiles; index += 1) {
      const other = path.join(folder, `${index}.txt`);
      fs.writeFileSync(other, '');
      await vscode.workspace.openTextDocument(other);
    }
    await when(vscode.workspace.onDidCloseTextDocument, () => document.isClosed || undefined);
    const remark = '\n## Remarks\n\nA remark of mine.\n';
    fs.writeFileSync(file, `${report}${remark}`);
    await accept();
    await accepted;
    assert.equal(fs.readFileSync(file, 'utf8'), `${report.replace('Old', 'New')}${remark}`);
  });

  it('waits, and the user learns why, when its text cannot be read', async () => {
    fs.rmSync(path.join(runFolder, 'versions', `${number}.md`));
    await accept();
    assert.match(String(await failed), /ENOENT/);
    assert.equal((await findVersion(runFolder, number))?.state, 'waiting');
  });

  it('changes nothing when it was rejected meanwhile', async () => {
    await rejectVersion(runFolder, number);
    await accept();
    assert.match(String(await failed), /no longer waiting/);
    assert.equal(fs.readFileSync(file, 'utf8'), report);
  });
});
