import * as vscode from 'vscode';
import { showPassage } from './openSource.ts';
import { readStoredText } from './runSources.ts';

const scheme = 'deep-research-source';
/** Of the manifest, which wraps its lines: a page has paragraphs of one line each. */
const language = 'deep-research-text';

/** What was read of the sources, as read-only documents. */
export class StoredTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #runsFolder: string;
  readonly #subscription: vscode.Disposable;
  readonly #mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.findMatchHighlightBorder'),
  });

  constructor(runsFolder: string) {
    this.#runsFolder = runsFolder;
    this.#subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#mark).dispose();
  }

  provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const [run = '', source = ''] = query.split('/');
    return readStoredText(this.#runsFolder, run, source);
  }

  /** The text of a source as a document; undefined where it is not on this machine. */
  async open(run: string, source: string, title: string): Promise<vscode.TextDocument | undefined> {
    if ((await readStoredText(this.#runsFolder, run, source)) === '') return undefined;
    const name = title.replace(/[\p{Cc}\p{Cf}/\\]+/gu, ' ').trim();
    const uri = vscode.Uri.from({
      scheme,
      path: `/${name === '' ? source : [...name].slice(0, 80).join('')}.txt`,
      query: `${run}/${source}`,
    });
    return vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), language);
  }

  /** Shows such a document beside the report, with a passage marked. */
  async show(document: vscode.TextDocument, passage: string): Promise<void> {
    const editor = await showPassage(document, passage);
    editor.setDecorations(this.#mark, [editor.selection]);
  }
}
