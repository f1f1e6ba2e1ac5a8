import * as vscode from 'vscode';
import type { CitedReports } from './citedReports.ts';

const selector: vscode.DocumentSelector = { language: 'markdown', scheme: 'file' };

/** What the editor says of the citations of a report that is open as text. All but this is loaded with the first Markdown file. */
export function registerCitations(runsFolder: string): vscode.Disposable {
  let loading: Promise<CitedReports> | undefined;
  const load = () =>
    (loading ??= import('./citedReports.ts').then(({ CitedReports: Reports }) => new Reports(runsFolder)));
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => (await load()).hover(document, position),
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position) => (await load()).definition(document, position),
    }),
    languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: async (document) => (await load()).links(document),
    }),
    languages.registerCodeLensProvider(selector, {
      provideCodeLenses: async (document) => (await load()).lenses(document),
    }),
  );
}
