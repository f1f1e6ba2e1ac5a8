import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/ports.ts';
import { isOnDisk, wholeLines } from '../documents/attachable.ts';
import { mostAttached } from '../documents/questionDocuments.ts';
import { mayRead } from '../restrictedMode.ts';

/** The files, selections and texts that are attached to a request, and how many of its references are none of these. */
export async function attachedTo(references: readonly vscode.ChatPromptReference[]) {
  const read = await Promise.all(references.slice(0, mostAttached).map(({ value }) => attachmentOf(value)));
  const attached = read.filter((one) => one !== undefined);
  return { attached, refused: references.length - attached.length };
}

/** A prompt as a question: a reference in it is the name of its file. */
export function questionOf(prompt: string, references: readonly vscode.ChatPromptReference[]): string {
  const placed = references.flatMap(({ range, value }) => (range ? [{ range, value }] : []));
  let question = prompt;
  // From the end, so that the places before stay.
  for (const { range, value } of placed.sort((a, b) => b.range[0] - a.range[0])) {
    const uri = value instanceof vscode.Location ? value.uri : value;
    const name = uri instanceof vscode.Uri ? basename(uri.path) : question.slice(range[0] + 1, range[1]);
    question = question.slice(0, range[0]) + name + question.slice(range[1]);
  }
  return question.trim();
}

/** Whether a prompt has no words beside its references. */
export function isOnlyReferences(prompt: string, references: readonly vscode.ChatPromptReference[]): boolean {
  const ranges = references.flatMap(({ range }) => (range ? [range] : [])).sort((a, b) => b[0] - a[0]);
  return ranges.reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), prompt).trim() === '';
}

async function attachmentOf(value: unknown): Promise<Attachment | undefined> {
  if (typeof value === 'string' && value.trim() !== '')
    return { path: vscode.l10n.t('Text from the chat'), excerpt: { text: value, firstLine: 1 } };
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (!(uri instanceof vscode.Uri) || !mayRead(uri)) return undefined;
  const path = isOnDisk(uri) ? uri.fsPath : basename(uri.path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  try {
    if (value instanceof vscode.Location) {
      const document = open ?? (await vscode.workspace.openTextDocument(uri));
      const lines = wholeLines(document, value.range);
      return { path, excerpt: { text: document.getText(lines), firstLine: lines.start.line + 1 } };
    }
    // What is open and not saved yet is what the user sees.
    if (open && (open.isDirty || !isOnDisk(uri))) return { path, excerpt: { text: open.getText(), firstLine: 1 } };
    if (!isOnDisk(uri)) return undefined;
    await vscode.workspace.fs.stat(uri);
    return { path };
  } catch {
    return undefined;
  }
}
