import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { type CommandId, commandIds, reportChartsSetting } from '../commandIds.ts';
import type { ExportFormat } from '../../protocol/ports.ts';
import { readRegular, reportLimit } from '../../files/regularFile.ts';
import { describeError } from '../../runs/describeError.ts';
import { inform } from '../inform.ts';
import type { HistoryHost } from './historyHost.ts';
import { locateReport } from './locateReport.ts';
import { noticeLine } from './plainText.ts';
import { savedReportText } from '../reports/reportService.ts';
import { mayRead, restrictedText } from '../restrictedMode.ts';
import { hasFileManager } from './revealRun.ts';
import { freePath } from '../../files/freePath.ts';
import type { RunEntry } from '../../runs/runEntry.ts';
import { shownError } from '../shownErrors.ts';

export interface ExportKind {
  /** Of its command. */
  readonly id: CommandId;
  readonly format: ExportFormat;
  readonly label: string;
  readonly detail: string;
}

/** What a report can be exported as. */
export function exportKinds(): readonly ExportKind[] {
  const { l10n } = vscode;
  const kind = (id: CommandId, format: ExportFormat, label: string, detail = ''): ExportKind => ({
    ...{ id, format, label, detail },
  });
  return [
    kind(commandIds.exportHtml, 'html', l10n.t('Web page'), l10n.t('One file, with the passage of each citation')),
    kind(commandIds.exportPdf, 'html', 'PDF', l10n.t('The web page, printed by your browser')),
    kind(commandIds.exportDocx, 'docx', l10n.t('Word document'), l10n.t('With a footnote for each citation')),
    kind(commandIds.exportBibtex, 'bibtex', 'BibTeX'),
    kind(commandIds.exportCslJson, 'csl-json', 'CSL-JSON'),
    kind(commandIds.exportZip, 'zip', l10n.t('Zip archive'), l10n.t('The whole run')),
  ];
}

/** Asks for a place and writes the run there; when that fails, another place is offered. */
export async function exportSavedRun(host: HistoryHost, run: RunEntry, { id, format }: ExportKind): Promise<void> {
  const { proposed, write } = await prepared(host, run, format);
  let target = await askForTarget(proposed, format);
  while (target) {
    const file = target.fsPath;
    try {
      await write(target);
      return await (id === commandIds.exportPdf ? openForPrint(target, true) : offerToOpen(target, format));
    } catch (error) {
      const { reason, message, next } = shownError(error);
      host.log.warn(`history: run ${run.run} could not be exported as ${format}: ${reason}`);
      const elsewhere = vscode.l10n.t('Choose Another Place');
      const chosen = await vscode.window.showErrorMessage(
        noticeLine(`${message} ${next}`, 600),
        ...(reason === 'badRequest' ? [] : [elsewhere]),
      );
      target = chosen === elsewhere ? await askForTarget(path.join(homedir(), path.basename(file)), format) : undefined;
    }
  }
}

/** Writes the report with its evidence as one page beside it, and shows the file; where that fails, another place is chosen. */
export async function shareRun(host: HistoryHost, run: RunEntry): Promise<void> {
  const { report, proposed, write } = await prepared(host, run, 'html');
  const page = vscode.Uri.file(freePath(proposed, existsSync));
  try {
    if (report === undefined) throw new Error('the report has no file to be beside');
    await write(page);
  } catch (error) {
    host.log.warn(`history: run ${run.run} could not be shared beside its report: ${describeError(error).message}`);
    return exportSavedRun(host, run, exportKinds()[0]!);
  }
  if (hasFileManager()) await vscode.commands.executeCommand('revealFileInOS', page);
  else if (vscode.workspace.getWorkspaceFolder(page)) await vscode.commands.executeCommand('revealInExplorer', page);
  await offerToOpen(page, 'html');
}

/** Of this window: another one may be printing. */
function printFolder(host: HistoryHost): string {
  return path.join(host.context.globalStorageUri.fsPath, 'print', String(process.pid));
}

/** Removes the page that was printed last. */
export async function removePrinted(host: HistoryHost): Promise<void> {
  await rm(printFolder(host), { recursive: true, force: true });
}

/** Opens the report with its evidence as a page in the browser. It is in the storage of the extension until the next one or the window's end. */
export async function printRun(host: HistoryHost, run: RunEntry): Promise<void> {
  const { proposed, write } = await prepared(host, run, 'html');
  const folder = printFolder(host);
  await removePrinted(host);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const page = vscode.Uri.file(path.join(folder, path.basename(proposed)));
  await write(page);
  await openForPrint(page, false);
}

/** What is exported, where it is proposed to go, and what writes it. */
async function prepared(host: HistoryHost, run: RunEntry, format: ExportFormat) {
  const engine = await host.loadEngine();
  const located = await locateReport(run);
  const isReadable = located === undefined || mayRead(vscode.Uri.file(located));
  const report = isReadable ? located : undefined;
  // Without a text the engine would read the file.
  const copy = isReadable ? undefined : await savedReportText(host.runsFolder, run.run);
  if (!isReadable && !copy?.trim()) throw new Error(restrictedText());
  const reportText = report === undefined ? copy : await textOf(report);
  const name = engine.exportFileName({ ...run, question: run.question ?? run.run }, format);
  const folder = report === undefined ? (run.workspace ?? homedir()) : path.dirname(report);
  const write = async (target: vscode.Uri): Promise<void> => {
    const charts = vscode.workspace.getConfiguration(undefined, target).get<boolean>(reportChartsSetting) ?? true;
    const options = { runsFolder: host.runsFolder, run: run.run, format, target: target.fsPath, charts };
    const title = vscode.l10n.t('Exporting “{0}”', noticeLine(path.basename(target.fsPath)));
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
      engine.exportRun({
        ...options,
        ...(reportText !== undefined && { reportText }),
        ...(report !== undefined && { reportFile: report }),
      }),
    );
  };
  return { report, proposed: path.join(folder, name), write };
}

async function askForTarget(proposed: string, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const { label } = exportKinds().find((kind) => kind.format === format)!;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Run'),
    defaultUri: vscode.Uri.file(proposed),
    filters: { [label]: [path.extname(proposed).slice(1)] },
  });
}

/** The browser prints to paper and PDF; what a page shows where it is pointed at is printed below its references. */
async function openForPrint(page: vscode.Uri, isPdf: boolean): Promise<void> {
  const where = noticeLine(page.fsPath, 400);
  if (!hasFileManager() || !(await vscode.env.openExternal(page)))
    return inform(vscode.l10n.t('No browser can be opened from here. Open {0} in one, and print it there.', where));
  const keys = process.platform === 'darwin' ? '⌘P' : 'Ctrl+P';
  inform(
    isPdf
      ? vscode.l10n.t('Print {0} in the browser ({1}), and choose PDF as its printer.', where, keys)
      : vscode.l10n.t('The report is open in the browser: print it there ({0}).', keys),
  );
}

async function offerToOpen(uri: vscode.Uri, format: ExportFormat): Promise<void> {
  const open = vscode.l10n.t('Open');
  const show = vscode.l10n.t('Show');
  const isDesktop = hasFileManager();
  // The editor shows none of these itself.
  const isForeign = format === 'html' || format === 'docx';
  const canOpen = format !== 'zip' && (!isForeign || isDesktop);
  const canShow = isDesktop || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Exported to {0}', noticeLine(uri.fsPath, 400)),
    ...(canOpen ? [open] : []),
    ...(canShow ? [show] : []),
  );
  if (chosen === open && isForeign) await vscode.env.openExternal(uri);
  else if (chosen === open) await vscode.window.showTextDocument(uri);
  if (chosen === show) await vscode.commands.executeCommand(isDesktop ? 'revealFileInOS' : 'revealInExplorer', uri);
}

/** The report as the editor has it, with edits that are not saved yet. */
async function textOf(report: string): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === report);
  return open?.getText() ?? readRegular(report, reportLimit).catch(() => undefined);
}
