import path from 'node:path';
import * as vscode from 'vscode';
import type { HistoryService } from './historyService.ts';
import { locateReport } from './locateReport.ts';
import { noticeLine } from './plainText.ts';
import type { RunEntry } from './runEntry.ts';

/** True where the file manager of this machine shows this machine's files: not in a browser and not in a remote window. */
export function hasFileManager(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/** Shows where a run is kept: in the file manager, or by its path where there is none. */
export async function revealRun({ runsFolder }: HistoryService, run: RunEntry): Promise<void> {
  const folder = path.join(runsFolder, run.run);
  if (hasFileManager()) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
    return;
  }
  const copy = vscode.l10n.t('Copy Path');
  const show = vscode.l10n.t('Show Report in Explorer');
  const report = await locateReport(run);
  const inWorkspace =
    report !== undefined && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(report)) !== undefined;
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('The run is kept in {0}', noticeLine(folder, 400)),
    copy,
    ...(inWorkspace ? [show] : []),
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(folder);
  if (chosen === show && report !== undefined)
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(report));
}
