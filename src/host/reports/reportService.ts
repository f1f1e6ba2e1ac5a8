import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { contextKeys } from '../commandIds.ts';
import type { Log } from '../../protocol/ports.ts';
import { readRegular, reportLimit } from '../../files/regularFile.ts';
import { isReport, proposedName } from './reportText.ts';
import { messageOf } from '../log.ts';

/** A report that a run wrote, wherever it is. */
export interface SavedReport {
  readonly run: string;
  /** Absolute path of the saved file; absent when it is not saved. */
  readonly path?: string | undefined;
  /** The text to fall back to when there is no file: the run folder's copy, or what the panel shows. */
  text(): Promise<string>;
  /** The folder that was researched, which a dialog proposes. */
  readonly workspaceFolder?: string | undefined;
}

/** Opens reports as editor tabs, previews them, and offers another place for one that couldn't be saved. */
export class ReportService implements vscode.Disposable {
  readonly #log: Log;
  readonly #subscriptions: vscode.Disposable;
  /** Untitled documents by report, so that a second click shows the same tab. */
  readonly #untitled = new WeakMap<SavedReport, vscode.TextDocument>();
  /** Settles when what was asked for so far is open. */
  #opened: Promise<unknown> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
    const watch = () => void markActiveReport(vscode.window.activeTextEditor?.document);
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(watch),
      vscode.workspace.onDidSaveTextDocument(watch),
    );
    watch();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Opens a report in a tab of its own; one without a file as an untitled document. */
  async open(report: SavedReport, { preserveFocus = false, preview = false } = {}): Promise<void> {
    await this.#inOrder(async () => {
      const document = await this.#document(report);
      await vscode.window.showTextDocument(document, { preview, preserveFocus });
      await markActiveReport(document);
    });
  }

  /** Opens the rendered preview of a report. */
  async read(report: SavedReport): Promise<void> {
    await this.#inOrder(async () => readDocument((await this.#document(report)).uri));
  }

  /** What was asked for last is in front: the editor may take longer for a text than for the preview asked for after it. */
  #inOrder(open: () => Promise<void>): Promise<void> {
    const opened = this.#opened.then(open);
    this.#opened = opened.catch(() => undefined);
    return opened;
  }

  /** Asks where to save a report, and opens the file. Gives its path; undefined when it is not saved. */
  async saveAs(report: SavedReport): Promise<string | undefined> {
    const text = await report.text();
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(path.join(report.workspaceFolder ?? homedir(), proposedName(text))),
      filters: { Markdown: ['md'] },
      title: vscode.l10n.t('Save Report'),
    });
    if (!target) return undefined;
    try {
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    } catch (error) {
      return this.offer(report, vscode.l10n.t('The report couldn’t be saved: {0}', messageOf(error)));
    }
    await vscode.window.showTextDocument(target, { preview: false });
    return target.fsPath;
  }

  /**
   * Says that a report couldn't be saved and offers alternatives; nothing is lost whatever is chosen. Gives the path as
   * above.
   */
  async offer(report: SavedReport, why?: string): Promise<string | undefined> {
    const message = why ?? vscode.l10n.t('The report couldn’t be saved.');
    this.#log.warn(message);
    const saveAs = vscode.l10n.t('Save As…');
    const openUntitled = vscode.l10n.t('Open Untitled');
    const chosen = await vscode.window.showErrorMessage(message, saveAs, openUntitled);
    if (chosen === openUntitled) await this.open(report);
    return chosen === saveAs ? this.saveAs(report) : undefined;
  }

  async #document(report: SavedReport): Promise<vscode.TextDocument> {
    if (report.path !== undefined) {
      try {
        return await vscode.workspace.openTextDocument(vscode.Uri.file(report.path));
      } catch (error) {
        // Moved or deleted since: its text is still in the run's folder.
        this.#log.info(`the report's file cannot be opened: ${messageOf(error)}`);
      }
    }
    const known = this.#untitled.get(report);
    if (known && !known.isClosed) return known;
    const content = await report.text();
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    this.#untitled.set(report, document);
    return document;
  }
}

/** The rendered preview of whatever report the active editor shows. */
export async function readActiveReport(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document) await readDocument(document.uri);
}

/** The copy in the run's folder; undefined when there is none. */
export async function savedReportText(runsFolder: string, run: string): Promise<string | undefined> {
  return readRegular(path.join(runsFolder, run, 'report.md'), reportLimit).catch(() => undefined);
}

async function readDocument(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}

async function markActiveReport(document: vscode.TextDocument | undefined): Promise<void> {
  const active = document?.languageId === 'markdown' && isReport(document.getText(new vscode.Range(0, 0, 60, 0)));
  await vscode.commands.executeCommand('setContext', contextKeys.reportIsActive, active);
}
