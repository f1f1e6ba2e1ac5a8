import path from 'node:path';
import * as vscode from 'vscode';
import { offer } from '../inform.ts';
import type { HistoryHost } from './historyHost.ts';
import { noticeLine } from './plainText.ts';
import type { RunEntry } from '../../runs/runEntry.ts';

/**
 * True where the file manager of this machine shows this machine's files: not in a browser and not in a remote window.
 */
export function hasFileManager(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/** Shows a run's folder: in the file manager, or by its path where there is none. */
export async function revealRun({ runsFolder }: HistoryHost, { run, outside = runsFolder }: RunEntry): Promise<void> {
  const folder = path.join(outside, run);
  if (hasFileManager()) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
    return;
  }
  const message = vscode.l10n.t('The run is saved in {0}', noticeLine(folder, 400));
  if (await offer(message, vscode.l10n.t('Copy Path'))) await vscode.env.clipboard.writeText(folder);
}
