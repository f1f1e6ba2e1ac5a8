import * as vscode from 'vscode';
import type { SourceView } from '../../protocol/runView.ts';
import { sourceTarget } from './sourceTarget.ts';

/** Opens a page in the browser, by its address as it is written: a `Uri` decodes `%2F` and encodes a `%` of its query again. */
export async function openPage(url: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', url);
}

/** Opens a page in the browser, a file in a tab with the cited lines selected. False when there is nothing to open. */
export async function openSource(
  source: SourceView | undefined,
  workspaceFolder: string | undefined,
): Promise<boolean> {
  const target = sourceTarget(source, workspaceFolder);
  if (target.kind === 'none') return false;
  if (target.kind === 'page') {
    await openPage(target.url);
    return true;
  }
  // Line numbers refer to the extracted text, so the file is opened in the editor's own view, without a selection.
  if (/\.(?:pdf|ipynb)$/i.test(target.path)) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(target.path));
    return true;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(target.path));
  const last = Math.min(Math.max(target.lastLine, target.firstLine), document.lineCount) - 1;
  const first = Math.min(Math.max(target.firstLine - 1, 0), last);
  await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(first, 0, last, document.lineAt(last).text.length),
    preview: true,
  });
  return true;
}
