import * as vscode from 'vscode';
import { isInside } from '../files/isInside.ts';
import { realPath } from '../files/sameFolder.ts';
import { inform } from './inform.ts';

/** Whether a file, a folder or the text of a document may be read: in Restricted Mode none of the workspace, by whatever path. */
export function mayRead(uri: vscode.Uri): boolean {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  if (isTrusted) return true;
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) return false;
  if (uri.scheme === 'untitled') return true;
  // Of another scheme as well: a notebook's cell, an earlier state of a file.
  const file = realPath(uri.fsPath);
  return !workspaceFolders.some(({ uri: { scheme, fsPath } }) => {
    const folder = realPath(fsPath);
    // A folder around it holds its files.
    return scheme === 'file' && (file === folder || isInside(folder, file) || isInside(file, folder));
  });
}

export function restrictedText(): string {
  return vscode.l10n.t('Restricted Mode: no file of this folder is read. Trust the folder first.');
}

export function informRestricted(): void {
  inform(restrictedText());
}
