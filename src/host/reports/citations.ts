import * as vscode from 'vscode';
import { reportFolderSetting, reportHintsSetting } from '../commandIds.ts';
import type { CheckHost } from './checkStatement.ts';
import type { EvidenceOfText } from './citedHover.ts';
import type { CitedReports } from './citedReports.ts';
import type { ReportHints } from './reportHints.ts';
import { informRestricted, mayRead } from '../restrictedMode.ts';

const selector: vscode.DocumentSelector = { language: 'markdown', scheme: 'file' };

/** What the editor says of the citations of a report that is open as text. All but this is loaded with the first Markdown file. */
export class Citations implements vscode.Disposable {
  readonly #runsFolder: string;
  readonly #evidence: () => Promise<EvidenceOfText>;
  readonly #hints = vscode.languages.createDiagnosticCollection('deepResearch');
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #loading: Promise<{ readonly reports: CitedReports; readonly hints: ReportHints }> | undefined;

  constructor(runsFolder: string, evidence: () => Promise<EvidenceOfText>) {
    this.#runsFolder = runsFolder;
    this.#evidence = evidence;
    const { languages, workspace } = vscode;
    const load = () => this.reports();
    const update = (document: vscode.TextDocument) => void this.#update(document);
    this.#subscriptions = vscode.Disposable.from(
      this.#hints,
      this.#lensesChanged,
      languages.registerHoverProvider(selector, {
        provideHover: async (document, position) => {
          const { citedHover } = await import('./citedHover.ts');
          return citedHover(await load(), this.#evidence, document, position);
        },
      }),
      languages.registerDefinitionProvider(selector, {
        provideDefinition: async (document, position) =>
          (await load()).definition(document, position, async (...at) => (await this.#evidence()).placeOf(...at)),
      }),
      languages.registerDocumentLinkProvider(selector, {
        provideDocumentLinks: async (document) => (await load()).links(document),
      }),
      languages.registerCodeLensProvider(selector, {
        onDidChangeCodeLenses: this.#lensesChanged.event,
        provideCodeLenses: async (document) => (await load()).lenses(document),
      }),
      languages.registerCodeActionsProvider(
        selector,
        {
          provideCodeActions: async (document, range, context) =>
            (await this.#load()).hints.provideCodeActions(document, range, context),
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
      workspace.onDidOpenTextDocument(update),
      workspace.onDidChangeTextDocument(({ document }) => update(document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#hints.delete(uri)),
      workspace.onDidChangeConfiguration((change) => {
        const isOurs = [reportFolderSetting, reportHintsSetting].some((key) => change.affectsConfiguration(key));
        if (isOurs) workspace.textDocuments.forEach(update);
      }),
    );
    workspace.textDocuments.forEach(update);
  }

  async reports(): Promise<CitedReports> {
    return (await this.#load()).reports;
  }

  /** Judges the statement at a place of a report that is open. */
  async check(host: CheckHost, uri: vscode.Uri, position: vscode.Position): Promise<void> {
    if (!mayRead(uri)) return informRestricted();
    const { checkStatement } = await import('./checkStatement.ts');
    const { reports } = await this.#load();
    const document = await vscode.workspace.openTextDocument(uri);
    await checkStatement(host, reports, document, position);
    await this.#update(document);
    this.#lensesChanged.fire();
  }

  /** Opens what the citation at an offset of a report is of, or its stored text. */
  async open(uri: vscode.Uri, offset: number, copy: boolean): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = await (await this.reports()).citedAt(document, document.positionAt(offset));
    if (found) await (await this.#evidence()).open(found.report, found.cited, copy);
  }

  /** More is known of the report of a run; without one, of all. */
  async changed(run?: string): Promise<void> {
    const documents = (await this.reports()).forget(run);
    await Promise.all(documents.map((document) => this.#update(document)));
    this.#lensesChanged.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #update(document: vscode.TextDocument): Promise<void> {
    if (vscode.languages.match(selector, document) > 0) await (await this.#load()).hints.update(document);
  }

  #load() {
    return (this.#loading ??= import('./citedReports.ts').then(async ({ CitedReports: Reports }) => {
      const { ReportHints: Hints } = await import('./reportHints.ts');
      const reports = new Reports(this.#runsFolder);
      return { reports, hints: new Hints(reports, this.#hints) };
    }));
  }
}
