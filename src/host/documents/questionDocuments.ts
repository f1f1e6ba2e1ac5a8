import * as vscode from 'vscode';
import type { DocumentItem } from '../../protocol/messages.ts';
import type { Attachment, QuestionSurroundings } from '../../protocol/ports.ts';

/** What one question may have: the engine reads no more documents. */
export const mostAttached = 40;

export interface Attached {
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
      const found = await (await import('./attachable.ts')).attachable(id);
      if (found === undefined || (this.#attached.size >= mostAttached && !this.#attached.has(found.item.id)))
        refused += 1;
      else this.#attached.set(found.item.id, found);
    }
    this.#changed();
    return refused;
  }

  /** Attaches a text in place of a document, where there is room. */
  attachText(text: Attached): void {
    const { id } = text.item;
    if (this.#attached.size >= mostAttached && !this.#attached.has(id)) return;
    this.#attached.set(id, text);
    this.#changed();
  }

  detach(id: string): void {
    if (this.#attached.delete(id)) this.#changed();
  }

  clear(attachments = this.attachments()): void {
    const before = this.#attached.size;
    for (const [id, { attachment }] of this.#attached) if (attachments.includes(attachment)) this.#attached.delete(id);
    if (this.#attached.size !== before) this.#changed();
  }
}

/** The selection or the document of the active editor as a place in the workspace folder, for the engine. Nothing for what is in no folder. */
export function openPlace(): QuestionSurroundings {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri;
  if (!editor || !uri || vscode.workspace.getWorkspaceFolder(uri) === undefined) return {};
  const path = vscode.workspace.asRelativePath(uri, false);
  const { start, end, isEmpty } = editor.selection;
  return { openFile: isEmpty ? path : `${path}#L${start.line + 1}-L${end.line + 1}` };
}
