import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import { activeItems, itemOf } from './questionDocuments.ts';
import { rankedPaths } from './rankedPaths.ts';

/** Files that are looked through, and those that are offered. */
const mostFiles = 20_000;
const mostOffered = 12;
/** For how long a listing is current, in milliseconds: each key asks again. */
const currentMs = 10_000;
/** Beside what the editor's own settings exclude. */
const never = '**/{node_modules,.git,dist,out}/**';

let listing: { readonly at: number; readonly files: Promise<readonly vscode.Uri[]> } | undefined;

/** What could be attached for the letters after an `@`: the selection and the open file first, then files of the workspace. */
export async function findDocuments(query: string): Promise<readonly DocumentItem[]> {
  if (listing === undefined || performance.now() - listing.at > currentMs)
    listing = { at: performance.now(), files: Promise.resolve(vscode.workspace.findFiles('**/*', never, mostFiles)) };
  const files = await listing.files;
  const byPath = new Map(files.map((uri) => [vscode.workspace.asRelativePath(uri, false), uri] as const));
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => vscode.workspace.asRelativePath(uri, false)));
  const found = rankedPaths(query, [...byPath.keys()], open, mostOffered).map((path) =>
    itemOf(byPath.get(path)!, 'file'),
  );
  const active = activeItems().filter(
    ({ name, place }) => rankedPaths(query, [`${place}/${name}`], open, 1).length > 0,
  );
  const ids = new Set(active.map(({ id }) => id));
  return [...active, ...found.filter(({ id }) => !ids.has(id))].slice(0, mostOffered);
}
