import * as vscode from 'vscode';
import { isSameFolder } from '../files/sameFolder.ts';

/** That of the last tab that was in one: others, of settings or of a report in progress, change nothing. */
let lastFolder: vscode.WorkspaceFolder | undefined;

/**
 * The folder that a run belongs to: that of `place`, else of the tab in front, else the last one that a tab was in, else the first.
 * Undefined: none is open.
 * @param place Absolute path of a folder or file.
 */
export function currentFolder(place?: string): vscode.WorkspaceFolder | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input as { readonly uri?: vscode.Uri } | undefined;
  const folderOf = (uri: vscode.Uri | undefined) => uri && vscode.workspace.getWorkspaceFolder(uri);
  // A report, a notebook or an image has a tab and no text editor.
  lastFolder =
    folderOf(vscode.window.activeTextEditor?.document.uri) ?? folderOf(tab?.uri) ?? folderOf(lastFolder?.uri);
  const given = place === undefined ? undefined : (folderOf(vscode.Uri.file(place)) ?? sameFolder(place));
  return given ?? lastFolder ?? vscode.workspace.workspaceFolders?.[0];
}

/** The open folder that is this one, by whatever path. */
function sameFolder(folder: string): vscode.WorkspaceFolder | undefined {
  const { workspaceFolders = [] } = vscode.workspace;
  return workspaceFolders.find(({ uri }) => uri.scheme === 'file' && isSameFolder(uri.fsPath, folder));
}

/** Whether a folder is open in this window. Absolute path. */
export function isOpenFolder(folder: string): boolean {
  return sameFolder(folder) !== undefined;
}

/** The folder on disk that the engine may read and save in: none in Restricted Mode, none that is not on a disk. */
export function readableFolder(place?: string): string | undefined {
  const folder = currentFolder(place);
  return folder?.uri.scheme === 'file' && vscode.workspace.isTrusted ? folder.uri.fsPath : undefined;
}
