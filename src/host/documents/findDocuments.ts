import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import { reportFolderSetting } from '../commandIds.ts';
import { isReport, reportHeadLength } from '../reports/reportText.ts';
import { activeItems, itemOf } from './attachable.ts';
import { isReportPath, rankedPaths } from './rankedPaths.ts';

/** Files that are looked through, and those that are offered. */
const mostFiles = 20_000;
const mostOffered = 12;
/** For how long a listing is current, in milliseconds: each key asks again. */
const currentMs = 10_000;
/** Beside what the editor's own settings exclude. */
const never = '**/{node_modules,.git,dist,out}/**';

let listing: { readonly at: number; readonly files: Promise<readonly vscode.Uri[]> } | undefined;

/**
 * What could be attached for the letters after an `@`: the selection and the open file first, then files of the workspace, and
 * reports of ours last.
 */
export async function findDocuments(query: string): Promise<readonly DocumentItem[]> {
  if (listing === undefined || performance.now() - listing.at > currentMs)
    listing = { at: performance.now(), files: Promise.resolve(vscode.workspace.findFiles('**/*', never, mostFiles)) };
  const files = await listing.files;
  const byPath = new Map(files.map((uri) => [vscode.workspace.asRelativePath(uri, false), uri] as const));
  const { textDocuments } = vscode.workspace;
  const open = new Set(textDocuments.map(({ uri }) => vscode.workspace.asRelativePath(uri, false)));
  const isOwn = ownReports();
  const found = rankedPaths(query, [...byPath.keys()], open, mostOffered, isOwn).map((path) =>
    itemOf(byPath.get(path)!, 'file'),
  );
  const pathOf = ({ name, place }: DocumentItem) => (place === '' ? name : `${place}/${name}`);
  const active = activeItems().filter(
    (item) => rankedPaths(query, [pathOf(item)], open, 1).length > 0 && !isOwn(pathOf(item)),
  );
  const ids = new Set(active.map(({ id }) => id));
  return [...active, ...found.filter(({ id }) => !ids.has(id))].slice(0, mostOffered);
}

/** Whether the file at a path is a report of ours: by its front matter where it is open, else by its name and folder. */
function ownReports(): (path: string) => boolean {
  const { textDocuments, workspaceFolders = [] } = vscode.workspace;
  const open = new Map(
    textDocuments.map((document) => [
      vscode.workspace.asRelativePath(document.uri, false),
      isReport(document.getText().slice(0, reportHeadLength)),
    ]),
  );
  const folders = workspaceFolders.map(
    ({ uri }) => vscode.workspace.getConfiguration(undefined, uri).get<string>(reportFolderSetting) ?? '',
  );
  return (path) => open.get(path) ?? folders.some((folder) => isReportPath(path, folder));
}
