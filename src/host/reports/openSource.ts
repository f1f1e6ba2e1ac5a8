import * as vscode from 'vscode';
import { isDocument } from '../../protocol/isDocument.ts';
import type { SourceView } from '../../protocol/runView.ts';
import { type SourceTarget, sourceTarget } from './sourceTarget.ts';

/** Opens a page in the browser, by its address as it is written: a `Uri` decodes `%2F` and encodes a `%` of its query again. */
export async function openPage(url: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', url);
}

/** Opens a page in the browser, a file in a tab with the cited lines selected. False when there is nothing to open. */
export async function openSource(
  source: SourceView | undefined,
  workspaceFolder: string | undefined,
  viewColumn?: vscode.ViewColumn,
): Promise<boolean> {
  const target = sourceTarget(source, workspaceFolder);
  if (target.kind === 'page') await openPage(target.url);
  if (target.kind === 'file') await openFile(target, viewColumn);
  return target.kind !== 'none';
}

export async function openFile(
  { path, firstLine, lastLine }: Pick<Extract<SourceTarget, { kind: 'file' }>, 'path' | 'firstLine' | 'lastLine'>,
  viewColumn = vscode.ViewColumn.Active,
): Promise<void> {
  // Line numbers refer to the extracted text, so the file is opened in the editor's own view, without a selection.
  if (isDocument(path)) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), viewColumn);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const last = Math.min(Math.max(lastLine, firstLine), document.lineCount) - 1;
  const first = Math.min(Math.max(firstLine - 1, 0), last);
  await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(first, 0, last, document.lineAt(last).text.length),
    preview: true,
    viewColumn,
  });
}

/** Shows a document beside the report, with a passage selected. */
export async function showPassage(document: vscode.TextDocument, passage: string): Promise<vscode.TextEditor> {
  const selection = rangeOfPassage(document, passage);
  return vscode.window.showTextDocument(document, { selection, viewColumn: vscode.ViewColumn.Beside });
}

/** The beginning of a document that does not have the passage. */
export function rangeOfPassage(document: vscode.TextDocument, passage: string): vscode.Range {
  const at = document.getText().indexOf(passage);
  const [start, end] = at < 0 ? [0, 0] : [at, at + passage.length];
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
