import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import type { Attachment, QuestionSurroundings } from '../../protocol/ports.ts';

/** What the panel calls the text that is selected in the active editor. */
const selectionId = 'selection';
/** What one question may have: the engine reads no more documents. */
const mostAttached = 40;

interface Attached {
  readonly item: DocumentItem;
  readonly attachment: Attachment;
}

/** What the user attached to the next question. Nothing is read here: the engine does, when the run starts. */
export class QuestionDocuments {
  readonly #attached = new Map<string, Attached>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  items(): readonly DocumentItem[] {
    return [...this.#attached.values()].map(({ item }) => item);
  }

  attachments(): readonly Attachment[] {
    return [...this.#attached.values()].map(({ attachment }) => attachment);
  }

  /** Attaches documents by ids that {@link find} gave, or addresses; gives how many can't be attached. */
  async attach(ids: readonly string[]): Promise<number> {
    let refused = 0;
    for (const id of ids) {
      const found = id === selectionId ? selected() : await ofAddress(id);
      if (found === undefined || (this.#attached.size >= mostAttached && !this.#attached.has(found.item.id)))
        refused += 1;
      else this.#attached.set(found.item.id, found);
    }
    this.#changed();
    return refused;
  }

  /** Attaches the text of a page that a run could not read; gives whether there is room. */
  attachPage(attachment: Attachment & { readonly url: string }): boolean {
    const { url } = attachment;
    const id = `page:${url}`;
    if (this.#attached.size >= mostAttached && !this.#attached.has(id)) return false;
    const { host, pathname } = new URL(url);
    const item = { id, name: `${host}${pathname === '/' ? '' : pathname}`, place: '', icon: 'globe', page: url };
    this.#attached.set(id, { item, attachment });
    this.#changed();
    return true;
  }

  detach(id: string): void {
    if (this.#attached.delete(id)) this.#changed();
  }

  clear(): void {
    if (this.#attached.size === 0) return;
    this.#attached.clear();
    this.#changed();
  }
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

/** The same as a place in the workspace folder, for the engine. Nothing for what is in no folder. */
export function openPlace(): QuestionSurroundings {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri;
  if (!editor || !uri || vscode.workspace.getWorkspaceFolder(uri) === undefined) return {};
  const path = vscode.workspace.asRelativePath(uri, false);
  const { start, end, isEmpty } = editor.selection;
  return { openFile: isEmpty ? path : `${path}#L${start.line + 1}-L${end.line + 1}` };
}

export function itemOf(uri: vscode.Uri, icon: string): DocumentItem {
  const path = vscode.workspace.asRelativePath(uri, false);
  const cut = path.lastIndexOf('/');
  return { id: uri.toString(), name: path.slice(cut + 1), place: path.slice(0, Math.max(0, cut)), icon };
}

function selected(): Attached | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  // Whole lines, so that the report can lead to them.
  const last =
    selection.end.character === 0 ? Math.max(selection.start.line, selection.end.line - 1) : selection.end.line;
  const lines = new vscode.Range(selection.start.line, 0, last, document.lineAt(last).text.length);
  const first = lines.start.line + 1;
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
  const file = vscode.Uri.file(uri.path);
  try {
    const { type } = await vscode.workspace.fs.stat(file);
    const icon = (type & vscode.FileType.Directory) === 0 ? 'file' : 'folder';
    // What is open and not saved yet is what the user sees.
    const open = vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.path === file.path);
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
function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || scheme === 'vscode-remote';
}
