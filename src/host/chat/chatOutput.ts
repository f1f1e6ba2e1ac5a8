import path from 'node:path';
import * as vscode from 'vscode';
import { signalOf } from '../cancellation.ts';
import type { SourceTarget } from '../reports/sourceTarget.ts';

/** The response of one request. Once the chat has closed it, nothing more is written: the run does not depend on it. */
export class ChatOutput {
  readonly token: vscode.CancellationToken;
  readonly #stream: vscode.ChatResponseStream;

  constructor(stream: vscode.ChatResponseStream, token: vscode.CancellationToken) {
    this.#stream = stream;
    this.token = token;
  }

  /** Aborted when the request is cancelled. */
  signal(): AbortSignal {
    return signalOf(this.token);
  }

  markdown(text: string): void {
    if (text !== '') this.#write((stream) => stream.markdown(text));
  }

  progress(text: string): void {
    this.#write((stream) => stream.progress(text));
  }

  anchor(value: vscode.Uri | vscode.Location, title: string): void {
    this.#write((stream) => stream.anchor(value, title));
  }

  reference(value: vscode.Uri | vscode.Location): void {
    this.#write((stream) => stream.reference(value));
  }

  button(command: string, title: string, ...args: unknown[]): void {
    this.#write((stream) => stream.button({ command, title, arguments: args }));
  }

  #write(write: (stream: vscode.ChatResponseStream) => void): void {
    if (this.token.isCancellationRequested) return;
    try {
      write(this.#stream);
    } catch {
      // The chat was closed.
    }
  }
}

/** Where a source is, for the editor; undefined: nowhere. */
export function placeOf(target: SourceTarget): vscode.Uri | vscode.Location | undefined {
  if (target.kind === 'none') return undefined;
  return target.kind === 'page' ? vscode.Uri.parse(target.url) : locationOf(target);
}

/** What a place is called: its host, or the name of its file. */
export function labelOf(target: SourceTarget): string {
  if (target.kind === 'none') return '';
  return target.kind === 'page' ? new URL(target.url).host : path.basename(target.path);
}

export function locationOf({ path, firstLine, lastLine }: Extract<SourceTarget, { kind: 'file' }>): vscode.Location {
  const last = Math.max(firstLine, lastLine);
  return new vscode.Location(vscode.Uri.file(path), new vscode.Range(Math.max(0, firstLine - 1), 0, last, 0));
}
