import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import { reportFolderSetting } from '../commandIds.ts';
import { isReport, reportHeadLength } from '../reports/reportText.ts';
import { activeItems, itemOf } from './attachable.ts';
import { isReportPath, rankedFiles } from './rankedFiles.ts';

/** Files that are looked through, and those that are offered. */
const mostFiles = 20_000;
const mostOffered = 12;
/** For how long a listing is current, in milliseconds: each key asks again. */
const currentMs = 10_000;
/** Beside what the editor's own settings exclude. */
const never = '**/{node_modules,.git,dist,out}/**';

interface NamedFile {
  /** See `DocumentItem`. */
  readonly id: string;
  /** Relative to its workspace folder, after the name of that where several are open. */
  readonly path: string;
}

let listing: { readonly at: number; readonly files: Promise<readonly NamedFile[]> } | undefined;

/**
 * What could be attached for the letters after an `@`: the selection and the open file first, then files of the workspace, and
 * reports of ours last.
 */
export async function findDocuments(query: string): Promise<readonly DocumentItem[]> {
  if (listing === undefined || performance.now() - listing.at > currentMs)
    listing = { at: performance.now(), files: listFiles() };
  const files = await listing.files;
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const isOpen = ({ id }: NamedFile) => open.has(id);
  const isOwn = ownReports();
  const ranked = rankedFiles(query, files, isOpen, mostOffered, isOwn);
  const found = ranked.map(({ id }) => itemOf(vscode.Uri.parse(id, true), 'file'));
  const active = activeItems().filter(({ id, name, place }) => {
    const file = { id, path: place === '' ? name : `${place}/${name}` };
    return rankedFiles(query, [file], isOpen, 1).length > 0 && !isOwn(file);
  });
  const ids = new Set(active.map(({ id }) => id));
  return [...active, ...found.filter(({ id }) => !ids.has(id))].slice(0, mostOffered);
}

async function listFiles(): Promise<readonly NamedFile[]> {
  const found = await vscode.workspace.findFiles('**/*', never, mostFiles);
  return found.map((uri) => ({ id: uri.toString(), path: vscode.workspace.asRelativePath(uri) }));
}

/** Whether a file is a report of ours: by its front matter where it is open, else by its name and folder. */
function ownReports(): (file: NamedFile) => boolean {
  const { textDocuments, workspaceFolders = [] } = vscode.workspace;
  const open = new Map(
    textDocuments.map((document) => [document.uri.toString(), isReport(document.getText().slice(0, reportHeadLength))]),
  );
  const folders = workspaceFolders.map(({ uri, name }) => {
    const folder = vscode.workspace.getConfiguration(undefined, uri).get<string>(reportFolderSetting) ?? '';
    return workspaceFolders.length > 1 ? `${name}/${folder}` : folder;
  });
  return ({ id, path }) => open.get(id) ?? folders.some((folder) => isReportPath(path, folder));
}
