import fs from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** An address of the editor's API, as far as files have one. */
export class Uri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, address: string) {
    this.scheme = scheme;
    this.path = address;
  }

  static file(file: string): Uri {
    return new Uri('file', file);
  }

  static parse(address: string): Uri {
    const { protocol, pathname } = new URL(address);
    return new Uri(protocol.slice(0, -1), decodeURIComponent(pathname));
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

export class EventEmitter<T> {
  readonly #listeners: ((value: T) => void)[] = [];
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.push(listener);
    return { dispose: () => undefined };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.length = 0;
  }
}

/** The text of a file that is open; of `asked` the files that were opened by code. */
function openDocument(file: string | Uri) {
  const uri = typeof file === 'string' ? Uri.file(file) : file;
  workspace.asked.push(uri.fsPath);
  const document = { uri, version: 1, isClosed: false, languageId: 'markdown', getText: () => text };
  const text = fs.readFileSync(uri.fsPath, 'utf8');
  return document;
}

export const folderEvents = new EventEmitter<void>();
export const trustEvents = new EventEmitter<void>();

interface Folder {
  readonly uri: Uri;
  readonly name: string;
}

let folders: Folder[] = [];
const folderOf = ({ scheme, path: file }: Uri): Folder | undefined =>
  folders.find(({ uri }) => uri.scheme === scheme && `${file}/`.startsWith(`${uri.path}/`));

const workspace = {
  isTrusted: true,
  get workspaceFolders() {
    return folders;
  },
  textDocuments: [] as ReturnType<typeof openDocument>[],
  asked: [] as string[],
  getWorkspaceFolder: folderOf,
  getConfiguration: () => ({ get: (_: string, otherwise?: unknown) => otherwise, inspect: () => ({}) }),
  openTextDocument: async (file: string | Uri) => openDocument(file),
  findFiles: async (): Promise<Uri[]> => [],
  /** By default the folder's name is part of it where several are open. */
  asRelativePath(file: Uri, isNamed = folders.length > 1): string {
    const folder = folderOf(file);
    if (!folder) return file.path;
    const rest = file.path.slice(folder.uri.path.length + 1);
    return isNamed ? `${folder.name}/${rest}` : rest;
  },
  fs: { stat: async ({ fsPath }: Uri) => fs.statSync(fsPath) },
  onDidChangeWorkspaceFolders: folderEvents.event,
  onDidGrantWorkspaceTrust: trustEvents.event,
  onDidChangeConfiguration: new EventEmitter<unknown>().event,
};

/** What the user is shown, and what a dialog gives: each test sets what it needs. */
const window = {
  shown: [] as string[],
  activeTextEditor: undefined as { readonly document: { readonly uri: Uri | undefined } } | undefined,
  tabGroups: { activeTabGroup: {} as { activeTab?: { readonly input: unknown } } },
  async showInformationMessage(message: string): Promise<string | undefined> {
    window.shown.push(message);
    return undefined;
  },
  showErrorMessage: async (message: string) => void window.shown.push(message),
  showOpenDialog: async (): Promise<Uri[] | undefined> => undefined,
  showSaveDialog: async (): Promise<Uri | undefined> => undefined,
  showQuickPick: async (items: readonly unknown[]): Promise<unknown> => void items,
  withProgress: (_: unknown, task: () => Promise<unknown>) => task(),
};

/** The editor's API for unit tests, as far as these use it; imported before what imports `vscode`. */
export const editor = {
  workspace,
  window,
  Uri,
  EventEmitter,
  commands: { executeCommand: async (...call: unknown[]): Promise<unknown> => void call },
  lm: {
    registerMcpServerDefinitionProvider: () => ({ dispose: () => undefined }),
    tools: [] as { name: string; description: string; tags: readonly string[] }[],
  },
  env: { language: 'en', uiKind: 1, remoteName: undefined as string | undefined, openExternal: async (_: Uri) => true },
  UIKind: { Desktop: 1, Web: 2 },
  l10n: {
    t: (text: string, ...values: unknown[]) => text.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)])),
  },
  Disposable: { from: () => ({ dispose: () => undefined }) },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ConfigurationTarget: {},
  CancellationError: class extends Error {},
  Location: class {},
  RelativePattern: class {},
  TreeItem: class {},
  ThemeIcon: class {},
  MarkdownString: class {},
  ProgressLocation: {},
  TreeItemCollapsibleState: {},
  ViewColumn: {},
};

/** Opens a folder in the window, in Restricted Mode if it is not trusted. */
export function openFolder(folder: string, isTrusted: boolean): void {
  openFolders([folder], isTrusted);
}

export function openFolders(paths: readonly string[], isTrusted = true): void {
  Object.assign(workspace, { isTrusted, asked: [], textDocuments: [] });
  folders = paths.map((folder) => ({ uri: Uri.file(folder), name: path.basename(folder) }));
  Object.assign(window, { shown: [], activeTextEditor: undefined, tabGroups: { activeTabGroup: {} } });
}

Object.assign(globalThis, { imitatedEditor: editor });
const source = `export const { ${Object.keys(editor).join(', ')} } = globalThis.imitatedEditor;`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
      : next(specifier, context),
});
