import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import { inform } from '../inform.ts';
import type { Attached } from './questionDocuments.ts';

/** What the panel calls the text that is selected in the active editor. */
const selectionId = 'selection';

/** What has an id that {@link activeItems} or a list gave, or an address; undefined for what can't be attached. */
export async function attachable(id: string): Promise<Attached | undefined> {
  return id === selectionId ? selected() : ofAddress(id);
}

/** All that is selected in the active editor; where nothing is, "" and a message that says so. */
export function selectedText(): string {
  const { document, selections = [] } = vscode.window.activeTextEditor ?? {};
  const text = selections
    .map((selection) => document!.getText(selection))
    .join('\n')
    .trim();
  if (text === '') inform(vscode.l10n.t('Select the text to research first.'));
  return text;
}

/** What is selected in the explorer, else the selection or the file of the active editor. */
export function chosenIds(clicked: unknown, selected: unknown): readonly string[] {
  const given = (Array.isArray(selected) && selected.length > 0 ? selected : [clicked]) as readonly unknown[];
  const ids = given.flatMap((one) => (one instanceof vscode.Uri ? [one.toString()] : []));
  if (ids.length > 0) return ids;
  return activeItems()
    .slice(0, 1)
    .map(({ id }) => id);
}

/** The selection or the document of the active editor: what "this" means in a question. */
export function activeItems(): readonly DocumentItem[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const selection = selected();
  return [
    ...(selection ? [{ ...selection.item, id: selectionId }] : []),
    ...(active && isOnDisk(active) ? [itemOf(active, 'file')] : []),
  ];
}

export function itemOf(uri: vscode.Uri, icon: string): DocumentItem {
  const path = vscode.workspace.asRelativePath(uri);
  const cut = path.lastIndexOf('/');
  return { id: uri.toString(), name: path.slice(cut + 1), place: path.slice(0, Math.max(0, cut)), icon };
}

/** So that the report can lead to them. */
export function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): vscode.Range {
  const last = end.character === 0 ? Math.max(start.line, end.line - 1) : end.line;
  return document.validateRange(new vscode.Range(start.line, 0, last, Number.MAX_SAFE_INTEGER));
}

function selected(): Attached | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const lines = wholeLines(document, selection);
  const [first, last] = [lines.start.line + 1, lines.end.line];
  const file = itemOf(document.uri, 'selection');
  return {
    item: { ...file, id: `${file.id}#L${first}-L${last + 1}`, name: `${file.name}:${first}-${last + 1}` },
    attachment: {
      path: isOnDisk(document.uri) ? document.uri.fsPath : file.name,
      excerpt: { text: document.getText(lines), firstLine: first },
    },
  };
}

/** Undefined for what is not a file or folder on this machine. */
async function ofAddress(address: string): Promise<Attached | undefined> {
  const uri = parsed(address);
  if (uri === undefined || !isOnDisk(uri)) return undefined;
  // With the server of a network folder, without the authority of a remote window.
  const file = vscode.Uri.file(uri.fsPath);
  try {
    const { type } = await vscode.workspace.fs.stat(file);
    const icon = (type & vscode.FileType.Directory) === 0 ? 'file' : 'folder';
    // What is open and not saved yet is what the user sees.
    const open = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === file.toString(),
    );
    const excerpt = open && { text: open.getText(), firstLine: 1 };
    return { item: itemOf(file, icon), attachment: { path: file.fsPath, ...(excerpt && { excerpt }) } };
  } catch {
    return undefined;
  }
}

function parsed(address: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(address, true);
  } catch {
    return undefined;
  }
}

/** The panel's page may name a file of this machine as one of a remote window. */
export function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
