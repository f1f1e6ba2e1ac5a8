import * as vscode from 'vscode';
import { isSameFolder } from '../files/sameFolder.ts';

/** The folder that a run belongs to: that of the active editor, else the first. Undefined: none is open. */
export function currentFolder(): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  return (active && vscode.workspace.getWorkspaceFolder(active)) ?? vscode.workspace.workspaceFolders?.[0];
}

/** Whether a folder is open in this window. Absolute path. */
export function isOpenFolder(folder: string): boolean {
  const { workspaceFolders = [] } = vscode.workspace;
  return workspaceFolders.some(({ uri }) => uri.scheme === 'file' && isSameFolder(uri.fsPath, folder));
}

/** The folder on disk that the engine may read and save in: none in Restricted Mode, none that is not on a disk. */
export function readableFolder(): string | undefined {
  const folder = currentFolder();
  return folder?.uri.scheme === 'file' && vscode.workspace.isTrusted ? folder.uri.fsPath : undefined;
}
