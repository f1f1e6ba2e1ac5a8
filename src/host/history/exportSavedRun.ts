import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../commandIds.ts';
import type { ExportFormat } from '../../protocol/ports.ts';
import { describeError } from '../sessions/runSession.ts';
import { readRecord } from './amendRecord.ts';
import type { HistoryService } from './historyService.ts';
import { locateReport } from './locateReport.ts';
import { noticeLine } from './plainText.ts';
import { hasFileManager } from './revealRun.ts';
import type { RunEntry } from './runEntry.ts';

const formats: Readonly<Partial<Record<CommandId, ExportFormat>>> = {
  [commandIds.exportHtml]: 'html',
  [commandIds.exportBibtex]: 'bibtex',
  [commandIds.exportCslJson]: 'csl-json',
  [commandIds.exportZip]: 'zip',
};

const extensions: Readonly<Record<ExportFormat, string>> = {
  html: 'html',
  bibtex: 'bib',
  'csl-json': 'json',
  zip: 'zip',
};

/** The format that a command exports; undefined for other commands. */
export function exportFormatOf(command: CommandId): ExportFormat | undefined {
  return formats[command];
}

/** Asks for a place and writes the run there; another place is offered as long as one does not work. */
export async function exportSavedRun(desk: HistoryService, run: RunEntry, format: ExportFormat): Promise<void> {
  const engine = await desk.loadEngine();
  const report = await locateReport(run);
  const reportText = report === undefined ? undefined : await textOf(report);
  const folder = report === undefined ? (run.workspace ?? homedir()) : path.dirname(report);
  let target = await ask(path.join(folder, await fileName()), format);
  while (target) {
    const file = target.fsPath;
    try {
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Exporting “{0}”', noticeLine(path.basename(file))),
        },
        () =>
          engine.exportRun({
            runsFolder: desk.runsFolder,
            run: run.run,
            format,
            target: file,
            ...(reportText === undefined ? {} : { reportText }),
          }),
      );
      return await tell(file, format);
    } catch (error) {
      const { reason, message, next } = describeError(error);
      desk.log.warn(`history: run ${run.run} could not be exported as ${format}: ${reason}`);
      const elsewhere = vscode.l10n.t('Choose Another Place');
      const chosen = await vscode.window.showErrorMessage(
        noticeLine(`${message} ${next}`, 600),
        ...(reason === 'badRequest' ? [] : [elsewhere]),
      );
      target = chosen === elsewhere ? await ask(path.join(homedir(), path.basename(file)), format) : undefined;
    }
  }

  async function fileName(): Promise<string> {
    const record = await readRecord(desk.runsFolder, run.run);
    return record ? engine.exportFileName(record, format) : `${run.run}.${extensions[format]}`;
  }
}

async function ask(proposed: string, format: ExportFormat): Promise<vscode.Uri | undefined> {
  const names: Readonly<Record<ExportFormat, string>> = {
    html: vscode.l10n.t('Web page'),
    bibtex: 'BibTeX',
    'csl-json': 'CSL-JSON',
    zip: vscode.l10n.t('Zip archive'),
  };
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the run'),
    defaultUri: vscode.Uri.file(proposed),
    filters: { [names[format]]: [extensions[format]] },
  });
}

async function tell(file: string, format: ExportFormat): Promise<void> {
  const uri = vscode.Uri.file(file);
  const open = vscode.l10n.t('Open');
  const show = vscode.l10n.t('Show');
  const desktop = hasFileManager();
  const canOpen = format !== 'zip' && (format !== 'html' || desktop);
  const canShow = desktop || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Exported to {0}', noticeLine(file, 400)),
    ...(canOpen ? [open] : []),
    ...(canShow ? [show] : []),
  );
  if (chosen === open && format === 'html') await vscode.env.openExternal(uri);
  else if (chosen === open) await vscode.window.showTextDocument(uri);
  if (chosen === show) await vscode.commands.executeCommand(desktop ? 'revealFileInOS' : 'revealInExplorer', uri);
}

/** The report as the editor has it, with edits that are not saved yet. */
async function textOf(report: string): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === report);
  return open?.getText() ?? readFile(report, 'utf8').catch(() => undefined);
}
