import * as vscode from 'vscode';
import { commandIds, reportFolderSetting, reportHintsSetting } from '../commandIds.ts';
import type { CitedReports, OpenStatement } from './citedReports.ts';

const source = 'Deep Research';

/** Hints at statements of the reports in the report folder that nobody has judged as they are, and what to do about them. */
export class ReportHints implements vscode.CodeActionProvider {
  readonly #reports: CitedReports;
  readonly #shown: vscode.DiagnosticCollection;

  constructor(reports: CitedReports, shown: vscode.DiagnosticCollection) {
    this.#reports = reports;
    this.#shown = shown;
  }

  async update(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'markdown' || document.uri.scheme !== 'file') return;
    const { version } = document;
    const open = areWanted(document.uri) ? await this.#reports.open(document) : [];
    if (document.version === version && !document.isClosed)
      this.#shown.set(
        document.uri,
        open.map((statement) => this.#hint(statement)),
      );
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return (this.#shown.get(document.uri) ?? [])
      .filter(
        (hint) =>
          hint.range.intersection(range) &&
          (diagnostics.length === 0 || diagnostics.some((one) => one.range.isEqual(hint.range))),
      )
      .map((hint) => {
        const action = new vscode.CodeAction(vscode.l10n.t('Check Again'), vscode.CodeActionKind.QuickFix);
        action.diagnostics = [hint];
        action.command = {
          title: action.title,
          command: commandIds.checkStatement,
          arguments: [document.uri, hint.range.start],
        };
        return action;
      });
  }

  #hint(statement: OpenStatement): vscode.Diagnostic {
    const { range, evidence } = statement;
    const message = evidence
      ? vscode.l10n.t('No second reader has confirmed this against its sources.')
      : vscode.l10n.t('These words are not the ones that were checked against their sources.');
    const hint = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Hint);
    hint.source = source;
    hint.code = evidence ? 'unverified' : 'edited';
    return hint;
  }
}

/** Inside the report folder of its workspace folder, as far as the settings say so. */
function areWanted(file: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const settings = vscode.workspace.getConfiguration(undefined, file);
  const reports = settings.get<string>(reportFolderSetting) ?? '';
  if (!folder || settings.get<boolean>(reportHintsSetting) === false) return false;
  const below = vscode.Uri.joinPath(folder.uri, reports.replaceAll('\\', '/')).path;
  return file.path.startsWith(below.endsWith('/') ? below : `${below}/`);
}
