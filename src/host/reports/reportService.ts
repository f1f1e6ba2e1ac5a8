import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { contextKeys, liveReportViewType, openAsSetting, reportFolderSetting, reportViewType } from '../commandIds.ts';
import { readRegular, reportLimit } from '../../files/regularFile.ts';
import type { LastReport } from '../lastRun.ts';
import type { CitedEvidence, CitingReport } from './citedEvidence.ts';
import { isReport, proposedName, runOfReport } from './reportText.ts';
import { messageOf } from '../../runs/log.ts';
import type { RunView } from '../../protocol/runView.ts';
import type { EvidenceMessage, ReaderHost, ReportReaders } from './reportReaders.ts';

/** A report that a run wrote, wherever it is. */
export interface SavedReport extends LastReport {
  /** The text to fall back to when there is no file: the run folder's copy, or what the panel shows. */
  text(): Promise<string>;
}

/** How reports are opened: as the editor's reader, as Markdown, or as both beside each other. */
type OpenAs = 'preview' | 'text' | 'both';

/** Opens reports as editor tabs, and offers another place for one that couldn't be saved. */
export class ReportService implements vscode.Disposable {
  readonly #host: ReaderHost;
  /** Loaded with the first report that is shown rendered. */
  #loading: Promise<ReportReaders> | undefined;
  /** The tabs that show reports rendered; undefined before the first. */
  readers: ReportReaders | undefined;
  readonly #subscriptions: vscode.Disposable;
  /** Untitled documents by report, so that a second click shows the same tab. */
  readonly #untitled = new WeakMap<SavedReport, vscode.TextDocument>();
  /** Settles when what was asked for so far is open. */
  #opened: Promise<unknown> = Promise.resolve();

  constructor(host: ReaderHost) {
    this.#host = host;
    const watch = () => void markActiveReport(vscode.window.activeTextEditor?.document);
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(watch),
      vscode.workspace.onDidSaveTextDocument(watch),
      vscode.window.registerCustomEditorProvider(
        reportViewType,
        { resolveCustomTextEditor: async (document, panel) => (await this.#load()).resolve(document, panel) },
        { webviewOptions: { enableFindWidget: true }, supportsMultipleEditorsPerDocument: true },
      ),
      vscode.window.registerWebviewPanelSerializer(liveReportViewType, {
        deserializeWebviewPanel: async (panel, state) => (await this.#load()).restore(panel, state),
      }),
    );
    watch();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.readers?.dispose();
  }

  async #load(): Promise<ReportReaders> {
    this.#loading ??= import('./reportReaders.ts').then(({ ReportReaders: Readers }) => new Readers(this.#host));
    return (this.readers = await this.#loading);
  }

  /** The report of the tab in front, as it is read or as text. */
  front(): CitingReport | undefined {
    const active = this.readers?.active();
    if (active) return active.report;
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !holdsReport(document)) return undefined;
    const text = document.getText();
    return { document, run: runOfReport(text), text };
  }

  /** Answers a `ReaderMessage` of the panel about the report of a run. */
  async answer(run: string, message: unknown): Promise<EvidenceMessage | undefined> {
    return (await this.#load()).answer(run, message);
  }

  async evidence(): Promise<CitedEvidence> {
    return (await this.#load()).evidence;
  }

  /** More of the report of a run that is writing it, from an offset on (UTF-16 units). */
  async stream(view: RunView, offset: number): Promise<void> {
    if (openAs() === 'text' || (!this.readers?.isOpen(view.run) && hasAssociation(nextReport()))) return;
    (await this.#load()).stream(view, offset);
  }

  /** Opens a report in a tab of its own; one without a file as an untitled document. */
  async open(report: SavedReport, { preserveFocus = false, preview = false } = {}): Promise<void> {
    await this.#inOrder(async () => {
      const as = openAs();
      // The tab that it was written into has it; an untitled document would be asked about.
      if (as === 'preview' && report.path === undefined && this.readers?.show(report.run, preserveFocus)) return;
      const document = await this.#document(report);
      if (as !== 'text') await this.#read(document, { preserveFocus, preview }, report.run);
      if (as === 'preview') return;
      const viewColumn = as === 'both' ? vscode.ViewColumn.Beside : undefined;
      await vscode.window.showTextDocument(document, { preview, preserveFocus, ...(viewColumn && { viewColumn }) });
      await markActiveReport(document);
    });
  }

  /** Opens a report as it is read. */
  async read(report: SavedReport): Promise<void> {
    await this.#inOrder(async () => this.#read(await this.#document(report), {}, report.run));
  }

  /** The report of the active editor, as it is read. */
  async readActive(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document) await this.#read(document, {}, undefined, true);
  }

  /** The report of the tab in front, as text in its place. */
  async openActiveAsText(): Promise<void> {
    const active = (await this.#load()).active();
    if (!active) return;
    const { document, text } = active.report;
    const { viewColumn } = active.panel;
    const shown = document ?? (await vscode.workspace.openTextDocument({ language: 'markdown', content: text }));
    await vscode.window.showTextDocument(shown, { preview: false, ...(viewColumn && { viewColumn }) });
    if (document) active.panel.dispose();
  }

  /** In the tab that it was streamed into, if there is one. */
  async #read(
    document: vscode.TextDocument,
    options: { readonly preserveFocus?: boolean; readonly preview?: boolean },
    run?: string,
    isAsked = false,
  ): Promise<void> {
    const readers = await this.#load();
    if (run !== undefined && readers.saved(run, document)) return;
    if (readers.reveal(document, options.preserveFocus ?? false)) return;
    const { uri } = document;
    const { executeCommand } = vscode.commands;
    if (!isAsked && hasAssociation(uri)) await executeCommand('vscode.open', uri, options);
    else await executeCommand('vscode.openWith', uri, reportViewType, options);
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
    await this.open({ ...report, path: target.fsPath });
    return target.fsPath;
  }

  /**
   * Says that a report couldn't be saved and offers alternatives; nothing is lost whatever is chosen. Gives the path as
   * above.
   */
  async offer(report: SavedReport, why?: string): Promise<string | undefined> {
    const message = why ?? vscode.l10n.t('The report couldn’t be saved.');
    this.#host.log.warn(message);
    const saveAs = vscode.l10n.t('Save As…');
    const openUntitled = vscode.l10n.t('Open Untitled');
    const chosen = await vscode.window.showErrorMessage(message, saveAs, openUntitled);
    if (chosen === openUntitled) await vscode.window.showTextDocument(await this.#document(report), { preview: false });
    return chosen === saveAs ? this.saveAs(report) : undefined;
  }

  async #document(report: SavedReport): Promise<vscode.TextDocument> {
    if (report.path !== undefined) {
      try {
        return await vscode.workspace.openTextDocument(vscode.Uri.file(report.path));
      } catch (error) {
        // Moved or deleted since: its text is still in the run's folder.
        this.#host.log.info(`the report's file cannot be opened: ${messageOf(error)}`);
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

function openAs(): OpenAs {
  return vscode.workspace.getConfiguration().get<OpenAs>(openAsSetting, 'preview');
}

/** Where a report that is being written will be saved, but for its name. */
function nextReport(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const reports = vscode.workspace.getConfiguration(undefined, folder).get<string>(reportFolderSetting) ?? '';
  return vscode.Uri.joinPath(folder, reports.replaceAll('\\', '/'), 'report.md');
}

/** The user has said that such files open in another editor (`workbench.editorAssociations`). */
function hasAssociation(uri: vscode.Uri): boolean {
  const { globalValue, workspaceValue } =
    vscode.workspace.getConfiguration('workbench').inspect<Record<string, string>>('editorAssociations') ?? {};
  // Of a document, all that a pattern is compared with.
  const document = { uri, languageId: 'markdown' } as vscode.TextDocument;
  return Object.entries({ ...globalValue, ...workspaceValue }).some(
    ([glob, editor]) =>
      editor !== reportViewType &&
      vscode.languages.match({ pattern: glob.includes('/') ? glob : `**/${glob}` }, document) > 0,
  );
}

/** The copy in the run's folder; undefined when there is none. */
export async function savedReportText(runsFolder: string, run: string): Promise<string | undefined> {
  return readRegular(path.join(runsFolder, run, 'report.md'), reportLimit).catch(() => undefined);
}

function holdsReport(document: vscode.TextDocument): boolean {
  return document.languageId === 'markdown' && isReport(document.getText(new vscode.Range(0, 0, 60, 0)));
}

async function markActiveReport(document: vscode.TextDocument | undefined): Promise<void> {
  const active = document !== undefined && holdsReport(document);
  await vscode.commands.executeCommand('setContext', contextKeys.reportIsActive, active);
}
